/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cdg-window.h"
#include "delay-test-driver.h"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

using namespace ns3::linuxtcp;
using delaytest::FixedSource;

namespace
{

constexpr uint32_t ALWAYS = 0xffffffff; ///< a draw that always backs off
constexpr uint32_t NEVER = 0;           ///< a draw that never backs off

/// CDG on a connection that goes through round trips of a given RTT.
class CdgDriver
{
  public:
    /**
     * @brief Constructor
     * @param parameters the parameters
     * @param draw random number drawn
     */
    explicit CdgDriver(const CdgParameters& parameters = CdgParameters(), uint32_t draw = NEVER)
        : cdg(parameters, std::make_shared<FixedSource>(draw))
    {
        c.nowUs = 10000000;
        c.cwnd = 100;
        c.ssthresh = 50;
        c.cwndLimited = true;
        cdg.Init(c);
    }

    /**
     * @brief Give the sample of an acknowledgement.
     * @param rttUs RTT (us)
     * @param packets packets acknowledged
     */
    void Sample(int64_t rttUs, uint32_t packets = 2)
    {
        AckSample sample;
        sample.rttUs = rttUs;
        sample.packetsAcked = packets;
        cdg.OnAck(c, sample);
    }

    /**
     * @brief Have a round trip.
     * @param minUs smallest RTT (us)
     * @param maxUs largest RTT (us)
     */
    void Round(int64_t minUs, int64_t maxUs)
    {
        Sample(minUs);
        Sample(maxUs);
        c.sndUna = c.sndNxt + 2 * c.mss;
        c.sndNxt = c.sndUna + c.cwnd * c.mss;
        cdg.IncreaseWindow(c, 2);
    }

    /// @return the state
    const CdgState& State() const
    {
        return cdg.GetState();
    }

    Connection c;  ///< the connection
    CdgWindow cdg; ///< the algorithm
};

} // namespace

BOOST_AUTO_TEST_SUITE(cdg_window)

BOOST_AUTO_TEST_CASE(backoff_probability)
{
    const struct
    {
        uint32_t gradient;
        double probability;
    } rows[] = {{50, 0.00210},
                {100, 0.00419},
                {500, 0.02078},
                {1000, 0.04113},
                {2000, 0.08057},
                {3000, 0.11839},
                {5000, 0.18942},
                {8000, 0.28538},
                {24000, 0.63505}};

    for (const auto& row : rows)
    {
        const double stay = CdgWindow::NegativeExponential(row.gradient * 42) / 4294967295.0;
        BOOST_TEST(std::abs(1 - stay - row.probability) < 3e-5);
    }
    BOOST_TEST(CdgWindow::NegativeExponential(0) == 4294967295U);
    BOOST_TEST(CdgWindow::NegativeExponential(3) == 4294954413U);
    BOOST_TEST(CdgWindow::NegativeExponential(42) == 4294786947U);
    BOOST_TEST(CdgWindow::NegativeExponential(84) == 4294606599U);
    BOOST_TEST(CdgWindow::NegativeExponential(1 << 24) == 0U);
    BOOST_TEST(CdgWindow::NegativeExponential(0xffffffff) == 0U);
    for (uint32_t x = 0; x < (1 << 24); x += 4099)
    {
        const double stay = CdgWindow::NegativeExponential(x) / 4294967295.0;
        BOOST_REQUIRE(std::abs(stay - std::exp(-1e-6 * x)) < 2.2e-5);
    }
}

BOOST_AUTO_TEST_CASE(gradient_is_extrapolated)
{
    CdgDriver driver;
    driver.Round(10000, 11000);
    BOOST_TEST(driver.State().gradients == 0U);
    driver.Round(10200, 11000);
    BOOST_TEST(driver.State().lastGradient == 1600);
    driver.Round(10200, 11000);
    BOOST_TEST(driver.State().lastGradient == 800);
    for (int i = 0; i < 6; i++)
    {
        driver.Round(10200, 11000);
    }
    BOOST_TEST(driver.State().gradientsFilled);
    BOOST_TEST(driver.State().lastGradient == 200);
    driver.Round(10200, 11000);
    BOOST_TEST(driver.State().lastGradient == 0);
}

