/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cubic-window.h"

#include "cubic-root.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace linuxtcp
{

namespace
{

/**
 * @param a 32-bit clock
 * @param b 32-bit clock
 * @return a - b, taken modulo 2^32 as a signed number
 */
int32_t
Difference(uint32_t a, uint32_t b)
{
    return static_cast<int32_t>(a - b);
}

/**
 * @param value a number
 * @return the number, or the largest one of 32 bits
 */
uint32_t
Saturate(uint64_t value)
{
    return static_cast<uint32_t>(std::min<uint64_t>(value, std::numeric_limits<uint32_t>::max()));
}

} // namespace

CubicWindow::CubicWindow(const CubicParameters& parameters)
    : m_parameters((CheckCubicParameters(parameters), parameters)),
      m_constants(ComputeConstants(parameters)),
      m_clock(parameters.hystart.clock, parameters.hz),
      m_hystart(parameters.hystart, parameters.hz),
      m_hystartPlusPlus(parameters.hystartPlusPlus)
{
}

std::unique_ptr<CongestionControl>
CubicWindow::Clone() const
{
    return std::make_unique<CubicWindow>(m_parameters);
}

void
CubicWindow::Init(Connection& c)
{
    m_state = CubicState();
    m_hystart.Clear();
    m_hystartPlusPlus.Init(c);
    if (m_parameters.slowStart == SlowStartVariant::HYSTART)
    {
        m_hystart.StartRound(c);
    }
    const bool mayUseInitial = m_parameters.initialSsThreshRule == InitialSsThreshRule::ALWAYS ||
                               m_parameters.slowStart == SlowStartVariant::STANDARD;
    if (m_parameters.initialSsThresh > 0 && mayUseInitial)
    {
        c.ssthresh = m_parameters.initialSsThresh;
    }
}

void
CubicWindow::OnAck(Connection& c, const AckSample& sample)
{
    if (m_parameters.delayedAckEstimator && c.state == CongestionState::OPEN)
    {
        const uint32_t ratio = m_state.delayedAck - (m_state.delayedAck >> 4) + sample.packetsAcked;
        m_state.delayedAck = std::clamp(ratio & m_parameters.delayedAckMask,
                                        m_parameters.delayedAckMin,
                                        m_parameters.delayedAckMax);
    }
    if (sample.rttUs < 0)
    {
        return;
    }
    // RTTs just after a recovery are still those of the queue that overflowed.
    const uint32_t now = ToTicks(c.nowUs, m_parameters.hz);
    if ((m_state.epochRunning || m_parameters.delayGateWithoutEpoch) &&
        Difference(now, m_state.epochStart) < static_cast<int32_t>(m_parameters.hz))
    {
        return;
    }
    const uint32_t delay = m_clock.DelayFromRtt(sample.rttUs);
    if (m_state.delayMin == 0 || m_state.delayMin > delay)
    {
        m_state.delayMin = delay;
    }
    if (!InSlowStart(c))
    {
        return;
    }
    switch (m_parameters.slowStart)
    {
    case SlowStartVariant::STANDARD:
        break;
    case SlowStartVariant::HYSTART:
        m_hystart.OnAck(c, delay, m_state.delayMin);
        break;
    case SlowStartVariant::HYSTART_PLUS_PLUS:
        m_hystartPlusPlus.OnAck(c, Saturate(static_cast<uint64_t>(sample.rttUs)));
        break;
    }
}

void
CubicWindow::IncreaseWindow(Connection& c, uint32_t acked)
{
    if (!IsCwndLimited(c))
    {
        return;
    }
    if (InSlowStart(c))
    {
        if (m_parameters.slowStart == SlowStartVariant::HYSTART)
        {
            m_hystart.OnWindowIncrease(c);
        }
        acked = GrowInSlowStart(c, acked);
        if (acked == 0 || !m_parameters.avoidanceTakesRest)
        {
            return;
        }
    }
    UpdateDivisor(c, acked);
    GrowByDivisor(c, acked);
}

uint32_t
CubicWindow::GetSsThresh(Connection& c)
{
    m_state.epochRunning = false;
    m_state.epochStart = 0;
    if (c.cwnd < m_state.lastMax && m_parameters.fastConvergence)
    {
        m_state.lastMax = static_cast<uint32_t>(static_cast<uint64_t>(c.cwnd) *
                                                (1024 + m_parameters.beta) / 2048);
    }
    else
    {
        m_state.lastMax = c.cwnd;
    }
    m_state.lossCwnd = c.cwnd;
    m_hystartPlusPlus.Stop();
    const uint64_t kept = static_cast<uint64_t>(c.cwnd) * m_parameters.beta / 1024;
    return std::max<uint32_t>(static_cast<uint32_t>(kept), 2);
}

void
CubicWindow::OnStateChange(Connection& c, CongestionState next)
{
    if (next == CongestionState::LOSS)
    {
        Reset();
        m_hystart.StartRound(c);
    }
}

void
CubicWindow::OnEvent(Connection& c, CwndEvent event)
{
    if (event != CwndEvent::TX_START || !m_parameters.shiftEpochByIdleTime || !m_state.epochRunning)
    {
        return;
    }
    const uint32_t now = ToTicks(c.nowUs, m_parameters.hz);
    const int32_t idle = Difference(now, ToTicks(c.lastSendUs, m_parameters.hz));
    if (idle <= 0)
    {
        return;
    }
    m_state.epochStart += static_cast<uint32_t>(idle);
    if (Difference(m_state.epochStart, now) > 0)
    {
        m_state.epochStart = now;
    }
}

uint32_t
CubicWindow::UndoCwnd(Connection& c, uint32_t priorCwnd)
{
    switch (m_parameters.undoRule)
    {
    case UndoRule::LAST_MAX:
        return std::max(c.cwnd, m_state.lastMax);
    case UndoRule::LOSS_CWND:
        return std::max(c.cwnd, m_state.lossCwnd);
    case UndoRule::PRIOR_CWND:
        break;
    }
    return std::max(c.cwnd, priorCwnd);
}

const CubicParameters&
CubicWindow::GetParameters() const
{
    return m_parameters;
}

const CubicState&
CubicWindow::GetState() const
{
    return m_state;
}

uint32_t
CubicWindow::GetMinRttUs() const
{
    return m_clock.DelayToUs(m_state.delayMin);
}

const HystartDetector&
CubicWindow::GetHystart() const
{
    return m_hystart;
}

const HystartPlusPlus&
CubicWindow::GetHystartPlusPlus() const
{
    return m_hystartPlusPlus;
}

const SlowStartExit&
CubicWindow::GetSlowStartExit() const
{
    return m_parameters.slowStart == SlowStartVariant::HYSTART_PLUS_PLUS
               ? m_hystartPlusPlus.GetExit()
               : m_hystart.GetExit();
}

CubicWindow::Constants
CubicWindow::ComputeConstants(const CubicParameters& parameters)
{
    Constants constants;
    constants.renoScale = 8 * (1024 + parameters.beta) / 3 / (1024 - parameters.beta);
    constants.cubeScale = 10 * parameters.scale;
    constants.cubeFactor = (uint64_t{1} << 40) / constants.cubeScale;
    return constants;
}

uint32_t
CubicWindow::ComputeK(const Constants& constants, uint32_t distance)
{
    return CubicRoot(constants.cubeFactor * distance);
}

uint32_t
CubicWindow::ComputeTarget(const Constants& constants, uint32_t origin, uint32_t k, uint64_t t)
{
    const uint64_t offset = t < k ? k - t : t - k;
    const auto delta =
        static_cast<uint32_t>((constants.cubeScale * offset * offset * offset) >> 40);
    return t < k ? origin - delta : origin + delta;
}

void
CubicWindow::Reset()
{
    const uint32_t lossCwnd = m_parameters.resetForgetsLossCwnd ? 0 : m_state.lossCwnd;
    m_state = CubicState();
    m_state.lossCwnd = lossCwnd;
    m_hystart.Rearm();
}

bool
CubicWindow::InSlowStart(const Connection& c) const
{
    return c.cwnd < c.ssthresh || (m_parameters.slowStartAtThreshold && c.cwnd == c.ssthresh);
}

bool
CubicWindow::IsCwndLimited(const Connection& c) const
{
    if (m_parameters.cwndLimitedRule == CwndLimitedRule::FLAG)
    {
        return c.cwndLimited;
    }
    if (c.packetsInFlight >= c.cwnd)
    {
        return true;
    }
    const uint64_t headroom = c.cwnd - c.packetsInFlight;
    const bool offloadMayDefer =
        m_parameters.segmentationOffload && headroom * m_parameters.offloadWindowDivisor < c.cwnd;
    if (m_parameters.cwndLimitedRule == CwndLimitedRule::OFFLOAD_HEADROOM)
    {
        return offloadMayDefer;
    }
    const bool withinOneBurst = headroom * c.mss < m_parameters.hystart.gsoMaxSize &&
                                headroom < m_parameters.offloadMaxSegments;
    return (offloadMayDefer && withinOneBurst) || headroom <= m_parameters.maxBurst;
}

uint32_t
CubicWindow::GrowInSlowStart(Connection& c, uint32_t acked)
{
    if (m_parameters.slowStart == SlowStartVariant::HYSTART_PLUS_PLUS)
    {
        return m_hystartPlusPlus.Grow(c, acked);
    }
    switch (m_parameters.slowStartGrowth)
    {
    case SlowStartGrowth::PER_ACK_AGAINST_GROWING:
    case SlowStartGrowth::PER_ACK:
        GrowPerAck(c);
        return 0;
    case SlowStartGrowth::ONE_BEYOND_THRESHOLD: {
        const uint64_t limit = static_cast<uint64_t>(c.ssthresh) + 1;
        const uint64_t reached = std::min(static_cast<uint64_t>(c.cwnd) + acked, limit);
        const auto rest = static_cast<uint32_t>(acked - (reached - c.cwnd));
        c.cwnd = static_cast<uint32_t>(std::min<uint64_t>(reached, c.cwndClamp));
        return rest;
    }
    case SlowStartGrowth::UP_TO_THRESHOLD:
        break;
    }
    return SlowStart(c, acked);
}

void
CubicWindow::GrowPerAck(Connection& c) const
{
    const uint32_t entry = c.cwnd;
    const bool limited = m_parameters.maxSsThresh > 0 && c.cwnd > m_parameters.maxSsThresh;
    uint64_t credit = c.credit;
    credit += limited ? m_parameters.maxSsThresh / 2 : c.cwnd;
    const bool growing = m_parameters.slowStartGrowth == SlowStartGrowth::PER_ACK_AGAINST_GROWING;
    while (credit >= (growing ? c.cwnd : entry))
    {
        credit -= growing ? c.cwnd : entry;
        if (c.cwnd < c.cwndClamp)
        {
            ++c.cwnd;
        }
    }
    c.credit = static_cast<uint32_t>(credit);
}

void
CubicWindow::GrowByDivisor(Connection& c, uint32_t acked) const
{
    if (m_parameters.counting == GrowthCounting::PACKETS)
    {
        AdditiveIncrease(c, m_state.divisor, acked);
        return;
    }
    if (c.credit < m_state.divisor)
    {
        ++c.credit;
        return;
    }
    c.credit = 0;
    if (c.cwnd < c.cwndClamp)
    {
        ++c.cwnd;
    }
}

void
CubicWindow::UpdateDivisor(const Connection& c, uint32_t acked)
{
    const uint32_t progress = m_parameters.counting == GrowthCounting::PACKETS ? acked : 1;
    m_state.ackCount += progress;
    const uint32_t now = ToTicks(c.nowUs, m_parameters.hz);
    if (c.cwnd == m_state.lastCwnd &&
        Difference(now, m_state.lastTime) <= static_cast<int32_t>(m_parameters.hz / 32))
    {
        return;
    }
    const bool followed =
        m_parameters.oneUpdatePerTick && m_state.epochRunning && now == m_state.lastTime;
    if (!followed)
    {
        m_state.lastCwnd = c.cwnd;
        m_state.lastTime = now;
        if (!m_state.epochRunning)
        {
            StartEpoch(c.cwnd, now, progress);
        }
        FollowCurve(c.cwnd, now);
    }
    if (m_parameters.renoFriendly)
    {
        FollowReno(c.cwnd);
    }
    if (m_parameters.delayedAckEstimator)
    {
        m_state.divisor = static_cast<uint32_t>(uint64_t{16} * m_state.divisor /
                                                std::max<uint32_t>(m_state.delayedAck, 1));
    }
    m_state.divisor = std::max(m_state.divisor, m_parameters.minDivisor);
}

void
CubicWindow::StartEpoch(uint32_t cwnd, uint32_t now, uint32_t progress)
{
    m_state.epochRunning = true;
    m_state.epochStart = now;
    m_state.ackCount = progress;
    m_state.renoCwnd = cwnd;
    if (m_state.lastMax <= cwnd)
    {
        m_state.k = 0;
        m_state.origin = cwnd;
    }
    else
    {
        m_state.k = ComputeK(m_constants, m_state.lastMax - cwnd);
        m_state.origin = m_state.lastMax;
    }
}

void
CubicWindow::FollowCurve(uint32_t cwnd, uint32_t now)
{
    const uint64_t t = ElapsedTime(now);
    const uint32_t target = ComputeTarget(m_constants, m_state.origin, m_state.k, t);
    m_state.divisor = target > cwnd ? cwnd / (target - cwnd) : Saturate(uint64_t{100} * cwnd);
    if (m_parameters.maxIncrement > 0 && m_state.delayMin > 0 && t >= m_state.k)
    {
        const uint64_t slowest = static_cast<uint64_t>(cwnd) * m_clock.DelaysPerSecond() /
                                 (uint64_t{10} * m_parameters.maxIncrement * m_state.delayMin);
        m_state.divisor = std::max(m_state.divisor, Saturate(slowest));
    }
    switch (m_parameters.firstEpochRule)
    {
    case FirstEpochRule::NONE:
        break;
    case FirstEpochRule::SET:
        if (m_state.lossCwnd == 0)
        {
            m_state.divisor = m_parameters.firstEpochDivisor;
        }
        break;
    case FirstEpochRule::CAP:
        if (m_state.lastMax == 0)
        {
            m_state.divisor = std::min(m_state.divisor, m_parameters.firstEpochDivisor);
        }
        break;
    }
}

void
CubicWindow::FollowReno(uint32_t cwnd)
{
    // Reno gains one segment whenever ackCount exceeds this many packets.
    const uint64_t packets =
        std::max<uint64_t>(static_cast<uint64_t>(cwnd) * m_constants.renoScale >> 3, 1);
    if (m_state.ackCount > packets)
    {
        const uint64_t gained = (m_state.ackCount - 1) / packets;
        m_state.ackCount -= static_cast<uint32_t>(gained * packets);
        m_state.renoCwnd += static_cast<uint32_t>(gained);
    }
    if (m_state.renoCwnd > cwnd)
    {
        m_state.divisor = std::min(m_state.divisor, cwnd / (m_state.renoCwnd - cwnd));
    }
}

uint64_t
CubicWindow::ElapsedTime(uint32_t now) const
{
    const uint32_t delay = m_clock.DelayToTicks(m_state.delayMin);
    if (!m_parameters.wideElapsedTime)
    {
        return ((now + delay - m_state.epochStart) << 10) / m_parameters.hz;
    }
    const auto ticks =
        static_cast<uint64_t>(static_cast<int64_t>(Difference(now, m_state.epochStart))) + delay;
    return (ticks << 10) / m_parameters.hz;
}

} // namespace linuxtcp
} // namespace ns3
