/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cubic-root.h"

#include <array>

namespace ns3
{
namespace linuxtcp
{

namespace
{

/// About 64 times the cube root of the index, less 1; tuned by hand, no formula gives it.
constexpr std::array<uint8_t, 64> ROOT_OF_LEADING_BITS = {
    0,   54,  54,  54,  118, 118, 118, 118, 123, 129, 134, 138, 143, 147, 151, 156,
    157, 161, 164, 168, 170, 173, 176, 179, 181, 185, 187, 190, 192, 194, 197, 199,
    200, 202, 204, 206, 209, 211, 213, 215, 217, 219, 221, 222, 224, 225, 227, 229,
    231, 232, 234, 236, 237, 239, 240, 242, 244, 245, 246, 248, 250, 251, 252, 254};

/**
 * @param a a number
 * @return how many bits it takes to write it, 0 for 0
 */
uint32_t
SignificantBits(uint64_t a)
{
    uint32_t bits = 0;
    while (a != 0)
    {
        a >>= 1;
        ++bits;
    }
    return bits;
}

} // namespace

uint32_t
CubicRoot(uint64_t a)
{
    const uint32_t bits = SignificantBits(a);
    if (bits <= 6)
    {
        return (ROOT_OF_LEADING_BITS[a] + 35U) >> 6;
    }
    const uint32_t third = ((bits * 84) >> 8) - 1;
    const uint64_t leading = a >> (3 * third);
    const uint32_t estimate = ((ROOT_OF_LEADING_BITS[leading] + 10U) << third) >> 6;
    // One Newton step for x^3 = a: (2x + a / x^2) / 3, with x(x-1) for x^2 and 341/1024 for 1/3.
    const uint64_t square = static_cast<uint64_t>(estimate) * (estimate - 1);
    const uint32_t sum = 2 * estimate + static_cast<uint32_t>(a / square);
    return static_cast<uint32_t>((static_cast<uint64_t>(sum) * 341) >> 10);
}

} // namespace linuxtcp
} // namespace ns3
