/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_LINUX_CUBIC_H
#define TCP_LINUX_CUBIC_H

#include "ns3/cubic-parameters.h"
#include "ns3/cubic-window.h"
#include "ns3/nstime.h"
#include "ns3/tcp-linux-congestion.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <limits>
#include <string>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief CUBIC with HyStart as in a Linux kernel, see linuxtcp::CubicWindow.
 *
 * The attribute Profile chooses the kernel. Where kernels differ, the attribute of a parameter
 * says "as the profile" unless it is set, whichever is set first: "Profile" for a choice,
 * FROM_PROFILE for a number, a negative time for a time.
 *
 * Rules of Linux for undoing a reduction have no effect, as ns-3 does not undo.
 */
class TcpLinuxCubic : public TcpLinuxCongestion
{
  public:
    /// A number that the profile decides
    static constexpr uint32_t FROM_PROFILE = std::numeric_limits<uint32_t>::max();

    /// A switch that the profile may decide
    enum Choice
    {
        CHOICE_PROFILE, ///< as the profile says
        CHOICE_OFF,     ///< off
        CHOICE_ON       ///< on
    };

    /// What watches slow start
    enum SlowStartVariant
    {
        SLOW_START_PROFILE,          ///< as the profile says
        SLOW_START_STANDARD,         ///< nothing
        SLOW_START_HYSTART,          ///< Linux's HyStart
        SLOW_START_HYSTART_PLUS_PLUS ///< HyStart++ (RFC 9406)
    };

    /// Clock of HyStart, and unit of the delays
    enum Clock
    {
        CLOCK_PROFILE,     ///< as the profile says
        CLOCK_TICK,        ///< timer ticks, delays in 1/8 tick
        CLOCK_MILLISECOND, ///< milliseconds, delays in 1/8 ms
        CLOCK_MICROSECOND  ///< microseconds
    };

    /// When HyStart begins a new round
    enum Rollover
    {
        ROLLOVER_PROFILE,     ///< as the profile says
        ROLLOVER_IN_INCREASE, ///< after the test of the same acknowledgement, if window-limited
        ROLLOVER_BEFORE_TEST  ///< before the test
    };

    /// When InitialSlowStartThreshold is used
    enum InitialThresholdRule
    {
        INITIAL_PROFILE,        ///< as the profile says
        INITIAL_ALWAYS,         ///< in any case
        INITIAL_WITHOUT_HYSTART ///< in standard slow start
    };

    /// What happens to the increase divisor before the first loss
    enum FirstEpochRule
    {
        FIRST_EPOCH_PROFILE, ///< as the profile says
        FIRST_EPOCH_NONE,    ///< nothing
        FIRST_EPOCH_SET,     ///< it is FirstEpochDivisor
        FIRST_EPOCH_CAP      ///< it is at most FirstEpochDivisor
    };

    /// How growth is counted outside slow start
    enum GrowthCounting
    {
        COUNTING_PROFILE, ///< as the profile says
        COUNTING_ACKS,    ///< one per acknowledgement
        COUNTING_PACKETS  ///< by packets acknowledged
    };

    /// How the window grows in slow start
    enum SlowStartGrowth
    {
        GROWTH_PROFILE,                 ///< as the profile says
        GROWTH_PER_ACK_AGAINST_GROWING, ///< 1 per acknowledgement, against the growing window
        GROWTH_PER_ACK,                 ///< 1 per acknowledgement
        GROWTH_ONE_BEYOND_THRESHOLD,    ///< by packets, up to the threshold and one
        GROWTH_UP_TO_THRESHOLD          ///< by packets, up to the threshold
    };

    /// When the window counts as the connection's limit
    enum WindowLimitedRule
    {
        LIMITED_PROFILE,          ///< as the profile says
        LIMITED_OFFLOAD_HEADROOM, ///< headroom below a third of the window, with offload only
        LIMITED_HEADROOM,         ///< that within the limits of a burst, or a burst of headroom
        LIMITED_FLAG              ///< the window was filled
    };

    /**
     * @brief Signature of the trace source SlowStartExit.
     * @param detector "train", "delay", "train+delay", "hystart++", "loss" or "ecn"
     * @param window congestion window (segments)
     * @param minRtt smallest RTT that the detector compared with, 0 if there is none
     * @param roundRtt smallest RTT of the round, 0 if there is none
     */
    typedef void (*SlowStartExitTracedCallback)(std::string detector,
                                                uint32_t window,
                                                Time minRtt,
                                                Time roundRtt);

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetName() const override;
    Ptr<TcpCongestionOps> Fork() override;
    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;

    /**
     * @brief The parameters that the attributes amount to.
     * @return parameters
     * @throws std::invalid_argument if they are not usable
     */
    linuxtcp::CubicParameters GetParameters() const;

    /// @return HyStart's counters of this connection
    linuxtcp::HystartCounters GetHystartCounters() const;

  protected:
    std::unique_ptr<linuxtcp::CongestionControl> MakeAlgorithm() const override;
    void AlgorithmCalled() override;

  private:
    /// @param profile version of a kernel
    void SetProfile(std::string profile);
    /// @return version of a kernel
    std::string GetProfile() const;

