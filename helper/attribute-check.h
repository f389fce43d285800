/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_ATTRIBUTE_CHECK_H
#define LINUX_TCP_ATTRIBUTE_CHECK_H

#include "scenario.h"

#include "ns3/object-base.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief Find a class by name without ending the program.
 * @param option name of the option, for the message
 * @param name a short name or a TypeId's name
 * @param names TypeIds' names by short name
 * @param parent class that the result must derive from
 * @param noun what is looked for, such as "congestion control"
 * @return the class, which can be instantiated
 * @throw std::invalid_argument with one line if there is none
 */
TypeId FindType(const std::string& option,
                const std::string& name,
                const AttributeMap& names,
                const std::string& parent,
                const std::string& noun);

/**
 * @ingroup linux-tcp
 * @brief Check an attribute and its value without ending the program.
 * @param option name of the option, for the message
 * @param tid class that has the attribute
 * @param name name of the attribute
 * @param value its value in textual form; times, rates and queue sizes need a unit
 * @return the value in the form that ns-3 reads
 * @throw std::invalid_argument with one line if name or value is not allowed
 */
std::string CheckAttribute(const std::string& option,
                           TypeId tid,
                           const std::string& name,
                           const std::string& value);

/**
 * @ingroup linux-tcp
 * @brief Join names for a message.
 * @param names the names
 * @return "a, b, c"
 */
std::string JoinNames(const std::vector<std::string>& names);

} // namespace ns3

#endif /* LINUX_TCP_ATTRIBUTE_CHECK_H */
