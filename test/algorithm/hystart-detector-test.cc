/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "connection-script.h"
#include "cubic-window.h"
#include "hystart-detector.h"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

using namespace ns3::linuxtcp;

namespace
{

constexpr uint64_t SECOND = 1000000;      ///< a second (us)
constexpr uint32_t MILLISECOND_US = 1000; ///< a millisecond (us)

/**
 * @param profile a kernel
 * @param minRttMs smallest RTT (ms)
 * @param hz timer ticks per second
 * @return its delay margin (us)
 */
uint32_t
MarginUs(const std::string& profile, uint32_t minRttMs, uint32_t hz = 1000)
{
    const CubicParameters p = MakeCubicParameters(profile);
    const DelayClock clock(p.hystart.clock, hz);
    const HystartDetector detector(p.hystart, hz);
    return clock.DelayToUs(
        detector.DelayMargin(clock.DelayFromRtt(int64_t{minRttMs} * MILLISECOND_US)));
}

/// A connection in slow start of which one detector is tested.
struct SlowStartScript
{
    /**
     * @param parameters the parameters
     * @param minRttUs smallest RTT (us)
     * @param cwnd initial window (segments)
     */
    SlowStartScript(const CubicParameters& parameters, int64_t minRttUs, uint32_t cwnd = 100)
        : cubic(parameters),
          script(cubic, 10 * SECOND, cwnd)
    {
        // A first round tells the smallest RTT; its second ACK begins the round under test.
        script.c.cwndLimited = true;
        script.Wait(static_cast<uint64_t>(minRttUs));
        script.Ack(minRttUs, 1);
        script.Wait(100000);
        script.c.sndUna = script.c.sndNxt;
        script.FillWindow();
    }

    /// @return whether a detector has fired
    bool Fired() const
    {
        return script.c.ssthresh != INFINITE_SSTHRESH;
    }

    CubicWindow cubic;       ///< the algorithm
    ConnectionScript script; ///< the connection
};

/**
 * @param profile a kernel
 * @return its parameters with the delay detector only
 */
CubicParameters
DelayOnly(const std::string& profile)
{
    CubicParameters p = MakeCubicParameters(profile);
    p.hystart.detectAckTrain = false;
    p.hystart.maskResult = false;
    return p;
}

/**
 * @param profile a kernel
 * @return its parameters with the ACK train detector only
 */
CubicParameters
TrainOnly(const std::string& profile)
{
    CubicParameters p = MakeCubicParameters(profile);
    p.hystart.detectDelay = false;
    return p;
}

/**
 * @brief Whether the ninth sample of a round fires the delay detector.
 * @param profile a kernel
 * @param rttUs RTT of all nine samples, over a smallest RTT of 100 ms (us)
 * @return whether it does
 */
bool
NinthSampleFires(const std::string& profile, int64_t rttUs)
{
    SlowStartScript test(DelayOnly(profile), 100000);
    // In kernels before 5.16 the first ACK of a round still belongs to the round before.
    test.script.Ack(100000, 1);
    test.script.c.sndUna = test.script.c.sndNxt;
    test.script.FillWindow();
    if (MakeCubicParameters(profile).hystart.rollover == RoundRollover::IN_WINDOW_INCREASE)
    {
        test.script.Ack(100000, 1);
    }
    for (int i = 0; i < 8; ++i)
    {
        test.script.Ack(rttUs, 1);
        BOOST_TEST(!test.Fired());
    }
    test.script.Ack(rttUs, 1);
    return test.Fired();
}

/**
 * @brief Whether an ACK train fires the detector.
 * @param p parameters
 * @param paced whether the sender is paced
 * @param pacingRate pacing rate (bytes/s), 0 if unknown
 * @param lengthUs length of the train, over a smallest RTT of 100 ms (us)
 * @return whether it does, at the train's last ACK
 */
bool
TrainFires(const CubicParameters& p, bool paced, uint64_t pacingRate, uint64_t lengthUs)
{
    SlowStartScript test(p, 100000);
    test.script.c.paced = paced;
    test.script.c.pacingRate = pacingRate;
    // The ACK that begins the round.
    test.script.Ack(100000, 1);
    uint64_t length = 0;
    while (length + 1000 < lengthUs)
    {
        test.script.Wait(1000);
        length += 1000;
        test.script.Ack(100000, 0);
        BOOST_REQUIRE(!test.Fired());
    }
    test.script.Wait(lengthUs - length);
    test.script.Ack(100000, 0);
    return test.Fired();
}

} // namespace

BOOST_AUTO_TEST_SUITE(Hystart)

