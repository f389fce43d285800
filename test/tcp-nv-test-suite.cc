/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup linux-tcp-tests
 * Tests of TcpNv: what it adds to linuxtcp::NvWindow, and its behaviour in whole simulations.
 */

#include "congestion-control-cases.h"
#include "single-flow.h"

#include "ns3/config.h"
#include "ns3/enum.h"
#include "ns3/ns3-compat.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-nv.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// TcpNv with its protected members open
class OpenNv : public TcpNv
{
  public:
    using TcpNv::GetInFlightDefinition;
    using TcpNv::MakeAlgorithm;

    /**
     * @brief The parameters that the algorithm gets.
     * @return the parameters
     */
    linuxtcp::NvParameters Parameters() const
    {
        auto algorithm = MakeAlgorithm();
        return static_cast<const linuxtcp::NvWindow&>(*algorithm).GetParameters();
    }
};

} // namespace

/**
 * @ingroup linux-tcp-tests
 * @brief Attributes have the kernel's defaults, legal ranges, and reach the algorithm.
 */
class TcpNvAttributesTest : public TestCase
{
  public:
    TcpNvAttributesTest()
        : TestCase("attributes")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::pair<std::string, uint32_t>> defaults = {
            {"Pad", 10},
            {"PadBuffer", 2},
            {"MinimumWindow", 2},
            {"CongestionDecrease", 38},
            {"SlowStartThresholdFactor", 8},
            {"RttFactor", 128},
            {"SlowGrowthDecisions", 8},
            {"FastGrowthDecisions", 0},
            {"DecreaseSamples", 60},
            {"IncreaseSamples", 20},
            {"SlowStartSamples", 30},
            {"StopRounds", 10},
            {"DecreaseRounds", 2}};
        Ptr<OpenNv> nv = CreateObject<OpenNv>();
        for (const auto& [name, value] : defaults)
        {
            UintegerValue got;
            nv->GetAttribute(name, got);
            NS_TEST_EXPECT_MSG_EQ(got.Get(), value, "default of " << name);
            NS_TEST_EXPECT_MSG_EQ(nv->SetAttributeFailSafe(name, UintegerValue(65536)),
                                  false,
                                  name << " takes too large a value");
            NS_TEST_EXPECT_MSG_EQ(nv->SetAttributeFailSafe(name, UintegerValue(value + 1)),
                                  true,
                                  name << " does not take a legal value");
        }
        const linuxtcp::NvParameters p = nv->Parameters();
        const std::vector<uint32_t> expected = {11, 3, 3, 39, 9, 129, 9, 1, 61, 21, 31, 11, 3};
        const std::vector<uint32_t> got = {p.pad,
                                           p.padBuffer,
                                           p.minimumWindow,
                                           p.congestionDecrease,
                                           p.ssThreshFactor,
                                           p.rttFactor,
                                           p.slowGrowthDecisions,
                                           p.fastGrowthDecisions,
                                           p.decreaseSamples,
                                           p.increaseSamples,
                                           p.slowStartSamples,
                                           p.stopRounds,
                                           p.decreaseRounds};
        NS_TEST_EXPECT_MSG_EQ((got == expected), true, "parameters of the algorithm");
        NS_TEST_EXPECT_MSG_EQ(nv->SetAttributeFailSafe("MinimumWindow", UintegerValue(1)),
                              false,
                              "a window below 2 is allowed");

        nv->SetAttribute("ResetPeriod", TimeValue(Seconds(3)));
        nv->SetAttribute("BaseRtt", TimeValue(MicroSeconds(80)));
        nv->SetAttribute("ClockTicksPerSecond", UintegerValue(250));
        NS_TEST_EXPECT_MSG_EQ(nv->Parameters().resetPeriodUs, 3000000, "reset period");
        NS_TEST_EXPECT_MSG_EQ(nv->Parameters().baseRttUs, 80, "base RTT");
        NS_TEST_EXPECT_MSG_EQ(nv->Parameters().hz, 250, "ticks");
        NS_TEST_EXPECT_MSG_EQ(nv->SetAttributeFailSafe("ResetPeriod", TimeValue(Time(0))),
                              false,
                              "a period of nothing is allowed");
        NS_TEST_EXPECT_MSG_EQ(nv->SetAttributeFailSafe("BaseRtt", TimeValue(Seconds(-1))),
                              false,
                              "a negative RTT is allowed");
        NS_TEST_EXPECT_MSG_EQ(nv->SetAttributeFailSafe("LossFactor", UintegerValue(1025)),
                              false,
                              "a factor above 1 is allowed");
        NS_TEST_EXPECT_MSG_EQ(nv->GetName(), "TcpNv", "name");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief The profile decides what was not set, in whatever order, also as a default.
 */
class TcpNvProfileTest : public TestCase
{
  public:
    TcpNvProfileTest()
        : TestCase("profiles")
    {
    }

