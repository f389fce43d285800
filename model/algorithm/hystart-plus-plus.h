/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_HYSTART_PLUS_PLUS_H
#define LINUX_TCP_HYSTART_PLUS_PLUS_H

#include "congestion-control.h"
#include "slow-start-exit.h"

#include <cstdint>
#include <limits>

namespace ns3
{
namespace linuxtcp
{

/// Parameters of HyStart++ with the recommended values of RFC 9406, section 4.3.
struct HystartPlusPlusParameters
{
    uint32_t minRttThresholdUs{4000};  ///< MIN_RTT_THRESH (us)
    uint32_t maxRttThresholdUs{16000}; ///< MAX_RTT_THRESH (us)
    uint32_t minRttDivisor{8};         ///< MIN_RTT_DIVISOR
    uint32_t minSamples{8};            ///< N_RTT_SAMPLE: samples of a round before it is judged
    uint32_t growthDivisor{4};         ///< CSS_GROWTH_DIVISOR
    uint32_t conservativeRounds{5};    ///< CSS_ROUNDS
    uint32_t burstLimit{8};            ///< L: growth per ACK unless paced, 0: no limit (segments)
};

/**
 * @brief HyStart++ (RFC 9406): slow start that slows down before it stops.
 *
 * It compares the smallest RTT of a round with that of the round before. A rise by a threshold
 * leads to conservative slow start, which grows by a quarter of the speed; if the RTT comes down
 * again, slow start resumes, else the threshold is set to the window after five rounds. It works
 * in the initial slow start only, and leaves for good at the first loss or ECN mark.
 *
 * As the sample of an ACK is taken before the window grows, the ACK that changes the phase already
 * grows at the speed of the new one.
 */
class HystartPlusPlus
{
  public:
    /// What HyStart++ is doing.
    enum class Phase : uint8_t
    {
        SLOW_START,   ///< ordinary slow start
        CONSERVATIVE, ///< conservative slow start
        DONE          ///< left for good
    };

    /// An RTT that is not known.
    static constexpr uint32_t UNKNOWN_RTT = std::numeric_limits<uint32_t>::max();

    /**
     * @param parameters the parameters
     */
    explicit HystartPlusPlus(const HystartPlusPlusParameters& parameters);

    /**
     * @brief Start a connection.
     * @param c the connection
     */
    void Init(const Connection& c);

    /// Leave for good, after a loss or an ECN mark.
    void Stop();

    /**
     * @brief Take the RTT of an ACK in slow start.
     * @param c the connection; its ssthresh is set to cwnd when the conservative rounds are over
     * @param rttUs RTT of the ACK (us)
     */
    void OnAck(Connection& c, uint32_t rttUs);

    /**
     * @brief Grow in slow start, at the speed of the phase and not beyond the threshold.
     * @param c the connection; its cwnd grows
     * @param acked packets acknowledged
     * @return packets left for congestion avoidance
     */
    uint32_t Grow(Connection& c, uint32_t acked);

    /// @return the phase
    Phase GetPhase() const;

    /// @return smallest RTT of this round (us), UNKNOWN_RTT if it has no sample
    uint32_t GetRoundMinRtt() const;

    /// @return smallest RTT of the round before (us), UNKNOWN_RTT if it had no sample
    uint32_t GetLastRoundMinRtt() const;

    /// @return conservative rounds finished
    uint32_t GetConservativeRounds() const;

    /// @return how it ended, if the conservative rounds ended it
    const SlowStartExit& GetExit() const;

  private:
    /**
     * @brief Begin a round.
     * @param c the connection
     */
    void StartRound(const Connection& c);

    HystartPlusPlusParameters m_parameters; ///< parameters
    Phase m_phase{Phase::SLOW_START};       ///< phase
    uint32_t m_roundEnd{0};                 ///< sequence number that ends the round (bytes)
    uint32_t m_roundMinRttUs{UNKNOWN_RTT};  ///< smallest RTT of this round (us)
    uint32_t m_lastMinRttUs{UNKNOWN_RTT};   ///< smallest RTT of the round before (us)
    uint32_t m_baselineRttUs{UNKNOWN_RTT};  ///< RTT that began conservative slow start (us)
    uint32_t m_samples{0};                  ///< samples of this round
    uint32_t m_conservativeRounds{0};       ///< conservative rounds finished
    uint32_t m_growth{0};                   ///< packets counted towards conservative growth
    SlowStartExit m_exit;                   ///< how it ended
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_HYSTART_PLUS_PLUS_H */
