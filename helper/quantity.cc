/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "quantity.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ns3
{

namespace
{

/// Intermediate results: products of two 64-bit numbers
__extension__ typedef unsigned __int128 Wide;

/// A decimal number and the letters after it
struct Measure
{
    Wide digits{0};    ///< all digits as one integer
    int exponent{0};   ///< power of ten to multiply it with
    std::string unit;  ///< what follows the number, without blanks
    bool valid{false}; ///< whether there was a number that is not negative
};

/**
 * @brief Split a text into a number and a unit.
 * @param text the text
 * @return its parts
 */
Measure
Split(const std::string& text)
{
    Measure m;
    std::size_t i = 0;
    const auto isDigit = [&](std::size_t at) {
        return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]));
    };
    int significant = 0;
    const auto take = [&](bool fraction) {
        for (; isDigit(i); ++i)
        {
            m.valid = true;
            if (significant < 18)
            {
                m.digits = m.digits * 10 + static_cast<unsigned>(text[i] - '0');
                significant += m.digits != 0;
                m.exponent -= fraction;
            }
            else
            {
                m.exponent += !fraction;
            }
        }
    };
    take(false);
    if (m.valid && i < text.size() && text[i] == '.')
    {
        ++i;
        take(true);
    }
    if (m.valid && i < text.size() && (text[i] == 'e' || text[i] == 'E'))
    {
        std::size_t j = i + 1;
        bool negative = false;
        if (j < text.size() && (text[j] == '+' || text[j] == '-'))
        {
            negative = text[j] == '-';
            ++j;
        }
        if (isDigit(j))
        {
            int power = 0;
            for (; isDigit(j); ++j)
            {
                power = std::min(1000, power * 10 + (text[j] - '0'));
            }
            m.exponent += negative ? -power : power;
            i = j;
        }
    }
    for (; i < text.size(); ++i)
    {
        if (!std::isspace(static_cast<unsigned char>(text[i])))
        {
            m.unit += text[i];
        }
    }
    return m;
}

/**
 * @brief Multiply a number with its unit, rounding to the nearest integer.
 * @param m the number
 * @param unit value of its unit
 * @param result what it is worth
 * @return false if it exceeds 2^62
 */
bool
Scale(const Measure& m, uint64_t unit, uint64_t& result)
{
    constexpr Wide limit = Wide{1} << 62;
    Wide value = m.digits;
    int exponent = m.exponent;
    if (value == 0)
    {
        result = 0;
        return true;
    }
    while (exponent < 0 && unit % 10 == 0)
    {
        unit /= 10;
        ++exponent;
    }
    while (exponent > 0)
    {
        if (value > limit)
        {
            return false;
        }
        value *= 10;
        --exponent;
    }
    // the digits are below 10^18, so that only large powers of ten overflow
    if (value > (~Wide{0}) / unit)
    {
        return false;
    }
    value *= unit;
    while (exponent < -1 && value != 0)
    {
        value /= 10;
        ++exponent;
    }
    if (exponent == -1)
    {
        value = (value + 5) / 10;
    }
    if (value > limit)
    {
        return false;
    }
    result = static_cast<uint64_t>(value);
    return true;
}

/**
 * @brief Lower case.
 * @param text a text (ASCII)
 * @return the text in lower case
 */
std::string
ToLower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return text;
}

/**
 * @brief Report a text that is not what the option takes.
 * @param option name of the option
 * @param text what the user gave
 * @param problem what is wrong
 * @param allowed what is allowed
 */
[[noreturn]] void
Refuse(const std::string& option,
       const std::string& text,
       const std::string& problem,
       const std::string& allowed)
{
    throw std::invalid_argument(option + ": '" + text + "' " + problem + "; give " + allowed);
}

/// A unit and what it is worth
using Unit = std::pair<const char*, uint64_t>;

/**
 * @brief Read a number with one of several units.
 * @param option name of the option
 * @param text what the user gave
 * @param m the text's parts
 * @param units the units; the longest spelling is compared as a whole
 * @param noun what the option takes, with article
 * @param allowed what is allowed
 * @return its value
 */
template <std::size_t N>
uint64_t
Convert(const std::string& option,
        const std::string& text,
        const Measure& m,
        const std::array<Unit, N>& units,
        const std::string& noun,
        const std::string& allowed)
{
    if (!text.empty() && text[0] == '-')
    {
        Refuse(option, text, "is negative", allowed);
    }
    if (!m.valid)
    {
        Refuse(option, text, "is not " + noun, allowed);
    }
    if (m.unit.empty())
    {
        Refuse(option, text, "has no unit", allowed);
    }
    for (const auto& [name, worth] : units)
    {
        if (m.unit == name)
        {
            uint64_t value;
            if (!Scale(m, worth, value))
            {
                Refuse(option, text, "is too large", allowed);
            }
            return value;
        }
    }
    Refuse(option, text, "has the unknown unit '" + m.unit + "'", allowed);
}

constexpr std::array<Unit, 7> TIME_UNITS{{{"ns", 1},
                                          {"us", 1000},
                                          {"ms", 1000000},
                                          {"s", 1000000000},
                                          {"min", 60000000000},
                                          {"h", 3600000000000},
                                          {"d", 86400000000000}}}; ///< times in ns
