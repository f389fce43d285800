/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * What each kernel's CUBIC did differently. The numbers are those of a description of the kernels
 * 2.6.24 to 6.1, worked out by hand.
 */

#include "connection-script.h"
#include "cubic-window.h"

#include <boost/test/unit_test.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3::linuxtcp;

namespace
{

constexpr uint64_t SECOND = 1000000; ///< a second (us)

/**
 * @param p parameters
 * @return all of them as a text
 */
std::string
Describe(const CubicParameters& p)
{
    const HystartParameters& h = p.hystart;
    const HystartPlusPlusParameters& q = p.hystartPlusPlus;
    std::ostringstream text;
    for (const uint64_t value : {uint64_t{p.hz},
                                 uint64_t{p.fastConvergence},
                                 uint64_t{p.beta},
                                 uint64_t{p.scale},
                                 uint64_t{p.renoFriendly},
                                 uint64_t{p.initialSsThresh},
                                 static_cast<uint64_t>(p.slowStart),
                                 static_cast<uint64_t>(p.initialSsThreshRule),
                                 uint64_t{p.maxIncrement},
                                 static_cast<uint64_t>(p.firstEpochRule),
                                 uint64_t{p.firstEpochDivisor},
                                 uint64_t{p.minDivisor},
                                 static_cast<uint64_t>(p.counting),
                                 uint64_t{p.delayedAckEstimator},
                                 uint64_t{p.delayedAckMin},
                                 uint64_t{p.delayedAckMax},
                                 uint64_t{p.delayedAckMask},
                                 static_cast<uint64_t>(p.slowStartGrowth),
                                 uint64_t{p.maxSsThresh},
                                 uint64_t{p.slowStartAtThreshold},
                                 uint64_t{p.avoidanceTakesRest},
                                 uint64_t{p.oneUpdatePerTick},
                                 uint64_t{p.wideElapsedTime},
                                 uint64_t{p.shiftEpochByIdleTime},
                                 uint64_t{p.delayGateWithoutEpoch},
                                 static_cast<uint64_t>(p.undoRule),
                                 uint64_t{p.resetForgetsLossCwnd},
                                 static_cast<uint64_t>(p.cwndLimitedRule),
                                 uint64_t{p.segmentationOffload},
                                 uint64_t{p.offloadWindowDivisor},
                                 uint64_t{p.maxBurst},
                                 uint64_t{p.offloadMaxSegments},
                                 static_cast<uint64_t>(h.clock),
                                 uint64_t{h.detectAckTrain},
                                 uint64_t{h.detectDelay},
                                 uint64_t{h.lowWindow},
                                 uint64_t{h.ackDeltaUs},
                                 uint64_t{h.minSamples},
                                 uint64_t{h.delayDivisor},
                                 uint64_t{h.delayMarginMinUs},
                                 uint64_t{h.delayMarginMaxUs},
                                 uint64_t{h.gsoMaxSize},
                                 uint64_t{h.aggregationLimitUs},
                                 uint64_t{h.pacingAware},
                                 uint64_t{h.roundMinFromAllSamples},
                                 uint64_t{h.trainFiresAtThreshold},
                                 uint64_t{h.maskResult},
                                 static_cast<uint64_t>(h.rollover),
                                 uint64_t{q.minRttThresholdUs},
                                 uint64_t{q.maxRttThresholdUs},
                                 uint64_t{q.minRttDivisor},
                                 uint64_t{q.minSamples},
                                 uint64_t{q.growthDivisor},
                                 uint64_t{q.conservativeRounds},
                                 uint64_t{q.burstLimit}})
    {
        text << value << " ";
    }
    return text.str();
}

/**
 * @param profile a kernel
 * @param estimator whether its delayed ACK estimator is on, if it has one
 * @return its parameters
 */
CubicParameters
Profile(const std::string& profile, bool estimator = true)
{
    CubicParameters p = MakeCubicParameters(profile);
    p.delayedAckEstimator = p.delayedAckEstimator && estimator;
    return p;
}

/**
 * @brief The divisor that the first ACK of congestion avoidance leads to.
 * @param p parameters
 * @return the divisor, at a window of 1000 segments that has met no loss
 */
uint32_t
FirstEpochDivisor(const CubicParameters& p)
{
    CubicWindow cubic(p);
    Connection c;
    c.nowUs = 10 * SECOND;
    c.cwnd = 1000;
    c.ssthresh = 500;
    c.cwndLimited = true;
    c.packetsInFlight = 1000;
    cubic.Init(c);
    c.ssthresh = 500;
    cubic.IncreaseWindow(c, 1);
    return cubic.GetState().divisor;
}

/// One window increase: its inputs and what it leaves.
struct Growth
{
    uint32_t cwnd;   ///< window (segments)
    uint32_t credit; ///< credit
};

/**
 * @brief Increase a window once.
 * @param profile a kernel
 * @param cwnd window (segments)
 * @param ssthresh threshold (segments)
 * @param credit credit
 * @param acked packets acknowledged
 * @return window and credit afterwards
 */
Growth
GrowOnce(const std::string& profile,
         uint32_t cwnd,
         uint32_t ssthresh,
         uint32_t credit,
         uint32_t acked)
{
    CubicWindow cubic(Profile(profile));
    Connection c;
    c.nowUs = 10 * SECOND;
    c.cwnd = cwnd;
    c.cwndLimited = true;
    c.packetsInFlight = cwnd;
    cubic.Init(c);
    c.ssthresh = ssthresh;
    c.credit = credit;
    cubic.IncreaseWindow(c, acked);
    return {c.cwnd, c.credit};
}

/**
 * @brief Whether a kernel takes the window for the limit.
 * @param p parameters
 * @param cwnd window (segments)
 * @param inFlight packets in flight
 * @param flag what the transport says
 * @return whether it lets it grow
 */
bool
IsLimited(const CubicParameters& p, uint32_t cwnd, uint32_t inFlight, bool flag)
{
    CubicWindow cubic(p);
    Connection c;
    c.nowUs = 10 * SECOND;
    c.cwnd = cwnd;
    cubic.Init(c);
    c.packetsInFlight = inFlight;
    c.cwndLimited = flag;
    cubic.IncreaseWindow(c, 1);
    return c.cwnd > cwnd;
}

} // namespace