BOOST_AUTO_TEST_CASE(DelayMargins)
{
    const std::vector<uint32_t> rtts = {2, 10, 20, 32, 50, 64, 100, 128, 200, 256, 400};
    const std::vector<uint32_t> to318 =
        {4000, 4000, 4000, 4000, 4000, 4000, 6250, 8000, 12500, 16000, 16000};
    const std::vector<uint32_t> from319 =
        {4000, 4000, 4000, 4000, 6250, 8000, 12500, 16000, 16000, 16000, 16000};
    for (size_t i = 0; i < rtts.size(); ++i)
    {
        for (const char* profile : {"2.6.39", "3.18"})
        {
            BOOST_TEST(MarginUs(profile, rtts[i]) == to318[i], profile << ", " << rtts[i] << " ms");
        }
        for (const char* profile : {"3.19", "4.0", "4.4", "5.6", "5.8", "5.16"})
        {
            BOOST_TEST(MarginUs(profile, rtts[i]) == from319[i],
                       profile << ", " << rtts[i] << " ms");
        }
    }
}

BOOST_AUTO_TEST_CASE(DelayMarginsIn2629AreInTicks)
{
    // 2 to 16 ticks, whatever their length.
    BOOST_TEST(MarginUs("2.6.29", 10, 1000) == 2000);
    BOOST_TEST(MarginUs("2.6.29", 100, 1000) == 6250);
    BOOST_TEST(MarginUs("2.6.29", 1000, 1000) == 16000);
    BOOST_TEST(MarginUs("2.6.29", 10, 250) == 8000);
    BOOST_TEST(MarginUs("2.6.29", 100, 250) == 8000);
    BOOST_TEST(MarginUs("2.6.29", 4000, 250) == 64000);
}

BOOST_AUTO_TEST_CASE(TheNinthSampleFiresBeyondTheMargin)
{
    BOOST_TEST(!NinthSampleFires("5.16", 112500));
    BOOST_TEST(NinthSampleFires("5.16", 112501));
    // In 1/8 ms: 112.5 ms are 900 and do not fire, 112.625 ms are 901 and do.
    BOOST_TEST(!NinthSampleFires("3.19", 112624));
    BOOST_TEST(NinthSampleFires("3.19", 112625));
    BOOST_TEST(!NinthSampleFires("3.18", 106374));
    BOOST_TEST(NinthSampleFires("3.18", 106375));
    BOOST_TEST(!NinthSampleFires("2.6.39", 106374));
    BOOST_TEST(NinthSampleFires("2.6.39", 106375));
    // In ticks of 1 ms, rounded up: 106.25 ms lie between 106 and 107.
    BOOST_TEST(!NinthSampleFires("2.6.29", 106000));
    BOOST_TEST(NinthSampleFires("2.6.29", 106001));
}

BOOST_AUTO_TEST_CASE(LateSamplesLowerTheMinimumSince58)
{
    for (const auto& [profile, fires] :
         std::vector<std::pair<std::string, bool>>{{"5.6", true}, {"5.8", false}, {"5.16", false}})
    {
        SlowStartScript test(DelayOnly(profile), 100000);
        test.script.Ack(100000, 1);
        for (int i = 0; i < 8; ++i)
        {
            test.script.Ack(120000, 1);
        }
        BOOST_REQUIRE(!test.Fired());
        test.script.Ack(101000, 1);
        BOOST_TEST(test.Fired() == (fires && profile != "5.16"), profile);
    }
}

BOOST_AUTO_TEST_CASE(AnUnpacedTrainMayLastHalfAnRtt)
{
    BOOST_TEST(!TrainFires(TrainOnly("5.16"), false, 0, 50000));
    BOOST_TEST(TrainFires(TrainOnly("5.16"), false, 0, 50001));
}

BOOST_AUTO_TEST_CASE(APacedTrainMayLastAWholeRttSince56)
{
    for (const char* profile : {"5.6", "5.8", "5.16"})
    {
        BOOST_TEST(!TrainFires(TrainOnly(profile), true, 0, 100000), profile);
        BOOST_TEST(TrainFires(TrainOnly(profile), true, 0, 100001), profile);
    }
    for (const char* profile : {"2.6.39", "3.18", "3.19", "4.4"})
    {
        BOOST_TEST(!TrainFires(TrainOnly(profile), true, 0, 50000), profile);
        BOOST_TEST(TrainFires(TrainOnly(profile), true, 0, 51000), profile);
    }
}

BOOST_AUTO_TEST_CASE(TheTrainOf2629FiresAtTheThreshold)
{
    BOOST_TEST(!TrainFires(TrainOnly("2.6.29"), false, 0, 49000));
    BOOST_TEST(TrainFires(TrainOnly("2.6.29"), false, 0, 50000));
}

