/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "connection-script.h"
#include "cubic-root.h"
#include "cubic-window.h"

#include <array>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace ns3::linuxtcp;

namespace
{

constexpr uint64_t SECOND = 1000000; ///< a second (us)

/**
 * @brief CUBIC in congestion avoidance after a loss, with a known RTT of 1 ms.
 * @param cubic the algorithm
 * @param window window at the loss (segments)
 * @return the connection
 */
ConnectionScript
AfterLoss(CubicWindow& cubic, uint32_t window)
{
    ConnectionScript script(cubic, 10 * SECOND, window, window);
    script.Ack(1000, 0);
    script.Lose();
    return script;
}

} // namespace

BOOST_AUTO_TEST_SUITE(Cubic)

BOOST_AUTO_TEST_CASE(CubeRootExamples)
{
    BOOST_TEST(CubicRoot(0) == 0);
    BOOST_TEST(CubicRoot(1) == 1);
}

BOOST_AUTO_TEST_CASE(CubeRootIsCloseToTheRealOne)
{
    std::mt19937_64 random(1);
    for (int i = 0; i < 100000; ++i)
    {
        const uint64_t a = random() >> (random() % 44);
        const double real = std::cbrt(static_cast<double>(a));
        BOOST_REQUIRE_SMALL(CubicRoot(a) - real, 1 + 0.01 * real);
    }
}

BOOST_AUTO_TEST_CASE(ConstantsOfLinux)
{
    const auto constants = CubicWindow::ComputeConstants(CubicParameters());
    BOOST_TEST(constants.renoScale == 15);
    BOOST_TEST(constants.cubeScale == 410);
    BOOST_TEST(constants.cubeFactor == 2681735677);
    CubicParameters old;
    old.beta = 819;
    BOOST_TEST(CubicWindow::ComputeConstants(old).renoScale == 23);
}

BOOST_AUTO_TEST_CASE(TimeToThePlateau)
{
    const auto constants = CubicWindow::ComputeConstants(CubicParameters());
    BOOST_TEST(CubicWindow::ComputeK(constants, 1) == 1388);
    BOOST_TEST(CubicWindow::ComputeK(constants, 2) == 1750);
}

BOOST_AUTO_TEST_CASE(TheCurveAfterALoss)
{
    struct Curve
    {
        uint32_t lastMax;
        uint32_t cwnd;
        double k;
        std::array<uint32_t, 7> targets;
    };

    const std::array<double, 7> times = {0.05, 0.5, 1, 2, 3, 5, 8};
    const std::vector<Curve> curves = {
        {10, 7, 1.956, {8, 9, 10, 10, 10, 21, 98}},
        {50, 35, 3.346, {36, 41, 45, 50, 50, 51, 90}},
        {100, 70, 4.215, {72, 80, 87, 96, 100, 100, 121}},
        {500, 350, 7.207, {354, 380, 405, 444, 471, 496, 500}},
        {1000, 700, 9.076, {706, 748, 790, 859, 911, 973, 1000}},
    };
    const auto constants = CubicWindow::ComputeConstants(CubicParameters());
    for (const auto& curve : curves)
    {
        const uint32_t k = CubicWindow::ComputeK(constants, curve.lastMax - curve.cwnd);
        // The table has milliseconds; the root is good for a few of them.
        BOOST_CHECK_SMALL(k / 1024.0 - curve.k, 0.005);
        for (size_t i = 0; i < times.size(); ++i)
        {
            const auto t = static_cast<uint64_t>(times[i] * 1024);
            BOOST_TEST(CubicWindow::ComputeTarget(constants, curve.lastMax, k, t) ==
                           curve.targets[i],
                       "W_last_max " << curve.lastMax << " at " << times[i] << " s");
        }
    }
}

BOOST_AUTO_TEST_CASE(FastConvergence)
{
    CubicWindow cubic;
    Connection c;
    cubic.Init(c);
    c.cwnd = 100;
    BOOST_TEST(cubic.GetSsThresh(c) == 70);
    BOOST_TEST(cubic.GetState().lastMax == 100);
    c.cwnd = 90;
    BOOST_TEST(cubic.GetSsThresh(c) == 63);
    BOOST_TEST(cubic.GetState().lastMax == 76);
}

