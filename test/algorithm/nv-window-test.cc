/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "delay-test-driver.h"
#include "nv-window.h"

#include <boost/test/unit_test.hpp>
#include <memory>
#include <stdexcept>
#include <string>

using namespace ns3::linuxtcp;
using delaytest::FixedSource;

namespace
{

/// NV on a connection whose acknowledgements are given one by one.
class NvDriver
{
  public:
    /**
     * @brief Constructor
     * @param parameters the parameters
     * @param draw random number drawn
     */
    explicit NvDriver(const NvParameters& parameters = NvParameters(), uint32_t draw = 0)
        : nv(parameters, std::make_shared<FixedSource>(draw))
    {
        c.nowUs = 10000000;
        c.cwnd = 100;
        c.ssthresh = 100;
        c.cwndLimited = true;
        nv.Init(c);
    }

    /**
     * @brief Acknowledge one packet.
     * @param rttUs RTT (us)
     * @param segments in flight (segments)
     * @param endOfRound whether this ends the round trip
     */
    void Ack(int64_t rttUs, uint32_t segments, bool endOfRound = false)
    {
        c.sndUna += c.mss;
        c.sndNxt = endOfRound ? c.sndUna + 1 : c.sndUna + 1000 * c.mss;
        AckSample sample;
        sample.rttUs = rttUs;
        sample.packetsAcked = 1;
        sample.inFlight = segments * c.mss;
        nv.OnAck(c, sample);
    }

    /**
     * @brief Have a round trip of so many acknowledgements; its last one is judged.
     * @param rttUs RTT (us)
     * @param segments in flight (segments)
     * @param acks acknowledgements
     */
    void Round(int64_t rttUs, uint32_t segments, uint32_t acks)
    {
        for (uint32_t i = 0; i + 1 < acks; i++)
        {
            c.sndUna += 1;
            AckSample sample;
            sample.rttUs = rttUs;
            sample.packetsAcked = 1;
            sample.inFlight = segments * c.mss;
            if (i == 0)
            {
                // The first acknowledgement begins the round trip.
                c.sndNxt = c.sndUna + acks - 2;
            }
            nv.OnAck(c, sample);
        }
        Ack(rttUs, segments, true);
    }

    /// @return the state
    const NvState& State() const
    {
        return nv.GetState();
    }

    Connection c; ///< the connection
    NvWindow nv;  ///< the algorithm
};

/**
 * @brief A decision with as many samples as it needs.
 * @param cwnd window (segments)
 * @param maxWindow largest window without congestion to be found (segments)
 * @return the connection afterwards, and the driver's state in it
 */
NvDriver
Decide(uint32_t cwnd, uint32_t maxWindow)
{
    NvParameters parameters;
    parameters.decreaseSamples = 1;
    parameters.increaseSamples = 1;
    parameters.decreaseRounds = 0;
    NvDriver driver(parameters);
    driver.c.cwnd = cwnd;
    driver.Ack(100, maxWindow - parameters.pad, true);
    return driver;
}

} // namespace

BOOST_AUTO_TEST_SUITE(nv_window)

BOOST_AUTO_TEST_CASE(largest_window)
{
    const struct
    {
        uint32_t segments;
        int64_t rttUs;
        int64_t minRttUs;
        uint32_t rate;
        uint32_t maxWindow;
    } rows[] = {{10, 100, 100, 11584000, 20},
                {100, 100, 100, 115840000, 110},
                {100, 150, 100, 77226666, 76},
                {100, 200, 100, 57920000, 60},
                {40, 60, 50, 77226666, 43}};

    for (const auto& row : rows)
    {
        NvParameters parameters;
        parameters.rttFactor = 0;
        NvDriver driver(parameters);
        driver.c.sndUna = 0;
        driver.c.sndNxt = 2;
        AckSample sample;
        sample.rttUs = row.minRttUs;
        sample.packetsAcked = 1;
        sample.inFlight = 1;
        driver.nv.OnAck(driver.c, sample);
        driver.Ack(row.rttUs, row.segments, true);
        BOOST_TEST(driver.State().lastEvaluation.rate == row.rate);
        BOOST_TEST(driver.State().lastEvaluation.maxWindow == row.maxWindow);
    }
}

