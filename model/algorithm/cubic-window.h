/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_CUBIC_WINDOW_H
#define LINUX_TCP_CUBIC_WINDOW_H

#include "congestion-control.h"
#include "cubic-parameters.h"
#include "delay-clock.h"
#include "hystart-detector.h"
#include "hystart-plus-plus.h"
#include "slow-start-exit.h"

#include <cstdint>
#include <memory>

namespace ns3
{
namespace linuxtcp
{

/// State of CUBIC; ticks are 1/hz s, delays in the unit of HystartParameters::clock.
struct CubicState
{
    uint32_t divisor{0};      ///< packets to be acknowledged for one more segment
    uint32_t lastMax{0};      ///< W_last_max: window before the last reduction (segments)
    uint32_t lastCwnd{0};     ///< window when the curve was evaluated last (segments)
    uint32_t lastTime{0};     ///< time when the curve was evaluated last (ticks)
    uint32_t origin{0};       ///< window of the plateau (segments)
    uint32_t k{0};            ///< K: time from the epoch's start to the plateau (1/1024 s)
    uint32_t delayMin{0};     ///< smallest RTT (delay units), 0 if unknown
    bool epochRunning{false}; ///< whether there is an epoch
    uint32_t epochStart{0};   ///< start of the epoch (ticks), 0 without one
    uint32_t ackCount{0};     ///< progress counted towards the Reno window
    uint32_t renoCwnd{0};     ///< window that Reno would have (segments)
    uint32_t lossCwnd{0};     ///< window at the last reduction (segments)
    uint32_t delayedAck{32};  ///< packets per ACK (1/16), of the delayed ACK estimator
};

/**
 * @brief CUBIC (RFC 8312) with HyStart, to the bit as a Linux kernel does it.
 *
 * The window follows a cubic curve through the window of the last loss; near it growth is slow.
 * Where Reno would be faster, its window is followed. The default parameters are those of Linux
 * 5.16 and newer; MakeCubicParameters() gives older ones.
 *
 * One difference from the kernel: whether an epoch runs is a flag, where Linux takes 0 ticks for
 * "no epoch", so that the behaviour does not depend on the time at which the connection starts.
 */
class CubicWindow : public CongestionControl
{
  public:
    /// Numbers computed once from the parameters.
    struct Constants
    {
        uint32_t renoScale;  ///< packets per segment of Reno's growth, as 1/8 of the window
        uint32_t cubeScale;  ///< constant C of the curve (1/1024 segments/s^3)
        uint64_t cubeFactor; ///< 2^40 / cubeScale
    };

    /**
     * @param parameters the parameters
     * @throws std::invalid_argument if CheckCubicParameters() finds one that is not allowed
     */
    explicit CubicWindow(const CubicParameters& parameters = CubicParameters());

    std::unique_ptr<CongestionControl> Clone() const override;
    void Init(Connection& c) override;
    void OnAck(Connection& c, const AckSample& sample) override;
    void IncreaseWindow(Connection& c, uint32_t acked) override;
    uint32_t GetSsThresh(Connection& c) override;
    void OnStateChange(Connection& c, CongestionState next) override;
    void OnEvent(Connection& c, CwndEvent event) override;
    uint32_t UndoCwnd(Connection& c, uint32_t priorCwnd) override;

    /// @return the parameters
    const CubicParameters& GetParameters() const;

    /// @return the state
    const CubicState& GetState() const;

    /// @return the smallest RTT (us), 0 if unknown
    uint32_t GetMinRttUs() const;

    /// @return HyStart, also when it is not in use
    const HystartDetector& GetHystart() const;

    /// @return HyStart++, also when it is not in use
    const HystartPlusPlus& GetHystartPlusPlus() const;

    /// @return how the detector in use last ended slow start
    const SlowStartExit& GetSlowStartExit() const;

    /**
     * @param parameters the parameters
     * @return what is computed from them
     */
    static Constants ComputeConstants(const CubicParameters& parameters);

    /**
     * @brief The time from a loss to the plateau.
     * @param constants the constants
     * @param distance window of the plateau less the present one (segments)
     * @return K (1/1024 s)
     */
    static uint32_t ComputeK(const Constants& constants, uint32_t distance);

    /**
     * @brief The window that the curve asks for.
     * @param constants the constants
     * @param origin window of the plateau (segments)
     * @param k time from the start of the epoch to the plateau (1/1024 s)
     * @param t time from the start of the epoch (1/1024 s)
     * @return window (segments, 32 bits; a negative one wraps)
     */
    static uint32_t ComputeTarget(const Constants& constants,
                                  uint32_t origin,
                                  uint32_t k,
                                  uint64_t t);

  private:
    /// Start as a new connection does, but for the round of HyStart.
    void Reset();

    /**
     * @param c the connection
     * @return whether it is in slow start
     */
    bool InSlowStart(const Connection& c) const;

    /**
     * @param c the connection
     * @return whether the window is its limit
     */
    bool IsCwndLimited(const Connection& c) const;

    /**
     * @brief Let the window grow in slow start.
     * @param c the connection; its cwnd grows
     * @param acked packets acknowledged
     * @return packets left for congestion avoidance
     */
    uint32_t GrowInSlowStart(Connection& c, uint32_t acked);

    /**
     * @brief Let the window grow by one per ACK, as kernels before 3.13 do in slow start.
     * @param c the connection; its cwnd and credit change
     */
    void GrowPerAck(Connection& c) const;

    /**
     * @brief Let the window grow by the divisor.
     * @param c the connection; its cwnd and credit change
     * @param acked packets acknowledged
     */
    void GrowByDivisor(Connection& c, uint32_t acked) const;

    /**
     * @brief Compute the increase divisor for this ACK.
     * @param c the connection
     * @param acked packets acknowledged
     */
    void UpdateDivisor(const Connection& c, uint32_t acked);

    /**
     * @brief Begin an epoch.
     * @param cwnd the window (segments)
     * @param now the time (ticks)
     * @param progress progress of this ACK
     */
    void StartEpoch(uint32_t cwnd, uint32_t now, uint32_t progress);

    /**
     * @brief Compute the increase divisor from the curve.
     * @param cwnd the window (segments)
     * @param now the time (ticks)
     */
    void FollowCurve(uint32_t cwnd, uint32_t now);

    /**
     * @brief Make the divisor small enough to keep up with Reno.
     * @param cwnd the window (segments)
     */
    void FollowReno(uint32_t cwnd);

    /**
     * @param now the time (ticks)
     * @return time on the curve (1/1024 s)
     */
    uint64_t ElapsedTime(uint32_t now) const;

    CubicParameters m_parameters;      ///< parameters
    Constants m_constants;             ///< what is computed from them
    DelayClock m_clock;                ///< clock and unit of delays
    CubicState m_state;                ///< state
    HystartDetector m_hystart;         ///< HyStart
    HystartPlusPlus m_hystartPlusPlus; ///< HyStart++
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_CUBIC_WINDOW_H */