BOOST_AUTO_TEST_CASE(WithoutFastConvergenceTheMaximumIsTheWindow)
{
    CubicParameters p;
    p.fastConvergence = false;
    CubicWindow cubic(p);
    Connection c;
    cubic.Init(c);
    c.cwnd = 100;
    cubic.GetSsThresh(c);
    c.cwnd = 90;
    cubic.GetSsThresh(c);
    BOOST_TEST(cubic.GetState().lastMax == 90);
}

BOOST_AUTO_TEST_CASE(TheThresholdIsAtLeastTwo)
{
    CubicWindow cubic;
    Connection c;
    cubic.Init(c);
    for (uint32_t cwnd = 0; cwnd < 4; ++cwnd)
    {
        c.cwnd = cwnd;
        BOOST_TEST(cubic.GetSsThresh(c) == 2);
    }
}

BOOST_AUTO_TEST_CASE(BeforeTheFirstLossTheWindowGrowsByAtLeastFivePercent)
{
    CubicWindow cubic;
    ConnectionScript script(cubic, 10 * SECOND, 1000, 1000);
    script.Ack(100000, 1);
    BOOST_TEST(cubic.GetState().divisor == 20);
}

BOOST_AUTO_TEST_CASE(GrowthIsAtMostHalfOfWhatIsAcknowledged)
{
    CubicWindow cubic;
    auto script = AfterLoss(cubic, 20);
    script.Ack(1000, 1);
    script.Wait(60 * SECOND);
    script.Ack(1000, 1);
    BOOST_TEST(cubic.GetState().divisor == 2);
}

BOOST_AUTO_TEST_CASE(TheRenoWindowIsFollowed)
{
    // beta 717: one Reno segment for every 15/8 windows, so 100 * 15 / 8 = 187 packets.
    CubicParameters p;
    p.beta = 717;
    CubicWindow cubic(p);
    ConnectionScript script(cubic, 10 * SECOND, 143, 143);
    script.Lose();
    BOOST_REQUIRE(script.c.cwnd == 100);
    // The window is held, so that only the Reno window grows.
    const auto ack = [&script](uint32_t packets) {
        script.Wait(50000);
        script.Ack(-1, packets);
        script.c.cwnd = 100;
        script.c.credit = 0;
    };
    ack(1);
    BOOST_TEST(cubic.GetState().renoCwnd == 100);
    ack(186);
    BOOST_TEST(cubic.GetState().ackCount == 187);
    BOOST_TEST(cubic.GetState().renoCwnd == 100);
    ack(1);
    BOOST_TEST(cubic.GetState().ackCount == 1);
    BOOST_TEST(cubic.GetState().renoCwnd == 101);
}

BOOST_AUTO_TEST_CASE(SlowStartStopsAtTheThresholdAndAvoidanceTakesTheRest)
{
    CubicWindow cubic;
    ConnectionScript script(cubic, 10 * SECOND, 10, 12);
    script.Ack(100000, 5);
    BOOST_TEST(script.c.cwnd == 12);
    BOOST_TEST(script.c.credit == 3);
    BOOST_TEST(cubic.GetState().ackCount == 3);
}

BOOST_AUTO_TEST_CASE(NothingGrowsUnlessTheWindowIsTheLimit)
{
    CubicWindow cubic;
    ConnectionScript script(cubic, 10 * SECOND);
    script.c.cwndLimited = false;
    script.Ack(100000, 10);
    BOOST_TEST(script.c.cwnd == 10);
    BOOST_TEST(cubic.GetState().ackCount == 0);
}

BOOST_AUTO_TEST_CASE(ATimeoutForgetsThePlateau)
{
    CubicWindow cubic;
    ConnectionScript script(cubic, 10 * SECOND, 100, 100);
    script.Ack(50000, 1);
    script.TimeOut();
    BOOST_TEST(cubic.GetState().lastMax == 0);
    BOOST_TEST(cubic.GetState().delayMin == 0);
    BOOST_TEST(cubic.GetState().lossCwnd == 100);
    BOOST_TEST(!cubic.GetState().epochRunning);
    // The next epoch starts at its plateau, at the first ACK above the threshold.
    while (script.c.cwnd < script.c.ssthresh)
    {
        script.Ack(50000, 1);
    }
    script.Ack(50000, 1);
    BOOST_TEST(cubic.GetState().k == 0);
    BOOST_TEST(cubic.GetState().origin == script.c.ssthresh);
}