BOOST_AUTO_TEST_CASE(decrease_of_the_window)
{
    const NvDriver large = Decide(100, 60);
    BOOST_TEST(large.c.cwnd == 89U);
    BOOST_TEST(large.c.ssthresh == 60U);
    BOOST_TEST(!large.State().allowGrowth);
    BOOST_CHECK(large.State().lastEvaluation.verdict == NvVerdict::CONGESTED);

    const NvDriver small = Decide(62, 60);
    BOOST_TEST(small.c.cwnd == 60U);
    BOOST_TEST(small.c.ssthresh == 60U);

    for (const uint32_t cwnd : {59U, 60U})
    {
        const NvDriver neither = Decide(cwnd, 60);
        BOOST_TEST(neither.c.cwnd == cwnd);
        BOOST_TEST(neither.c.ssthresh == 100U);
        BOOST_TEST(neither.State().evalCalls == 1U);
        BOOST_CHECK(neither.State().lastEvaluation.verdict == NvVerdict::DEAD_BAND);
    }

    const NvDriver free = Decide(58, 60);
    BOOST_TEST(free.State().allowGrowth);
    BOOST_TEST(free.State().evalCalls == 0U);
    BOOST_CHECK(free.State().lastEvaluation.verdict == NvVerdict::NOT_CONGESTED);
}

BOOST_AUTO_TEST_CASE(no_slow_start_after_a_decrease)
{
    NvDriver driver = Decide(100, 60);
    BOOST_TEST(driver.c.ssthresh <= driver.c.cwnd);
    for (int i = 0; i < 100; i++)
    {
        driver.nv.IncreaseWindow(driver.c, 1);
    }
    BOOST_TEST(driver.c.cwnd == 89U);
}

BOOST_AUTO_TEST_CASE(decisions_need_samples_and_round_trips)
{
    NvDriver driver;
    driver.c.cwnd = 200;
    driver.Round(100, 50, 40);
    BOOST_CHECK(driver.State().lastEvaluation.verdict == NvVerdict::TOO_EARLY);
    BOOST_TEST(driver.c.cwnd == 200U);
    driver.Round(100, 50, 40);
    BOOST_CHECK(driver.State().lastEvaluation.verdict == NvVerdict::CONGESTED);
    BOOST_TEST(driver.State().lastEvaluation.samples >= 60U);
    BOOST_TEST(driver.State().lastEvaluation.rounds >= 2U);
    BOOST_TEST(driver.c.cwnd == 200U - (200 - 60) * 38 / 128);

    NvDriver growing;
    growing.c.cwnd = 20;
    growing.Round(100, 20, 10);
    BOOST_CHECK(growing.State().lastEvaluation.verdict == NvVerdict::TOO_FEW_SAMPLES);
    growing.Round(100, 20, 15);
    BOOST_CHECK(growing.State().lastEvaluation.verdict == NvVerdict::NOT_CONGESTED);
}

BOOST_AUTO_TEST_CASE(growth_stops_when_samples_stay_away)
{
    NvDriver driver;
    driver.c.cwnd = 200;
    for (int round = 1; round <= 11; round++)
    {
        BOOST_TEST(driver.State().allowGrowth);
        driver.Ack(100, 50, true);
    }
    BOOST_TEST(!driver.State().allowGrowth);
    BOOST_CHECK(driver.State().lastEvaluation.verdict == NvVerdict::GROWTH_STOPPED);
    BOOST_TEST(driver.c.cwnd == 200U);
}

