/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_HYSTART_DETECTOR_H
#define LINUX_TCP_HYSTART_DETECTOR_H

#include "congestion-control.h"
#include "delay-clock.h"
#include "slow-start-exit.h"

#include <cstdint>
#include <limits>

namespace ns3
{
namespace linuxtcp
{

/// When HyStart begins a new round.
enum class RoundRollover : uint8_t
{
    IN_WINDOW_INCREASE, ///< after the test of the same ACK, only if cwnd-limited (to Linux 5.15)
    BEFORE_TEST         ///< before the test, always (Linux 5.16 and newer)
};

/**
 * @brief Parameters of HyStart as in Linux; the defaults are those of 5.16 and newer.
 *
 * MakeCubicParameters() fills them for older kernels.
 */
struct HystartParameters
{
    ClockUnit clock{ClockUnit::MICROSECOND}; ///< clock of the trains and unit of the delays
    bool detectAckTrain{true};               ///< whether long ACK trains end slow start
    bool detectDelay{true};                  ///< whether longer RTTs end slow start
    uint32_t lowWindow{16};                  ///< no detection below this window (segments)
    uint32_t ackDeltaUs{2000};               ///< largest gap between the ACKs of a train (us)
    uint32_t minSamples{8};                  ///< samples of a round before delays count
    uint32_t delayDivisor{8};                ///< the margin is the smallest RTT divided by this
    uint32_t delayMarginMinUs{4000};         ///< smallest margin (us; 1/1000 tick with TICK)
    uint32_t delayMarginMaxUs{16000};        ///< largest margin (us; 1/1000 tick with TICK)
    uint32_t gsoMaxSize{65536};              ///< largest burst handed to the device (bytes)
    uint32_t aggregationLimitUs{1000};       ///< limit of the allowance for bursts, 0: none (us)
    bool pacingAware{true};                  ///< whether a paced train may last a whole RTT
    bool roundMinFromAllSamples{true};       ///< whether late samples lower the round's minimum
    bool trainFiresAtThreshold{false};       ///< whether a train of just the threshold fires
    bool maskResult{false};                  ///< whether detectors that are off still run, unheard
    RoundRollover rollover{RoundRollover::BEFORE_TEST}; ///< when a new round begins
};

/// HyStart's counters, as Linux counts them since 3.19.
struct HystartCounters
{
    uint64_t trainDetect{0}; ///< TCPHystartTrainDetect: exits by ACK train
    uint64_t trainCwnd{0};   ///< TCPHystartTrainCwnd: sum of the windows at these exits (segments)
    uint64_t delayDetect{0}; ///< TCPHystartDelayDetect: exits by delay
    uint64_t delayCwnd{0};   ///< TCPHystartDelayCwnd: sum of the windows at these exits (segments)
};

/// A round minimum that has no sample yet.
constexpr uint32_t NO_ROUND_MINIMUM = std::numeric_limits<uint32_t>::max();

/// State of HyStart; clocks and delays in the units of its DelayClock.
struct HystartState
{
    uint32_t found{0};      ///< detectors that have fired: bit 1 train, bit 2 delay
    uint32_t roundStart{0}; ///< clock at the start of the round
    uint32_t lastAck{0};    ///< clock at the last ACK of the train
    uint32_t endSeq{0};     ///< sequence number that ends the round (bytes)
    uint32_t roundMin{0};   ///< smallest delay of the round, NO_ROUND_MINIMUM if none
    uint32_t samples{0};    ///< samples of the round, up to minSamples
};

/**
 * @brief Linux's HyStart: two detectors that end slow start before the path overflows.
 *
 * S. Ha, I. Rhee, "Taming the Elephants: New TCP Slow Start", Computer Networks 55(9), 2011. The
 * ACK train detector fires when closely spaced ACKs last for half the smallest RTT (a whole one if
 * paced), the delay detector when the RTTs of a round exceed the smallest RTT by a margin. Both
 * set the slow start threshold to the window.
 */
class HystartDetector
{
  public:
    /**
     * @param parameters the parameters
     * @param hz timer ticks per second
     */
    HystartDetector(const HystartParameters& parameters, uint32_t hz);

    /// Forget everything; for a new connection.
    void Clear();

    /// Let the detectors fire again.
    void Rearm();

    /**
     * @brief Begin a round.
     * @param c the connection
     */
    void StartRound(const Connection& c);

    /**
     * @brief Take the delay of an ACK in slow start.
     * @param c the connection; its ssthresh is set to cwnd when a detector fires
     * @param delay delay of this ACK (delay units)
     * @param delayMin smallest delay of the connection, this ACK's included (delay units)
     */
    void OnAck(Connection& c, uint32_t delay, uint32_t delayMin);

    /**
     * @brief Window increase in slow start, when cwnd-limited: rounds end here in older kernels.
     * @param c the connection
     */
    void OnWindowIncrease(const Connection& c);

    /// @return the state
    const HystartState& GetState() const;

    /// @return the counters
    const HystartCounters& GetCounters() const;

    /// @return the last exit
    const SlowStartExit& GetExit() const;

    /**
     * @brief How much longer a train may get by bursts of segmentation offload.
     * @param pacingRate pacing rate (bytes/s), 0 if unknown
     * @param gsoMaxSize largest burst (bytes)
     * @param limitUs largest allowance (us)
     * @return time of four bursts at the pacing rate, up to the limit; 0 if unknown (us)
     */
    static uint32_t AggregationAllowance(uint64_t pacingRate,
                                         uint32_t gsoMaxSize,
                                         uint32_t limitUs);

    /**
     * @brief By how much the RTTs of a round may exceed the smallest RTT.
     * @param delayMin smallest delay (delay units)
     * @return margin (delay units)
     */
    uint32_t DelayMargin(uint32_t delayMin) const;

  private:
    /**
     * @brief Test the train that this ACK may prolong.
     * @param c the connection
     * @param delayMin smallest delay (delay units)
     * @return whether it is too long
     */
    bool TestAckTrain(const Connection& c, uint32_t delayMin);

    /**
     * @brief Take this ACK's delay and test the round's.
     * @param delay delay of this ACK (delay units)
     * @param delayMin smallest delay (delay units)
     * @return whether they are too long
     */
    bool TestDelay(uint32_t delay, uint32_t delayMin);

    HystartParameters m_parameters; ///< parameters
    DelayClock m_clock;             ///< clock and unit of delays
    HystartState m_state;           ///< state
    HystartCounters m_counters;     ///< counters
    SlowStartExit m_exit;           ///< last exit
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_HYSTART_DETECTOR_H */
