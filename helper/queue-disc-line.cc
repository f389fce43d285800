/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-disc-line.h"

#include "attribute-check.h"
#include "tc-line.h"

#include "ns3/abort.h"
#include "ns3/fq-queue-disc.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace ns3
{

namespace
{

/// How the argument of a word is read and written
enum class Kind
{
    RATE,       ///< tc rate to bit/s
    TIME,       ///< tc time to ns
    PACKETS,    ///< number of packets to a queue size
    BYTE_LIMIT, ///< tc size to a queue size
    BYTES,      ///< tc size to a number of bytes
    NUMBER,     ///< number, as it is
    SWITCH_ON,  ///< no argument: true
    SWITCH_OFF  ///< no argument: false
};

/// A word of a line
struct Word
{
    std::string disc;      ///< queue disc that knows it
    std::string word;      ///< the word
    Kind kind;             ///< what follows it
    std::string attribute; ///< attribute that it sets
};

/// All words, in the order in which tc lists them
const std::vector<Word>&
GetWords()
{
    static const std::vector<Word> words{
        {"pfifo", "limit", Kind::PACKETS, "MaxSize"},
        {"bfifo", "limit", Kind::BYTE_LIMIT, "MaxSize"},
        {"codel", "limit", Kind::PACKETS, "MaxSize"},
        {"codel", "target", Kind::TIME, "Target"},
        {"codel", "interval", Kind::TIME, "Interval"},
        {"codel", "ecn", Kind::SWITCH_ON, "UseEcn"},
        {"codel", "noecn", Kind::SWITCH_OFF, "UseEcn"},
        {"codel", "ce_threshold", Kind::TIME, "CeThreshold"},
        {"fq_codel", "limit", Kind::PACKETS, "MaxSize"},
        {"fq_codel", "flows", Kind::NUMBER, "Flows"},
        {"fq_codel", "target", Kind::TIME, "Target"},
        {"fq_codel", "interval", Kind::TIME, "Interval"},
        {"fq_codel", "drop_batch", Kind::NUMBER, "DropBatchSize"},
        {"fq_codel", "ecn", Kind::SWITCH_ON, "UseEcn"},
        {"fq_codel", "noecn", Kind::SWITCH_OFF, "UseEcn"},
        {"fq_codel", "ce_threshold", Kind::TIME, "CeThreshold"},
        {"pie", "limit", Kind::PACKETS, "MaxSize"},
        {"pie", "target", Kind::TIME, "QueueDelayReference"},
        {"pie", "tupdate", Kind::TIME, "Tupdate"},
        {"pie", "ecn", Kind::SWITCH_ON, "UseEcn"},
        {"pie", "noecn", Kind::SWITCH_OFF, "UseEcn"},
        {"red", "limit", Kind::BYTE_LIMIT, "MaxSize"},
        {"red", "min", Kind::BYTES, "MinTh"},
        {"red", "max", Kind::BYTES, "MaxTh"},
        {"red", "ecn", Kind::SWITCH_ON, "UseEcn"},
        {"red", "harddrop", Kind::SWITCH_ON, "UseHardDrop"},
        {"red", "adaptive", Kind::SWITCH_ON, "ARED"},
        {"tbf", "limit", Kind::BYTE_LIMIT, "MaxSize"},
        {"tbf", "burst", Kind::BYTES, "Burst"},
        {"tbf", "mtu", Kind::BYTES, "Mtu"},
        {"tbf", "rate", Kind::RATE, "Rate"},
        {"tbf", "peakrate", Kind::RATE, "PeakRate"},
    };
    return words;
}

/**
 * @brief Split a number from what follows it.
 * @param text the text
 * @param unit receives what follows, in lower case
 * @return the number, if there is one that is finite and not negative
 */
std::optional<long double>
SplitNumber(const std::string& text, std::string& unit)
{
    if (text.empty() || text.find_first_of("0123456789") > 1)
    {
        return std::nullopt;
    }
    char* end = nullptr;
    const long double number = std::strtold(text.c_str(), &end);
    if (!std::isfinite(number) || number < 0 || text[0] == '-')
    {
        return std::nullopt;
    }
    unit = end;
    std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return number;
}

/**
 * @brief Read a number with a unit.
 * @param text what the user gave
 * @param units values of the units by name
 * @return the value rounded to an integer, nothing if the text is wrong or too large
 */
std::optional<uint64_t>
ReadMeasure(const std::string& text, const std::map<std::string, long double>& units)
{
    std::string unit;
    const auto number = SplitNumber(text, unit);
    const auto worth = units.find(unit);
    if (!number || worth == units.end() || *number * worth->second > 4e18L)
    {
        return std::nullopt;
    }
    return static_cast<uint64_t>(std::llroundl(*number * worth->second));
}

/**
 * @brief Read a rate as tc does.
 * @param text what the user gave
 * @return bits per second
 */
std::optional<uint64_t>
ReadRate(const std::string& text)
{
    static const std::map<std::string, long double> units{{"", 1},
                                                          {"bit", 1},
                                                          {"kbit", 1e3L},
                                                          {"mbit", 1e6L},
                                                          {"gbit", 1e9L},
                                                          {"tbit", 1e12L},
                                                          {"kibit", 1024},
                                                          {"mibit", 1048576},
                                                          {"gibit", 0x1p30L},
                                                          {"tibit", 0x1p40L},
                                                          {"bps", 8},
                                                          {"kbps", 8e3L},
                                                          {"mbps", 8e6L},
                                                          {"gbps", 8e9L},
                                                          {"tbps", 8e12L},
                                                          {"kibps", 8192},
                                                          {"mibps", 0x1p23L},
                                                          {"gibps", 0x1p33L},
                                                          {"tibps", 0x1p43L}};
    return ReadMeasure(text, units);
}

/**
 * @brief Read a time as tc does.
 * @param text what the user gave
 * @return nanoseconds
 */
std::optional<uint64_t>
ReadTime(const std::string& text)
{
    static const std::map<std::string, long double> units{{"", 1e3L},
                                                          {"ns", 1},
                                                          {"nsec", 1},
                                                          {"nsecs", 1},
                                                          {"us", 1e3L},
                                                          {"usec", 1e3L},
                                                          {"usecs", 1e3L},
                                                          {"ms", 1e6L},
                                                          {"msec", 1e6L},
                                                          {"msecs", 1e6L},
                                                          {"s", 1e9L},
                                                          {"sec", 1e9L},
                                                          {"secs", 1e9L}};
    return ReadMeasure(text, units);
}

/**
 * @brief Read a size as tc does.
 * @param text what the user gave
 * @return bytes
 */
std::optional<uint64_t>
ReadSize(const std::string& text)
{
    static const std::map<std::string, long double> units{{"", 1},
                                                          {"b", 1},
                                                          {"k", 1024},
                                                          {"kb", 1024},
                                                          {"m", 1048576},
                                                          {"mb", 1048576},
                                                          {"g", 0x1p30L},
                                                          {"gb", 0x1p30L},
                                                          {"kbit", 128},
                                                          {"mbit", 131072},
                                                          {"gbit", 0x1p27L}};
    return ReadMeasure(text, units);
}

/**
 * @brief Read a plain number.
 * @param text what the user gave
 * @return the number
 */
std::optional<uint64_t>
ReadNumber(const std::string& text)
{
    if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos)
    {
        return std::nullopt;
    }
    return ReadMeasure(text, {{"", 1}});
}

/**
 * @brief Read the arguments of a word.
 * @param option name of the option
 * @param word the word
 * @param words what follows on the line; the arguments are taken away
 * @return the value of the attribute
 */
std::string
ReadArguments(const std::string& option, const Word& word, std::istringstream& words)
{
    const auto next = [&](const std::string& allowed) {
        std::string text;
        if (!(words >> text))
        {
            throw std::invalid_argument(option + ": '" + word.word + "' needs " + allowed);
        }
        return text;
    };
    const auto read = [&](auto reader, const std::string& allowed) {
        const auto text = next(allowed);
        const auto value = reader(text);
        if (!value)
        {
            throw std::invalid_argument(option + ": '" + word.word + " " + text +
                                        "' is not understood; give " + allowed);
        }
        return std::to_string(*value);
    };
    switch (word.kind)
    {
    case Kind::RATE:
        return read(ReadRate, "a rate such as 100mbit (units bit, kbit, mbit, gbit, tbit)") + "bps";
    case Kind::TIME:
        return read(ReadTime, "a time such as 40ms (units s, ms, us, ns)") + "ns";
    case Kind::PACKETS:
        return read(ReadNumber, "a number of packets") + "p";
    case Kind::BYTE_LIMIT:
        return read(ReadSize, "a size such as 64kb (units b, kb, mb)") + "B";
    case Kind::BYTES:
        return read(ReadSize, "a size such as 64kb (units b, kb, mb)");
    case Kind::NUMBER:
        return read(ReadNumber, "a whole number");
    case Kind::SWITCH_ON:
        return "true";
    case Kind::SWITCH_OFF:
        return "false";
    }
    return "";
}

/**
 * @brief Read a line of fq.
 * @param option name of the option
 * @param line the line
 * @return attributes and their values in textual form
 */
std::vector<std::pair<std::string, std::string>>
ReadFqLine(const std::string& option, const std::string& line)
{
    std::vector<std::pair<std::string, std::string>> attributes;
    try
    {
        const TcLine parsed(line);
        for (const auto& [name, value] : parsed.GetAttributes())
        {
            TypeId::AttributeInformation info;
            FqQueueDisc::GetTypeId().LookupAttributeByName(name, &info);
            attributes.emplace_back(name, value->SerializeToString(info.checker));
        }
    }
    catch (const std::invalid_argument& problem)
    {
        throw std::invalid_argument(option + ": " + problem.what());
    }
    return attributes;
}

} // namespace

