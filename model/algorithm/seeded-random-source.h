/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_SEEDED_RANDOM_SOURCE_H
#define LINUX_TCP_SEEDED_RANDOM_SOURCE_H

#include "congestion-control.h"

#include <cstdint>

namespace ns3
{
namespace linuxtcp
{

/**
 * @brief A random source that gives the same numbers for the same seed on every machine.
 *
 * SplitMix64 (Steele, Lea and Flood 2014), upper half of each output.
 */
class SeededRandomSource : public RandomSource
{
  public:
    /**
     * @brief Constructor
     * @param seed any number
     */
    explicit SeededRandomSource(uint64_t seed)
        : m_state(seed)
    {
    }

    uint32_t Draw() override
    {
        m_state += 0x9e3779b97f4a7c15ULL;
        uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return static_cast<uint32_t>((z ^ (z >> 31)) >> 32);
    }

  private:
    uint64_t m_state; ///< state of the generator
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_SEEDED_RANDOM_SOURCE_H */