BOOST_AUTO_TEST_CASE(ATrainGetsAnAllowanceForBurstsSince56)
{
    constexpr uint64_t GIGABIT = 125000000;
    BOOST_TEST(!TrainFires(TrainOnly("5.16"), false, GIGABIT, 50500));
    BOOST_TEST(TrainFires(TrainOnly("5.16"), false, GIGABIT, 50501));
    BOOST_TEST(!TrainFires(TrainOnly("5.16"), true, GIGABIT, 101000));
    BOOST_TEST(TrainFires(TrainOnly("5.16"), true, GIGABIT, 101001));
    BOOST_TEST(TrainFires(TrainOnly("4.4"), false, GIGABIT, 51000));
}

BOOST_AUTO_TEST_CASE(Allowances)
{
    constexpr uint64_t GIGABIT = 125000000;
    const auto allowance = [](uint64_t rate) {
        return HystartDetector::AggregationAllowance(rate, 65536, 1000);
    };
    BOOST_TEST(allowance(0) == 0);
    BOOST_TEST(allowance(1) == 1000);
    BOOST_TEST(allowance(2 * GIGABIT) == 1000);
    BOOST_TEST(allowance(10 * GIGABIT) == 209);
    BOOST_TEST(allowance(100 * GIGABIT) == 20);
    BOOST_TEST(HystartDetector::AggregationAllowance(GIGABIT, 0, 1000) == 0);
    BOOST_TEST(HystartDetector::AggregationAllowance(GIGABIT, 65536, 0) == 0);
}

BOOST_AUTO_TEST_CASE(AGapEndsTheTrain)
{
    for (const auto& [gap, fires] :
         std::vector<std::pair<uint64_t, bool>>{{2000, true}, {2001, false}})
    {
        SlowStartScript test(TrainOnly("5.16"), 100000);
        test.script.Ack(100000, 1);
        test.script.Wait(gap);
        test.script.Ack(100000, 0);
        for (int i = 0; i < 60; ++i)
        {
            test.script.Wait(1000);
            test.script.Ack(100000, 0);
        }
        BOOST_TEST(test.Fired() == fires);
    }
}

BOOST_AUTO_TEST_CASE(NothingIsDetectedBelowTheLowWindow)
{
    for (const uint32_t cwnd : {14U, 16U})
    {
        SlowStartScript test(TrainOnly("5.16"), 100000, cwnd - 1);
        test.script.Ack(100000, 0);
        for (int i = 0; i < 60; ++i)
        {
            test.script.Wait(1000);
            test.script.Ack(100000, 0);
        }
        BOOST_TEST(test.script.c.cwnd == cwnd);
        BOOST_TEST(test.Fired() == (cwnd >= 16));
    }
}

BOOST_AUTO_TEST_CASE(BothDetectorsMayFireAtOnce)
{
    CubicParameters p;
    p.hystart.delayDivisor = 1;
    p.hystart.delayMarginMinUs = 0;
    SlowStartScript test(p, 10000);
    for (int i = 0; i < 9; ++i)
    {
        test.script.Ack(100000, 0);
        if (i == 7)
        {
            for (int j = 0; j < 4; ++j)
            {
                BOOST_REQUIRE(!test.Fired());
            }
            test.script.Wait(1999);
        }
    }
    BOOST_REQUIRE(test.Fired());
    const HystartCounters& counters = test.cubic.GetHystart().GetCounters();
    BOOST_TEST(counters.delayDetect == 1);
    BOOST_TEST(counters.delayCwnd == test.script.c.ssthresh);
    BOOST_TEST(counters.trainDetect == 0);

    SlowStartScript both(p, 1000);
    both.script.Ack(1000, 0);
    for (int i = 0; i < 7; ++i)
    {
        both.script.Ack(100000, 0);
    }
    both.script.Wait(600);
    BOOST_REQUIRE(!both.Fired());
    // The round's minimum of 1 ms keeps the delay detector quiet; the train is over half an RTT.
    both.script.Ack(100000, 0);
    const HystartCounters& other = both.cubic.GetHystart().GetCounters();
    BOOST_TEST(other.trainDetect == 1);
    BOOST_TEST(other.trainCwnd == both.script.c.ssthresh);
    BOOST_TEST(other.delayDetect == 0);

    CubicParameters late = p;
    late.hystart.roundMinFromAllSamples = false;
    SlowStartScript same(late, 10000);
    for (int i = 0; i < 8; ++i)
    {
        same.script.Ack(100000, 0);
    }
    for (int i = 0; i < 3; ++i)
    {
        BOOST_REQUIRE(!same.Fired());
        same.script.Wait(1999);
        if (i == 2)
        {
            same.script.Ack(100000, 0);
        }
        else
        {
            same.script.Ack(-1, 0);
        }
    }
    // Samples without an RTT do not prolong a train, so the gap of 6 ms has ended it.
    BOOST_TEST(same.cubic.GetHystart().GetCounters().trainDetect == 0);
    BOOST_TEST(same.cubic.GetHystart().GetCounters().delayDetect == 1);
}

