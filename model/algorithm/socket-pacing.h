/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_SOCKET_PACING_H
#define LINUX_TCP_SOCKET_PACING_H

#include <cstdint>
#include <limits>

namespace ns3
{
namespace linuxtcp
{

/// A pacing rate that does not limit (bytes/s).
constexpr uint64_t UNLIMITED_PACING_RATE = std::numeric_limits<uint64_t>::max();

/// How the pacing rate of a socket follows its window.
struct PacingGains
{
    uint32_t slowStartPercent{200}; ///< gain while cwnd is below half of ssthresh (percent)
    uint32_t avoidancePercent{120}; ///< gain above (percent)
    bool slowStartGainOnly{false};  ///< the first gain holds always (Linux 3.12 to 4.2)
};

/**
 * @brief Linux's pacing rate of a TCP socket: a multiple of window over smoothed RTT.
 * @param gains the gains
 * @param mss payload of a full segment (bytes)
 * @param cwnd congestion window (segments)
 * @param ssthresh slow start threshold (segments)
 * @param packetsOut packets sent and not cumulatively acknowledged
 * @param smoothedRttUs smoothed RTT (us), 0 if there is none: the rate is then unlimited
 * @param maxRate limit (bytes/s), UNLIMITED_PACING_RATE for none
 * @return rate (bytes/s), UNLIMITED_PACING_RATE if there is no limit
 */
uint64_t ComputePacingRate(const PacingGains& gains,
                           uint32_t mss,
                           uint32_t cwnd,
                           uint32_t ssthresh,
                           uint32_t packetsOut,
                           uint64_t smoothedRttUs,
                           uint64_t maxRate);

/**
 * @brief The clock by which a socket stamps departure times (Linux 4.20 and later).
 *
 * It runs ahead of the real clock by the time that the packets sent so far take at the pacing
 * rate. After an idle time the first gap is up to half as long.
 */
class DepartureClock
{
  public:
    /**
     * @brief Stamp a packet.
     * @param nowNs present time (ns)
     * @return its departure time (ns), not before the present
     */
    int64_t Stamp(int64_t nowNs);

    /**
     * @brief Go on by the time that payload takes, after it was stamped and sent.
     * @param bytes payload (bytes)
     * @param rate pacing rate (bytes/s), above 0
     */
    void Advance(uint32_t bytes, uint64_t rate);

    /// @return earliest departure time of the next packet (ns)
    int64_t GetNext() const;

  private:
    int64_t m_nextNs{0};   ///< earliest departure time of the next packet (ns)
    int64_t m_creditNs{0}; ///< idle time before the last stamp, not yet used (ns)
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_SOCKET_PACING_H */