BOOST_AUTO_TEST_CASE(window_of_one_uses_the_last_round)
{
    CdgParameters parameters;
    parameters.window = 1;
    CdgDriver driver(parameters);
    driver.Round(10000, 11000);
    driver.Round(10200, 11000);
    BOOST_TEST(driver.State().lastGradient == 200);
    driver.Round(10200, 11300);
    BOOST_TEST(driver.State().lastGradient == 300);
    BOOST_TEST(driver.cdg.GetGradients().empty());
}

BOOST_AUTO_TEST_CASE(backoff_enters_cwr)
{
    CdgDriver driver(CdgParameters(), ALWAYS);
    driver.Round(10000, 11000);
    driver.c.credit = 5;
    const uint32_t cwnd = driver.c.cwnd;
    driver.Round(10200, 11000);
    BOOST_CHECK(driver.c.state == CongestionState::CWR);
    BOOST_CHECK(driver.State().queue == CdgQueueState::BACKOFF);
    BOOST_TEST(driver.c.cwnd == cwnd);
    BOOST_TEST(driver.c.ssthresh == cwnd * 724 / 1024);
    BOOST_TEST(driver.c.credit == 0U);
    BOOST_TEST(driver.State().backoffs == 1U);
    driver.c.cwnd = driver.c.ssthresh;
    driver.cdg.OnEvent(driver.c, CwndEvent::COMPLETE_CWR);
    driver.c.state = CongestionState::OPEN;
    BOOST_CHECK(driver.State().queue == CdgQueueState::UNKNOWN);
    BOOST_TEST(driver.State().backoffCount == 1U);
}

BOOST_AUTO_TEST_CASE(threshold_of_a_backoff)
{
    for (const auto& [cwnd, expected] : {std::pair{100U, 70U}, {10U, 7U}, {2U, 2U}})
    {
        CdgDriver driver(CdgParameters(), ALWAYS);
        driver.c.state = CongestionState::LOSS; // marks the back-off without a reduction
        driver.Round(10000, 11000);
        driver.Round(10200, 11000);
        BOOST_CHECK(driver.State().queue == CdgQueueState::BACKOFF);
        BOOST_CHECK(driver.c.state == CongestionState::LOSS);
        driver.c.cwnd = cwnd;
        BOOST_TEST(driver.cdg.GetSsThresh(driver.c) == expected);
    }
}

BOOST_AUTO_TEST_CASE(shadow_window_gives_back)
{
    for (const bool shadow : {true, false})
    {
        CdgParameters parameters;
        parameters.shadowWindow = shadow;
        CdgDriver driver(parameters);
        driver.c.cwnd = 120;
        driver.cdg.Init(driver.c);
        BOOST_TEST(driver.State().shadowWindow == 120U);
        driver.c.cwnd = 50;
        BOOST_TEST(driver.cdg.GetSsThresh(driver.c) == (shadow ? 50U : 25U));
        BOOST_TEST(driver.State().shadowWindow == 50U);
    }
}

BOOST_AUTO_TEST_CASE(shadow_window_follows_growth_and_idleness)
{
    CdgDriver driver;
    for (int i = 0; i < 50; i++)
    {
        driver.cdg.IncreaseWindow(driver.c, 2);
    }
    BOOST_TEST(driver.c.cwnd == 101U);
    BOOST_TEST(driver.State().shadowWindow == 101U);
    driver.c.cwndLimited = false;
    driver.c.cwnd = 30;
    driver.cdg.IncreaseWindow(driver.c, 2);
    BOOST_TEST(driver.State().shadowWindow == 30U);
    BOOST_TEST(driver.c.cwnd == 30U);
}

BOOST_AUTO_TEST_CASE(ineffectual_backoffs_stop)
{
    for (const uint32_t limit : {5U, 0U})
    {
        CdgParameters parameters;
        parameters.ineffectualLimit = limit;
        CdgDriver driver(parameters, ALWAYS);
        int64_t rtt = 10000;
        for (int i = 0; i < 60; i++)
        {
            rtt += 100;
            driver.Round(rtt, rtt + 1000);
            if (driver.c.state == CongestionState::CWR)
            {
                driver.c.cwnd = driver.c.ssthresh;
                driver.cdg.OnEvent(driver.c, CwndEvent::COMPLETE_CWR);
                driver.c.state = CongestionState::OPEN;
            }
        }
        if (limit == 0)
        {
            BOOST_TEST(driver.State().backoffs > 20U);
            BOOST_TEST(driver.State().ineffectual == 0U);
            continue;
        }
        BOOST_TEST(driver.State().backoffs == 5U);
        BOOST_TEST(driver.State().ineffectual > 10U);
        for (int i = 0; i < 10; i++)
        {
            rtt -= 100;
            driver.Round(rtt, rtt + 1000);
        }
        BOOST_TEST(driver.State().backoffCount == 0U);
    }
}