const AttributeMap&
GetQueueDiscTypes()
{
    static const AttributeMap types{{"bfifo", "ns3::FifoQueueDisc"},
                                    {"cobalt", "ns3::CobaltQueueDisc"},
                                    {"codel", "ns3::CoDelQueueDisc"},
                                    {"fifo", ""},
                                    {"fq", "ns3::FqQueueDisc"},
                                    {"fq_cobalt", "ns3::FqCobaltQueueDisc"},
                                    {"fq_codel", "ns3::FqCoDelQueueDisc"},
                                    {"fq_pie", "ns3::FqPieQueueDisc"},
                                    {"none", ""},
                                    {"pfifo", "ns3::FifoQueueDisc"},
                                    {"pfifo_fast", "ns3::PfifoFastQueueDisc"},
                                    {"pie", "ns3::PieQueueDisc"},
                                    {"red", "ns3::RedQueueDisc"},
                                    {"tbf", "ns3::TbfQueueDisc"}};
    return types;
}

QueueDiscChoice
ParseQueueDisc(const std::string& option, const QueueSpec& spec)
{
    QueueDiscChoice choice;
    std::istringstream words(spec.disc);
    words >> choice.name;
    const auto known = GetQueueDiscTypes().find(choice.name);
    if (known != GetQueueDiscTypes().end() && known->second.empty())
    {
        choice.deviceQueueOnly = true;
        std::string rest;
        if (words >> rest)
        {
            throw std::invalid_argument(option + ": '" + rest + "' is not known to " + choice.name +
                                        ", which takes no parameters");
        }
        if (!spec.attributes.empty())
        {
            throw std::invalid_argument(option + ": '" + spec.attributes.begin()->first +
                                        "' is no attribute of " + choice.name + ", which has none");
        }
        return choice;
    }
    choice.type =
        FindType(option, choice.name, GetQueueDiscTypes(), "ns3::QueueDisc", "queue disc");
    const auto set = [&](const std::string& attribute, const std::string& value) {
        choice.attributes.emplace_back(attribute,
                                       CheckAttribute(option, choice.type, attribute, value));
        choice.limited |= attribute == "MaxSize";
    };
    if (choice.name == "fq")
    {
        for (const auto& [attribute, value] : ReadFqLine(option, spec.disc))
        {
            choice.attributes.emplace_back(attribute, value);
            choice.limited |= attribute == "MaxSize";
        }
        words.setstate(std::ios::eofbit);
    }
    for (std::string text; words >> text;)
    {
        const auto& all = GetWords();
        const auto word = std::find_if(all.begin(), all.end(), [&](const Word& w) {
            return w.disc == choice.name && w.word == text;
        });
        if (word == all.end())
        {
            std::vector<std::string> allowed;
            for (const auto& w : all)
            {
                if (w.disc == choice.name)
                {
                    allowed.push_back(w.word);
                }
            }
            throw std::invalid_argument(
                option + ": '" + text + "' is not known to " + choice.name + "; " +
                (allowed.empty() ? "it takes no parameters" : "give one of " + JoinNames(allowed)));
        }
        set(word->attribute, ReadArguments(option, *word, words));
    }
    for (const auto& [attribute, value] : spec.attributes)
    {
        set(attribute, value);
    }
    return choice;
}

QueueDiscContainer
InstallQueueDisc(const NetDeviceContainer& devices, const std::string& line)
{
    const auto choice = ParseQueueDisc("tc", {line, {}});
    if (choice.deviceQueueOnly)
    {
        throw std::invalid_argument("tc: '" + choice.name +
                                    "' is the device's own queue; give a queue disc");
    }
    ObjectFactory factory;
    factory.SetTypeId(choice.type);
    for (const auto& [attribute, value] : choice.attributes)
    {
        factory.Set(attribute, StringValue(value));
    }
    QueueDiscContainer discs;
    for (auto i = devices.Begin(); i != devices.End(); ++i)
    {
        const auto layer = (*i)->GetNode()->GetObject<TrafficControlLayer>();
        NS_ABORT_MSG_UNLESS(layer, "InstallQueueDisc() needs nodes with an internet stack");
        if (layer->GetRootQueueDiscOnDevice(*i))
        {
            layer->DeleteRootQueueDiscOnDevice(*i);
        }
        const auto disc = factory.Create<QueueDisc>();
        layer->SetRootQueueDiscOnDevice(*i, disc);
        discs.Add(disc);
    }
    return discs;
}

} // namespace ns3