BOOST_AUTO_TEST_SUITE(CubicProfiles)

BOOST_AUTO_TEST_CASE(TheNewestIsTheDefault)
{
    BOOST_TEST(GetCubicProfiles().back() == "5.16");
    BOOST_TEST(Describe(MakeCubicParameters("5.16")) == Describe(CubicParameters()));
}

BOOST_AUTO_TEST_CASE(NoTwoAreAlike)
{
    const auto profiles = GetCubicProfiles();
    const std::vector<std::string> expected = {"2.6.24",
                                               "2.6.27",
                                               "2.6.29",
                                               "2.6.39",
                                               "3.18",
                                               "3.19",
                                               "4.0",
                                               "4.4",
                                               "5.6",
                                               "5.8",
                                               "5.16"};
    BOOST_TEST(profiles == expected, boost::test_tools::per_element());
    for (size_t i = 1; i < profiles.size(); ++i)
    {
        BOOST_TEST(Describe(MakeCubicParameters(profiles[i - 1])) !=
                   Describe(MakeCubicParameters(profiles[i])));
    }
}

BOOST_AUTO_TEST_CASE(AnUnknownOneIsRefusedWithAList)
{
    BOOST_CHECK_EXCEPTION(MakeCubicParameters("2.4"),
                          std::invalid_argument,
                          [](const std::invalid_argument& error) {
                              const std::string text = error.what();
                              return text.find("2.4") != std::string::npos &&
                                     text.find("2.6.24, 2.6.27") != std::string::npos &&
                                     text.find("5.16") != std::string::npos;
                          });
}