BOOST_AUTO_TEST_CASE(loss_tolerance)
{
    CdgParameters parameters;
    parameters.lossTolerance = true;
    CdgDriver driver(parameters);
    driver.Round(10000, 11000);
    driver.Round(10100, 11100);
    BOOST_CHECK(driver.State().queue == CdgQueueState::NONFULL);
    BOOST_TEST(driver.cdg.GetSsThresh(driver.c) == driver.c.cwnd);
    driver.Round(10300, 11000);
    BOOST_CHECK(driver.State().queue == CdgQueueState::FULL);
    driver.c.cwnd = 40;
    driver.cdg.GetSsThresh(driver.c);
    BOOST_TEST(driver.cdg.GetSsThresh(driver.c) < 40U);
}

BOOST_AUTO_TEST_CASE(delayed_acks_are_filtered)
{
    CdgDriver driver;
    driver.Sample(10000, 1);
    BOOST_TEST(driver.State().rtt.max == 10000);
    driver.Sample(10000, 2);
    BOOST_TEST(driver.State().delayedAckScore == 1U);
    driver.Sample(50000, 1);
    BOOST_TEST(driver.State().rtt.max == 10000);
    BOOST_TEST(driver.State().delayedAckScore == 0U);
    for (int i = 0; i < 9; i++)
    {
        driver.Sample(10000, 2);
    }
    BOOST_TEST(driver.State().delayedAckScore == 5U);
    driver.Sample(9000, 1);
    BOOST_TEST(driver.State().rtt.min == 9000);
    driver.c.sackedOut = 1;
    driver.Sample(50000, 1);
    BOOST_TEST(driver.State().rtt.max == 50000);
    BOOST_TEST(driver.State().delayedAckScore == 4U);

    CdgDriver fresh;
    fresh.Sample(10000, 2);
    fresh.Round(10000, 11000);
    fresh.Sample(12000, 1);
    BOOST_TEST(fresh.State().rtt.min == 0); // a filtered sample makes no minimum
}

BOOST_AUTO_TEST_CASE(slow_start_ends_on_a_long_train)
{
    CdgParameters parameters;
    parameters.hystartDetect = CdgParameters::ACK_TRAIN;
    CdgDriver driver(parameters);
    driver.c.ssthresh = INFINITE_SSTHRESH;
    driver.c.cwnd = 10;
    driver.c.sndNxt = 1000 * driver.c.mss;
    driver.cdg.Init(driver.c);
    driver.Sample(20000);
    uint64_t start = driver.c.nowUs;
    while (driver.State().hystart.trainDetect == 0)
    {
        driver.cdg.IncreaseWindow(driver.c, 1);
        driver.c.nowUs += 1000;
        BOOST_REQUIRE(driver.c.nowUs < start + 20000);
    }
    // More than half of 20 ms, at steps of 1 ms.
    BOOST_TEST(driver.c.nowUs - 1000 - start == 11000U);
    BOOST_TEST(driver.State().hystart.trainCwnd == driver.c.ssthresh);
}

BOOST_AUTO_TEST_CASE(slow_start_ends_on_a_rise_of_the_rtt)
{
    CdgParameters parameters;
    parameters.hystartDetect = CdgParameters::DELAY;
    CdgDriver driver(parameters);
    driver.c.ssthresh = INFINITE_SSTHRESH;
    driver.c.cwnd = 10;
    driver.cdg.Init(driver.c);
    driver.Round(20000, 20000);
    // The first acknowledgement of the round is judged with the old round's data.
    driver.Round(22500, 22500);
    driver.Sample(22501);
    for (int i = 0; i < 30; i++)
    {
        driver.cdg.IncreaseWindow(driver.c, 1);
    }
    BOOST_TEST(driver.State().hystart.delayDetect == 1U);
    BOOST_TEST(driver.State().hystart.delayCwnd == driver.c.ssthresh);
}