BOOST_AUTO_TEST_CASE(initial_slow_start_needs_thirty_samples)
{
    NvDriver driver;
    driver.c.cwnd = 200;
    driver.c.ssthresh = INFINITE_SSTHRESH;
    driver.Round(100, 50, 14);
    driver.Round(100, 50, 14);
    BOOST_CHECK(driver.State().lastEvaluation.verdict == NvVerdict::TOO_EARLY);
    BOOST_TEST(driver.c.ssthresh == INFINITE_SSTHRESH);
    driver.Round(100, 50, 14);
    BOOST_TEST(driver.c.ssthresh == 60U);
    BOOST_TEST(driver.c.cwnd == 200U - (200 - 60) * 38 / 128);
}

BOOST_AUTO_TEST_CASE(profiles)
{
    NvDriver newest(NvParameters::FromProfile("5.16"));
    BOOST_TEST(newest.nv.GetSsThresh(newest.c) == 79U);
    BOOST_CHECK(newest.nv.GetParameters().inFlightDefinition == NvInFlight::DELIVERED_SINCE);
    NvDriver middle(NvParameters::FromProfile("4.15"));
    BOOST_TEST(middle.nv.GetSsThresh(middle.c) == 79U);
    BOOST_CHECK(middle.nv.GetParameters().inFlightDefinition == NvInFlight::WHEN_SENT);
    NvDriver first(NvParameters::FromProfile("4.8"));
    BOOST_TEST(first.nv.GetSsThresh(first.c) == 50U);
    BOOST_CHECK(first.nv.GetParameters().inFlightDefinition == NvInFlight::WHEN_SENT);
    BOOST_CHECK_THROW(NvParameters::FromProfile("4.9"), std::invalid_argument);

    first.c.cwnd = 1;
    BOOST_TEST(first.nv.GetSsThresh(first.c) == 2U);
}

BOOST_AUTO_TEST_CASE(undo)
{
    NvDriver first(NvParameters::FromProfile("4.8"));
    first.c.ssthresh = first.nv.GetSsThresh(first.c);
    first.nv.OnStateChange(first.c, CongestionState::RECOVERY);
    first.c.cwnd = 50;
    BOOST_TEST(first.nv.UndoCwnd(first.c, 90) == 100U);
    first.nv.OnStateChange(first.c, CongestionState::OPEN);
    BOOST_TEST(first.nv.UndoCwnd(first.c, 90) == 50U);

    NvDriver newest;
    newest.nv.GetSsThresh(newest.c);
    newest.c.cwnd = 50;
    BOOST_TEST(newest.nv.UndoCwnd(newest.c, 90) == 90U);
}

BOOST_AUTO_TEST_CASE(base_rtt_bounds_the_minimum)
{
    NvParameters parameters;
    parameters.baseRttUs = 80;
    NvDriver driver(parameters);
    BOOST_TEST(driver.State().lowerRttUs == 64U);
    driver.Ack(100, 10);
    BOOST_TEST(driver.State().minRttUs == 80U);
    NvDriver low(parameters);
    low.Ack(50, 10);
    BOOST_TEST(low.State().minRttUs == 64U);
    NvDriver below(parameters);
    below.Ack(20, 10);
    BOOST_TEST(below.State().minRttUs == 40U); // twice the first RTT
}

BOOST_AUTO_TEST_CASE(minimum_rtt_is_replaced)
{
    const struct
    {
        uint32_t draw;
        uint32_t period;
    } rows[] = {{0, 3750}, {128, 5000}, {255, 6240}, {0xffffff00, 3750}};

    for (const auto& row : rows)
    {
        NvDriver driver(NvParameters(), row.draw);
        driver.Ack(1000, 10);
        for (int i = 0; i < 100; i++)
        {
            driver.Ack(3000, 10);
        }
        BOOST_TEST(driver.State().minRttUs == 1000U);
        driver.c.nowUs += 1999999;
        driver.Ack(3000, 10);
        BOOST_TEST(driver.State().minRttUs == 1000U);
        driver.c.nowUs += 1;
        driver.Ack(3000, 10);
        BOOST_TEST(driver.State().newMinRttUs == NvState::INFINITE_RTT);
        BOOST_TEST(driver.State().resetTime == 12000 + row.period);
        driver.c.nowUs += uint64_t{row.period} * 1000;
        driver.Ack(3000, 10);
        BOOST_TEST(driver.State().minRttUs > 2990U);
    }
}

