/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tc-line.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TcLine");

namespace
{

/// Units of a kind of quantity: what one of each is worth
typedef std::map<std::string, uint64_t> Units;

/**
 * @brief Refuse an option.
 * @param option the option
 * @param value its value
 * @param allowed what is allowed
 */
[[noreturn]] void
Refuse(const std::string& option, const std::string& value, const std::string& allowed)
{
    throw std::invalid_argument("tc line: " + option + (value.empty() ? "" : " ") + value +
                                " is not allowed: " + allowed);
}

/**
 * @brief Units of rates, in bit/s.
 * @return the units
 */
const Units&
GetRateUnits()
{
    static const Units units = []() {
        Units result{{"", 1}, {"bit", 1}, {"bps", 8}};
        uint64_t decimal = 1;
        uint64_t binary = 1;
        for (const char* prefix : {"k", "m", "g", "t"})
        {
            decimal *= 1000;
            binary *= 1024;
            result[std::string(prefix) + "bit"] = decimal;
            result[std::string(prefix) + "bps"] = decimal * 8;
            result[std::string(prefix) + "ibit"] = binary;
            result[std::string(prefix) + "ibps"] = binary * 8;
        }
        return result;
    }();
    return units;
}

/**
 * @brief Units of sizes, in bit, so that a kbit is a whole number of them.
 * @return the units
 */
const Units&
GetSizeUnits()
{
    static const Units units{{"", 8},
                             {"b", 8},
                             {"k", 8ULL << 10},
                             {"kb", 8ULL << 10},
                             {"kbit", 1ULL << 10},
                             {"m", 8ULL << 20},
                             {"mb", 8ULL << 20},
                             {"mbit", 1ULL << 20},
                             {"g", 8ULL << 30},
                             {"gb", 8ULL << 30},
                             {"gbit", 1ULL << 30}};
    return units;
}

/**
 * @brief Units of times, in ns.
 * @return the units
 */
const Units&
GetTimeUnits()
{
    static const Units units{{"", 1000},
                             {"s", 1000000000},
                             {"sec", 1000000000},
                             {"secs", 1000000000},
                             {"ms", 1000000},
                             {"msec", 1000000},
                             {"msecs", 1000000},
                             {"us", 1000},
                             {"usec", 1000},
                             {"usecs", 1000},
                             {"ns", 1},
                             {"nsec", 1},
                             {"nsecs", 1}};
    return units;
}

/// Reads the words of a line
class Reader
{
  public:
    /**
     * @brief Constructor
     * @param line the line
     */
    explicit Reader(const std::string& line)
    {
        std::istringstream stream(line);
        std::string word;
        while (stream >> word)
        {
            m_words.push_back(word);
        }
    }

    /**
     * @brief Whether there is a word left.
     * @return true if so
     */
    bool HasNext() const
    {
        return m_position < m_words.size();
    }

    /**
     * @brief Next word.
     * @return the word
     */
    std::string Next()
    {
        return m_words[m_position++];
    }

    /**
     * @brief Value of an option.
     * @param option the option
     * @param allowed what is allowed
     * @return the next word
     */
    std::string Value(const std::string& option, const std::string& allowed)
    {
        if (!HasNext())
        {
            Refuse(option, "", "it needs a value, " + allowed);
        }
        return Next();
    }

