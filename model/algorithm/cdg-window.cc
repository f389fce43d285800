/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cdg-window.h"

#include "parameter-check.h"
#include "seeded-random-source.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace ns3
{
namespace linuxtcp
{

namespace
{

constexpr uint32_t MAX_BACKOFF_BETA = 1024;  ///< no reduction (1/1024)
constexpr uint32_t TRAIN_GAP_US = 3000;      ///< largest gap within an ACK train (us)
constexpr uint32_t DETECTION_FLOOR_US = 125; ///< least limit of both slow start detectors (us)
constexpr uint32_t DELAY_SAMPLES = 8;        ///< samples before the RTT is judged
constexpr uint8_t MAX_DELAYED_ACK_SCORE = 5; ///< largest evidence for delayed ACKs
constexpr int64_t EFFECTIVE_LIMIT_US = -32;  ///< gradient that shows an effect (us)
constexpr int64_t TOLERANCE_QUANTUM_US = 64; ///< resolution of the loss tolerance (us)
constexpr uint32_t MIN_WINDOW = 2;           ///< smallest threshold (segments)
constexpr uint64_t DEFAULT_SEED = 1;         ///< seed where no random source is given

/// 65536 exp(-0.000256 * 2^i) as Linux rounds it
constexpr std::array<uint32_t, 16> EXPONENTIAL_FACTORS = {65519,
                                                          65502,
                                                          65469,
                                                          65402,
                                                          65268,
                                                          65002,
                                                          64471,
                                                          63423,
                                                          61379,
                                                          57485,
                                                          50424,
                                                          38796,
                                                          22966,
                                                          8048,
                                                          988,
                                                          15};

/**
 * @brief Take the smaller of two RTTs of which the first may be unknown.
 * @param known smallest RTT so far (us), 0 if none
 * @param rttUs an RTT (us)
 * @return the smaller one
 */
int64_t
MinOfKnown(int64_t known, int64_t rttUs)
{
    return known == 0 ? rttUs : std::min(known, rttUs);
}

/**
 * @brief Divide and round to the nearest integer, halves away from zero.
 * @param value dividend
 * @param divisor divisor, more than 0
 * @return quotient
 */
int64_t
DivideRounded(int64_t value, int64_t divisor)
{
    return (value > 0 ? value + divisor / 2 : value - divisor / 2) / divisor;
}

} // namespace

void
CdgParameters::Validate() const
{
    CheckRange<uint32_t>("CDG window (round trips)", window, 1, 256);
    if ((window & (window - 1)) != 0)
    {
        throw std::invalid_argument("CDG window (round trips) is " + std::to_string(window) +
                                    ", but must be a power of two between 1 and 256");
    }
    CheckRange<uint32_t>("CDG back-off beta (1/1024)", backoffBeta, 0, MAX_BACKOFF_BETA);
    CheckRange<uint32_t>("CDG HyStart detectors", hystartDetect, 0, ACK_TRAIN | DELAY);
    CheckRange<uint32_t>("CDG ineffectual limit (back-offs)", ineffectualLimit, 0, 65534);
}

CdgWindow::CdgWindow(const CdgParameters& parameters, std::shared_ptr<RandomSource> random)
    : m_parameters(parameters)
{
    m_parameters.Validate();
    SetRandomSource(std::move(random));
    m_gradients.resize(m_parameters.window > 1 ? m_parameters.window : 0);
}

std::unique_ptr<CongestionControl>
CdgWindow::Clone() const
{
    return std::make_unique<CdgWindow>(*this);
}

void
CdgWindow::SetRandomSource(std::shared_ptr<RandomSource> random)
{
    m_random = random ? std::move(random) : std::make_shared<SeededRandomSource>(DEFAULT_SEED);
}

void
CdgWindow::Init(Connection& c)
{
    m_state = CdgState();
    Restart(c);
}

void
CdgWindow::Restart(const Connection& c)
{
    CdgState fresh;
    fresh.hystart = m_state.hystart;
    fresh.gradients = m_state.gradients;
    fresh.backoffs = m_state.backoffs;
    fresh.ineffectual = m_state.ineffectual;
    fresh.rttSequence = c.sndNxt;
    fresh.shadowWindow = c.cwnd;
    m_state = fresh;
    std::fill(m_gradients.begin(), m_gradients.end(), CdgExtremes());
}

void
CdgWindow::OnAck(Connection& c, const AckSample& sample)
{
    if (sample.rttUs <= 0)
    {
        return;
    }
    const int64_t rtt = std::min<int64_t>(sample.rttUs, std::numeric_limits<int32_t>::max());
    if (c.sackedOut == 0)
    {
        if (sample.packetsAcked == 1 && m_state.delayedAckScore > 0)
        {
            // Possibly a delayed ACK: may lower the minimum, but neither set nor raise anything.
            m_state.rtt.min = std::min(m_state.rtt.min, rtt);
            m_state.delayedAckScore--;
            return;
        }
        if (sample.packetsAcked > 1 && m_state.delayedAckScore < MAX_DELAYED_ACK_SCORE)
        {
            m_state.delayedAckScore++;
        }
    }
    m_state.rtt.min = MinOfKnown(m_state.rtt.min, rtt);
    m_state.rtt.max = std::max(m_state.rtt.max, rtt);
}

void
CdgWindow::IncreaseWindow(Connection& c, uint32_t acked)
{
    if (c.cwnd < c.ssthresh && m_parameters.hystartDetect != 0)
    {
        DetectSlowStartExit(c);
    }
    if (IsAfter(c.sndUna, m_state.rttSequence) && m_state.rtt.max != 0)
    {
        const bool known = m_state.previous.max != 0;
        const int64_t gradient = known ? UpdateGradient() : 0;
        m_state.rttSequence = c.sndNxt;
        m_state.previous = m_state.rtt;
        m_state.rtt = CdgExtremes();
        m_state.lastAckUs = 0;
        m_state.sampleCount = 0;
        if (gradient > 0 && BackOff(c, gradient))
        {
            return;
        }
    }
    if (!c.cwndLimited)
    {
        m_state.shadowWindow = std::min(m_state.shadowWindow, c.cwnd);
        return;
    }
    const uint32_t before = c.cwnd;
    if (c.cwnd < c.ssthresh)
    {
        acked = SlowStart(c, acked);
    }
    if (acked > 0)
    {
        AdditiveIncrease(c, std::max(c.cwnd, 1U), acked);
    }
    if (c.cwnd > before)
    {
        const uint64_t shadow = uint64_t{m_state.shadowWindow} + (c.cwnd - before);
        m_state.shadowWindow =
            static_cast<uint32_t>(std::min<uint64_t>(shadow, std::numeric_limits<uint32_t>::max()));
    }
}

void
CdgWindow::DetectSlowStartExit(Connection& c)
{
    if (m_state.rtt.min > 0)
    {
        m_state.delayMinUs = static_cast<uint32_t>(MinOfKnown(m_state.delayMinUs, m_state.rtt.min));
    }
    if (m_state.delayMinUs == 0)
    {
        return;
    }
    if ((m_parameters.hystartDetect & CdgParameters::ACK_TRAIN) != 0)
    {
        const auto now = static_cast<uint32_t>(c.nowUs);
        if (m_state.lastAckUs == 0 || !c.cwndLimited)
        {
            m_state.lastAckUs = now;
            m_state.roundStartUs = now;
        }
        else if (IsAfter(m_state.lastAckUs + TRAIN_GAP_US, now))
        {
            m_state.lastAckUs = now;
            const uint32_t limit = std::max(m_state.delayMinUs / 2, DETECTION_FLOOR_US);
            if (IsAfter(now, m_state.roundStartUs + limit))
            {
                m_state.hystart.trainDetect++;
                m_state.hystart.trainCwnd += c.cwnd;
                c.ssthresh = c.cwnd;
                return;
            }
        }
    }
    if ((m_parameters.hystartDetect & CdgParameters::DELAY) != 0)
    {
        const int64_t limit =
            std::max<int64_t>(int64_t{m_state.delayMinUs} + m_state.delayMinUs / 8,
                              DETECTION_FLOOR_US);
        if (m_state.sampleCount < DELAY_SAMPLES)
        {
            m_state.sampleCount++;
        }
        else if (m_state.rtt.min > limit)
        {
            m_state.hystart.delayDetect++;
            m_state.hystart.delayCwnd += c.cwnd;
            c.ssthresh = c.cwnd;
        }
    }
}

int64_t
CdgWindow::UpdateGradient()
{
    CdgExtremes gradient{m_state.rtt.min - m_state.previous.min,
                         m_state.rtt.max - m_state.previous.max};
    if (!m_gradients.empty())
    {
        CdgExtremes& oldest = m_gradients[m_state.tail];
        m_state.gradientSum.min += gradient.min - oldest.min;
        m_state.gradientSum.max += gradient.max - oldest.max;
        oldest = gradient;
        m_state.tail = (m_state.tail + 1) & (m_parameters.window - 1);
        gradient = m_state.gradientSum;
    }
    const int64_t result = Extrapolate(gradient.min > 0 ? gradient.min : gradient.max);
    if (gradient.min <= EFFECTIVE_LIMIT_US || gradient.max <= EFFECTIVE_LIMIT_US)
    {
        m_state.backoffCount = 0;
    }
    if (m_parameters.lossTolerance)
    {
        JudgeQueue(gradient);
    }
    m_state.lastGradient = result;
    m_state.gradients++;
    return result;
}

int64_t
CdgWindow::Extrapolate(int64_t gradient)
{
    if (m_state.gradientsFilled)
    {
        return gradient;
    }
    if (m_state.tail == 0)
    {
        m_state.gradientsFilled = true;
        return gradient;
    }
    return gradient * m_parameters.window / m_state.tail;
}

void
CdgWindow::JudgeQueue(const CdgExtremes& gradient)
{
    const int64_t min = DivideRounded(gradient.min, TOLERANCE_QUANTUM_US);
    const int64_t max = DivideRounded(gradient.max, TOLERANCE_QUANTUM_US);
    if (min > 0 && max <= 0)
    {
        m_state.queue = CdgQueueState::FULL;
    }
    else if ((min > 0 && max > 0) || max < 0)
    {
        m_state.queue = CdgQueueState::NONFULL;
    }
}

uint32_t
CdgWindow::NegativeExponential(uint32_t x)
{
    if (x >= (1U << 24))
    {
        return 0;
    }
    uint64_t result = std::numeric_limits<uint32_t>::max() - (x % 256) * 4294;
    uint32_t bits = x / 256;
    for (const uint32_t factor : EXPONENTIAL_FACTORS)
    {
        if (bits == 0)
        {
            break;
        }
        if ((bits & 1) != 0)
        {
            result = result * factor / 65536;
        }
        bits >>= 1;
    }
    return static_cast<uint32_t>(result);
}

bool
CdgWindow::BackOff(Connection& c, int64_t gradient)
{
    const auto exponent =
        static_cast<uint32_t>(static_cast<uint64_t>(gradient) * m_parameters.backoffFactor);
    if (m_random->Draw() <= NegativeExponential(exponent))
    {
        return false;
    }
    if (m_parameters.ineffectualLimit > 0)
    {
        if (m_state.backoffCount < std::numeric_limits<uint16_t>::max())
        {
            m_state.backoffCount++;
        }
        if (m_state.backoffCount > m_parameters.ineffectualLimit)
        {
            m_state.ineffectual++;
            return false;
        }
    }
    m_state.shadowWindow = std::max(m_state.shadowWindow, c.cwnd);
    m_state.queue = CdgQueueState::BACKOFF;
    m_state.backoffs++;
    EnterCwr(c);
    return true;
}

uint32_t
CdgWindow::GetSsThresh(Connection& c)
{
    if (m_state.queue == CdgQueueState::BACKOFF)
    {
        return std::max(
            MIN_WINDOW,
            static_cast<uint32_t>(uint64_t{c.cwnd} * m_parameters.backoffBeta / MAX_BACKOFF_BETA));
    }
    if (m_state.queue == CdgQueueState::NONFULL && m_parameters.lossTolerance)
    {
        return std::max(MIN_WINDOW, c.cwnd);
    }
    m_state.shadowWindow = std::min(m_state.shadowWindow / 2, c.cwnd);
    const uint32_t half = std::max(MIN_WINDOW, c.cwnd / 2);
    return m_parameters.shadowWindow ? std::max(half, m_state.shadowWindow) : half;
}

void
CdgWindow::OnEvent(Connection& c, CwndEvent event)
{
    switch (event)
    {
    case CwndEvent::COMPLETE_CWR:
        m_state.queue = CdgQueueState::UNKNOWN;
        m_state.rttSequence = c.sndNxt;
        m_state.previous = m_state.rtt;
        m_state.rtt = CdgExtremes();
        break;
    case CwndEvent::CWND_RESTART:
        Restart(c);
        break;
    case CwndEvent::TX_START:
    case CwndEvent::LOSS:
        break;
    }
}

const CdgParameters&
CdgWindow::GetParameters() const
{
    return m_parameters;
}

const CdgState&
CdgWindow::GetState() const
{
    return m_state;
}

const std::vector<CdgExtremes>&
CdgWindow::GetGradients() const
{
    return m_gradients;
}

} // namespace linuxtcp
} // namespace ns3