BOOST_AUTO_TEST_CASE(restart_after_idle_forgets)
{
    CdgDriver driver(CdgParameters(), ALWAYS);
    driver.Round(10000, 11000);
    driver.Round(10200, 11000);
    driver.cdg.OnEvent(driver.c, CwndEvent::CWND_RESTART);
    BOOST_TEST(driver.State().tail == 0U);
    BOOST_TEST(driver.State().backoffCount == 0U);
    BOOST_TEST(driver.State().gradientSum.min == 0);
    BOOST_TEST(driver.State().shadowWindow == driver.c.cwnd);
    for (const auto& gradient : driver.cdg.GetGradients())
    {
        BOOST_TEST(gradient.min == 0);
        BOOST_TEST(gradient.max == 0);
    }
}

BOOST_AUTO_TEST_CASE(window_never_below_two)
{
    for (uint32_t seed = 1; seed <= 12; seed++)
    {
        CdgParameters parameters;
        parameters.window = 1U << (seed % 9);
        parameters.lossTolerance = seed % 2 == 0;
        parameters.shadowWindow = seed % 3 != 0;
        CdgWindow cdg(parameters, std::make_shared<FixedSource>(seed % 4 == 0 ? NEVER : ALWAYS));
        delaytest::DriveOptions options;
        options.seed = seed;
        options.maxRttUs = seed % 5 == 0 ? 4 : (seed % 7 == 0 ? 4000000000000 : 50000);
        options.check = [&](const Connection& c) {
            BOOST_REQUIRE(c.cwnd >= 2 && c.ssthresh >= 2);
            BOOST_REQUIRE(cdg.GetState().delayedAckScore <= 5);
            BOOST_REQUIRE(cdg.GetState().tail < parameters.window);
        };
        delaytest::DriveRandomly(cdg, options);
    }
}

BOOST_AUTO_TEST_CASE(fast_and_tiny_paths)
{
    CdgDriver driver(CdgParameters(), ALWAYS);
    driver.c.cwnd = 8700;
    driver.c.ssthresh = INFINITE_SSTHRESH;
    driver.cdg.Init(driver.c);
    for (int i = 0; i < 1000; i++)
    {
        driver.Round(0, 0);
        driver.Round(1, 2);
    }
    BOOST_TEST(driver.c.cwnd >= 8700U);
    BOOST_TEST(driver.c.cwnd <= 12700U); // slow start adds the packets acknowledged, no more
}

BOOST_AUTO_TEST_CASE(start_time_and_sequence_numbers_do_not_matter)
{
    delaytest::DriveOptions options;
    CdgWindow reference(CdgParameters(), std::make_shared<FixedSource>(0xfff00000));
    const auto expected = delaytest::DriveRandomly(reference, options);
    // The microseconds wrap during the second drive.
    for (const uint64_t startUs : {uint64_t{4290000000}, uint64_t{4320000000000}})
    {
        CdgWindow late(CdgParameters(), std::make_shared<FixedSource>(0xfff00000));
        options.startUs = startUs;
        options.sequenceOffset = 0xfffff000;
        BOOST_TEST(delaytest::DriveRandomly(late, options) == expected);
    }
}

BOOST_AUTO_TEST_CASE(clones_are_independent)
{
    CdgWindow original(CdgParameters(), std::make_shared<FixedSource>(0xfff00000));
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
    auto refused = [](const std::function<void(CdgParameters&)>& change, const std::string& text) {
        CdgParameters parameters;
        change(parameters);
        BOOST_CHECK_EXCEPTION(
            CdgWindow{parameters},
            std::invalid_argument,
            [&](const std::invalid_argument& error) { return std::string(error.what()) == text; });
    };
    refused([](CdgParameters& p) { p.window = 0; },
            "CDG window (round trips) is 0, but must be between 1 and 256");
    refused([](CdgParameters& p) { p.window = 24; },
            "CDG window (round trips) is 24, but must be a power of two between 1 and 256");
    refused([](CdgParameters& p) { p.backoffBeta = 1025; },
            "CDG back-off beta (1/1024) is 1025, but must be between 0 and 1024");
    refused([](CdgParameters& p) { p.hystartDetect = 4; },
            "CDG HyStart detectors is 4, but must be between 0 and 3");
}

BOOST_AUTO_TEST_SUITE_END()