BOOST_AUTO_TEST_CASE(SamplesOfTheFirstSecondOfAnEpochDoNotCount)
{
    CubicWindow cubic;
    auto script = AfterLoss(cubic, 100);
    script.Ack(1000, 1);
    BOOST_REQUIRE(cubic.GetState().delayMin == 1000);
    script.Wait(SECOND - 1000);
    script.Ack(500, 1);
    BOOST_TEST(cubic.GetState().delayMin == 1000);
    script.Wait(1000);
    script.Ack(500, 1);
    BOOST_TEST(cubic.GetState().delayMin == 500);
}

BOOST_AUTO_TEST_CASE(IdleTimeIsTakenOffTheCurve)
{
    CubicWindow busy;
    CubicWindow idle;
    auto one = AfterLoss(busy, 1000);
    auto two = AfterLoss(idle, 1000);
    for (int i = 0; i < 100; ++i)
    {
        one.Wait(40000);
        two.Wait(40000);
        one.Ack(40000, 10);
        two.Ack(40000, 10);
    }
    BOOST_REQUIRE(one.c.cwnd == two.c.cwnd);
    BOOST_REQUIRE(busy.GetState().lastMax == 1000);
    // Nothing is in flight for 5 s, then the connection sends again.
    two.c.lastSendUs = two.c.nowUs;
    two.Wait(5 * SECOND);
    idle.OnEvent(two.c, CwndEvent::TX_START);
    for (int i = 0; i < 100; ++i)
    {
        one.Wait(40000);
        two.Wait(40000);
        one.Ack(40000, 10);
        two.Ack(40000, 10);
        BOOST_REQUIRE(one.c.cwnd == two.c.cwnd);
        BOOST_REQUIRE(busy.GetState().divisor == idle.GetState().divisor);
    }
}

BOOST_AUTO_TEST_CASE(TheEpochIsNotShiftedIntoTheFuture)
{
    CubicWindow cubic;
    auto script = AfterLoss(cubic, 1000);
    script.Ack(40000, 1);
    script.c.lastSendUs = 0;
    cubic.OnEvent(script.c, CwndEvent::TX_START);
    BOOST_TEST(cubic.GetState().epochStart == script.c.nowUs / 1000);
}

BOOST_AUTO_TEST_CASE(APlateauBelowTheWindowNeedsNoRoot)
{
    CubicWindow cubic;
    auto script = AfterLoss(cubic, 100);
    // The transport restores a larger window than that of the loss.
    script.c.cwnd = 100;
    script.Ack(1000, 1);
    BOOST_TEST(cubic.GetState().k == 0);
    BOOST_TEST(cubic.GetState().origin == 100);
}

BOOST_AUTO_TEST_CASE(ATinyMaximumNeverGivesANegativeWindow)
{
    for (const uint32_t lastMax : {0U, 1U, 2U, 3U})
    {
        CubicWindow cubic;
        auto script = AfterLoss(cubic, lastMax);
        for (int i = 0; i < 20; ++i)
        {
            script.Ack(-1, 1);
            BOOST_TEST(script.c.cwnd >= 2);
            BOOST_TEST(script.c.cwnd <= 2U + i);
        }
    }
}

BOOST_AUTO_TEST_CASE(AnUnknownOrZeroRttGrowsNoFasterThanSlowStart)
{
    for (const int64_t rtt : {-1, 0})
    {
        CubicWindow cubic;
        ConnectionScript script(cubic, 10 * SECOND);
        uint32_t acked = 0;
        for (int i = 0; i < 1000; ++i)
        {
            script.Ack(rtt, 2);
            acked += 2;
            BOOST_TEST(script.c.cwnd <= 10 + acked);
        }
        script.Lose();
        const uint32_t start = script.c.cwnd;
        acked = 0;
        for (int i = 0; i < 1000; ++i)
        {
            script.Ack(rtt, 2);
            acked += 2;
            BOOST_TEST(script.c.cwnd <= start + acked / 2 + 1);
        }
    }
}