BOOST_AUTO_TEST_CASE(loss_forgets_the_measurements)
{
    NvDriver driver;
    driver.Ack(1000, 10);
    delaytest::FastRecovery(driver.nv, driver.c);
    BOOST_TEST(driver.State().lastRttUs == 0U);
    BOOST_TEST(driver.State().evalCalls == 0U);
    BOOST_TEST(!driver.State().allowGrowth);
    driver.Ack(3000, 10);
    BOOST_TEST(driver.State().minRttUs == 3000U);
    BOOST_TEST(driver.State().newMinRttUs == 1000U);
}

BOOST_AUTO_TEST_CASE(aggregation_guard)
{
    NvDriver driver;
    uint32_t expected = 4;
    for (int i = 0; i < 60; i++)
    {
        driver.c.sndUna += 100 * driver.c.mss;
        driver.c.sndNxt = driver.c.sndUna;
        AckSample sample;
        sample.rttUs = 100;
        sample.packetsAcked = 100;
        sample.inFlight = 100 * driver.c.mss;
        driver.nv.OnAck(driver.c, sample);
        expected = std::min(expected + 2, 81U);
        BOOST_TEST(driver.State().flowMinimumWindow == expected);
        if (expected < 81)
        {
            BOOST_TEST(driver.State().evalCalls == 0U);
            BOOST_TEST(driver.State().allowGrowth);
            BOOST_CHECK(driver.State().lastEvaluation.verdict == NvVerdict::AGGREGATED);
        }
    }
}

BOOST_AUTO_TEST_CASE(timeouts_slow_the_growth)
{
    NvDriver driver;
    for (int i = 1; i <= 12; i++)
    {
        driver.nv.OnStateChange(driver.c, CongestionState::LOSS);
        driver.nv.OnStateChange(driver.c, CongestionState::OPEN);
        BOOST_TEST(driver.State().growthFactor == std::max(-i, -8));
    }
    driver.c.cwnd = 20;
    for (int i = 0; i < 9; i++)
    {
        driver.Round(100, 20, 25);
        BOOST_CHECK(driver.State().lastEvaluation.verdict == NvVerdict::NOT_CONGESTED);
    }
    BOOST_TEST(driver.State().growthFactor == -7);
    // 2^7 times slower than Reno
    driver.c.ssthresh = 2;
    for (int i = 0; i < 20 * 128; i++)
    {
        BOOST_TEST(driver.c.cwnd == 20U);
        driver.nv.IncreaseWindow(driver.c, 1);
    }
    BOOST_TEST(driver.c.cwnd == 21U);
}

BOOST_AUTO_TEST_CASE(growth_beyond_reno)
{
    NvParameters parameters;
    parameters.fastGrowthDecisions = 1;
    NvDriver driver(parameters);
    driver.c.cwnd = 64;
    for (int i = 0; i < 400; i++)
    {
        driver.Round(100, 64, 25);
    }
    BOOST_TEST(driver.State().growthFactor == 127);
    driver.c.ssthresh = 2;
    for (int i = 0; i < 5; i++)
    {
        driver.nv.IncreaseWindow(driver.c, 1);
    }
    BOOST_TEST(driver.c.cwnd == 65U); // never faster than one segment in four packets
}

BOOST_AUTO_TEST_CASE(fast_and_tiny_paths)
{
    // 100 Gbit/s and 1 ms: 8633 segments of 1448 bytes.
    NvDriver fast;
    fast.Ack(1000, 8633, true);
    BOOST_TEST(fast.State().lastEvaluation.maxWindow == 8643U);

    // No delay at all: the rate saturates, nothing divides by zero.
    NvDriver zero;
    for (int i = 0; i < 10; i++)
    {
        zero.Round(0, 5000, 100);
    }
    BOOST_TEST(zero.State().maxRate <= 0xffffffffU);
    BOOST_TEST(zero.c.cwnd >= 2U);
    BOOST_TEST(zero.State().minRttUs == 0U);
}

