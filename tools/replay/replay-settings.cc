/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "replay-settings.h"

#include "replay-error.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace ns3
{
namespace linuxtcp
{

void
ReplaySettings::Set(const std::string& name, const std::string& value)
{
    m_values[name] = value;
}

void
ReplaySettings::SetAll(const std::string& assignments)
{
    std::istringstream stream(assignments);
    std::string assignment;
    while (std::getline(stream, assignment, ';'))
    {
        const size_t equals = assignment.find('=');
        if (equals == 0 || equals == std::string::npos)
        {
            throw ReplayError("'" + assignment + "': must be NAME=VALUE");
        }
        Set(assignment.substr(0, equals), assignment.substr(equals + 1));
    }
}

uint32_t
ReplaySettings::Number(const std::string& name, uint32_t value, uint32_t low, uint32_t high) const
{
    const std::string text = Text(name, std::to_string(value));
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < low || number > high)
    {
        throw ReplayError(name + " = '" + text + "': must be a whole number from " +
                          std::to_string(low) + " to " + std::to_string(high));
    }
    return number;
}

bool
ReplaySettings::Switch(const std::string& name, bool value) const
{
    return Number(name, value ? 1 : 0, 0, 1) == 1;
}

std::string
ReplaySettings::Text(const std::string& name, const std::string& value) const
{
    if (std::find(m_known.begin(), m_known.end(), name) == m_known.end())
    {
        m_known.push_back(name);
    }
    const auto given = m_values.find(name);
    return given == m_values.end() ? value : given->second;
}

uint32_t
ReplaySettings::Hz() const
{
    return Number("hz", 1000, 1, 1000000);
}

void
ReplaySettings::RequireAllKnown() const
{
    for (const auto& [name, value] : m_values)
    {
        if (std::find(m_known.begin(), m_known.end(), name) != m_known.end())
        {
            continue;
        }
        std::string list;
        for (const auto& known : m_known)
        {
            list += (list.empty() ? "" : ", ") + known;
        }
        throw ReplayError("unknown parameter '" + name + "': must be one of " + list);
    }
}

} // namespace linuxtcp
} // namespace ns3
