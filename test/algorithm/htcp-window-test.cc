/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "delay-test-driver.h"
#include "htcp-window.h"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <stdexcept>
#include <string>

using namespace ns3::linuxtcp;

namespace
{

/**
 * @brief A connection at second 10.
 * @return the connection
 */
Connection
MakeConnection()
{
    Connection c;
    c.nowUs = 10000000;
    c.cwnd = 100;
    c.ssthresh = 100;
    c.cwndLimited = true;
    return c;
}

/**
 * @brief Acknowledge one packet.
 * @param control the algorithm
 * @param c the connection
 * @param rttUs RTT (us)
 * @param packets packets acknowledged
 */
void
Ack(CongestionControl& control, Connection& c, int64_t rttUs, uint32_t packets = 1)
{
    AckSample sample;
    sample.rttUs = rttUs;
    sample.packetsAcked = packets;
    control.OnAck(c, sample);
}

/**
 * @brief Raise the RTT in steps that Linux accepts.
 * @param control the algorithm
 * @param c the connection
 * @param fromMs first RTT (ms)
 * @param toMs last RTT (ms)
 */
void
RampRtt(CongestionControl& control, Connection& c, int64_t fromMs, int64_t toMs)
{
    for (int64_t rtt = fromMs; rtt < toMs; rtt += 20)
    {
        Ack(control, c, rtt * 1000);
    }
    Ack(control, c, toMs * 1000);
}

/// One row of the specification's table of increases
struct AlphaRow
{
    double deltaSeconds; ///< time since the last event
    double rtt10;        ///< RTT 10 ms, factor 0.5
    double rtt50;        ///< RTT 50 ms, factor 0.5
    double rtt100;       ///< RTT 100 ms, factor 0.5
    double rtt100Beta8;  ///< RTT 100 ms, factor 0.8
    double rtt200;       ///< RTT 200 ms and more, factor 0.5
};

const AlphaRow ALPHA_TABLE[] = {{0.5, 1, 1, 1, 0.406, 2},
                                {1.0, 1, 1, 1, 0.406, 2},
                                {1.5, 1, 3, 6, 2.44, 12},
                                {2, 1, 5, 11, 4.47, 22},
                                {3, 2, 11, 22, 8.94, 44},
                                {6, 5, 28, 57, 23.2, 114},
                                {11, 12, 63, 126, 51.2, 252}};

/**
 * @brief Increase of the Linux variant.
 * @param deltaSeconds time since the last event
 * @param rttMs RTT (ms)
 * @param adaptive whether the factor is the largest instead of the smallest
 * @return segments per RTT
 */
double
LinuxAlpha(double deltaSeconds, int64_t rttMs, bool adaptive)
{
    HtcpParameters parameters;
    parameters.bandwidthSwitch = false;
    HtcpWindow htcp(parameters);
    Connection c = MakeConnection();
    htcp.Init(c);
    Ack(htcp, c, rttMs * 1000);
    if (adaptive)
    {
        delaytest::FastRecovery(htcp, c);
    }
    c.nowUs += static_cast<uint64_t>(std::llround(deltaSeconds * 1e6));
    htcp.GetSsThresh(c);
    return htcp.Summarize(c).alpha;
}

/**
 * @brief Decrease factor after the throughput went from 1000 to another value.
 * @param second the second throughput (segments/s)
 * @return factor in 1/128
 */
uint32_t
BetaAfterThroughput(uint32_t second)
{
    HtcpWindow htcp;
    Connection c = MakeConnection();
    c.nowUs = 1000000;
    htcp.Init(c);
    auto epoch = [&](uint32_t packets) {
        c.nowUs += 1000000;
        c.cwnd = 2;
        Ack(htcp, c, 1000000, packets);
        delaytest::FastRecovery(htcp, c);
    };
    epoch(1000);
    epoch(1000);
    epoch(1000);
    epoch(second);
    return htcp.GetState().beta;
}

/**
 * @brief Decrease factor of the published variant.
 * @param parameters switches
 * @param minRttUs minimum RTT (us)
 * @param maxRttUs maximum RTT (us)
 * @param first packets per second before the first event
 * @param second packets per second before the second event
 * @return the factor
 */
double
PublishedBeta(HtcpParameters parameters,
              int64_t minRttUs,
              int64_t maxRttUs,
              uint32_t first,
              uint32_t second)
{
    parameters.variant = HtcpVariant::PUBLISHED;
    HtcpPublishedWindow htcp(parameters);
    Connection c = MakeConnection();
    htcp.Init(c);
    c.nowUs += 1000000;
    Ack(htcp, c, minRttUs, first);
    delaytest::FastRecovery(htcp, c);
    c.nowUs += 1000000;
    Ack(htcp, c, maxRttUs, second);
    htcp.GetSsThresh(c);
    return htcp.GetState().beta;
}

/**
 * @brief Whether a message names what it should.
 * @param text part of the message
 * @return predicate over exceptions
 */
std::function<bool(const std::invalid_argument&)>
Names(const std::string& text)
{
    return [text](const std::invalid_argument& error) {
        return std::string(error.what()).find(text) != std::string::npos;
    };
}

} // namespace

