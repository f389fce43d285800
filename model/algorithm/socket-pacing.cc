/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "socket-pacing.h"

#include <algorithm>

namespace ns3
{
namespace linuxtcp
{

uint64_t
ComputePacingRate(const PacingGains& gains,
                  uint32_t mss,
                  uint32_t cwnd,
                  uint32_t ssthresh,
                  uint32_t packetsOut,
                  uint64_t smoothedRttUs,
                  uint64_t maxRate)
{
    if (smoothedRttUs == 0)
    {
        return maxRate;
    }
    const bool early = gains.slowStartGainOnly || cwnd < ssthresh / 2;
    const uint64_t percent = early ? gains.slowStartPercent : gains.avoidancePercent;
    const uint64_t bytes = uint64_t{mss} * std::max(cwnd, packetsOut);
    // At most 2^34 bytes times 2^27: no overflow.
    return std::min(bytes * percent * 10000 / smoothedRttUs, maxRate);
}

int64_t
DepartureClock::Stamp(int64_t nowNs)
{
    const int64_t prior = m_nextNs;
    m_nextNs = std::max(m_nextNs, nowNs);
    m_creditNs = m_nextNs - prior;
    return m_nextNs;
}

void
DepartureClock::Advance(uint32_t bytes, uint64_t rate)
{
    const auto length = static_cast<int64_t>(uint64_t{bytes} * 1000000000 / rate);
    const int64_t used = std::min(length / 2, m_creditNs);
    m_creditNs -= used;
    m_nextNs += length - used;
}

int64_t
DepartureClock::GetNext() const
{
    return m_nextNs;
}

} // namespace linuxtcp
} // namespace ns3