  private:
    void DoRun() override
    {
        Ptr<OpenNv> nv = CreateObject<OpenNv>();
        Check(nv, 819, linuxtcp::NvInFlight::DELIVERED_SINCE, linuxtcp::NvUndo::PRIOR_WINDOW);
        nv->SetAttribute("Profile", StringValue("4.15"));
        Check(nv, 819, linuxtcp::NvInFlight::WHEN_SENT, linuxtcp::NvUndo::PRIOR_WINDOW);
        nv->SetAttribute("Profile", StringValue("4.8"));
        Check(nv, 512, linuxtcp::NvInFlight::WHEN_SENT, linuxtcp::NvUndo::SAVED_WINDOW);
        nv->SetAttribute("LossFactor", UintegerValue(700));
        nv->SetAttribute("InFlight", StringValue("DeliveredSince"));
        nv->SetAttribute("Undo", StringValue("PriorWindow"));
        Check(nv, 700, linuxtcp::NvInFlight::DELIVERED_SINCE, linuxtcp::NvUndo::PRIOR_WINDOW);
        nv->SetAttribute("Profile", StringValue("5.16"));
        Check(nv, 700, linuxtcp::NvInFlight::DELIVERED_SINCE, linuxtcp::NvUndo::PRIOR_WINDOW);
        NS_TEST_EXPECT_MSG_EQ(
            nv->SetAttributeFailSafe("Profile", EnumValue(static_cast<TcpNv::Profile>(99))),
            false,
            "an unknown profile is allowed");

        Config::SetDefault("ns3::TcpNv::Profile", StringValue("4.8"));
        nv = CreateObject<OpenNv>();
        Check(nv, 512, linuxtcp::NvInFlight::WHEN_SENT, linuxtcp::NvUndo::SAVED_WINDOW);
        Config::Reset();
    }