BOOST_AUTO_TEST_SUITE(htcp_window)

BOOST_AUTO_TEST_CASE(increase_of_linux)
{
    for (const auto& row : ALPHA_TABLE)
    {
        BOOST_TEST_CONTEXT("delta " << row.deltaSeconds)
        {
            BOOST_TEST(LinuxAlpha(row.deltaSeconds, 10, false) == row.rtt10);
            BOOST_TEST(LinuxAlpha(row.deltaSeconds, 50, false) == row.rtt50);
            BOOST_TEST(LinuxAlpha(row.deltaSeconds, 100, false) == row.rtt100);
            BOOST_TEST(LinuxAlpha(row.deltaSeconds, 200, false) == row.rtt200);
            BOOST_TEST(LinuxAlpha(row.deltaSeconds, 500, false) == row.rtt200);
            BOOST_TEST(std::abs(LinuxAlpha(row.deltaSeconds, 100, true) - row.rtt100Beta8) < 0.05);
        }
    }
}

BOOST_AUTO_TEST_CASE(decrease_of_linux)
{
    const struct
    {
        int64_t maxRttMs;
        uint32_t beta;
    } rows[] = {{103, 102}, {125, 102}, {150, 85}, {190, 67}, {400, 64}};

    for (const auto& row : rows)
    {
        HtcpParameters parameters;
        parameters.bandwidthSwitch = false;
        HtcpWindow htcp(parameters);
        Connection c = MakeConnection();
        htcp.Init(c);
        Ack(htcp, c, 100000);
        delaytest::FastRecovery(htcp, c);
        BOOST_TEST(htcp.GetState().beta == 64U);
        BOOST_TEST(htcp.GetState().modeSwitch);
        RampRtt(htcp, c, 100, row.maxRttMs);
        c.cwnd = 128;
        BOOST_TEST(htcp.GetSsThresh(c) == row.beta);
        BOOST_TEST(htcp.GetState().beta == row.beta);
    }
}

BOOST_AUTO_TEST_CASE(throughput_band_of_linux)
{
    BOOST_TEST(BetaAfterThroughput(1200) == 102U);
    BOOST_TEST(BetaAfterThroughput(1201) == 64U);
    BOOST_TEST(BetaAfterThroughput(800) == 102U);
    BOOST_TEST(BetaAfterThroughput(799) == 64U);
}

BOOST_AUTO_TEST_CASE(adaptive_factor_needs_stable_events)
{
    HtcpWindow htcp;
    Connection c = MakeConnection();
    c.cwnd = 2;
    htcp.Init(c);
    Ack(htcp, c, 1000000, 1000); // starts the throughput measurement
    const uint32_t expected[] = {64, 64, 102};
    for (const uint32_t beta : expected)
    {
        c.nowUs += 1000000;
        c.cwnd = 2;
        Ack(htcp, c, 1000000, 1000);
        delaytest::FastRecovery(htcp, c);
        BOOST_TEST(htcp.GetState().beta == beta);
    }
}