BOOST_AUTO_TEST_CASE(AnExitTellsItsCauseWindowAndRtts)
{
    SlowStartScript test(DelayOnly("5.16"), 100000);
    for (int i = 0; i < 9; ++i)
    {
        test.script.Ack(115000 + i, 1);
    }
    const SlowStartExit& exit = test.cubic.GetSlowStartExit();
    BOOST_TEST(exit.count == 1);
    BOOST_TEST(exit.delay);
    BOOST_TEST(!exit.ackTrain);
    BOOST_TEST(!exit.conservative);
    BOOST_TEST(exit.minRttUs == 100000);
    BOOST_TEST(exit.roundMinRttUs == 115000);
    BOOST_TEST(exit.cwnd == test.script.c.ssthresh);
    BOOST_TEST(exit.timeUs == test.script.c.nowUs);
    BOOST_TEST(test.cubic.GetMinRttUs() == 100000);
}

BOOST_AUTO_TEST_CASE(ADetectorFiresOnceUntilATimeout)
{
    SlowStartScript test(DelayOnly("5.16"), 100000);
    for (int i = 0; i < 9; ++i)
    {
        test.script.Ack(120000, 1);
    }
    BOOST_REQUIRE(test.Fired());
    test.script.c.ssthresh = INFINITE_SSTHRESH;
    for (int i = 0; i < 20; ++i)
    {
        test.script.Wait(100000);
        test.script.Ack(150000, 1);
    }
    BOOST_TEST(!test.Fired());
    test.script.TimeOut();
    test.script.c.ssthresh = INFINITE_SSTHRESH;
    test.script.c.cwnd = 50;
    test.script.Ack(100000, 1);
    test.script.c.sndUna = test.script.c.sndNxt;
    test.script.FillWindow();
    for (int i = 0; i < 10; ++i)
    {
        test.script.Ack(120000, 1);
    }
    BOOST_TEST(test.Fired());
    BOOST_TEST(test.cubic.GetHystart().GetCounters().delayDetect == 2);
}

BOOST_AUTO_TEST_CASE(AMaskedDetectorIsNotHeard)
{
    CubicParameters p = MakeCubicParameters("2.6.39");
    p.hystart.detectAckTrain = false;
    SlowStartScript test(p, 100000);
    test.script.Ack(100000, 1);
    for (int i = 0; i < 60; ++i)
    {
        test.script.Wait(1000);
        test.script.Ack(100000, 0);
    }
    BOOST_TEST(!test.Fired());
    BOOST_TEST(test.cubic.GetHystart().GetState().found == 1);
    BOOST_TEST(test.cubic.GetHystart().GetCounters().trainDetect == 0);
}

/// Below an RTT of 2 ms, a round that begins after its test ends slow start at once (fixed
/// in 5.16).
BOOST_AUTO_TEST_CASE(ALateRolloverEndsSlowStartOnShortPaths)
{
    for (const auto& [profile, fires] :
         std::vector<std::pair<std::string, bool>>{{"5.8", true}, {"5.16", false}})
    {
        CubicWindow cubic(MakeCubicParameters(profile));
        ConnectionScript script(cubic, 10 * SECOND);
        // One ACK a round of 1.8 ms, for the whole window.
        for (int round = 0; round < 8 && script.c.ssthresh == INFINITE_SSTHRESH; ++round)
        {
            script.Wait(1800);
            script.Ack(1800, script.c.cwnd);
        }
        BOOST_TEST((script.c.ssthresh != INFINITE_SSTHRESH) == fires, profile);
        if (fires)
        {
            BOOST_TEST(script.c.ssthresh == 20);
        }
    }
}

BOOST_AUTO_TEST_CASE(AnIdleWriterDoesNotFireTheTrain)
{
    // 20 segments every 5 ms over 100 ms: never cwnd-limited, so older kernels roll no round over.
    CubicWindow cubic;
    ConnectionScript script(cubic, 10 * SECOND, 40);
    script.c.cwndLimited = false;
    script.Wait(100000);
    for (int burst = 0; burst < 2000; ++burst)
    {
        for (int i = 0; i < 10; ++i)
        {
            script.Ack(100000 + 100 * i, 2);
            script.Wait(100);
        }
        script.Wait(4000);
        script.c.sndNxt = script.c.sndUna + 40 * script.c.mss;
    }
    BOOST_TEST(cubic.GetHystart().GetState().found == 0);
}

BOOST_AUTO_TEST_SUITE_END()
