/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hystart-plus-plus.h"

#include <algorithm>

namespace ns3
{
namespace linuxtcp
{

HystartPlusPlus::HystartPlusPlus(const HystartPlusPlusParameters& parameters)
    : m_parameters(parameters)
{
}

void
HystartPlusPlus::Init(const Connection& c)
{
    const HystartPlusPlusParameters parameters = m_parameters;
    *this = HystartPlusPlus(parameters);
    m_roundEnd = c.sndNxt;
}

void
HystartPlusPlus::Stop()
{
    m_phase = Phase::DONE;
}

void
HystartPlusPlus::StartRound(const Connection& c)
{
    m_lastMinRttUs = m_roundMinRttUs;
    m_roundMinRttUs = UNKNOWN_RTT;
    m_samples = 0;
    m_roundEnd = c.sndNxt;
}

void
HystartPlusPlus::OnAck(Connection& c, uint32_t rttUs)
{
    if (m_phase == Phase::DONE)
    {
        return;
    }
    if (IsAfter(c.sndUna, m_roundEnd))
    {
        if (m_phase == Phase::CONSERVATIVE &&
            ++m_conservativeRounds >= m_parameters.conservativeRounds)
        {
            m_phase = Phase::DONE;
            c.ssthresh = c.cwnd;
            ++m_exit.count;
            m_exit.conservative = true;
            m_exit.timeUs = c.nowUs;
            m_exit.cwnd = c.cwnd;
            m_exit.minRttUs = m_baselineRttUs;
            m_exit.roundMinRttUs = m_roundMinRttUs == UNKNOWN_RTT ? 0 : m_roundMinRttUs;
            return;
        }
        StartRound(c);
    }
    m_roundMinRttUs = std::min(m_roundMinRttUs, rttUs);
    ++m_samples;
    if (m_samples < m_parameters.minSamples)
    {
        return;
    }
    if (m_phase == Phase::CONSERVATIVE)
    {
        if (m_roundMinRttUs < m_baselineRttUs)
        {
            m_baselineRttUs = UNKNOWN_RTT;
            m_growth = 0;
            m_phase = Phase::SLOW_START;
        }
        return;
    }
    if (m_lastMinRttUs == UNKNOWN_RTT)
    {
        return;
    }
    const uint32_t threshold = std::max(
        m_parameters.minRttThresholdUs,
        std::min(m_lastMinRttUs / m_parameters.minRttDivisor, m_parameters.maxRttThresholdUs));
    if (m_roundMinRttUs >= static_cast<uint64_t>(m_lastMinRttUs) + threshold)
    {
        m_baselineRttUs = m_roundMinRttUs;
        m_conservativeRounds = 0;
        m_phase = Phase::CONSERVATIVE;
    }
}

uint32_t
HystartPlusPlus::Grow(Connection& c, uint32_t acked)
{
    if (m_phase == Phase::DONE)
    {
        return SlowStart(c, acked);
    }
    uint32_t growth = acked;
    if (!c.paced && m_parameters.burstLimit != 0)
    {
        growth = std::min(growth, m_parameters.burstLimit);
    }
    if (m_phase == Phase::CONSERVATIVE)
    {
        m_growth += growth;
        growth = m_growth / m_parameters.growthDivisor;
        m_growth %= m_parameters.growthDivisor;
        SlowStart(c, growth);
        return 0;
    }
    return SlowStart(c, growth);
}

HystartPlusPlus::Phase
HystartPlusPlus::GetPhase() const
{
    return m_phase;
}

uint32_t
HystartPlusPlus::GetRoundMinRtt() const
{
    return m_roundMinRttUs;
}

uint32_t
HystartPlusPlus::GetLastRoundMinRtt() const
{
    return m_lastMinRttUs;
}

uint32_t
HystartPlusPlus::GetConservativeRounds() const
{
    return m_conservativeRounds;
}

const SlowStartExit&
HystartPlusPlus::GetExit() const
{
    return m_exit;
}

} // namespace linuxtcp
} // namespace ns3