BOOST_AUTO_TEST_CASE(adaptive_factor_can_be_switched_off)
{
    HtcpParameters parameters;
    parameters.bandwidthSwitch = false;
    parameters.adaptiveBackoff = false;
    HtcpWindow htcp(parameters);
    Connection c = MakeConnection();
    htcp.Init(c);
    for (int i = 0; i < 5; i++)
    {
        Ack(htcp, c, 100000);
        delaytest::FastRecovery(htcp, c);
        BOOST_TEST(htcp.GetState().beta == 64U);
    }
    BOOST_TEST(PublishedBeta(parameters, 60000, 100000, 100, 100) == 0.5);
}

BOOST_AUTO_TEST_CASE(jump_of_the_rtt_is_ignored)
{
    HtcpWindow htcp;
    Connection c = MakeConnection();
    htcp.Init(c);
    Ack(htcp, c, 100000);
    Ack(htcp, c, 121000);
    BOOST_TEST(htcp.GetState().maxRtt == 100U);
    Ack(htcp, c, 120000);
    BOOST_TEST(htcp.GetState().maxRtt == 120U);
    Ack(htcp, c, 1);
    BOOST_TEST(htcp.GetState().minRtt == 1U);
}

BOOST_AUTO_TEST_CASE(undo_restores_the_clock)
{
    HtcpWindow htcp;
    Connection c = MakeConnection();
    htcp.Init(c);
    Ack(htcp, c, 100000);
    c.nowUs += 5000000;
    c.ssthresh = htcp.GetSsThresh(c);
    BOOST_TEST(c.ssthresh == 50U);
    htcp.OnStateChange(c, CongestionState::RECOVERY);
    c.state = CongestionState::RECOVERY;
    BOOST_TEST(htcp.Summarize(c).deltaUs == 0U);
    c.cwnd = 50;
    BOOST_TEST(htcp.UndoCwnd(c, 100) == 100U);
    BOOST_TEST(htcp.Summarize(c).deltaUs == 5000000U);
}

BOOST_AUTO_TEST_CASE(slow_start_counts_packets_or_acks)
{
    HtcpParameters parameters;
    for (const auto variant : {HtcpVariant::LINUX_FIXED_POINT, HtcpVariant::PUBLISHED})
    {
        parameters.variant = variant;
        // Ten acknowledgements of two packets each, from a window of 10.
        for (const bool perAck : {false, true})
        {
            parameters.slowStartPerAck = perAck;
            const auto htcp = MakeHtcp(parameters);
            Connection c = MakeConnection();
            c.cwnd = 10;
            c.ssthresh = 1000;
            htcp->Init(c);
            for (int i = 0; i < 10; i++)
            {
                htcp->IncreaseWindow(c, 2);
            }
            BOOST_TEST(c.cwnd == (perAck ? 20U : 30U));
        }
    }
}

BOOST_AUTO_TEST_CASE(published_increase)
{
    BOOST_TEST(HtcpPublishedWindow::BaseIncrease(0) == 1.0);
    BOOST_TEST(HtcpPublishedWindow::BaseIncrease(1000000) == 1.0);
    BOOST_TEST(HtcpPublishedWindow::BaseIncrease(2000000) == 11.25);
    BOOST_TEST(HtcpPublishedWindow::BaseIncrease(3000000) == 22.0);
    BOOST_TEST(HtcpPublishedWindow::BaseIncrease(6000000) == 57.25);
    BOOST_TEST(HtcpPublishedWindow::BaseIncrease(11000000) == 126.0);

    HtcpParameters parameters;
    parameters.rttScaling = false;
    HtcpPublishedWindow htcp(parameters);
    Connection c = MakeConnection();
    htcp.Init(c);
    Ack(htcp, c, 100000);
    c.nowUs += 11000000;
    c.cwnd = 252;
    htcp.IncreaseWindow(c, 1);
    htcp.IncreaseWindow(c, 1);
    BOOST_TEST(htcp.GetState().alpha == 126.0);
    BOOST_TEST(c.cwnd == 253U);
}