    /**
     * @brief Quantity with a unit.
     * @param option the option
     * @param units the units
     * @param lowest smallest value allowed, in the units' common unit
     * @param highest largest value allowed
     * @param allowed what is allowed
     * @return the value, rounded down
     */
    uint64_t Quantity(const std::string& option,
                      const Units& units,
                      uint64_t lowest,
                      uint64_t highest,
                      const std::string& allowed)
    {
        const std::string text = Value(option, allowed);
        const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
        const std::string number = text.substr(0, end);
        std::string name = text.substr(end);
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char letter) {
            return static_cast<char>(std::tolower(letter));
        });
        const auto unit = units.find(name);
        const std::size_t point = number.find('.');
        std::string digits = number;
        std::size_t decimals = 0;
        if (point != std::string::npos)
        {
            digits.erase(point, 1);
            decimals = number.size() - point - 1;
        }
        if (unit == units.end() || digits.empty() || digits.size() > 18 ||
            digits.find('.') != std::string::npos)
        {
            Refuse(option, text, allowed);
        }
        // Below 10^18 * 8 * 10^12, so it fits in 128 bits.
        __extension__ typedef unsigned __int128 Wide;
        Wide value = static_cast<Wide>(std::stoull(digits)) * unit->second;
        for (; decimals > 0; decimals--)
        {
            value /= 10;
        }
        if (value < lowest || value > highest)
        {
            Refuse(option, text, allowed);
        }
        return static_cast<uint64_t>(value);
    }

    /**
     * @brief Number without unit.
     * @param option the option
     * @param lowest smallest value allowed
     * @param highest largest value allowed
     * @return the number
     */
    uint64_t Number(const std::string& option, uint64_t lowest, uint64_t highest)
    {
        const std::string allowed =
            "it must be a number from " + std::to_string(lowest) + " to " + std::to_string(highest);
        const std::string text = Value(option, allowed);
        const bool isHexadecimal = text.rfind("0x", 0) == 0 || text.rfind("0X", 0) == 0;
        const std::string digits = isHexadecimal ? text.substr(2) : text;
        const char* known = isHexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
        if (digits.empty() || digits.size() > 15 ||
            digits.find_first_not_of(known) != std::string::npos)
        {
            Refuse(option, text, allowed);
        }
        const uint64_t number = std::stoull(digits, nullptr, isHexadecimal ? 16 : 10);
        if (number < lowest || number > highest)
        {
            Refuse(option, text, allowed);
        }
        return number;
    }

    /**
     * @brief Rate.
     * @param option the option
     * @return the rate
     */
    Ptr<AttributeValue> Rate(const std::string& option)
    {
        return Create<DataRateValue>(
            DataRate(Quantity(option,
                              GetRateUnits(),
                              8,
                              std::numeric_limits<uint64_t>::max(),
                              "it must be a rate from 8bit on, such as 100mbit or 12mbps")));
    }

    /**
     * @brief Size.
     * @param option the option
     * @param lowest smallest size allowed (bytes)
     * @param highest largest size allowed (bytes)
     * @return bytes
     */
    uint64_t Size(const std::string& option, uint64_t lowest, uint64_t highest)
    {
        return Quantity(option,
                        GetSizeUnits(),
                        lowest * 8,
                        highest * 8 + 7,
                        "it must be a size from " + std::to_string(lowest) + " to " +
                            std::to_string(highest) + " bytes, such as 3028 or 16kb") /
               8;
    }

    /**
     * @brief Time.
     * @param option the option
     * @return the time
     */
    Ptr<AttributeValue> Duration(const std::string& option)
    {
        return Create<TimeValue>(NanoSeconds(static_cast<int64_t>(
            Quantity(option,
                     GetTimeUnits(),
                     0,
                     std::numeric_limits<int64_t>::max(),
                     "it must be a time such as 40ms or 10s; a bare number is in us"))));
    }

  private:
    std::vector<std::string> m_words; ///< the words
    std::size_t m_position{0};        ///< next word
};

} // namespace