/// Starts at which a clock of 32 bits is about to change its sign or to wrap (us).
const std::vector<uint64_t> STARTS = {
    1000,                   // the start of a simulation
    60 * SECOND,            //
    4294 * SECOND,          // microseconds wrap 0.97 s later
    1000000 * SECOND,       //
    2147483648000 - 500000, // 24.86 days, ticks at HZ 1000 change their sign
    4294967296000 - 500000, // 49.7 days, ticks at HZ 1000 wrap
    50 * 86400 * SECOND,    //
};

BOOST_AUTO_TEST_CASE(TheStartOfTheConnectionDoesNotMatter)
{
    for (const auto& profile : GetCubicProfiles())
    {
        const CubicParameters p = MakeCubicParameters(profile);
        CubicWindow reference(p);
        const auto expected = RunOnPath(reference, 10 * SECOND, 20000, 60, 200);
        BOOST_TEST(*std::max_element(expected.begin(), expected.end()) > 60);
        for (const uint64_t start : STARTS)
        {
            CubicWindow cubic(p);
            const auto windows = RunOnPath(cubic, start, 20000, 60, 200);
            BOOST_TEST((windows == expected), profile << " started at " << start << " us");
        }
    }
}

BOOST_AUTO_TEST_CASE(AFlowThatStartsAtZeroDoesNotLeaveSlowStartAtOnce)
{
    for (const uint64_t start : {uint64_t{0}, 1000000 * SECOND})
    {
        CubicWindow cubic;
        ConnectionScript script(cubic, start);
        script.Wait(100000);
        while (script.c.cwnd < 20)
        {
            script.Ack(100000, 1);
        }
        BOOST_TEST(script.c.ssthresh == INFINITE_SSTHRESH);
        BOOST_TEST(cubic.GetSlowStartExit().count == 0);
    }
}

BOOST_AUTO_TEST_CASE(InitAndCloneStartAfresh)
{
    CubicParameters p;
    p.beta = 800;
    CubicWindow used(p);
    RunOnPath(used, SECOND, 20000, 100, 100);
    const auto copy = used.Clone();
    CubicWindow fresh(p);
    const auto expected = RunOnPath(fresh, 10 * SECOND, 20000, 100, 100);
    BOOST_TEST((RunOnPath(*copy, 10 * SECOND, 20000, 100, 100) == expected));
    BOOST_TEST((RunOnPath(used, 10 * SECOND, 20000, 100, 100) == expected));
}

BOOST_AUTO_TEST_CASE(AnInitialThresholdNeedsStandardSlowStart)
{
    CubicParameters p;
    p.initialSsThresh = 50;
    Connection c;
    CubicWindow(p).Init(c);
    BOOST_TEST(c.ssthresh == INFINITE_SSTHRESH);
    p.slowStart = SlowStartVariant::STANDARD;
    CubicWindow(p).Init(c);
    BOOST_TEST(c.ssthresh == 50);
}

BOOST_AUTO_TEST_CASE(BadParametersAreRefused)
{
    const auto refuses = [](const std::string& name, void (*change)(CubicParameters&)) {
        CubicParameters p;
        change(p);
        BOOST_CHECK_EXCEPTION(CubicWindow{p},
                              std::invalid_argument,
                              [&name](const std::invalid_argument& error) {
                                  return std::string(error.what()).find(name) == 0;
                              });
    };
    refuses("hz", [](CubicParameters& p) { p.hz = 0; });
    refuses("beta", [](CubicParameters& p) { p.beta = 1024; });
    refuses("beta", [](CubicParameters& p) { p.beta = 0; });
    refuses("scale", [](CubicParameters& p) { p.scale = 0; });
    refuses("minDivisor", [](CubicParameters& p) { p.minDivisor = 0; });
    refuses("hystart.delayDivisor", [](CubicParameters& p) { p.hystart.delayDivisor = 0; });
    refuses("hystart.delayMarginMinUs",
            [](CubicParameters& p) { p.hystart.delayMarginMinUs = 17000; });
    refuses("hystartPlusPlus.growthDivisor",
            [](CubicParameters& p) { p.hystartPlusPlus.growthDivisor = 0; });
}

