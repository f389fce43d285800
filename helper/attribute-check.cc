/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "attribute-check.h"

#include "quantity.h"

#include "ns3/attribute.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace ns3
{

namespace
{

/**
 * @brief All attributes of a class, its parents' included, that can be set at construction.
 * @param tid the class
 * @return their names, sorted
 */
std::vector<std::string>
GetAttributeNames(TypeId tid)
{
    std::vector<std::string> names;
    while (true)
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            names.push_back(tid.GetAttribute(i).name);
        }
        if (!tid.HasParent() || tid.GetParent() == tid)
        {
            break;
        }
        tid = tid.GetParent();
    }
    std::sort(names.begin(), names.end());
    return names;
}

/**
 * @brief What a checker allows, for a message.
 * @param checker the checker
 * @return text with a blank before it; empty if the checker does not tell
 */
std::string
Limits(const AttributeChecker& checker)
{
    return checker.HasUnderlyingTypeInformation()
               ? " (" + checker.GetUnderlyingTypeInformation() + ")"
               : "";
}

/**
 * @brief Have an object of a class judge a text, as the checkers of texts accept all.
 * @param place option that the text comes from
 * @param tid the class
 * @param name attribute
 * @param value the text
 */
void
TryText(const std::string& place, TypeId tid, const std::string& name, const std::string& value)
{
    ObjectFactory factory;
    factory.SetTypeId(tid);
    factory.Set(name, StringValue(value));
    try
    {
        factory.Create<Object>();
    }
    catch (const std::invalid_argument& error)
    {
        const std::string words = error.what();
        const std::string must = "must be ";
        const auto rule = words.find(must);
        throw std::invalid_argument(
            place + ": '" + value + "' is not allowed; give " +
            (rule == std::string::npos ? words : words.substr(rule + must.size())));
    }
}

} // namespace

std::string
JoinNames(const std::vector<std::string>& names)
{
    std::string text;
    for (const auto& name : names)
    {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

TypeId
FindType(const std::string& option,
         const std::string& name,
         const AttributeMap& names,
         const std::string& parent,
         const std::string& noun)
{
    const auto known = names.find(name);
    TypeId tid;
    TypeId parentTid;
    const bool found =
        TypeId::LookupByNameFailSafe(known == names.end() ? name : known->second, &tid);
    if (found && TypeId::LookupByNameFailSafe(parent, &parentTid) && tid.IsChildOf(parentTid) &&
        tid.HasConstructor())
    {
        return tid;
    }
    std::vector<std::string> allowed;
    for (const auto& entry : names)
    {
        allowed.push_back(entry.first);
    }
    throw std::invalid_argument(option + ": '" + name + "' is no known " + noun + "; give one of " +
                                JoinNames(allowed) + " or the TypeId of a class derived from " +
                                parent);
}

std::string
CheckAttribute(const std::string& option,
               TypeId tid,
               const std::string& name,
               const std::string& value)
{
    TypeId::AttributeInformation info;
    if (!tid.LookupAttributeByName(name, &info))
    {
        throw std::invalid_argument(option + ": '" + name + "' is no attribute of " +
                                    tid.GetName() + "; it has " +
                                    JoinNames(GetAttributeNames(tid)));
    }
    const std::string place = option + "." + name;
    std::string type = info.checker->GetValueTypeName();
    // older releases leave the namespace out for some types
    if (type.rfind("ns3::", 0) == 0)
    {
        type.erase(0, 5);
    }
    std::string text = value;
    // ns-3 ends the program when it cannot read these, and reads bare numbers
    if (type == "TimeValue")
    {
        const bool negative = !value.empty() && value[0] == '-';
        const auto ns = ParseTime(place, negative ? value.substr(1) : value);
        text = (negative ? "-" : "") + std::to_string(ns) + "ns";
    }
    else if (type == "DataRateValue")
    {
        const auto isZero = value.find_first_not_of("0.") == std::string::npos ||
                            value.find_first_of("123456789") == std::string::npos;
        text = std::to_string(isZero && !value.empty() ? 0 : ParseRate(place, value)) + "bps";
    }
    else if (type == "QueueSizeValue")
    {
        text = ParseBuffer(place, value, 1, 1, 1).ToQueueSize();
    }
    else if (type == "UintegerValue" || type == "IntegerValue" || type == "DoubleValue")
    {
        char* end = nullptr;
        const double number = std::strtod(value.c_str(), &end);
        const bool whole = value.find_first_not_of("+-0123456789") == std::string::npos;
        const bool negative = !value.empty() && value[0] == '-';
        if (value.empty() || *end != '\0' || !std::isfinite(number) ||
            (type != "DoubleValue" && !whole) || (type == "UintegerValue" && negative))
        {
            throw std::invalid_argument(place + ": '" + value + "' is not allowed; give a " +
                                        (type == "DoubleValue" ? "number" : "whole number") +
                                        Limits(*info.checker));
        }
    }
    else if (type == "BooleanValue")
    {
        if (value != "true" && value != "false" && value != "1" && value != "0")
        {
            throw std::invalid_argument(place + ": '" + value +
                                        "' is not allowed; give true or false");
        }
    }
    else if (type.rfind("EnumValue", 0) == 0) // a template from 3.41 on
    {
        std::vector<std::string> allowed;
        std::istringstream list(info.checker->GetUnderlyingTypeInformation());
        for (std::string entry; std::getline(list, entry, '|');)
        {
            allowed.push_back(entry);
        }
        if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
        {
            throw std::invalid_argument(place + ": '" + value + "' is not allowed; give one of " +
                                        JoinNames(allowed));
        }
    }
    else if (type == "TypeIdValue")
    {
        TypeId unused;
        if (!TypeId::LookupByNameFailSafe(value, &unused))
        {
            throw std::invalid_argument(place + ": '" + value + "' is no known TypeId");
        }
    }
    const auto parsed = info.checker->CreateValidValue(StringValue(text));
    if (!parsed)
    {
        throw std::invalid_argument(place + ": '" + value + "' is not allowed; give a " + type +
                                    Limits(*info.checker));
    }
    if (type == "StringValue" && tid.HasConstructor())
    {
        TryText(place, tid, name, value);
    }
    return text;
}

} // namespace ns3