BOOST_AUTO_TEST_CASE(window_never_below_two)
{
    for (uint32_t seed = 1; seed <= 12; seed++)
    {
        NvParameters parameters;
        parameters.pad = seed % 3 == 0 ? 0 : 10;
        parameters.rttFactor = seed % 4 == 0 ? 0 : 128;
        parameters.baseRttUs = seed % 5 == 0 ? 70 : 0;
        parameters.fastGrowthDecisions = seed % 2;
        NvWindow nv(parameters, std::make_shared<FixedSource>(seed * 0x01234567));
        delaytest::DriveOptions options;
        options.seed = seed;
        options.maxRttUs = seed % 2 == 0 ? 4 : 50000;
        options.check = [&](const Connection& c) {
            BOOST_REQUIRE(c.cwnd >= 2);
            BOOST_REQUIRE(nv.GetState().growthFactor >= -8);
            BOOST_REQUIRE(nv.GetState().flowMinimumWindow >= 4);
            BOOST_REQUIRE(nv.GetState().flowMinimumWindow <= 81);
        };
        delaytest::DriveRandomly(nv, options);
    }
}

BOOST_AUTO_TEST_CASE(start_time_and_sequence_numbers_do_not_matter)
{
    delaytest::DriveOptions options;
    NvWindow reference(NvParameters(), std::make_shared<FixedSource>(7));
    const auto expected = delaytest::DriveRandomly(reference, options);
    for (const uint64_t startUs : {uint64_t{4294960000000}, uint64_t{4320000000000}})
    {
        NvWindow late(NvParameters(), std::make_shared<FixedSource>(7));
        options.startUs = startUs;
        options.sequenceOffset = 0xfffff000;
        BOOST_TEST(delaytest::DriveRandomly(late, options) == expected);
    }
}

BOOST_AUTO_TEST_CASE(clones_are_independent)
{
    NvWindow original(NvParameters(), std::make_shared<FixedSource>(7));
    delaytest::DriveOptions options;
    const auto expected = delaytest::DriveRandomly(original, options);
    auto clone = original.Clone();
    delaytest::DriveOptions other;
    other.seed = 99;
    delaytest::DriveRandomly(*clone, other);
    BOOST_TEST(delaytest::DriveRandomly(original, options) == expected);
    BOOST_TEST(delaytest::DriveRandomly(*clone, options) == expected);
}

BOOST_AUTO_TEST_CASE(bad_parameters_are_refused)
{
    auto refused = [](const std::function<void(NvParameters&)>& change, const std::string& text) {
        NvParameters parameters;
        change(parameters);
        BOOST_CHECK_EXCEPTION(
            NvWindow{parameters},
            std::invalid_argument,
            [&](const std::invalid_argument& error) { return std::string(error.what()) == text; });
    };
    refused([](NvParameters& p) { p.minimumWindow = 1; },
            "NV minimum window (segments) is 1, but must be between 2 and 65535");
    refused([](NvParameters& p) { p.rttFactor = 257; },
            "NV RTT factor (1/256) is 257, but must be between 0 and 256");
    refused([](NvParameters& p) { p.lossFactor = 1025; },
            "NV loss factor (1/1024) is 1025, but must be between 0 and 1024");
    refused([](NvParameters& p) { p.resetPeriodUs = 0; },
            "NV reset period (us) is 0, but must be between 1000 and 3600000000");
    refused([](NvParameters& p) { p.inFlightDefinition = static_cast<NvInFlight>(7); },
            "NV definition of in flight is 7, but must be 0 (when sent) or 1 (delivered since)");
}

BOOST_AUTO_TEST_SUITE_END()
