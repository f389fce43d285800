/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hystart-detector.h"

#include <algorithm>

namespace ns3
{
namespace linuxtcp
{

namespace
{

constexpr uint32_t ACK_TRAIN = 1; ///< bit of the ACK train detector
constexpr uint32_t DELAY = 2;     ///< bit of the delay detector

} // namespace

HystartDetector::HystartDetector(const HystartParameters& parameters, uint32_t hz)
    : m_parameters(parameters),
      m_clock(parameters.clock, hz)
{
}

void
HystartDetector::Clear()
{
    m_state = HystartState();
    m_counters = HystartCounters();
    m_exit = SlowStartExit();
}

void
HystartDetector::Rearm()
{
    m_state.found = 0;
}

void
HystartDetector::StartRound(const Connection& c)
{
    m_state.roundStart = m_clock.Read(c.nowUs);
    m_state.lastAck = m_state.roundStart;
    m_state.endSeq = c.sndNxt;
    m_state.roundMin = NO_ROUND_MINIMUM;
    m_state.samples = 0;
}

void
HystartDetector::OnAck(Connection& c, uint32_t delay, uint32_t delayMin)
{
    const uint32_t enabled =
        (m_parameters.detectAckTrain ? ACK_TRAIN : 0) | (m_parameters.detectDelay ? DELAY : 0);
    if ((m_state.found & enabled) != 0)
    {
        return;
    }
    if (m_parameters.rollover == RoundRollover::BEFORE_TEST && IsAfter(c.sndUna, m_state.endSeq))
    {
        StartRound(c);
    }
    if (c.cwnd < m_parameters.lowWindow)
    {
        return;
    }
    uint32_t fired = 0;
    if ((m_parameters.detectAckTrain || m_parameters.maskResult) && TestAckTrain(c, delayMin))
    {
        fired |= ACK_TRAIN;
    }
    if ((m_parameters.detectDelay || m_parameters.maskResult) && TestDelay(delay, delayMin))
    {
        fired |= DELAY;
    }
    m_state.found |= fired;
    fired &= enabled;
    if (fired == 0)
    {
        return;
    }
    c.ssthresh = c.cwnd;
    if (fired & ACK_TRAIN)
    {
        ++m_counters.trainDetect;
        m_counters.trainCwnd += c.cwnd;
    }
    if (fired & DELAY)
    {
        ++m_counters.delayDetect;
        m_counters.delayCwnd += c.cwnd;
    }
    ++m_exit.count;
    m_exit.ackTrain = (fired & ACK_TRAIN) != 0;
    m_exit.delay = (fired & DELAY) != 0;
    m_exit.timeUs = c.nowUs;
    m_exit.cwnd = c.cwnd;
    m_exit.minRttUs = m_clock.DelayToUs(delayMin);
    m_exit.roundMinRttUs =
        m_state.roundMin == NO_ROUND_MINIMUM ? 0 : m_clock.DelayToUs(m_state.roundMin);
}

void
HystartDetector::OnWindowIncrease(const Connection& c)
{
    if (m_parameters.rollover == RoundRollover::IN_WINDOW_INCREASE &&
        IsAfter(c.sndUna, m_state.endSeq))
    {
        StartRound(c);
    }
}

const HystartState&
HystartDetector::GetState() const
{
    return m_state;
}

const HystartCounters&
HystartDetector::GetCounters() const
{
    return m_counters;
}

const SlowStartExit&
HystartDetector::GetExit() const
{
    return m_exit;
}

uint32_t
HystartDetector::AggregationAllowance(uint64_t pacingRate, uint32_t gsoMaxSize, uint32_t limitUs)
{
    if (pacingRate == 0)
    {
        return 0;
    }
    const uint64_t fourBurstsUs = uint64_t{4} * gsoMaxSize * 1000000 / pacingRate;
    return static_cast<uint32_t>(std::min<uint64_t>(fourBurstsUs, limitUs));
}

uint32_t
HystartDetector::DelayMargin(uint32_t delayMin) const
{
    const uint32_t low = m_clock.DelayFromParameter(m_parameters.delayMarginMinUs);
    const uint32_t high = m_clock.DelayFromParameter(m_parameters.delayMarginMaxUs);
    return std::min(std::max(delayMin / m_parameters.delayDivisor, low), high);
}

bool
HystartDetector::TestAckTrain(const Connection& c, uint32_t delayMin)
{
    const uint32_t now = m_clock.Read(c.nowUs);
    const auto gap = static_cast<int32_t>(now - m_state.lastAck);
    if (gap > static_cast<int32_t>(m_clock.SpanFromUs(m_parameters.ackDeltaUs)))
    {
        // The train is over until the next round, as lastAck stays behind.
        return false;
    }
    m_state.lastAck = now;
    const uint32_t allowance =
        m_clock.DelayFromParameter(AggregationAllowance(c.pacingRate,
                                                        m_parameters.gsoMaxSize,
                                                        m_parameters.aggregationLimitUs));
    const uint64_t whole = static_cast<uint64_t>(delayMin) + allowance;
    const bool mayLastWholeRtt = m_parameters.pacingAware && c.paced;
    const uint64_t threshold = whole / (m_clock.DelaysPerUnit() * (mayLastWholeRtt ? 1 : 2));
    const uint32_t length = now - m_state.roundStart;
    return m_parameters.trainFiresAtThreshold ? length >= threshold : length > threshold;
}

bool
HystartDetector::TestDelay(uint32_t delay, uint32_t delayMin)
{
    if (m_parameters.roundMinFromAllSamples || m_state.samples < m_parameters.minSamples)
    {
        m_state.roundMin = std::min(m_state.roundMin, delay);
    }
    if (m_state.samples < m_parameters.minSamples)
    {
        ++m_state.samples;
        return false;
    }
    const uint64_t limit = static_cast<uint64_t>(delayMin) + DelayMargin(delayMin);
    return m_state.roundMin > limit;
}

} // namespace linuxtcp
} // namespace ns3