    /**
     * @brief Check what the profile decides.
     * @param nv the congestion control
     * @param lossFactor expected loss factor
     * @param inFlight expected definition of in flight
     * @param undo expected window after an undo
     */
    void Check(Ptr<OpenNv> nv,
               uint32_t lossFactor,
               linuxtcp::NvInFlight inFlight,
               linuxtcp::NvUndo undo)
    {
        const linuxtcp::NvParameters p = nv->Parameters();
        NS_TEST_EXPECT_MSG_EQ(p.lossFactor, lossFactor, "loss factor");
        NS_TEST_EXPECT_MSG_EQ((p.inFlightDefinition == inFlight), true, "in flight");
        NS_TEST_EXPECT_MSG_EQ((p.undo == undo), true, "undo");
        const bool whenSent = nv->GetInFlightDefinition() == TcpLinuxCongestion::AS_SENT;
        NS_TEST_EXPECT_MSG_EQ(whenSent,
                              (inFlight == linuxtcp::NvInFlight::WHEN_SENT),
                              "what the adapter reports");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief A flow alone fills its link with next to no queue, and the traces tell how.
 */
class TcpNvLinkTest : public TestCase
{
  public:
    /**
     * @brief Constructor
     * @param profile Linux version
     */
    explicit TcpNvLinkTest(std::string profile)
        : TestCase("a flow fills its link, profile " + profile),
          m_profile(std::move(profile))
    {
    }

  private:
    void DoRun() override
    {
        Ptr<TcpNv> nv = CreateObject<TcpNv>();
        nv->SetAttribute("Profile", StringValue(m_profile));
        nv->AssignStreams(1);
        nv->TraceConnectWithoutContext("MinRtt", MakeCallback(&TcpNvLinkTest::MinRtt, this));
        nv->TraceConnectWithoutContext("Rate", MakeCallback(&TcpNvLinkTest::Rate, this));
        nv->TraceConnectWithoutContext("MaxWindow", MakeCallback(&TcpNvLinkTest::MaxWindow, this));
        nv->TraceConnectWithoutContext("GrowthAllowed", MakeCallback(&TcpNvLinkTest::Growth, this));
        nv->TraceConnectWithoutContext("Evaluation", MakeCallback(&TcpNvLinkTest::Evaluated, this));
        SingleFlow::Options options;
        options.buffer = 500;
        SingleFlow flow(nv, options);
        const double utilisation = flow.MeasureUtilisation(Seconds(3), Seconds(8));
        NS_TEST_EXPECT_MSG_GT(utilisation, 0.95, "share of the link");
        NS_TEST_EXPECT_MSG_LT(utilisation, 1.001, "share of the link");
        // 20 ms of propagation, less than 0.5 ms of transmission
        NS_TEST_EXPECT_MSG_GT_OR_EQ(m_minRtt, MilliSeconds(20), "minimum RTT");
        NS_TEST_EXPECT_MSG_LT(m_minRtt, MilliSeconds(24), "minimum RTT");
        NS_TEST_EXPECT_MSG_GT(m_bestRate, 45000000, "rate");
        NS_TEST_EXPECT_MSG_LT(m_bestRate, 60000000, "rate");
        // 83 segments fit the path; the pad is 10.
        NS_TEST_EXPECT_MSG_GT(m_maxWindow, 85, "largest window");
        NS_TEST_EXPECT_MSG_LT(m_maxWindow, 115, "largest window");
        NS_TEST_EXPECT_MSG_GT(m_growthChanges, 0, "changes of the permission to grow");
        // One evaluation a round trip of 20 to 24 ms over 8 s
        NS_TEST_EXPECT_MSG_GT(m_evaluations, 300, "evaluations");
        NS_TEST_EXPECT_MSG_LT(m_evaluations, 410, "evaluations");
        NS_TEST_EXPECT_MSG_GT(m_decreases, 0, "decreases");
        NS_TEST_EXPECT_MSG_EQ(m_hasty, 0, "decreases with too few samples");
        Simulator::Destroy();
    }

    /**
     * @brief Trace sink
     * @param value new value
     */
    void MinRtt(Time /* old */, Time value)
    {
        m_minRtt = value;
    }

    /**
     * @brief Trace sink
     * @param value new value
     */
    void Rate(DataRate /* old */, DataRate value)
    {
        if (Simulator::Now() > Seconds(3))
        {
            m_bestRate = std::max(m_bestRate, value.GetBitRate());
        }
    }

    /**
     * @brief Trace sink
     * @param value new value
     */
    void MaxWindow(uint32_t /* old */, uint32_t value)
    {
        m_maxWindow = value;
    }

    /// Trace sink
    void Growth(bool /* old */, bool /* value */)
    {
        m_growthChanges++;
    }

    /**
     * @brief Trace sink
     * @param evaluation what was found
     */
    void Evaluated(const linuxtcp::NvEvaluation& evaluation)
    {
        m_evaluations++;
        if (evaluation.verdict == linuxtcp::NvVerdict::CONGESTED)
        {
            m_decreases++;
            m_hasty += evaluation.samples < 30 || evaluation.rounds < 2;
        }
    }

    std::string m_profile;       ///< Linux version
    Time m_minRtt;               ///< last minimum RTT
    uint64_t m_bestRate{0};      ///< best rate in congestion avoidance (bit/s)
    uint32_t m_maxWindow{0};     ///< last largest window (segments)
    uint32_t m_growthChanges{0}; ///< changes of the permission to grow
    uint32_t m_evaluations{0};   ///< evaluations
    uint32_t m_decreases{0};     ///< decreases among them
    uint32_t m_hasty{0};         ///< decreases with too few samples
};

/**
 * @ingroup linux-tcp-tests
 * @brief Forks have the same attributes, and share nothing.
 */
class TcpNvForkTest : public TestCase
{
  public:
    TcpNvForkTest()
        : TestCase("forks are independent")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t alone = RunPair(false);
        NS_TEST_EXPECT_MSG_EQ(RunPair(true), alone, "a second flow changes the first");
    }

    /**
     * @brief Run a flow, with or without another one on another link.
     * @param both whether the other one runs
     * @return bytes that the first has received
     */
    uint64_t RunPair(bool both)
    {
        Ptr<TcpNv> original = CreateObject<TcpNv>();
        original->SetAttribute("Pad", UintegerValue(7));
        original->AssignStreams(1);
        original->TraceConnectWithoutContext("MinRtt", MakeCallback(&TcpNvForkTest::MinRtt, this));
        Ptr<TcpNv> copy = DynamicCast<TcpNv>(original->Fork());
        copy->TraceConnectWithoutContext("MinRtt", MakeCallback(&TcpNvForkTest::MinRtt, this));
        UintegerValue pad;
        copy->GetAttribute("Pad", pad);
        NS_TEST_EXPECT_MSG_EQ(pad.Get(), 7, "attribute of the fork");

        m_seen.clear();
        SingleFlow::Options options;
        options.lossRate = 0.001;
        SingleFlow first(original, options);
        SingleFlow::Options other = options;
        other.delay = MilliSeconds(30);
        other.network = "10.1.2.0";
        other.start = MilliSeconds(2);
        std::unique_ptr<SingleFlow> second;
        if (both)
        {
            second = std::make_unique<SingleFlow>(copy, other);
        }
        Simulator::Stop(Seconds(4));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_seen.empty(), false, "traces");
        bool shortSeen = false;
        bool longSeen = false;
        for (const Time& rtt : m_seen)
        {
            shortSeen |= rtt >= MilliSeconds(20) && rtt < MilliSeconds(30);
            longSeen |= rtt >= MilliSeconds(60);
        }
        NS_TEST_EXPECT_MSG_EQ(shortSeen, true, "minimum RTT of the first");
        NS_TEST_EXPECT_MSG_EQ(longSeen, both, "minimum RTT of the second");
        const uint64_t received = first.GetReceived();
        Simulator::Destroy();
        return received;
    }