BOOST_AUTO_TEST_CASE(ModuleParameters)
{
    for (const auto& profile : GetCubicProfiles())
    {
        const CubicParameters p = MakeCubicParameters(profile);
        const bool first = profile == "2.6.24";
        BOOST_TEST(p.beta == (first ? 819 : 717), profile);
        BOOST_TEST(CubicWindow::ComputeConstants(p).renoScale == (first ? 23 : 15), profile);
        BOOST_TEST(p.scale == 41, profile);
        BOOST_TEST(p.initialSsThresh == 0, profile);
        BOOST_TEST(p.fastConvergence, profile);
        BOOST_TEST(p.renoFriendly, profile);
        BOOST_TEST(p.maxIncrement == (first ? 16 : 0), profile);
        BOOST_TEST(p.hystart.detectAckTrain, profile);
        BOOST_TEST(p.hystart.detectDelay, profile);
        BOOST_TEST(p.hystart.lowWindow == 16, profile);
        BOOST_TEST(p.hystart.ackDeltaUs == 2000, profile);
        BOOST_TEST(p.hystart.minSamples == 8, profile);
        const bool none = first || profile == "2.6.27";
        BOOST_TEST((p.slowStart == SlowStartVariant::STANDARD) == none, profile);
        BOOST_TEST((p.initialSsThreshRule == InitialSsThreshRule::ALWAYS) == none, profile);
    }
}

BOOST_AUTO_TEST_CASE(TheFirstEpoch)
{
    // 2.6.24 sets 50, 2.6.27 and 2.6.29 leave 100 windows, then at most 20.
    BOOST_TEST(FirstEpochDivisor(Profile("2.6.24", false)) == 50);
    BOOST_TEST(FirstEpochDivisor(Profile("2.6.27", false)) == 100000);
    BOOST_TEST(FirstEpochDivisor(Profile("2.6.29", false)) == 100000);
    for (const char* profile : {"2.6.39", "3.18", "3.19", "4.0", "4.4", "5.6", "5.8", "5.16"})
    {
        BOOST_TEST(FirstEpochDivisor(Profile(profile, false)) == 20, profile);
    }
    // The estimator starts from two packets per ACK and halves the divisor.
    BOOST_TEST(FirstEpochDivisor(Profile("2.6.24")) == 25);
    BOOST_TEST(FirstEpochDivisor(Profile("2.6.29")) == 50000);
    BOOST_TEST(FirstEpochDivisor(Profile("3.18")) == 10);
    BOOST_TEST(FirstEpochDivisor(Profile("3.19")) == 10);
    BOOST_TEST(FirstEpochDivisor(Profile("4.0")) == 20);
}

BOOST_AUTO_TEST_CASE(AnIncrementTakesOneAckMoreThanTheDivisorUntil319)
{
    for (const auto& [profile, acks] :
         std::vector<std::pair<std::string, int>>{{"2.6.39", 21}, {"3.19", 21}, {"4.0", 20}})
    {
        CubicWindow cubic(Profile(profile, false));
        Connection c;
        c.nowUs = 10 * SECOND;
        c.cwnd = 1000;
        c.cwndLimited = true;
        c.packetsInFlight = 1000;
        cubic.Init(c);
        c.ssthresh = 500;
        int count = 0;
        while (c.cwnd == 1000)
        {
            cubic.IncreaseWindow(c, 1);
            ++count;
        }
        BOOST_TEST(count == acks, profile);
    }
}

BOOST_AUTO_TEST_CASE(AcksCountUntil319AndPacketsSince)
{
    for (const auto& [profile, credit] :
         std::vector<std::pair<std::string, uint32_t>>{{"3.19", 1}, {"4.0", 15}})
    {
        BOOST_TEST(GrowOnce(profile, 1000, 500, 0, 15).credit == credit, profile);
    }
}

BOOST_AUTO_TEST_CASE(TheSmallestDivisor)
{
    for (const auto& [profile, divisor] :
         std::vector<std::pair<std::string, uint32_t>>{{"2.6.39", 1},
                                                       {"3.18", 1},
                                                       {"3.19", 1},
                                                       {"4.0", 2},
                                                       {"4.4", 2},
                                                       {"5.16", 2}})
    {
        CubicWindow cubic(Profile(profile, false));
        Connection c;
        c.nowUs = 10 * SECOND;
        c.cwnd = 20;
        c.cwndLimited = true;
        c.packetsInFlight = 20;
        cubic.Init(c);
        c.ssthresh = 13;
        cubic.GetSsThresh(c);
        c.cwnd = 14;
        c.packetsInFlight = 14;
        cubic.IncreaseWindow(c, 1);
        c.nowUs += 60 * SECOND;
        cubic.IncreaseWindow(c, 1);
        BOOST_TEST(cubic.GetState().divisor == divisor, profile);
    }
}