    std::string m_profile{"5.16"};                    ///< version of a kernel
    bool m_fastConvergence{true};                     ///< newcomers get room
    uint32_t m_beta{FROM_PROFILE};                    ///< window kept at a loss (1/1024)
    uint32_t m_scale{41};                             ///< constant C (10/1024 segments/s^3)
    bool m_renoFriendly{true};                        ///< at least Reno's window
    uint32_t m_initialSsThresh{0};                    ///< initial threshold (segments)
    SlowStartVariant m_slowStart{SLOW_START_PROFILE}; ///< what watches slow start

    Clock m_clock{CLOCK_PROFILE};              ///< clock and unit of delays
    bool m_detectAckTrain{true};               ///< ACK train detector
    bool m_detectDelay{true};                  ///< delay detector
    uint32_t m_lowWindow{16};                  ///< no detection below (segments)
    Time m_ackGap{MicroSeconds(2000)};         ///< largest gap in a train
    uint32_t m_minSamples{8};                  ///< samples before delays count
    uint32_t m_delayDivisor{FROM_PROFILE};     ///< margin as part of the smallest RTT
    Time m_delayMarginMin{Seconds(-1)};        ///< smallest margin
    Time m_delayMarginMax{Seconds(-1)};        ///< largest margin
    uint32_t m_burstSize{65536};               ///< largest offload burst (bytes)
    Time m_aggregationLimit{Seconds(-1)};      ///< limit of the allowance for bursts
    Choice m_pacingAware{CHOICE_PROFILE};      ///< paced trains may last an RTT
    Choice m_allSamples{CHOICE_PROFILE};       ///< late samples count for the round
    Choice m_trainAtThreshold{CHOICE_PROFILE}; ///< a train of just the threshold fires
    Choice m_maskResult{CHOICE_PROFILE};       ///< detectors that are off still run, unheard
    Rollover m_rollover{ROLLOVER_PROFILE};     ///< when a new round begins

    Time m_plusMinRttThreshold{MicroSeconds(4000)};  ///< HyStart++ MIN_RTT_THRESH
    Time m_plusMaxRttThreshold{MicroSeconds(16000)}; ///< HyStart++ MAX_RTT_THRESH
    uint32_t m_plusRttDivisor{8};                    ///< HyStart++ MIN_RTT_DIVISOR
    uint32_t m_plusMinSamples{8};                    ///< HyStart++ N_RTT_SAMPLE
    uint32_t m_plusGrowthDivisor{4};                 ///< HyStart++ CSS_GROWTH_DIVISOR
    uint32_t m_plusConservativeRounds{5};            ///< HyStart++ CSS_ROUNDS
    uint32_t m_plusBurstLimit{8};                    ///< HyStart++ L (segments)

    InitialThresholdRule m_initialRule{INITIAL_PROFILE};  ///< when initialSsThresh is used
    uint32_t m_maxIncrement{FROM_PROFILE};                ///< growth limit (segments per 100 ms)
    FirstEpochRule m_firstEpochRule{FIRST_EPOCH_PROFILE}; ///< increase before the first loss
    uint32_t m_firstEpochDivisor{FROM_PROFILE};           ///< divisor of that rule
    uint32_t m_minDivisor{FROM_PROFILE};                  ///< smallest increase divisor
    GrowthCounting m_counting{COUNTING_PROFILE};          ///< what counts as progress
    Choice m_delayedAckEstimator{CHOICE_PROFILE};         ///< correct by the ACK ratio
    SlowStartGrowth m_slowStartGrowth{GROWTH_PROFILE};    ///< growth in slow start
    uint32_t m_limitedSlowStart{0};                       ///< limited slow start above (segments)
    Choice m_slowStartAtThreshold{CHOICE_PROFILE};        ///< cwnd = ssthresh is slow start
    Choice m_avoidanceTakesRest{CHOICE_PROFILE};          ///< one acknowledgement may do both
    Choice m_oneUpdatePerTick{CHOICE_PROFILE};            ///< curve once a tick
    Choice m_wideElapsedTime{CHOICE_PROFILE};             ///< 64-bit time on the curve
    Choice m_shiftEpochByIdleTime{CHOICE_PROFILE};        ///< idle time is taken off the curve
    bool m_delayGateWithoutEpoch{false};              ///< RTTs ignored in the clock's first second
    WindowLimitedRule m_limitedRule{LIMITED_PROFILE}; ///< when the window is the limit
    bool m_segmentationOffload{true};                 ///< that rule knows offload
    uint32_t m_offloadWindowDivisor{3};               ///< headroom offload may defer (1/window)
    uint32_t m_maxBurst{3};                           ///< headroom always allowed (segments)
    uint32_t m_offloadMaxSegments{65535};             ///< largest offload burst (segments)

    uint64_t m_exits{0}; ///< exits of slow start reported so far

    TracedValue<uint32_t> m_trainDetect{0}; ///< exits by ACK train
    TracedValue<uint32_t> m_trainCwnd{0};   ///< sum of the windows at these exits (segments)
    TracedValue<uint32_t> m_delayDetect{0}; ///< exits by delay
    TracedValue<uint32_t> m_delayCwnd{0};   ///< sum of the windows at these exits (segments)

    /// Trace of the ends of slow start
    TracedCallback<std::string, uint32_t, Time, Time> m_slowStartExitTrace;
};

} // namespace ns3

#endif /* TCP_LINUX_CUBIC_H */
