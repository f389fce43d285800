/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "connection-script.h"
#include "cubic-window.h"
#include "hystart-plus-plus.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::linuxtcp;

namespace
{

using Phase = HystartPlusPlus::Phase;

/// A connection with CUBIC and HyStart++.
struct Test
{
    /// @param paced whether the sender is paced
    explicit Test(bool paced = true)
        : cubic(Parameters()),
          script(cubic, 10000000, 100)
    {
        script.c.paced = paced;
    }

    /// @return the parameters
    static CubicParameters Parameters()
    {
        CubicParameters p;
        p.slowStart = SlowStartVariant::HYSTART_PLUS_PLUS;
        return p;
    }

    /**
     * @brief Begin a round: its first ACK acknowledges what ended the round before.
     * @param rttUs RTT of the samples (us)
     * @param samples number of samples
     */
    void Round(int64_t rttUs, int samples)
    {
        script.c.sndUna = script.c.sndNxt;
        script.FillWindow();
        for (int i = 0; i < samples; ++i)
        {
            script.Ack(rttUs, 1);
        }
    }

    /// @return the phase
    Phase GetPhase() const
    {
        return cubic.GetHystartPlusPlus().GetPhase();
    }

    CubicWindow cubic;       ///< the algorithm
    ConnectionScript script; ///< the connection
};

} // namespace

BOOST_AUTO_TEST_SUITE(HystartPlusPlusOfRfc9406)

BOOST_AUTO_TEST_CASE(Constants)
{
    const HystartPlusPlusParameters p;
    BOOST_TEST(p.minRttThresholdUs == 4000);
    BOOST_TEST(p.maxRttThresholdUs == 16000);
    BOOST_TEST(p.minRttDivisor == 8);
    BOOST_TEST(p.minSamples == 8);
    BOOST_TEST(p.growthDivisor == 4);
    BOOST_TEST(p.conservativeRounds == 5);
    BOOST_TEST(p.burstLimit == 8);
}

BOOST_AUTO_TEST_CASE(TheRoundIsComparedWithTheOneBefore)
{
    // Thresholds: 4 ms below 32 ms, an eighth of the RTT, 16 ms above 128 ms; reaching it suffices.
    for (const auto& [last, threshold] : {std::pair<int64_t, int64_t>{20000, 4000},
                                          {64000, 8000},
                                          {100000, 12500},
                                          {300000, 16000}})
    {
        Test below;
        below.Round(last, 8);
        below.Round(last + threshold - 1, 20);
        BOOST_TEST((below.GetPhase() == Phase::SLOW_START));
        Test at;
        at.Round(last, 8);
        at.Round(last + threshold, 7);
        BOOST_TEST((at.GetPhase() == Phase::SLOW_START));
        at.script.Ack(last + threshold, 1);
        BOOST_TEST((at.GetPhase() == Phase::CONSERVATIVE));
    }
}

BOOST_AUTO_TEST_CASE(ASlowRiseIsNotNoticed)
{
    // 11 % a round stays below one eighth, though it is far above the connection's smallest RTT.
    Test test;
    for (const int64_t rtt : {100000, 111000, 123000, 136000, 151000})
    {
        test.Round(rtt, 10);
    }
    BOOST_TEST((test.GetPhase() == Phase::SLOW_START));
}

BOOST_AUTO_TEST_CASE(ConservativeGrowthIsAQuarter)
{
    Test test;
    test.Round(100000, 8);
    test.Round(120000, 8);
    BOOST_REQUIRE((test.GetPhase() == Phase::CONSERVATIVE));
    const uint32_t before = test.script.c.cwnd;
    test.script.Ack(120000, 39);
    test.script.Ack(120000, 0);
    // One packet was counted by the ACK that changed the phase.
    BOOST_TEST(test.script.c.cwnd == before + 10);
}

BOOST_AUTO_TEST_CASE(FiveRoundsEndItAndThePartialOneCounts)
{
    Test test;
    test.Round(100000, 8);
    test.Round(120000, 8);
    for (int round = 1; round <= 4; ++round)
    {
        test.Round(121000, 8);
        BOOST_TEST((test.GetPhase() == Phase::CONSERVATIVE));
        BOOST_TEST(test.cubic.GetHystartPlusPlus().GetConservativeRounds() == round);
        BOOST_TEST(test.script.c.ssthresh == INFINITE_SSTHRESH);
    }
    const uint32_t cwnd = test.script.c.cwnd;
    test.Round(121000, 1);
    BOOST_TEST((test.GetPhase() == Phase::DONE));
    BOOST_TEST(test.script.c.ssthresh == cwnd);
    BOOST_TEST(test.cubic.GetSlowStartExit().count == 1);
    BOOST_TEST(test.cubic.GetSlowStartExit().conservative);
    BOOST_TEST(test.cubic.GetSlowStartExit().cwnd == cwnd);
    BOOST_TEST(test.cubic.GetSlowStartExit().minRttUs == 120000);
    BOOST_TEST(test.cubic.GetSlowStartExit().roundMinRttUs == 121000);
}

BOOST_AUTO_TEST_CASE(JitterResumesSlowStart)
{
    Test test;
    test.Round(100000, 8);
    test.Round(120000, 8);
    test.Round(119999, 7);
    BOOST_TEST((test.GetPhase() == Phase::CONSERVATIVE));
    test.script.Ack(119999, 1);
    BOOST_TEST((test.GetPhase() == Phase::SLOW_START));
    const uint32_t before = test.script.c.cwnd;
    test.script.Ack(119999, 20);
    BOOST_TEST(test.script.c.cwnd == before + 20);
    // It can be entered again.
    test.Round(140000, 8);
    BOOST_TEST((test.GetPhase() == Phase::CONSERVATIVE));
}

BOOST_AUTO_TEST_CASE(GrowthPerAckIsLimitedUnlessPaced)
{
    Test paced(true);
    paced.script.Ack(100000, 30);
    BOOST_TEST(paced.script.c.cwnd == 130);
    Test unpaced(false);
    unpaced.script.Ack(100000, 30);
    BOOST_TEST(unpaced.script.c.cwnd == 108);
    unpaced.script.Ack(100000, 7);
    BOOST_TEST(unpaced.script.c.cwnd == 115);
}

BOOST_AUTO_TEST_CASE(ALossEndsItForGood)
{
    Test test;
    test.Round(100000, 8);
    test.script.Lose();
    BOOST_TEST((test.GetPhase() == Phase::DONE));
    BOOST_TEST(test.script.c.ssthresh == 75);
    test.script.TimeOut();
    test.script.c.ssthresh = 1000;
    test.Round(100000, 8);
    test.Round(200000, 8);
    BOOST_TEST((test.GetPhase() == Phase::DONE));
    BOOST_TEST(test.cubic.GetSlowStartExit().count == 0);
    BOOST_TEST(test.script.c.ssthresh == 1000);
}

BOOST_AUTO_TEST_CASE(ThereIsNoAckTrainDetector)
{
    Test test(false);
    test.Round(100000, 1);
    for (int i = 0; i < 200; ++i)
    {
        test.script.Wait(1000);
        test.script.Ack(100000, 0);
    }
    BOOST_TEST((test.GetPhase() == Phase::SLOW_START));
    BOOST_TEST(test.script.c.ssthresh == INFINITE_SSTHRESH);
}

BOOST_AUTO_TEST_SUITE_END()