BOOST_AUTO_TEST_CASE(The2624CurveIsLimitedTo16SegmentsPer100Ms)
{
    CubicParameters p = Profile("2.6.24", false);
    p.renoFriendly = false;
    CubicWindow cubic(p);
    Connection c;
    c.nowUs = 10 * SECOND;
    c.cwnd = 1000;
    c.ssthresh = 800;
    c.packetsInFlight = 1000;
    cubic.Init(c);
    AckSample sample;
    sample.rttUs = 50000;
    cubic.OnAck(c, sample);
    cubic.GetSsThresh(c);
    cubic.IncreaseWindow(c, 1);
    c.nowUs += 60 * SECOND;
    cubic.IncreaseWindow(c, 1);
    // 1000 segments in 50 ms are 2000 in 100 ms; 16 of them, one for each 125.
    BOOST_TEST(cubic.GetState().divisor == 125);
}

BOOST_AUTO_TEST_CASE(TheDelayedAckEstimator)
{
    // 32 - 2 + k after the first ACK; it settles at 16 times the packets per ACK.
    for (const auto& [profile, first, settled] :
         std::vector<std::tuple<std::string, uint32_t, uint32_t>>{{"2.6.24", 1030, 16000},
                                                                  {"2.6.29", 1030, 16000},
                                                                  {"2.6.39", 512, 512},
                                                                  {"3.19", 512, 512}})
    {
        CubicWindow cubic(Profile(profile));
        Connection c;
        c.nowUs = 10 * SECOND;
        cubic.Init(c);
        BOOST_TEST(cubic.GetState().delayedAck == 32, profile);
        AckSample sample;
        sample.packetsAcked = 1000;
        cubic.OnAck(c, sample);
        BOOST_TEST(cubic.GetState().delayedAck == first, profile);
        for (int i = 0; i < 1000; ++i)
        {
            cubic.OnAck(c, sample);
        }
        // Rounding the sixteenth down leaves up to 15 on top.
        BOOST_TEST(cubic.GetState().delayedAck >= settled, profile);
        BOOST_TEST(cubic.GetState().delayedAck < settled + 16, profile);
        c.state = CongestionState::DISORDER;
        const uint32_t before = cubic.GetState().delayedAck;
        sample.packetsAcked = 0;
        cubic.OnAck(c, sample);
        BOOST_TEST(cubic.GetState().delayedAck == before, profile);
    }
}

BOOST_AUTO_TEST_CASE(TheEstimatorOf2629KeepsSixteenBits)
{
    for (const auto& [profile, expected] :
         std::vector<std::pair<std::string, uint32_t>>{{"2.6.24", 65566}, {"2.6.29", 30}})
    {
        CubicWindow cubic(Profile(profile));
        Connection c;
        cubic.Init(c);
        AckSample sample;
        sample.packetsAcked = 65536;
        cubic.OnAck(c, sample);
        BOOST_TEST(cubic.GetState().delayedAck == expected, profile);
    }
}

BOOST_AUTO_TEST_CASE(SlowStartCounting)
{
    // Per ACK until 3.12, whatever it acknowledges; the threshold itself is still slow start.
    for (const char* profile : {"2.6.24", "2.6.29", "2.6.39"})
    {
        BOOST_TEST(GrowOnce(profile, 10, 100, 0, 5).cwnd == 11, profile);
        BOOST_TEST(GrowOnce(profile, 10, 10, 0, 5).cwnd == 11, profile);
    }
    // Credit of 12 at a window of 10: two segments against the window at entry (12 are left after
    // one, 2 after two), or 12 - 11 = 1 left against the growing one.
    BOOST_TEST(GrowOnce("2.6.39", 10, 100, 12, 1).cwnd == 12);
    BOOST_TEST(GrowOnce("2.6.39", 10, 100, 12, 1).credit == 2);
    BOOST_TEST(GrowOnce("2.6.29", 10, 100, 12, 1).cwnd == 12);
    BOOST_TEST(GrowOnce("2.6.29", 10, 100, 12, 1).credit == 1);
    // Then by packets up to one beyond the threshold; the rest is lost until 3.19.
    BOOST_TEST(GrowOnce("3.18", 10, 12, 0, 5).cwnd == 13);
    BOOST_TEST(GrowOnce("3.18", 10, 12, 0, 5).credit == 0);
    BOOST_TEST(GrowOnce("3.18", 12, 12, 0, 5).cwnd == 13);
    BOOST_TEST(GrowOnce("4.0", 10, 12, 0, 5).cwnd == 13);
    BOOST_TEST(GrowOnce("4.0", 10, 12, 0, 5).credit == 2);
    // Since 4.3 up to the threshold.
    BOOST_TEST(GrowOnce("4.4", 10, 12, 0, 5).cwnd == 12);
    BOOST_TEST(GrowOnce("4.4", 10, 12, 0, 5).credit == 3);
    BOOST_TEST(GrowOnce("5.16", 10, 12, 0, 5).cwnd == 12);
}