BOOST_AUTO_TEST_CASE(published_increase_scaled_by_rtt)
{
    const struct
    {
        int64_t rttMs;
        double alpha;
    } rows[] = {{5, 2.2}, {10, 2.2}, {50, 11.0}, {100, 22.0}, {200, 44.0}, {500, 44.0}};

    for (const auto& row : rows)
    {
        HtcpPublishedWindow htcp;
        Connection c = MakeConnection();
        htcp.Init(c);
        Ack(htcp, c, row.rttMs * 1000);
        htcp.IncreaseWindow(c, 1);
        BOOST_TEST(htcp.GetState().alpha == 1.0);
        c.nowUs += 3000000;
        htcp.IncreaseWindow(c, 1);
        BOOST_TEST(htcp.GetState().alpha == row.alpha, boost::test_tools::tolerance(1e-12));
    }
    HtcpPublishedWindow htcp;
    Connection c = MakeConnection();
    htcp.Init(c);
    Ack(htcp, c, 1000);
    c.nowUs += 1100000;
    htcp.IncreaseWindow(c, 1);
    BOOST_TEST(htcp.GetState().alpha == 1.0);
}

BOOST_AUTO_TEST_CASE(published_growth_in_the_first_second)
{
    HtcpPublishedWindow htcp;
    Connection c = MakeConnection();
    htcp.Init(c);
    for (int i = 0; i < 101; i++)
    {
        htcp.IncreaseWindow(c, 1);
    }
    BOOST_TEST(c.cwnd == 101U);
    c.cwndClamp = 101;
    for (int i = 0; i < 1000; i++)
    {
        htcp.IncreaseWindow(c, 1);
    }
    BOOST_TEST(c.cwnd == 101U);
}

BOOST_AUTO_TEST_CASE(published_decrease)
{
    const HtcpParameters all;
    BOOST_TEST(PublishedBeta(all, 60000, 100000, 1000, 1000) == 0.6);
    BOOST_TEST(PublishedBeta(all, 30000, 100000, 1000, 1000) == 0.5);
    BOOST_TEST(PublishedBeta(all, 95000, 100000, 1000, 1000) == 0.8);
    BOOST_TEST(PublishedBeta(all, 60000, 100000, 1000, 1200) == 0.6);
    BOOST_TEST(PublishedBeta(all, 60000, 100000, 1000, 1201) == 0.5);
    BOOST_TEST(PublishedBeta(all, 60000, 100000, 1000, 800) == 0.6);
    BOOST_TEST(PublishedBeta(all, 60000, 100000, 1000, 799) == 0.5);
    HtcpParameters noSwitch;
    noSwitch.bandwidthSwitch = false;
    BOOST_TEST(PublishedBeta(noSwitch, 60000, 100000, 1000, 3000) == 0.6);
}

BOOST_AUTO_TEST_CASE(published_maximum_rtt_is_forgotten_slowly)
{
    HtcpPublishedWindow htcp;
    Connection c = MakeConnection();
    htcp.Init(c);
    Ack(htcp, c, 100000);
    Ack(htcp, c, 200000);
    htcp.GetSsThresh(c);
    BOOST_TEST(htcp.GetState().maxRttUs == 195000U);
    BOOST_TEST(htcp.GetState().minRttUs == 100000U);
}

BOOST_AUTO_TEST_CASE(ranges_hold_for_any_input)
{
    for (uint32_t seed = 1; seed <= 12; seed++)
    {
        for (const auto variant : {HtcpVariant::LINUX_FIXED_POINT, HtcpVariant::PUBLISHED})
        {
            HtcpParameters parameters;
            parameters.variant = variant;
            parameters.rttScaling = seed % 2 == 0;
            parameters.bandwidthSwitch = seed % 3 == 0;
            parameters.hz = seed % 2 == 0 ? 1000 : 250;
            auto htcp = MakeHtcp(parameters);
            delaytest::DriveOptions options;
            options.seed = seed;
            options.maxRttUs = seed % 4 == 0 ? 3 : 700000;
            options.maxStepUs = seed % 5 == 0 ? 4000000 : 5000;
            options.check = [&](const Connection& c) {
                const HtcpSummary summary = htcp->Summarize(c);
                BOOST_REQUIRE(summary.beta >= 0.5 && summary.beta <= 0.8);
                BOOST_REQUIRE(summary.alpha >= 0.4);
                BOOST_REQUIRE(std::isfinite(summary.alpha));
                BOOST_REQUIRE(summary.maxRttUs >= summary.minRttUs || summary.maxRttUs == 0);
                BOOST_REQUIRE(c.cwnd >= 2 && c.ssthresh >= 2);
            };
            delaytest::DriveRandomly(*htcp, options);
        }
    }
}