    /**
     * @brief Trace sink
     * @param value new value
     */
    void MinRtt(Time /* old */, Time value)
    {
        m_seen.push_back(value);
    }

    std::vector<Time> m_seen; ///< minimum RTTs seen
};

/**
 * @ingroup linux-tcp-tests
 * @brief TestSuite of TcpNv
 */
class TcpNvTestSuite : public TestSuite
{
  public:
    TcpNvTestSuite()
        : TestSuite("linux-tcp-nv", linuxtcp::TEST_SUITE_UNIT)
    {
        AddTestCase(new TcpNvAttributesTest, linuxtcp::TEST_CASE_QUICK);
        AddTestCase(new TcpNvProfileTest, linuxtcp::TEST_CASE_QUICK);
        AddTestCase(new TcpNvForkTest, linuxtcp::TEST_CASE_QUICK);
        for (const auto& profile : linuxtcp::NvParameters::GetProfiles())
        {
            AddTestCase(new TcpNvLinkTest(profile), linuxtcp::TEST_CASE_QUICK);
        }
        const auto make = [](const std::string& profile) {
            return [profile]() {
                Ptr<TcpNv> nv = CreateObject<TcpNv>();
                nv->SetAttribute("Profile", StringValue(profile));
                nv->AssignStreams(1);
                return nv;
            };
        };
        // Two periods of replacing the minimum RTT, of 5 s each.
        for (const std::string profile : {"4.8", "5.16"})
        {
            AddTestCase(new RouteChangeTest(", profile " + profile, make(profile), Seconds(13)),
                        linuxtcp::TEST_CASE_QUICK);
        }
        // After a timeout NV takes 20 samples at one segment per delayed acknowledgement.
        AddTestCase(new ExtremePathsTest("", make("5.16"), Seconds(8)), linuxtcp::TEST_CASE_QUICK);
    }
};

static TcpNvTestSuite g_tcpNvTestSuite; ///< the suite
