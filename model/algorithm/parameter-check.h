/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_PARAMETER_CHECK_H
#define LINUX_TCP_PARAMETER_CHECK_H

#include <sstream>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace linuxtcp
{

/**
 * @brief Refuse a parameter outside its range.
 * @tparam T an arithmetic type
 * @param name the parameter in words
 * @param value its value
 * @param lowest the smallest value allowed
 * @param highest the largest value allowed
 * @throws std::invalid_argument naming the parameter, its value and the range
 */
template <typename T>
void
CheckRange(const std::string& name, T value, T lowest, T highest)
{
    if (value >= lowest && value <= highest)
    {
        return;
    }
    std::ostringstream message;
    message << name << " is " << +value << ", but must be between " << +lowest << " and "
            << +highest;
    throw std::invalid_argument(message.str());
}

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_PARAMETER_CHECK_H */
