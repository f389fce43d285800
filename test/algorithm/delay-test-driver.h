/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_DELAY_TEST_DRIVER_H
#define LINUX_TCP_DELAY_TEST_DRIVER_H

#include "congestion-control.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

/// Tools for the tests of the algorithms that look at the RTT.
namespace delaytest
{

/// A random source that always gives the same number.
class FixedSource : public ns3::linuxtcp::RandomSource
{
  public:
    /**
     * @brief Constructor
     * @param value the number
     */
    explicit FixedSource(uint32_t value)
        : m_value(value)
    {
    }

    uint32_t Draw() override
    {
        return m_value;
    }

  private:
    uint32_t m_value; ///< the number
};

/**
 * @brief A loss episode that begins and ends at the present time.
 * @param control the algorithm
 * @param c the connection; its cwnd becomes the threshold
 */
inline void
FastRecovery(ns3::linuxtcp::CongestionControl& control, ns3::linuxtcp::Connection& c)
{
    using namespace ns3::linuxtcp;
    c.ssthresh = control.GetSsThresh(c);
    control.OnStateChange(c, CongestionState::RECOVERY);
    c.state = CongestionState::RECOVERY;
    c.cwnd = c.ssthresh;
    control.OnEvent(c, CwndEvent::COMPLETE_CWR);
    control.OnStateChange(c, CongestionState::OPEN);
    c.state = CongestionState::OPEN;
}

/// Windows seen during a random drive, in the order of the calls.
using Trajectory = std::vector<uint32_t>;

/// What a random drive varies.
struct DriveOptions
{
    uint32_t seed{1};           ///< seed of the inputs
    uint32_t calls{4000};       ///< acknowledgements
    uint32_t sequenceOffset{0}; ///< first sequence number (bytes)
    uint64_t startUs{10000000}; ///< clock at the start (us)
    uint64_t maxRttUs{200000};  ///< largest RTT (us)
    uint64_t maxStepUs{20000};  ///< largest time between acknowledgements (us)
    std::function<void(const ns3::linuxtcp::Connection&)> check; ///< called after every call
};

/**
 * @brief Drive an algorithm by random but legal calls, extreme values included.
 * @param control the algorithm
 * @param options the drive
 * @return the windows and thresholds after each acknowledgement
 */
inline Trajectory
DriveRandomly(ns3::linuxtcp::CongestionControl& control, const DriveOptions& options)
{
    using namespace ns3::linuxtcp;
    std::mt19937 random(options.seed);
    auto below = [&random](uint64_t bound) {
        return (uint64_t{random()} << 32 | random()) % bound;
    };
    Connection c;
    c.nowUs = options.startUs;
    c.sndUna = options.sequenceOffset;
    c.sndNxt = options.sequenceOffset;
    Trajectory trajectory;
    auto check = [&]() {
        if (options.check)
        {
            options.check(c);
        }
        trajectory.push_back(c.cwnd);
        trajectory.push_back(c.ssthresh);
    };
    auto changeState = [&](CongestionState next) {
        control.OnStateChange(c, next);
        c.state = next;
    };
    control.Init(c);
    check();
    for (uint32_t call = 0; call < options.calls; call++)
    {
        c.nowUs += below(options.maxStepUs) + 1;
        const uint32_t outstanding = (c.sndNxt - c.sndUna) / c.mss;
        const auto acked = static_cast<uint32_t>(
            std::min<uint64_t>(outstanding, below(8) == 0 ? below(64) + 1 : below(2) + 1));
        c.sndUna += acked * c.mss;
        c.cwndLimited = below(8) != 0;
        c.sackedOut = c.state == CongestionState::OPEN ? 0 : static_cast<uint32_t>(below(3));
        AckSample sample;
        sample.rttUs = below(20) == 0 ? int64_t(below(2)) - 1 : int64_t(below(options.maxRttUs));
        sample.packetsAcked = acked;
        sample.inFlight = below(50) == 0 ? 0 : static_cast<uint32_t>(below(c.cwnd) + 1) * c.mss;
        control.OnAck(c, sample);

        const uint64_t dice = below(200);
        const bool calm = c.state == CongestionState::OPEN || c.state == CongestionState::DISORDER;
        if (calm && dice < 4)
        {
            c.ssthresh = control.GetSsThresh(c);
            if (dice == 0)
            {
                control.OnEvent(c, CwndEvent::LOSS);
                c.cwnd = 2;
                changeState(CongestionState::LOSS);
            }
            else
            {
                changeState(dice == 1 ? CongestionState::CWR : CongestionState::RECOVERY);
            }
        }
        else if (!calm && dice < 40)
        {
            if (dice < 2)
            {
                c.cwnd = control.UndoCwnd(c, c.cwnd);
            }
            else if (c.state != CongestionState::LOSS)
            {
                c.cwnd = c.ssthresh;
                control.OnEvent(c, CwndEvent::COMPLETE_CWR);
            }
            changeState(CongestionState::OPEN);
        }
        else if (calm && dice < 6)
        {
            changeState(c.state == CongestionState::OPEN ? CongestionState::DISORDER
                                                         : CongestionState::OPEN);
        }
        else if (calm && dice == 7)
        {
            control.OnEvent(c, CwndEvent::CWND_RESTART);
        }
        if (c.state != CongestionState::CWR && c.state != CongestionState::RECOVERY && acked > 0)
        {
            control.IncreaseWindow(c, acked);
        }
        // Keep the window in the range that real connections have.
        c.cwnd = std::min(c.cwnd, 200000U);
        const uint32_t flight = (c.sndNxt - c.sndUna) / c.mss;
        if (flight < c.cwnd)
        {
            c.sndNxt += (c.cwnd - flight) * c.mss;
        }
        check();
    }
    return trajectory;
}

} // namespace delaytest

#endif /* LINUX_TCP_DELAY_TEST_DRIVER_H */