BOOST_AUTO_TEST_CASE(LimitedSlowStart)
{
    CubicParameters p = MakeCubicParameters("2.6.39");
    p.maxSsThresh = 100;
    CubicWindow cubic(p);
    Connection c;
    c.cwnd = 200;
    c.packetsInFlight = 200;
    cubic.Init(c);
    // Half of 100 segments of credit for each ACK: one segment every four.
    for (int i = 0; i < 8; ++i)
    {
        BOOST_TEST(c.cwnd == 200U + i / 4);
        c.packetsInFlight = c.cwnd;
        cubic.IncreaseWindow(c, 1);
    }
}

BOOST_AUTO_TEST_CASE(UndoValues)
{
    // Losses at 100 and, after fast convergence, at 90; then an undo to 80 says the transport.
    for (const auto& [profile, window] :
         std::vector<std::pair<std::string, uint32_t>>{{"2.6.29", 76},
                                                       {"2.6.39", 90},
                                                       {"3.18", 90},
                                                       {"4.0", 90},
                                                       {"4.4", 90},
                                                       {"5.6", 80},
                                                       {"5.16", 80}})
    {
        CubicWindow cubic(Profile(profile));
        Connection c;
        cubic.Init(c);
        c.cwnd = 100;
        cubic.GetSsThresh(c);
        c.cwnd = 90;
        cubic.GetSsThresh(c);
        c.cwnd = 63;
        BOOST_TEST(cubic.UndoCwnd(c, 80) == window, profile);
        c.cwnd = 95;
        BOOST_TEST(cubic.UndoCwnd(c, 80) == 95, profile);
    }
}

BOOST_AUTO_TEST_CASE(ATimeoutForgetsTheLossWindowUntil2638)
{
    for (const auto& [profile, window] :
         std::vector<std::pair<std::string, uint32_t>>{{"2.6.24", 0},
                                                       {"2.6.29", 0},
                                                       {"2.6.39", 100}})
    {
        CubicWindow cubic(Profile(profile));
        Connection c;
        cubic.Init(c);
        c.cwnd = 100;
        cubic.GetSsThresh(c);
        cubic.OnStateChange(c, CongestionState::LOSS);
        BOOST_TEST(cubic.GetState().lossCwnd == window, profile);
    }
}

