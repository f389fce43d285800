/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nv-window.h"

#include "parameter-check.h"
#include "seeded-random-source.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace linuxtcp
{

namespace
{

constexpr uint32_t RATE_UNIT = 80000;         ///< 100 bit/s in one byte per microsecond
constexpr uint8_t MIN_FLOW_WINDOW = 4;        ///< least window of a flow with aggregation
constexpr uint8_t MAX_FLOW_WINDOW = 81;       ///< largest such window
constexpr uint8_t FLOW_WINDOW_STEP = 2;       ///< its growth
constexpr uint32_t FIRST_RESET_SECONDS = 2;   ///< first replacement of the minimum RTT
constexpr int8_t MIN_GROWTH_FACTOR = -8;      ///< slowest growth
constexpr uint32_t MIN_SSTHRESH = 2;          ///< smallest threshold after a loss (segments)
constexpr uint32_t LOWER_BOUND_FACTOR = 205;  ///< lower bound of the minimum RTT (1/256)
constexpr uint64_t DEFAULT_SEED = 1;          ///< seed where no random source is given
constexpr uint32_t MAX_INTERVAL = 0x7fffffff; ///< longest interval of a clock (ticks)
constexpr uint32_t MAX_WINDOW = 0x7fffffff;   ///< limit of computed windows (segments)

/**
 * @brief Limit a value to a maximum.
 * @param value any value
 * @param limit the largest result
 * @return the smaller of the two
 */
uint32_t
Limit(uint64_t value, uint32_t limit)
{
    return static_cast<uint32_t>(std::min<uint64_t>(value, limit));
}

/**
 * @brief Count up without wrapping.
 * @param counter the counter
 */
void
CountSaturating(uint8_t& counter)
{
    if (counter < std::numeric_limits<uint8_t>::max())
    {
        counter++;
    }
}

} // namespace

void
NvParameters::Validate() const
{
    CheckRange<uint32_t>("NV pad (segments)", pad, 0, 65535);
    CheckRange<uint32_t>("NV pad buffer (segments)", padBuffer, 0, 65535);
    CheckRange<uint64_t>("NV reset period (us)", resetPeriodUs, 1000, 3600000000);
    CheckRange<uint32_t>("NV minimum window (segments)", minimumWindow, 2, 65535);
    CheckRange<uint32_t>("NV congestion decrease (1/128)", congestionDecrease, 0, 128);
    CheckRange<uint32_t>("NV slow start threshold factor (1/8)", ssThreshFactor, 1, 64);
    CheckRange<uint32_t>("NV RTT factor (1/256)", rttFactor, 0, 256);
    CheckRange<uint32_t>("NV loss factor (1/1024)", lossFactor, 0, 1024);
    CheckRange<uint32_t>("NV slow growth decisions", slowGrowthDecisions, 0, 255);
    CheckRange<uint32_t>("NV fast growth decisions", fastGrowthDecisions, 0, 255);
    CheckRange<uint32_t>("NV decrease samples", decreaseSamples, 1, 255);
    CheckRange<uint32_t>("NV increase samples", increaseSamples, 1, 255);
    CheckRange<uint32_t>("NV slow start samples", slowStartSamples, 1, 255);
    CheckRange<uint32_t>("NV stop rounds", stopRounds, 0, 254);
    CheckRange<uint32_t>("NV decrease rounds", decreaseRounds, 0, 255);
    CheckRange<uint32_t>("NV base RTT (us)", baseRttUs, 0, MAX_WINDOW);
    CheckRange<uint32_t>("NV ticks per second", hz, 1, 1000000);
    if (inFlightDefinition != NvInFlight::WHEN_SENT &&
        inFlightDefinition != NvInFlight::DELIVERED_SINCE)
    {
        throw std::invalid_argument("NV definition of in flight is " +
                                    std::to_string(int(inFlightDefinition)) +
                                    ", but must be 0 (when sent) or 1 (delivered since)");
    }
    if (undo != NvUndo::SAVED_WINDOW && undo != NvUndo::PRIOR_WINDOW)
    {
        throw std::invalid_argument("NV undo is " + std::to_string(int(undo)) +
                                    ", but must be 0 (saved window) or 1 (prior window)");
    }
}

NvParameters
NvParameters::FromProfile(const std::string& profile)
{
    NvParameters parameters;
    if (profile == "5.16")
    {
        return parameters;
    }
    parameters.inFlightDefinition = NvInFlight::WHEN_SENT;
    if (profile == "4.15")
    {
        return parameters;
    }
    parameters.lossFactor = 512;
    parameters.undo = NvUndo::SAVED_WINDOW;
    if (profile == "4.8")
    {
        return parameters;
    }
    throw std::invalid_argument("NV profile is " + profile + ", but must be 4.8, 4.15 or 5.16");
}

std::vector<std::string>
NvParameters::GetProfiles()
{
    return {"4.8", "4.15", "5.16"};
}

NvWindow::NvWindow(const NvParameters& parameters, std::shared_ptr<RandomSource> random)
    : m_parameters(parameters)
{
    m_parameters.Validate();
    SetRandomSource(std::move(random));
}

std::unique_ptr<CongestionControl>
NvWindow::Clone() const
{
    return std::make_unique<NvWindow>(*this);
}

void
NvWindow::SetRandomSource(std::shared_ptr<RandomSource> random)
{
    m_random = random ? std::move(random) : std::make_shared<SeededRandomSource>(DEFAULT_SEED);
}

void
NvWindow::Init(Connection& c)
{
    m_state = NvState();
    Reset(c);
    m_state.baseRttUs = m_parameters.baseRttUs;
    m_state.lowerRttUs =
        static_cast<uint32_t>(uint64_t{m_parameters.baseRttUs} * LOWER_BOUND_FACTOR / 256);
    m_state.resetTime = Now(c) + FIRST_RESET_SECONDS * m_parameters.hz;
}

uint32_t
NvWindow::Now(const Connection& c) const
{
    return ToTicks(c.nowUs, m_parameters.hz);
}

void
NvWindow::Reset(const Connection& c)
{
    m_state.resetPending = false;
    m_state.noCongestionCount = 0;
    m_state.rttCount = 0;
    m_state.lastRttUs = 0;
    m_state.maxRate = 0;
    m_state.evalCalls = 0;
    m_state.lossWindow = 0;
    m_state.rttStartSequence = c.sndUna;
    m_state.lastUna = c.sndUna;
}

void
NvWindow::OnAck(Connection& c, const AckSample& sample)
{
    if (sample.rttUs < 0 ||
        (c.state != CongestionState::OPEN && c.state != CongestionState::DISORDER))
    {
        return;
    }
    if (m_state.catchUp && c.cwnd >= m_parameters.minimumWindow)
    {
        m_state.catchUp = false;
        m_state.allowGrowth = false;
    }
    const uint32_t bytesAcked = c.sndUna - m_state.lastUna;
    m_state.lastUna = c.sndUna;
    if (sample.inFlight == 0)
    {
        return;
    }

    const uint32_t average =
        AverageRtt(Limit(static_cast<uint64_t>(sample.rttUs), NvState::INFINITE_RTT / 2));
    const uint64_t rate = uint64_t{sample.inFlight} * RATE_UNIT / std::max(average, 1U);
    m_state.maxRate = std::max(m_state.maxRate, Limit(rate, std::numeric_limits<uint32_t>::max()));
    CountSaturating(m_state.evalCalls);
    TrackMinimumRtt(c, average);

    if (!IsAfter(c.sndUna, m_state.rttStartSequence))
    {
        return;
    }
    m_state.rttStartSequence = c.sndNxt;
    CountSaturating(m_state.rttCount);

    const uint64_t giantAck = uint64_t{m_state.flowMinimumWindow - 1U} * c.mss;
    if (m_state.evalCalls == 1 && bytesAcked >= giantAck &&
        m_state.flowMinimumWindow < MAX_FLOW_WINDOW)
    {
        m_state.lastEvaluation = {NvVerdict::AGGREGATED,
                                  m_state.maxRate,
                                  m_state.minRttUs,
                                  0,
                                  c.cwnd,
                                  m_state.evalCalls,
                                  m_state.rttCount};
        m_state.evaluations++;
        m_state.flowMinimumWindow =
            std::min<uint8_t>(m_state.flowMinimumWindow + FLOW_WINDOW_STEP, MAX_FLOW_WINDOW);
        m_state.rttStartSequence = c.sndNxt + m_state.flowMinimumWindow * c.mss;
        m_state.evalCalls = 0;
        m_state.allowGrowth = true;
        return;
    }
    Evaluate(c);
}

uint32_t
NvWindow::AverageRtt(uint32_t rttUs)
{
    if (m_parameters.rttFactor == 0)
    {
        return rttUs;
    }
    uint32_t average = rttUs;
    if (m_state.lastRttUs > 0)
    {
        const uint64_t factor = m_parameters.rttFactor;
        average =
            static_cast<uint32_t>((rttUs * factor + m_state.lastRttUs * (256 - factor)) / 256);
    }
    else
    {
        m_state.minRttUs = 2 * average;
    }
    m_state.lastRttUs = average;
    return average;
}

void
NvWindow::TrackMinimumRtt(const Connection& c, uint32_t averageUs)
{
    uint32_t bounded = averageUs;
    if (m_state.lowerRttUs > 0 && averageUs < m_state.lowerRttUs)
    {
        bounded = m_state.lowerRttUs;
    }
    else if (m_state.baseRttUs > 0 && averageUs > m_state.baseRttUs)
    {
        bounded = m_state.baseRttUs;
    }
    m_state.minRttUs = std::min(m_state.minRttUs, bounded);
    m_state.newMinRttUs = std::min(m_state.newMinRttUs, bounded);

    const uint32_t now = Now(c);
    if (!IsAfter(m_state.resetTime, now))
    {
        m_state.minRttUs = m_state.newMinRttUs;
        m_state.newMinRttUs = NvState::INFINITE_RTT;
        const uint64_t draw = m_random->Draw() & 0xff;
        const uint64_t ticks =
            m_parameters.resetPeriodUs * (384 + draw) * m_parameters.hz / (uint64_t{512} * 1000000);
        m_state.resetTime = now + Limit(ticks, MAX_INTERVAL);
        m_state.flowMinimumWindow =
            std::max<uint8_t>(m_state.flowMinimumWindow / 2, MIN_FLOW_WINDOW);
    }
}

void
NvWindow::Evaluate(Connection& c)
{
    const uint64_t ideal =
        uint64_t{m_state.maxRate} * m_state.minRttUs / (uint64_t{RATE_UNIT} * std::max(c.mss, 1U));
    const uint32_t maxWindow = Limit(ideal + m_parameters.pad, MAX_WINDOW);
    m_state.lastEvaluation = {NvVerdict::DEAD_BAND,
                              m_state.maxRate,
                              m_state.minRttUs,
                              maxWindow,
                              c.cwnd,
                              m_state.evalCalls,
                              m_state.rttCount};
    m_state.evaluations++;
    NvVerdict& verdict = m_state.lastEvaluation.verdict;
    if (c.cwnd > maxWindow)
    {
        verdict = OnCongested(c, maxWindow);
    }
    else if (uint64_t{c.cwnd} + m_parameters.padBuffer <= maxWindow)
    {
        verdict = OnNotCongested();
    }
    if (verdict == NvVerdict::CONGESTED || verdict == NvVerdict::NOT_CONGESTED)
    {
        m_state.evalCalls = 0;
        m_state.rttCount = 0;
        m_state.maxRate = 0;
        c.cwnd = std::max(c.cwnd, m_parameters.minimumWindow);
    }
}

NvVerdict
NvWindow::OnCongested(Connection& c, uint32_t maxWindow)
{
    if (m_state.rttCount < m_parameters.decreaseRounds)
    {
        return NvVerdict::TOO_EARLY;
    }
    if (c.ssthresh >= INFINITE_SSTHRESH)
    {
        if (m_state.evalCalls < m_parameters.slowStartSamples)
        {
            return NvVerdict::TOO_EARLY;
        }
    }
    else if (m_state.evalCalls < m_parameters.decreaseSamples)
    {
        if (m_state.allowGrowth && m_state.rttCount > m_parameters.stopRounds)
        {
            m_state.allowGrowth = false;
            return NvVerdict::GROWTH_STOPPED;
        }
        return NvVerdict::TOO_EARLY;
    }

    m_state.allowGrowth = false;
    c.ssthresh = Limit(uint64_t{m_parameters.ssThreshFactor} * maxWindow / 8, MAX_WINDOW);
    const uint32_t gap = c.cwnd - maxWindow;
    if (gap > 2)
    {
        const uint64_t excess = uint64_t{gap} * m_parameters.congestionDecrease / 128;
        c.cwnd -= std::max(2U, static_cast<uint32_t>(excess));
    }
    else if (m_parameters.congestionDecrease > 0)
    {
        c.cwnd = maxWindow;
    }
    m_state.growthFactor = std::min<int8_t>(m_state.growthFactor, 0);
    m_state.noCongestionCount = 0;
    return NvVerdict::CONGESTED;
}

NvVerdict
NvWindow::OnNotCongested()
{
    if (m_state.evalCalls < m_parameters.increaseSamples)
    {
        return NvVerdict::TOO_FEW_SAMPLES;
    }
    m_state.allowGrowth = true;
    m_state.noCongestionCount++;
    const uint32_t decisions = m_state.growthFactor < 0 ? m_parameters.slowGrowthDecisions
                                                        : m_parameters.fastGrowthDecisions;
    if (decisions > 0 && m_state.noCongestionCount > decisions &&
        m_state.growthFactor < std::numeric_limits<int8_t>::max())
    {
        m_state.growthFactor++;
        m_state.noCongestionCount = 0;
    }
    return NvVerdict::NOT_CONGESTED;
}

void
NvWindow::IncreaseWindow(Connection& c, uint32_t acked)
{
    if (!c.cwndLimited || !m_state.allowGrowth)
    {
        return;
    }
    if (c.cwnd < c.ssthresh)
    {
        acked = SlowStart(c, acked);
        if (acked == 0)
        {
            return;
        }
    }
    uint32_t divisor;
    if (m_state.growthFactor < 0)
    {
        divisor = Limit(uint64_t{std::max(c.cwnd, 1U)} << -m_state.growthFactor,
                        std::numeric_limits<uint32_t>::max());
    }
    else
    {
        divisor =
            std::max<uint32_t>(MIN_FLOW_WINDOW, c.cwnd >> std::min<int>(m_state.growthFactor, 31));
    }
    AdditiveIncrease(c, divisor, acked);
}

uint32_t
NvWindow::GetSsThresh(Connection& c)
{
    m_state.lossWindow = c.cwnd;
    return std::max(MIN_SSTHRESH,
                    static_cast<uint32_t>(uint64_t{c.cwnd} * m_parameters.lossFactor / 1024));
}

void
NvWindow::OnStateChange(Connection& c, CongestionState next)
{
    if (next == CongestionState::OPEN)
    {
        if (m_state.resetPending)
        {
            Reset(c);
        }
        return;
    }
    if (next == CongestionState::DISORDER)
    {
        return;
    }
    m_state.resetPending = true;
    m_state.allowGrowth = false;
    if (next == CongestionState::LOSS)
    {
        m_state.growthFactor = std::min<int8_t>(m_state.growthFactor, 0);
        if (m_parameters.slowGrowthDecisions > 0 && m_state.growthFactor > MIN_GROWTH_FACTOR)
        {
            m_state.growthFactor--;
        }
    }
}

uint32_t
NvWindow::UndoCwnd(Connection& c, uint32_t priorCwnd)
{
    const uint32_t window =
        m_parameters.undo == NvUndo::SAVED_WINDOW ? m_state.lossWindow : priorCwnd;
    return CongestionControl::UndoCwnd(c, window);
}

const NvParameters&
NvWindow::GetParameters() const
{
    return m_parameters;
}

const NvState&
NvWindow::GetState() const
{
    return m_state;
}

} // namespace linuxtcp
} // namespace ns3