constexpr std::array<Unit, 8> SIZE_UNITS{{{"b", 1},
                                          {"kb", 1000},
                                          {"mb", 1000000},
                                          {"gb", 1000000000},
                                          {"kib", 1024},
                                          {"mib", 1048576},
                                          {"gib", 1073741824},
                                          {"bytes", 1}}}; ///< sizes in bytes
constexpr std::array<Unit, 5> RATE_UNITS{{{"bps", 1},
                                          {"kbps", 1000},
                                          {"mbps", 1000000},
                                          {"gbps", 1000000000},
                                          {"tbps", 1000000000000}}}; ///< rates in bit/s

const std::string TIME_HELP = "a time such as 20ms (units ns, us, ms, s, min, h, d)";
const std::string SIZE_HELP = "a size such as 64KB (units B, KB, MB, GB, KiB, MiB, GiB)";
const std::string RATE_HELP = "a rate such as 10Mbps (units bps, kbps, Mbps, Gbps, Tbps), above 0";
const std::string BUFFER_HELP =
    "a buffer above 0 in packets (100p), bytes (64KB), time (50ms) or delay products (1.5bdp)";

} // namespace

uint64_t
ParseRate(const std::string& option, const std::string& text)
{
    auto m = Split(text);
    // "MB/s" and "MBps" are megabytes to some and megabits to others; "MBit" is clear.
    const auto big = m.unit.find('B');
    if (big != std::string::npos && ToLower(m.unit.substr(big, 3)) != "bit")
    {
        Refuse(option, text, "may be bytes a second", RATE_HELP);
    }
    m.unit = ToLower(m.unit);
    for (const char* other : {"bit/s", "b/s", "bit"})
    {
        const std::string suffix(other);
        if (m.unit.size() >= suffix.size() &&
            m.unit.compare(m.unit.size() - suffix.size(), suffix.size(), suffix) == 0)
        {
            m.unit.replace(m.unit.size() - suffix.size(), suffix.size(), "bps");
            break;
        }
    }
    const auto rate = Convert(option, text, m, RATE_UNITS, "a rate", RATE_HELP);
    if (rate == 0)
    {
        Refuse(option, text, "is no rate", RATE_HELP);
    }
    return rate;
}

int64_t
ParseTime(const std::string& option, const std::string& text)
{
    return static_cast<int64_t>(
        Convert(option, text, Split(text), TIME_UNITS, "a time", TIME_HELP));
}

uint64_t
ParseSize(const std::string& option, const std::string& text)
{
    auto m = Split(text);
    m.unit = ToLower(m.unit);
    return Convert(option, text, m, SIZE_UNITS, "a size", SIZE_HELP);
}

std::string
BufferCapacity::ToQueueSize() const
{
    return std::to_string(value) + (inBytes ? "B" : "p");
}

BufferCapacity
ParseBuffer(const std::string& option,
            const std::string& text,
            uint64_t rate,
            int64_t rttNs,
            uint32_t packetBytes)
{
    auto m = Split(text);
    const std::string unit = ToLower(m.unit);
    BufferCapacity capacity;
    Wide bitNs = 0;
    if (unit == "p" || unit == "bdp")
    {
        constexpr uint64_t millionth = 1000000;
        const std::array<Unit, 2> units{{{"p", 1}, {"bdp", millionth}}};
        m.unit = unit;
        capacity.value = Convert(option, text, m, units, "a buffer", BUFFER_HELP);
        if (unit == "bdp")
        {
            if (capacity.value == 0)
            {
                Refuse(option, text, "holds nothing", BUFFER_HELP);
            }
            bitNs =
                static_cast<Wide>(rate) * static_cast<uint64_t>(rttNs) / millionth * capacity.value;
        }
    }
    else if (std::any_of(TIME_UNITS.begin(), TIME_UNITS.end(), [&](const Unit& u) {
                 return m.unit == u.first;
             }))
    {
        const auto ns = Convert(option, text, m, TIME_UNITS, "a buffer", BUFFER_HELP);
        if (ns == 0)
        {
            Refuse(option, text, "holds nothing", BUFFER_HELP);
        }
        bitNs = static_cast<Wide>(rate) * ns;
    }
    else
    {
        m.unit = unit;
        capacity.inBytes = true;
        capacity.value = Convert(option, text, m, SIZE_UNITS, "a buffer", BUFFER_HELP);
    }
    if (bitNs != 0 || unit == "bdp")
    {
        const Wide perPacket = static_cast<Wide>(packetBytes) * 8 * 1000000000;
        capacity.value = static_cast<uint64_t>((bitNs + perPacket - 1) / perPacket);
        capacity.value = std::max<uint64_t>(1, capacity.value);
    }
    if (capacity.value == 0)
    {
        Refuse(option, text, "holds nothing", BUFFER_HELP);
    }
    if (capacity.value > std::numeric_limits<int32_t>::max())
    {
        Refuse(option, text, "is too large", BUFFER_HELP);
    }
    return capacity;
}

} // namespace ns3