BOOST_AUTO_TEST_CASE(CwndLimitedRules)
{
    // The flag counts since 3.16, the headroom before.
    for (const char* profile : {"3.18", "4.0", "5.16"})
    {
        BOOST_TEST(IsLimited(Profile(profile), 30, 0, true), profile);
        BOOST_TEST(!IsLimited(Profile(profile), 30, 30, false), profile);
    }
    for (const char* profile : {"2.6.24", "2.6.29", "2.6.39"})
    {
        BOOST_TEST(IsLimited(Profile(profile), 30, 30, false), profile);
        BOOST_TEST(!IsLimited(Profile(profile), 30, 10, true), profile);
        // Less than a third of the window.
        BOOST_TEST(IsLimited(Profile(profile), 30, 21, false), profile);
        BOOST_TEST(!IsLimited(Profile(profile), 30, 20, false), profile);
    }
    // Headroom of 46 segments is more than a burst of 64 KB.
    BOOST_TEST(IsLimited(Profile("2.6.29"), 300, 254, false));
    BOOST_TEST(!IsLimited(Profile("2.6.39"), 300, 254, false));
    BOOST_TEST(IsLimited(Profile("2.6.39"), 300, 255, false));
    // Three segments are always allowed, since 2.6.39; without offload nothing more.
    BOOST_TEST(IsLimited(Profile("2.6.39"), 6, 3, false));
    BOOST_TEST(!IsLimited(Profile("2.6.29"), 6, 3, false));
    for (const char* profile : {"2.6.29", "2.6.39"})
    {
        CubicParameters p = MakeCubicParameters(profile);
        p.segmentationOffload = false;
        BOOST_TEST(!IsLimited(p, 30, 26, false), profile);
        BOOST_TEST(IsLimited(p, 30, 30, false), profile);
        BOOST_TEST(IsLimited(p, 30, 27, false) == (p.cwndLimitedRule == CwndLimitedRule::HEADROOM),
                   profile);
    }
}

BOOST_AUTO_TEST_CASE(TheNarrowTimeOnTheCurveWraps)
{
    // 2^22 ticks after the epoch's start, at HZ 1000, the curve begins anew until 2.6.39.
    for (const auto& [profile, wraps] :
         std::vector<std::pair<std::string, bool>>{{"2.6.39", true}, {"3.18", false}})
    {
        CubicParameters p = Profile(profile, false);
        p.renoFriendly = false;
        CubicWindow cubic(p);
        Connection c;
        c.nowUs = 10 * SECOND;
        c.cwnd = 1000;
        c.cwndLimited = true;
        cubic.Init(c);
        c.ssthresh = 700;
        cubic.GetSsThresh(c);
        c.cwnd = 700;
        c.ssthresh = 600;
        c.packetsInFlight = 700;
        cubic.IncreaseWindow(c, 1);
        // The curve starts a segment above the window, as K is a little small.
        BOOST_TEST(cubic.GetState().divisor == 700, profile);
        c.nowUs += uint64_t{1000} << 22;
        cubic.IncreaseWindow(c, 1);
        BOOST_TEST(cubic.GetState().divisor == (wraps ? 700 : 1), profile);
    }
}

BOOST_AUTO_TEST_CASE(TheCurveIsFollowedOnceATickSince40)
{
    for (const auto& [profile, lastCwnd] :
         std::vector<std::pair<std::string, uint32_t>>{{"3.19", 1001}, {"4.0", 1000}})
    {
        CubicWindow cubic(Profile(profile));
        Connection c;
        c.nowUs = 10 * SECOND;
        c.cwnd = 1000;
        c.cwndLimited = true;
        cubic.Init(c);
        c.ssthresh = 500;
        cubic.IncreaseWindow(c, 1);
        c.cwnd = 1001;
        cubic.IncreaseWindow(c, 1);
        BOOST_TEST(cubic.GetState().lastCwnd == lastCwnd, profile);
    }
}

BOOST_AUTO_TEST_CASE(IdleTimeShiftsTheEpochSince43)
{
    for (const auto& [profile, shift] :
         std::vector<std::pair<std::string, uint32_t>>{{"2.6.29", 0},
                                                       {"3.18", 0},
                                                       {"4.0", 0},
                                                       {"4.4", 5000},
                                                       {"5.16", 5000}})
    {
        CubicWindow cubic(Profile(profile));
        Connection c;
        c.nowUs = 10 * SECOND;
        c.cwnd = 1000;
        c.cwndLimited = true;
        c.packetsInFlight = 1000;
        cubic.Init(c);
        c.ssthresh = 500;
        cubic.IncreaseWindow(c, 1);
        BOOST_REQUIRE(cubic.GetState().epochStart == 10000);
        c.nowUs += 6 * SECOND;
        c.lastSendUs = 11 * SECOND;
        cubic.OnEvent(c, CwndEvent::TX_START);
        BOOST_TEST(cubic.GetState().epochStart == 10000 + shift, profile);
    }
}

