/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_CUBIC_ROOT_H
#define LINUX_TCP_CUBIC_ROOT_H

#include <cstdint>

namespace ns3
{
namespace linuxtcp
{

/**
 * @brief The integer cube root that Linux's CUBIC uses.
 *
 * A table look-up on the leading bits and one Newton step; the result is within about 0.2 % of the
 * real root for large arguments, and exactly the kernel's number for all of them.
 * @param a radicand
 * @return approximate cube root
 */
uint32_t CubicRoot(uint64_t a);

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_CUBIC_ROOT_H */