/// Random calls with random arguments: what must hold whatever the transport does.
BOOST_AUTO_TEST_CASE(RandomCallsKeepTheWindowSane)
{
    std::mt19937_64 random(20240607);
    const auto pick = [&random](uint64_t n) { return random() % n; };
    const auto profiles = GetCubicProfiles();
    for (int run = 0; run < 600; ++run)
    {
        CubicParameters p = MakeCubicParameters(profiles[pick(profiles.size())]);
        p.hz = std::array<uint32_t, 5>{100, 250, 300, 1000, 1024}[pick(5)];
        p.beta = 1 + static_cast<uint32_t>(pick(1023));
        p.scale = 1 + static_cast<uint32_t>(pick(200));
        p.renoFriendly = pick(4) != 0;
        p.slowStart = static_cast<SlowStartVariant>(pick(3));
        p.maxSsThresh = pick(3) == 0 ? 100 : 0;
        CubicWindow cubic(p);
        Connection c;
        c.nowUs = random() >> (14 + pick(40));
        c.cwnd = 2 + static_cast<uint32_t>(pick(1000) >> pick(10));
        c.ssthresh = pick(2) == 0 ? INFINITE_SSTHRESH : 2 + static_cast<uint32_t>(pick(100));
        cubic.Init(c);
        for (int call = 0; call < 500; ++call)
        {
            c.nowUs += pick(2000000) >> pick(21);
            c.sndUna += static_cast<uint32_t>(pick(20)) * c.mss;
            c.sndNxt = c.sndUna + c.cwnd * c.mss;
            c.cwndLimited = pick(8) != 0;
            c.paced = pick(2) == 0;
            c.pacingRate = random() >> pick(64);
            c.packetsInFlight = static_cast<uint32_t>(pick(2 * uint64_t{c.cwnd}));
            const Connection before = c;
            switch (pick(20))
            {
            case 0: {
                const uint32_t ssthresh = cubic.GetSsThresh(c);
                BOOST_REQUIRE(ssthresh >= 2);
                BOOST_REQUIRE(ssthresh <= std::max<uint32_t>(c.cwnd, 2));
                BOOST_REQUIRE(c.cwnd == before.cwnd);
                c.ssthresh = ssthresh;
                c.cwnd = ssthresh;
                c.credit = 0;
                break;
            }
            case 1:
                c.state = static_cast<CongestionState>(pick(5));
                cubic.OnStateChange(c, static_cast<CongestionState>(pick(5)));
                break;
            case 2:
                c.lastSendUs = c.nowUs - std::min(c.nowUs, pick(10000000));
                cubic.OnEvent(c, static_cast<CwndEvent>(pick(4)));
                break;
            case 3:
                BOOST_REQUIRE(cubic.UndoCwnd(c, static_cast<uint32_t>(pick(100))) >= c.cwnd);
                break;
            default:
                AckSample sample;
                sample.rttUs = static_cast<int64_t>(pick(4000000) >> pick(22)) - 1;
                sample.packetsAcked = static_cast<uint32_t>(pick(64));
                const uint64_t exits = cubic.GetSlowStartExit().count;
                cubic.OnAck(c, sample);
                BOOST_REQUIRE(c.cwnd == before.cwnd);
                const bool exited = cubic.GetSlowStartExit().count != exits;
                BOOST_REQUIRE(exited || c.ssthresh == before.ssthresh);
                if (exited)
                {
                    BOOST_REQUIRE(c.ssthresh == c.cwnd);
                    BOOST_REQUIRE(cubic.GetSlowStartExit().cwnd == c.cwnd);
                    BOOST_REQUIRE(cubic.GetSlowStartExit().timeUs == c.nowUs);
                }
                cubic.IncreaseWindow(c, sample.packetsAcked);
                BOOST_REQUIRE(c.cwnd >= before.cwnd);
                const uint64_t most =
                    before.credit + std::max<uint64_t>(sample.packetsAcked, 1) + 2;
                BOOST_REQUIRE(c.cwnd <= before.cwnd + most);
                break;
            }
            BOOST_REQUIRE(c.cwnd >= 2);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