BOOST_AUTO_TEST_CASE(DelayUnits)
{
    struct Unit
    {
        const char* profile;
        uint32_t hz;
        int64_t rttUs;
        uint32_t delay;
    };

    // 1/8 tick rounded up to ticks, 1/8 ms rounded down, us; never 0.
    for (const auto& unit : std::vector<Unit>{{"2.6.24", 1000, 10100, 88},
                                              {"2.6.29", 1000, 10100, 88},
                                              {"2.6.29", 250, 10100, 24},
                                              {"2.6.39", 1000, 10200, 81},
                                              {"2.6.39", 250, 10200, 81},
                                              {"4.4", 1000, 100, 1},
                                              {"5.6", 1000, 10100, 10100},
                                              {"5.16", 1000, 0, 1}})
    {
        CubicParameters p = MakeCubicParameters(unit.profile);
        p.hz = unit.hz;
        CubicWindow cubic(p);
        Connection c;
        c.nowUs = 10 * SECOND;
        cubic.Init(c);
        AckSample sample;
        sample.rttUs = unit.rttUs;
        cubic.OnAck(c, sample);
        BOOST_TEST(cubic.GetState().delayMin == unit.delay, unit.profile);
    }
}

BOOST_AUTO_TEST_CASE(TheOldGateIgnoresTheFirstSecondOfTheClock)
{
    CubicParameters p = MakeCubicParameters("2.6.39");
    p.delayGateWithoutEpoch = true;
    CubicWindow cubic(p);
    Connection c;
    c.nowUs = SECOND - 1;
    cubic.Init(c);
    AckSample sample;
    sample.rttUs = 10000;
    cubic.OnAck(c, sample);
    BOOST_TEST(cubic.GetState().delayMin == 0);
    c.nowUs = SECOND;
    cubic.OnAck(c, sample);
    BOOST_TEST(cubic.GetState().delayMin == 80);
}

BOOST_AUTO_TEST_CASE(HystartOfEachKernel)
{
    struct Row
    {
        const char* profile;
        ClockUnit clock;
        uint32_t divisor;
        uint32_t marginMinUs;
        bool allSamples;
        bool pacingAware;
        uint32_t allowanceUs;
        RoundRollover rollover;
        bool masksResult;
    };

    constexpr auto LATE = RoundRollover::IN_WINDOW_INCREASE;
    constexpr auto EARLY = RoundRollover::BEFORE_TEST;
    for (const auto& row : std::vector<Row>{
             {"2.6.29", ClockUnit::TICK, 16, 2000, false, false, 0, LATE, true},
             {"2.6.39", ClockUnit::MILLISECOND, 16, 4000, false, false, 0, LATE, true},
             {"3.18", ClockUnit::MILLISECOND, 16, 4000, false, false, 0, LATE, true},
             {"3.19", ClockUnit::MILLISECOND, 8, 4000, false, false, 0, LATE, false},
             {"4.0", ClockUnit::MILLISECOND, 8, 4000, false, false, 0, LATE, false},
             {"4.4", ClockUnit::MILLISECOND, 8, 4000, false, false, 0, LATE, false},
             {"5.6", ClockUnit::MICROSECOND, 8, 4000, false, true, 1000, LATE, false},
             {"5.8", ClockUnit::MICROSECOND, 8, 4000, true, true, 1000, LATE, false},
             {"5.16", ClockUnit::MICROSECOND, 8, 4000, true, true, 1000, EARLY, false}})
    {
        const HystartParameters h = MakeCubicParameters(row.profile).hystart;
        BOOST_TEST((h.clock == row.clock), row.profile);
        BOOST_TEST(h.delayDivisor == row.divisor, row.profile);
        BOOST_TEST(h.delayMarginMinUs == row.marginMinUs, row.profile);
        BOOST_TEST(h.delayMarginMaxUs == 16000, row.profile);
        BOOST_TEST(h.roundMinFromAllSamples == row.allSamples, row.profile);
        BOOST_TEST(h.pacingAware == row.pacingAware, row.profile);
        BOOST_TEST(h.aggregationLimitUs == row.allowanceUs, row.profile);
        BOOST_TEST((h.rollover == row.rollover), row.profile);
        BOOST_TEST(h.maskResult == row.masksResult, row.profile);
    }
}

BOOST_AUTO_TEST_SUITE_END()
