/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "htcp-window.h"

#include "parameter-check.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{
namespace linuxtcp
{

namespace
{

constexpr uint32_t UNIT = 128;                  ///< 1.0 of alpha and beta
constexpr uint32_t MIN_BETA = 64;               ///< smallest decrease factor (1/128)
constexpr uint32_t MAX_BETA = 102;              ///< largest decrease factor (1/128)
constexpr uint32_t ADAPTIVE_MIN_RTT_US = 10000; ///< the adaptive factor needs more (us)
constexpr uint32_t MAX_RTT_STEP_US = 20000;     ///< larger jumps of the RTT are ignored (us)
constexpr uint32_t MIN_SCALE = 4;               ///< smallest 8 * 100 ms / RTT
constexpr uint32_t MAX_SCALE = 80;              ///< largest 8 * 100 ms / RTT
constexpr uint32_t SETTLING_RTTS = 3;           ///< RTTs after an event that restart the average
constexpr uint32_t MIN_WINDOW = 2;              ///< smallest slow start threshold (segments)

constexpr uint64_t LOW_SPEED_PERIOD_US = 1000000; ///< length of the Reno-compatible phase (us)
constexpr double THROUGHPUT_BAND = 0.2;           ///< relative change that forces 0.5
constexpr double REFERENCE_RTT_US = 100000;       ///< RTT at which the scaling factor is 1 (us)

/**
 * @brief Convert a duration to ticks, rounding up.
 * @param us duration (us)
 * @param hz ticks per second
 * @return ticks
 */
uint32_t
ToTicksRoundedUp(uint64_t us, uint32_t hz)
{
    // Everything above a day is one day, which keeps the product in 64 bits.
    constexpr uint64_t DAY_US = 86400000000ULL;
    const uint64_t ticks = (std::min(us, DAY_US) * hz + 999999) / 1000000;
    return static_cast<uint32_t>(std::min<uint64_t>(ticks, std::numeric_limits<int32_t>::max()));
}

/**
 * @brief Limit a value to 32 bits.
 * @param value any value
 * @return the value, or the largest one of 32 bits
 */
uint32_t
Saturate(uint64_t value)
{
    return static_cast<uint32_t>(std::min<uint64_t>(value, std::numeric_limits<uint32_t>::max()));
}

/**
 * @brief Tell whether a state of loss recovery is a congestion event.
 * @param state the state
 * @return true for CWR, RECOVERY and LOSS
 */
bool
IsReduction(CongestionState state)
{
    return state == CongestionState::CWR || state == CongestionState::RECOVERY ||
           state == CongestionState::LOSS;
}

} // namespace

void
HtcpParameters::Validate() const
{
    if (variant != HtcpVariant::LINUX_FIXED_POINT && variant != HtcpVariant::PUBLISHED)
    {
        throw std::invalid_argument("H-TCP variant is " + std::to_string(int(variant)) +
                                    ", but must be 0 (Linux) or 1 (published)");
    }
    CheckRange<uint32_t>("H-TCP ticks per second", hz, 1, 1000000);
}

std::unique_ptr<HtcpControl>
MakeHtcp(const HtcpParameters& parameters)
{
    if (parameters.variant == HtcpVariant::PUBLISHED)
    {
        return std::make_unique<HtcpPublishedWindow>(parameters);
    }
    return std::make_unique<HtcpWindow>(parameters);
}

HtcpWindow::HtcpWindow(const HtcpParameters& parameters)
    : m_parameters(parameters)
{
    m_parameters.Validate();
}

std::unique_ptr<CongestionControl>
HtcpWindow::Clone() const
{
    return std::make_unique<HtcpWindow>(*this);
}

void
HtcpWindow::Init(Connection& c)
{
    m_state = HtcpState();
    m_state.lastCongestion = Now(c);
}

uint32_t
HtcpWindow::Now(const Connection& c) const
{
    return ToTicks(c.nowUs, m_parameters.hz);
}

void
HtcpWindow::OnAck(Connection& c, const AckSample& sample)
{
    if (c.state == CongestionState::OPEN)
    {
        m_state.packetsAcked =
            std::min<uint32_t>(sample.packetsAcked, std::numeric_limits<uint16_t>::max());
    }
    if (sample.rttUs > 0)
    {
        const uint32_t rtt = ToTicksRoundedUp(sample.rttUs, m_parameters.hz);
        if (m_state.minRtt == 0 || rtt < m_state.minRtt)
        {
            m_state.minRtt = rtt;
        }
        if (c.state == CongestionState::OPEN)
        {
            m_state.maxRtt = std::max(m_state.maxRtt, m_state.minRtt);
            const uint32_t step = ToTicksRoundedUp(MAX_RTT_STEP_US, m_parameters.hz);
            if (rtt > m_state.maxRtt && rtt - m_state.maxRtt <= step)
            {
                m_state.maxRtt = rtt;
            }
        }
    }
    if (m_parameters.bandwidthSwitch)
    {
        MeasureThroughput(c, sample.packetsAcked);
    }
}

void
HtcpWindow::MeasureThroughput(const Connection& c, uint32_t packetsAcked)
{
    const uint32_t now = Now(c);
    if (c.state != CongestionState::OPEN && c.state != CongestionState::DISORDER)
    {
        m_state.packetCount = 0;
        m_state.lastTime = now;
        return;
    }
    m_state.packetCount += packetsAcked;

    // The difference wraps if alpha exceeds the window: then nothing is measured.
    const uint32_t enough = c.cwnd - std::max(m_state.alpha / UNIT, 1U);
    const uint32_t elapsed = now - m_state.lastTime;
    if (m_state.packetCount < enough || m_state.minRtt == 0 || elapsed < m_state.minRtt)
    {
        return;
    }
    const uint32_t current = Saturate(uint64_t{m_state.packetCount} * m_parameters.hz / elapsed);
    if ((now - m_state.lastCongestion) / m_state.minRtt <= SETTLING_RTTS)
    {
        m_state.throughput = current;
        m_state.minThroughput = current;
        m_state.maxThroughput = current;
    }
    else
    {
        m_state.throughput =
            static_cast<uint32_t>((uint64_t{3} * m_state.throughput + current) / 4);
        m_state.maxThroughput = std::max(m_state.maxThroughput, m_state.throughput);
        m_state.minThroughput = std::min(m_state.minThroughput, m_state.maxThroughput);
    }
    m_state.packetCount = 0;
    m_state.lastTime = now;
}

void
HtcpWindow::IncreaseWindow(Connection& c, uint32_t acked)
{
    if (!c.cwndLimited)
    {
        return;
    }
    if (c.cwnd < c.ssthresh)
    {
        SlowStart(c, m_parameters.slowStartPerAck ? std::min(acked, 1U) : acked);
        return;
    }
    if (uint64_t{c.credit} * m_state.alpha / UNIT >= c.cwnd)
    {
        if (c.cwnd < c.cwndClamp)
        {
            c.cwnd++;
        }
        c.credit = 0;
        UpdateAlpha(c);
    }
    else
    {
        c.credit = Saturate(uint64_t{c.credit} + m_state.packetsAcked);
    }
    m_state.packetsAcked = 1;
}

void
HtcpWindow::UpdateAlpha(const Connection& c)
{
    const uint32_t hz = m_parameters.hz;
    uint64_t factor = 1;
    uint64_t delta = Now(c) - m_state.lastCongestion;
    if (delta > hz)
    {
        delta -= hz;
        factor = 1 + (10 * delta + (delta / 2) * (delta / 2) / hz) / hz;
    }
    if (m_parameters.rttScaling && m_state.minRtt > 0)
    {
        const uint64_t scale =
            std::clamp<uint64_t>(uint64_t{8} * hz / (uint64_t{10} * m_state.minRtt),
                                 MIN_SCALE,
                                 MAX_SCALE);
        factor = std::max<uint64_t>(1, 8 * factor / scale);
    }
    m_state.alpha = Saturate(2 * factor * (UNIT - m_state.beta));
}

void
HtcpWindow::UpdateBeta()
{
    if (m_parameters.bandwidthSwitch)
    {
        const uint64_t old = m_state.oldMaxThroughput;
        const uint64_t current = m_state.maxThroughput;
        m_state.oldMaxThroughput = m_state.maxThroughput;
        if (5 * current < 4 * old || 5 * current > 6 * old)
        {
            m_state.beta = MIN_BETA;
            m_state.modeSwitch = false;
            return;
        }
    }
    if (!m_parameters.adaptiveBackoff)
    {
        m_state.beta = MIN_BETA;
        m_state.modeSwitch = false;
        return;
    }
    const uint32_t enough = ToTicksRoundedUp(ADAPTIVE_MIN_RTT_US, m_parameters.hz);
    if (m_state.modeSwitch && m_state.minRtt > enough && m_state.maxRtt > 0)
    {
        const uint64_t ratio = uint64_t{UNIT} * m_state.minRtt / m_state.maxRtt;
        m_state.beta = static_cast<uint32_t>(std::clamp<uint64_t>(ratio, MIN_BETA, MAX_BETA));
    }
    else
    {
        m_state.beta = MIN_BETA;
        m_state.modeSwitch = true;
    }
}

uint32_t
HtcpWindow::GetSsThresh(Connection& c)
{
    UpdateBeta();
    UpdateAlpha(c);
    if (m_state.minRtt > 0 && m_state.maxRtt > m_state.minRtt)
    {
        const uint64_t excess = m_state.maxRtt - m_state.minRtt;
        m_state.maxRtt = m_state.minRtt + static_cast<uint32_t>(excess * 95 / 100);
    }
    return std::max(MIN_WINDOW, static_cast<uint32_t>(uint64_t{c.cwnd} * m_state.beta / UNIT));
}

void
HtcpWindow::OnStateChange(Connection& c, CongestionState next)
{
    if (IsReduction(next))
    {
        m_state.undoSaved = true;
        m_state.undoLastCongestion = m_state.lastCongestion;
        m_state.undoMaxRtt = m_state.maxRtt;
        m_state.undoOldMaxThroughput = m_state.oldMaxThroughput;
        m_state.lastCongestion = Now(c);
    }
    else if (next == CongestionState::OPEN && m_state.undoSaved)
    {
        m_state.lastCongestion = Now(c);
        m_state.undoSaved = false;
        m_state.undoLastCongestion = 0;
    }
}

uint32_t
HtcpWindow::UndoCwnd(Connection& c, uint32_t priorCwnd)
{
    if (m_state.undoSaved)
    {
        m_state.lastCongestion = m_state.undoLastCongestion;
        m_state.maxRtt = m_state.undoMaxRtt;
        m_state.oldMaxThroughput = m_state.undoOldMaxThroughput;
        m_state.undoSaved = false;
        m_state.undoLastCongestion = 0;
    }
    return CongestionControl::UndoCwnd(c, priorCwnd);
}

HtcpSummary
HtcpWindow::Summarize(const Connection& c) const
{
    const uint64_t hz = m_parameters.hz;
    HtcpSummary summary;
    summary.alpha = double(m_state.alpha) / UNIT;
    summary.beta = double(m_state.beta) / UNIT;
    summary.deltaUs = uint64_t{Now(c) - m_state.lastCongestion} * 1000000 / hz;
    summary.minRttUs = uint64_t{m_state.minRtt} * 1000000 / hz;
    summary.maxRttUs = uint64_t{m_state.maxRtt} * 1000000 / hz;
    summary.throughput = m_state.maxThroughput;
    return summary;
}

const HtcpParameters&
HtcpWindow::GetParameters() const
{
    return m_parameters;
}

const HtcpState&
HtcpWindow::GetState() const
{
    return m_state;
}

HtcpPublishedWindow::HtcpPublishedWindow(const HtcpParameters& parameters)
    : m_parameters(parameters)
{
    m_parameters.Validate();
}

std::unique_ptr<CongestionControl>
HtcpPublishedWindow::Clone() const
{
    return std::make_unique<HtcpPublishedWindow>(*this);
}

void
HtcpPublishedWindow::Init(Connection& c)
{
    m_state = HtcpPublishedState();
    m_state.lastEventUs = c.nowUs;
    m_state.measureStartUs = c.nowUs;
}

double
HtcpPublishedWindow::BaseIncrease(uint64_t deltaUs)
{
    if (deltaUs <= LOW_SPEED_PERIOD_US)
    {
        return 1;
    }
    const double excess = double(deltaUs - LOW_SPEED_PERIOD_US) / 1e6;
    return 1 + 10 * excess + (excess / 2) * (excess / 2);
}

void
HtcpPublishedWindow::OnAck(Connection& c, const AckSample& sample)
{
    if (sample.rttUs >= 0)
    {
        // A path faster than the clock counts as one microsecond.
        const uint64_t rtt = std::max<int64_t>(sample.rttUs, 1);
        m_state.minRttUs = m_state.minRttUs == 0 ? rtt : std::min(m_state.minRttUs, rtt);
        m_state.maxRttUs = std::max(m_state.maxRttUs, rtt);
    }
    if (c.state != CongestionState::OPEN && c.state != CongestionState::DISORDER)
    {
        m_state.packetCount = 0;
        m_state.measureStartUs = c.nowUs;
        return;
    }
    m_state.packetCount += sample.packetsAcked;
    const uint64_t elapsed = c.nowUs - m_state.measureStartUs;
    if (m_state.minRttUs > 0 && elapsed >= m_state.minRttUs)
    {
        m_state.throughput = double(m_state.packetCount) * 1e6 / double(elapsed);
        m_state.packetCount = 0;
        m_state.measureStartUs = c.nowUs;
    }
}

void
HtcpPublishedWindow::IncreaseWindow(Connection& c, uint32_t acked)
{
    if (!c.cwndLimited)
    {
        return;
    }
    if (c.cwnd < c.ssthresh)
    {
        acked = m_parameters.slowStartPerAck ? std::min(acked, 1U) : acked;
        acked = SlowStart(c, acked);
    }
    if (acked == 0)
    {
        return;
    }
    UpdateAlpha(c);
    m_state.fraction += m_state.alpha * acked / std::max(c.cwnd, 1U);
    const double room = double(c.cwndClamp) - std::min(c.cwnd, c.cwndClamp);
    const double whole = std::min(std::floor(m_state.fraction), room);
    m_state.fraction = std::min(m_state.fraction - whole, 1.0);
    c.cwnd += static_cast<uint32_t>(whole);
}

void
HtcpPublishedWindow::UpdateAlpha(const Connection& c)
{
    const uint64_t delta = c.nowUs - m_state.lastEventUs;
    double increase = BaseIncrease(delta);
    if (m_parameters.rttScaling && m_state.minRttUs > 0 && delta > LOW_SPEED_PERIOD_US)
    {
        const double scale = std::clamp(double(m_state.minRttUs) / REFERENCE_RTT_US, 0.1, 2.0);
        increase = std::max(increase * scale, 1.0);
    }
    m_state.alpha = 2 * (1 - m_state.beta) * increase;
}

void
HtcpPublishedWindow::UpdateBeta()
{
    const double old = m_state.previousThroughput;
    m_state.previousThroughput = m_state.throughput;
    const bool changed = old <= 0 || std::abs(m_state.throughput - old) > THROUGHPUT_BAND * old;
    if (!m_parameters.adaptiveBackoff || (m_parameters.bandwidthSwitch && changed) ||
        m_state.maxRttUs == 0)
    {
        m_state.beta = 0.5;
        return;
    }
    m_state.beta = std::clamp(double(m_state.minRttUs) / double(m_state.maxRttUs), 0.5, 0.8);
}

uint32_t
HtcpPublishedWindow::GetSsThresh(Connection& c)
{
    m_state.undoMaxRttUs = m_state.maxRttUs;
    m_state.undoPreviousThroughput = m_state.previousThroughput;
    UpdateBeta();
    UpdateAlpha(c);
    m_state.maxRttUs -= (m_state.maxRttUs - m_state.minRttUs) / 20;
    return std::max(MIN_WINDOW, static_cast<uint32_t>(m_state.beta * c.cwnd));
}

void
HtcpPublishedWindow::OnStateChange(Connection& c, CongestionState next)
{
    if (IsReduction(next))
    {
        m_state.undoSaved = true;
        m_state.undoLastEventUs = m_state.lastEventUs;
        m_state.lastEventUs = c.nowUs;
        m_state.fraction = 0;
    }
    else if (next == CongestionState::OPEN)
    {
        m_state.undoSaved = false;
    }
}

uint32_t
HtcpPublishedWindow::UndoCwnd(Connection& c, uint32_t priorCwnd)
{
    if (m_state.undoSaved)
    {
        m_state.undoSaved = false;
        m_state.lastEventUs = m_state.undoLastEventUs;
        m_state.maxRttUs = std::max(m_state.maxRttUs, m_state.undoMaxRttUs);
        m_state.previousThroughput = m_state.undoPreviousThroughput;
    }
    return CongestionControl::UndoCwnd(c, priorCwnd);
}

HtcpSummary
HtcpPublishedWindow::Summarize(const Connection& c) const
{
    HtcpSummary summary;
    summary.alpha = m_state.alpha;
    summary.beta = m_state.beta;
    summary.deltaUs = c.nowUs - m_state.lastEventUs;
    summary.minRttUs = m_state.minRttUs;
    summary.maxRttUs = m_state.maxRttUs;
    summary.throughput = m_state.throughput;
    return summary;
}

const HtcpParameters&
HtcpPublishedWindow::GetParameters() const
{
    return m_parameters;
}

const HtcpPublishedState&
HtcpPublishedWindow::GetState() const
{
    return m_state;
}

} // namespace linuxtcp
} // namespace ns3