BOOST_AUTO_TEST_CASE(increase_stays_monotone_without_losses)
{
    HtcpWindow htcp;
    Connection c = MakeConnection();
    htcp.Init(c);
    Ack(htcp, c, 100000);
    double last = 0;
    for (int minute = 0; minute < 180; minute++)
    {
        c.nowUs += 60000000;
        c.credit = c.cwnd * 1000;
        htcp.IncreaseWindow(c, 1);
        const double alpha = htcp.Summarize(c).alpha;
        BOOST_REQUIRE(alpha > last);
        last = alpha;
    }
}

BOOST_AUTO_TEST_CASE(start_time_and_sequence_numbers_do_not_matter)
{
    for (const auto variant : {HtcpVariant::LINUX_FIXED_POINT, HtcpVariant::PUBLISHED})
    {
        HtcpParameters parameters;
        parameters.variant = variant;
        auto reference = MakeHtcp(parameters);
        delaytest::DriveOptions options;
        const auto expected = delaytest::DriveRandomly(*reference, options);
        // The ticks wrap during the second drive, the sequence numbers in both.
        for (const uint64_t startUs : {uint64_t{4294960000000}, uint64_t{4320000000000}})
        {
            auto late = MakeHtcp(parameters);
            options.startUs = startUs;
            options.sequenceOffset = 0xfffff000;
            BOOST_TEST(delaytest::DriveRandomly(*late, options) == expected);
        }
    }
}

BOOST_AUTO_TEST_CASE(fast_path_with_tiny_rtt)
{
    for (const auto variant : {HtcpVariant::LINUX_FIXED_POINT, HtcpVariant::PUBLISHED})
    {
        HtcpParameters parameters;
        parameters.variant = variant;
        auto htcp = MakeHtcp(parameters);
        Connection c = MakeConnection();
        c.cwnd = 8700;
        c.ssthresh = 8700;
        htcp->Init(c);
        for (int i = 0; i < 100000; i++)
        {
            c.nowUs += i % 2;
            Ack(*htcp, c, i % 3, 2);
            htcp->IncreaseWindow(c, 2);
        }
        BOOST_TEST(c.cwnd > 8700U);
        BOOST_TEST(htcp->GetSsThresh(c) >= c.cwnd / 2);
    }
}

BOOST_AUTO_TEST_CASE(clones_are_independent)
{
    for (const auto variant : {HtcpVariant::LINUX_FIXED_POINT, HtcpVariant::PUBLISHED})
    {
        HtcpParameters parameters;
        parameters.variant = variant;
        auto original = MakeHtcp(parameters);
        delaytest::DriveOptions options;
        const auto expected = delaytest::DriveRandomly(*original, options);
        auto clone = original->Clone();
        delaytest::DriveOptions other;
        other.seed = 99;
        delaytest::DriveRandomly(*clone, other);
        BOOST_TEST(delaytest::DriveRandomly(*original, options) == expected);
        BOOST_TEST(delaytest::DriveRandomly(*clone, options) == expected);
    }
}

BOOST_AUTO_TEST_CASE(bad_parameters_are_refused)
{
    HtcpParameters parameters;
    parameters.hz = 0;
    BOOST_CHECK_EXCEPTION(HtcpWindow{parameters},
                          std::invalid_argument,
                          Names("H-TCP ticks per second is 0, but must be between 1 and 1000000"));
    BOOST_CHECK_EXCEPTION(MakeHtcp(parameters), std::invalid_argument, Names("ticks"));
}

BOOST_AUTO_TEST_SUITE_END()
