/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup linux-tcp-tests
 * Tests of TcpLinuxHtcp: what it adds to the algorithm, and its behaviour in whole simulations.
 */

#include "congestion-control-cases.h"
#include "single-flow.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/htcp-window.h"
#include "ns3/ns3-compat.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-linux-htcp.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// TcpLinuxHtcp with its protected members open
class OpenHtcp : public TcpLinuxHtcp
{
  public:
    using TcpLinuxHtcp::MakeAlgorithm;
};

} // namespace

/**
 * @ingroup linux-tcp-tests
 * @brief Attributes have the kernel's defaults and reach the algorithm.
 */
class TcpLinuxHtcpAttributesTest : public TestCase
{
  public:
    TcpLinuxHtcpAttributesTest()
        : TestCase("attributes")
    {
    }

  private:
    void DoRun() override
    {
        Ptr<OpenHtcp> htcp = CreateObject<OpenHtcp>();
        {
            auto algorithm = htcp->MakeAlgorithm();
            const auto* window = dynamic_cast<const linuxtcp::HtcpWindow*>(algorithm.get());
            NS_TEST_ASSERT_MSG_NE(window, nullptr, "the default is not Linux's");
            const linuxtcp::HtcpParameters& p = window->GetParameters();
            NS_TEST_EXPECT_MSG_EQ(p.rttScaling, true, "RTT scaling");
            NS_TEST_EXPECT_MSG_EQ(p.bandwidthSwitch, true, "bandwidth switch");
            NS_TEST_EXPECT_MSG_EQ(p.adaptiveBackoff, true, "adaptive back-off");
            NS_TEST_EXPECT_MSG_EQ(p.slowStartPerAck, false, "slow start");
            NS_TEST_EXPECT_MSG_EQ(p.hz, 1000, "ticks");
        }
        htcp->SetAttribute("RttScaling", BooleanValue(false));
        htcp->SetAttribute("BandwidthSwitch", BooleanValue(false));
        htcp->SetAttribute("AdaptiveBackoff", BooleanValue(false));
        htcp->SetAttribute("SlowStartPerAck", BooleanValue(true));
        htcp->SetAttribute("ClockTicksPerSecond", UintegerValue(250));
        {
            auto algorithm = htcp->MakeAlgorithm();
            const auto& p = dynamic_cast<const linuxtcp::HtcpWindow&>(*algorithm).GetParameters();
            NS_TEST_EXPECT_MSG_EQ(p.rttScaling, false, "RTT scaling");
            NS_TEST_EXPECT_MSG_EQ(p.bandwidthSwitch, false, "bandwidth switch");
            NS_TEST_EXPECT_MSG_EQ(p.adaptiveBackoff, false, "adaptive back-off");
            NS_TEST_EXPECT_MSG_EQ(p.slowStartPerAck, true, "slow start");
            NS_TEST_EXPECT_MSG_EQ(p.hz, 250, "ticks");
        }
        htcp->SetAttribute("Variant", StringValue("Published"));
        auto algorithm = htcp->MakeAlgorithm();
        const auto* published = dynamic_cast<const linuxtcp::HtcpPublishedWindow*>(algorithm.get());
        NS_TEST_EXPECT_MSG_NE(published, nullptr, "the published variant cannot be had");
        NS_TEST_EXPECT_MSG_EQ(
            htcp->SetAttributeFailSafe("Variant",
                                       EnumValue(static_cast<TcpLinuxHtcp::Variant>(99))),
            false,
            "an unknown variant is allowed");
        NS_TEST_EXPECT_MSG_EQ(htcp->GetName(), "TcpLinuxHtcp", "name");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief A flow alone fills its link, and the traces tell how.
 */
class TcpLinuxHtcpLinkTest : public TestCase
{
  public:
    /**
     * @brief Constructor
     * @param variant value of the attribute Variant
     */
    explicit TcpLinuxHtcpLinkTest(std::string variant)
        : TestCase("a flow fills its link, variant " + variant),
          m_variant(std::move(variant))
    {
    }

  private:
    void DoRun() override
    {
        Ptr<TcpLinuxHtcp> htcp = CreateObject<TcpLinuxHtcp>();
        htcp->SetAttribute("Variant", StringValue(m_variant));
        htcp->TraceConnectWithoutContext("Alpha", MakeCallback(&TcpLinuxHtcpLinkTest::Alpha, this));
        htcp->TraceConnectWithoutContext("Beta", MakeCallback(&TcpLinuxHtcpLinkTest::Beta, this));
        htcp->TraceConnectWithoutContext("Delta", MakeCallback(&TcpLinuxHtcpLinkTest::Delta, this));
        htcp->TraceConnectWithoutContext("MinRtt",
                                         MakeCallback(&TcpLinuxHtcpLinkTest::MinRtt, this));
        htcp->TraceConnectWithoutContext("MaxRtt",
                                         MakeCallback(&TcpLinuxHtcpLinkTest::MaxRtt, this));
        htcp->TraceConnectWithoutContext("Throughput",
                                         MakeCallback(&TcpLinuxHtcpLinkTest::Throughput, this));
        SingleFlow::Options options;
        options.rate = "20Mbps";
        options.delay = MilliSeconds(20);
        options.buffer = 67; // one bandwidth-delay product
        SingleFlow flow(htcp, options);
        const double utilisation = flow.MeasureUtilisation(Seconds(5), Seconds(30));
        NS_TEST_EXPECT_MSG_GT(utilisation, 0.95, "share of the link");
        NS_TEST_EXPECT_MSG_LT(utilisation, 1.001, "share of the link");
        NS_TEST_EXPECT_MSG_GT(*std::max_element(m_alphas.begin(), m_alphas.end()), 1.0, "alpha");
        NS_TEST_EXPECT_MSG_EQ(m_betasInRange, true, "beta in [0.5, 0.8]");
        // With a buffer of one bandwidth-delay product, minimum over maximum RTT is about 0.5.
        NS_TEST_EXPECT_MSG_LT(m_beta, 0.65, "beta");
        NS_TEST_EXPECT_MSG_GT(m_longestDelta, Seconds(1), "time between losses");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(m_minRtt, MilliSeconds(40), "minimum RTT");
        NS_TEST_EXPECT_MSG_LT(m_minRtt, MilliSeconds(43), "minimum RTT");
        NS_TEST_EXPECT_MSG_GT(m_maxRtt, MilliSeconds(60), "maximum RTT");
        NS_TEST_EXPECT_MSG_LT(m_maxRtt, MilliSeconds(100), "maximum RTT");
        NS_TEST_EXPECT_MSG_GT(m_throughput, 15000000, "throughput");
        NS_TEST_EXPECT_MSG_LT(m_throughput, 25000000, "throughput");
        Simulator::Destroy();
    }

    /**
     * @brief Trace sink
     * @param value new value
     */
    void Alpha(double /* old */, double value)
    {
        m_alphas.push_back(value);
    }

    /**
     * @brief Trace sink
     * @param value new value
     */
    void Beta(double /* old */, double value)
    {
        m_beta = value;
        m_betasInRange = m_betasInRange && value >= 0.5 && value <= 0.8;
    }

    /**
     * @brief Trace sink
     * @param value new value
     */
    void Delta(Time /* old */, Time value)
    {
        m_longestDelta = Max(m_longestDelta, value);
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
    void MaxRtt(Time /* old */, Time value)
    {
        m_maxRtt = value;
    }

    /**
     * @brief Trace sink
     * @param value new value
     */
    void Throughput(DataRate /* old */, DataRate value)
    {
        m_throughput = value.GetBitRate();
    }

    std::string m_variant;        ///< value of the attribute Variant
    std::vector<double> m_alphas; ///< increases seen (segments per RTT)
    double m_beta{0.5};           ///< last decrease factor
    bool m_betasInRange{true};    ///< whether all decrease factors were legal
    Time m_longestDelta;          ///< longest time since an event
    Time m_minRtt;                ///< last minimum RTT
    Time m_maxRtt;                ///< last maximum RTT
    uint64_t m_throughput{0};     ///< last throughput (bit/s)
};

/**
 * @ingroup linux-tcp-tests
 * @brief Forks have the same attributes, and share nothing.
 */
class TcpLinuxHtcpForkTest : public TestCase
{
  public:
    TcpLinuxHtcpForkTest()
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
        Ptr<TcpLinuxHtcp> original = CreateObject<TcpLinuxHtcp>();
        original->SetAttribute("RttScaling", BooleanValue(false));
        original->TraceConnectWithoutContext("MinRtt",
                                             MakeCallback(&TcpLinuxHtcpForkTest::MinRtt, this));
        Ptr<TcpLinuxHtcp> copy = DynamicCast<TcpLinuxHtcp>(original->Fork());
        copy->TraceConnectWithoutContext("MinRtt",
                                         MakeCallback(&TcpLinuxHtcpForkTest::MinRtt, this));
        BooleanValue scaling;
        copy->GetAttribute("RttScaling", scaling);
        NS_TEST_EXPECT_MSG_EQ(scaling.Get(), false, "attribute of the fork");

        m_smallest = Seconds(10);
        m_largest = Seconds(0);
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
        NS_TEST_EXPECT_MSG_LT(m_smallest, MilliSeconds(30), "minimum RTT of the first");
        NS_TEST_EXPECT_MSG_EQ((m_largest >= MilliSeconds(60)), both, "minimum RTT of the second");
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
        m_smallest = Min(m_smallest, value);
        m_largest = Max(m_largest, value);
    }

    Time m_smallest; ///< smallest minimum RTT seen
    Time m_largest;  ///< largest minimum RTT seen
};

/**
 * @ingroup linux-tcp-tests
 * @brief TestSuite of TcpLinuxHtcp
 */
class TcpLinuxHtcpTestSuite : public TestSuite
{
  public:
    TcpLinuxHtcpTestSuite()
        : TestSuite("linux-tcp-htcp", linuxtcp::TEST_SUITE_UNIT)
    {
        AddTestCase(new TcpLinuxHtcpAttributesTest, linuxtcp::TEST_CASE_QUICK);
        AddTestCase(new TcpLinuxHtcpForkTest, linuxtcp::TEST_CASE_QUICK);
        for (const std::string variant : {"Linux", "Published"})
        {
            AddTestCase(new TcpLinuxHtcpLinkTest(variant), linuxtcp::TEST_CASE_QUICK);
            const auto make = [variant]() {
                Ptr<TcpLinuxHtcp> htcp = CreateObject<TcpLinuxHtcp>();
                htcp->SetAttribute("Variant", StringValue(variant));
                return htcp;
            };
            AddTestCase(new ExtremePathsTest(", variant " + variant, make, Seconds(2)),
                        linuxtcp::TEST_CASE_QUICK);
        }
    }
};

static TcpLinuxHtcpTestSuite g_tcpLinuxHtcpTestSuite; ///< the suite