TcLine::TcLine(const std::string& line)
{
    constexpr uint64_t maximum = std::numeric_limits<uint32_t>::max();
    Reader reader(line);
    const std::string kind = reader.HasNext() ? reader.Next() : "";
    if (kind != "fq")
    {
        Refuse("queue disc",
               "\"" + kind + "\"",
               "the line must begin with fq, such as fq maxrate 100mbit");
    }
    const auto add = [this](const std::string& name, Ptr<AttributeValue> value) {
        m_attributes.emplace_back(name, value);
    };
    while (reader.HasNext())
    {
        const std::string option = reader.Next();
        if (option == "limit")
        {
            add("MaxSize",
                Create<QueueSizeValue>(
                    QueueSize(QueueSizeUnit::PACKETS,
                              static_cast<uint32_t>(reader.Number(option, 1, maximum)))));
        }
        else if (option == "flow_limit")
        {
            add("FlowLimit", Create<UintegerValue>(reader.Number(option, 0, maximum)));
        }
        else if (option == "quantum")
        {
            add("Quantum", Create<UintegerValue>(reader.Size(option, 1, 1048576)));
        }
        else if (option == "initial_quantum")
        {
            add("InitialQuantum",
                Create<IntegerValue>(static_cast<int64_t>(reader.Size(option, 0, 2147483647))));
        }
        else if (option == "maxrate")
        {
            add("MaxRate", reader.Rate(option));
        }
        else if (option == "defrate")
        {
            add("DefaultRate", reader.Rate(option));
        }
        else if (option == "low_rate_threshold")
        {
            add("LowRateThreshold", reader.Rate(option));
        }
        else if (option == "buckets")
        {
            add("Buckets", Create<UintegerValue>(reader.Number(option, 1, 262144)));
        }
        else if (option == "orphan_mask")
        {
            add("OrphanMask", Create<UintegerValue>(reader.Number(option, 0, maximum)));
        }
        else if (option == "pacing" || option == "nopacing")
        {
            add("Pacing", Create<BooleanValue>(option == "pacing"));
        }
        else if (option == "refill_delay")
        {
            add("RefillDelay", reader.Duration(option));
        }
        else if (option == "ce_threshold")
        {
            add("CeThreshold", reader.Duration(option));
        }
        else if (option == "timer_slack")
        {
            add("TimerSlack", reader.Duration(option));
        }
        else if (option == "horizon")
        {
            add("Horizon", reader.Duration(option));
        }
        else if (option == "horizon_drop" || option == "horizon_cap")
        {
            add("HorizonDrop", Create<BooleanValue>(option == "horizon_drop"));
        }
        else if (option == "offload_horizon")
        {
            add("OffloadHorizon", reader.Duration(option));
        }
        else if (option == "bands")
        {
            reader.Number(option, linuxtcp::FAIR_QUEUE_BANDS, linuxtcp::FAIR_QUEUE_BANDS);
        }
        else if (option == "priomap" || option == "weights")
        {
            const bool isPriomap = option == "priomap";
            std::string numbers;
            for (uint32_t i = 0; i < (isPriomap ? 16 : linuxtcp::FAIR_QUEUE_BANDS); i++)
            {
                const uint64_t number =
                    isPriomap ? reader.Number(option, 0, linuxtcp::FAIR_QUEUE_BANDS - 1)
                              : reader.Number(option, 16384, 2147483647);
                numbers += (i > 0 ? " " : "") + std::to_string(number);
            }
            add(isPriomap ? "Priomap" : "Weights", Create<StringValue>(numbers));
        }
        else
        {
            Refuse("option",
                   "\"" + option + "\"",
                   "known are limit, flow_limit, quantum, initial_quantum, maxrate, defrate, "
                   "buckets, orphan_mask, pacing, nopacing, refill_delay, low_rate_threshold, "
                   "ce_threshold, timer_slack, horizon, horizon_drop, horizon_cap, bands, priomap, "
                   "weights, offload_horizon");
        }
    }
}

const TcLine::Attributes&
TcLine::GetAttributes() const
{
    return m_attributes;
}

void
TcLine::Change(Ptr<FqQueueDisc> disc) const
{
    for (const auto& [name, value] : m_attributes)
    {
        NS_LOG_LOGIC("Set " << name);
        disc->SetAttribute(name, *value);
    }
}

QueueDiscContainer
TcLine::Install(NetDeviceContainer devices, const std::string& model) const
{
    TrafficControlHelper helper;
    helper.SetRootQueueDisc("ns3::FqQueueDisc", "Model", StringValue(model));
    const QueueDiscContainer discs = helper.Install(devices);
    for (std::size_t i = 0; i < discs.GetN(); i++)
    {
        Change(DynamicCast<FqQueueDisc>(discs.Get(i)));
    }
    return discs;
}

} // namespace ns3
