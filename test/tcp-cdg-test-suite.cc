/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup linux-tcp-tests
 * Tests of TcpCdg: what it adds to linuxtcp::CdgWindow, and its behaviour in whole simulations.
 */

#include "congestion-control-cases.h"
#include "single-flow.h"

#include "ns3/boolean.h"
#include "ns3/cdg-window.h"
#include "ns3/ns3-compat.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-cdg.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

using namespace ns3;

namespace
{

/// TcpCdg with its protected members open
class OpenCdg : public TcpCdg
{
  public:
    /**
     * @brief The parameters that the algorithm gets.
     * @return the parameters
     */
    linuxtcp::CdgParameters Parameters() const
    {
        auto algorithm = MakeAlgorithm();
        return static_cast<const linuxtcp::CdgWindow&>(*algorithm).GetParameters();
    }
};

} // namespace

/**
 * @ingroup linux-tcp-tests
 * @brief Attributes have the kernel's defaults, legal ranges, and reach the algorithm.
 */
class TcpCdgAttributesTest : public TestCase
{
  public:
    TcpCdgAttributesTest()
        : TestCase("attributes")
    {
    }

  private:
    void DoRun() override
    {
        Ptr<OpenCdg> cdg = CreateObject<OpenCdg>();
        linuxtcp::CdgParameters p = cdg->Parameters();
        NS_TEST_EXPECT_MSG_EQ(p.window, 8, "window");
        NS_TEST_EXPECT_MSG_EQ(p.backoffBeta, 724, "beta");
        NS_TEST_EXPECT_MSG_EQ(p.backoffFactor, 42, "factor");
        NS_TEST_EXPECT_MSG_EQ(+p.hystartDetect, 3, "detectors");
        NS_TEST_EXPECT_MSG_EQ(p.ineffectualLimit, 5, "limit of ineffectual back-offs");
        NS_TEST_EXPECT_MSG_EQ(p.shadowWindow, true, "shadow window");
        NS_TEST_EXPECT_MSG_EQ(p.lossTolerance, false, "loss tolerance");

        cdg->SetAttribute("GradientWindow", UintegerValue(16));
        cdg->SetAttribute("BackoffBeta", UintegerValue(700));
        cdg->SetAttribute("BackoffFactor", UintegerValue(21));
        cdg->SetAttribute("SlowStartDetectors", StringValue("Delay"));
        cdg->SetAttribute("IneffectualLimit", UintegerValue(0));
        cdg->SetAttribute("ShadowWindow", BooleanValue(false));
        cdg->SetAttribute("LossTolerance", BooleanValue(true));
        p = cdg->Parameters();
        NS_TEST_EXPECT_MSG_EQ(p.window, 16, "window");
        NS_TEST_EXPECT_MSG_EQ(p.backoffBeta, 700, "beta");
        NS_TEST_EXPECT_MSG_EQ(p.backoffFactor, 21, "factor");
        NS_TEST_EXPECT_MSG_EQ(+p.hystartDetect, 2, "detectors");
        NS_TEST_EXPECT_MSG_EQ(p.ineffectualLimit, 0, "limit of ineffectual back-offs");
        NS_TEST_EXPECT_MSG_EQ(p.shadowWindow, false, "shadow window");
        NS_TEST_EXPECT_MSG_EQ(p.lossTolerance, true, "loss tolerance");

        for (const uint32_t window : {0U, 3U, 24U, 255U, 257U, 512U})
        {
            NS_TEST_EXPECT_MSG_EQ(
                cdg->SetAttributeFailSafe("GradientWindow", UintegerValue(window)),
                false,
                "a window of " << window << " is allowed");
        }
        for (uint32_t window = 1; window <= 256; window *= 2)
        {
            NS_TEST_EXPECT_MSG_EQ(
                cdg->SetAttributeFailSafe("GradientWindow", UintegerValue(window)),
                true,
                "a window of " << window << " is refused");
            NS_TEST_EXPECT_MSG_EQ(cdg->Parameters().window, window, "window");
        }
        NS_TEST_EXPECT_MSG_EQ(cdg->SetAttributeFailSafe("BackoffBeta", UintegerValue(1025)),
                              false,
                              "a factor above 1 is allowed");
        NS_TEST_EXPECT_MSG_EQ(cdg->GetName(), "TcpCdg", "name");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief A flow alone fills its link, backing off before the queue is full; the traces tell how.
 */
class TcpCdgLinkTest : public TestCase
{
  public:
    TcpCdgLinkTest()
        : TestCase("a flow fills its link")
    {
    }

  private:
    void DoRun() override
    {
        Ptr<TcpCdg> cdg = CreateObject<TcpCdg>();
        cdg->AssignStreams(1);
        cdg->TraceConnectWithoutContext("Gradient", MakeCallback(&TcpCdgLinkTest::Gradient, this));
        cdg->TraceConnectWithoutContext("BackOff", MakeCallback(&TcpCdgLinkTest::BackOff, this));
        cdg->TraceConnectWithoutContext("SlowStartExit", MakeCallback(&TcpCdgLinkTest::Exit, this));
        cdg->TraceConnectWithoutContext("HystartTrainDetect",
                                        MakeCallback(&TcpCdgLinkTest::Detected, this));
        cdg->TraceConnectWithoutContext("HystartDelayDetect",
                                        MakeCallback(&TcpCdgLinkTest::Detected, this));
        cdg->TraceConnectWithoutContext("ShadowWindow",
                                        MakeCallback(&TcpCdgLinkTest::Shadow, this));
        cdg->TraceConnectWithoutContext("QueueState", MakeCallback(&TcpCdgLinkTest::State, this));
        SingleFlow::Options options;
        options.rate = "20Mbps";
        options.delay = MilliSeconds(20);
        options.buffer = 200;
        SingleFlow flow(cdg, options);
        const double utilisation = flow.MeasureUtilisation(Seconds(5), Seconds(35));
        NS_TEST_EXPECT_MSG_GT(utilisation, 0.8, "share of the link");
        NS_TEST_EXPECT_MSG_LT(utilisation, 1.001, "share of the link");
        NS_TEST_EXPECT_MSG_GT(m_gradients, 200, "gradients, one a round trip");
        NS_TEST_EXPECT_MSG_GT(m_backoffs, 0, "back-offs");
        NS_TEST_EXPECT_MSG_EQ(m_wrongBackoffs, 0, "back-offs to another factor");
        NS_TEST_EXPECT_MSG_EQ(m_exits, m_detections, "exits from slow start");
        NS_TEST_EXPECT_MSG_GT(m_largestShadow, 10, "shadow window");
        NS_TEST_EXPECT_MSG_EQ(m_backoffStates, m_backoffs, "back-offs by the state");
        Simulator::Destroy();
    }

    /// Trace sink
    void Gradient(Time /* gradient */)
    {
        m_gradients++;
    }

    /**
     * @brief Trace sink
     * @param window window (segments)
     * @param threshold threshold (segments)
     * @param gradient gradient
     */
    void BackOff(uint32_t window, uint32_t threshold, Time gradient)
    {
        m_backoffs++;
        m_wrongBackoffs += threshold != std::max(2U, window * 724 / 1024) || gradient <= Time(0);
    }

    /**
     * @brief Trace sink
     * @param detector the detector
     * @param window window (segments)
     * @param minRtt smallest RTT
     * @param roundRtt smallest RTT of the round
     */
    void Exit(std::string detector, uint32_t window, Time minRtt, Time roundRtt)
    {
        m_exits++;
        NS_TEST_EXPECT_MSG_EQ((detector == "train" || detector == "delay"), true, "detector");
        NS_TEST_EXPECT_MSG_GT(window, 1, "window");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(minRtt, MilliSeconds(40), "minimum RTT");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(roundRtt, minRtt, "RTT of the round");
    }

    /**
     * @brief Trace sink
     * @param oldValue old value
     * @param value new value
     */
    void Detected(uint32_t oldValue, uint32_t value)
    {
        m_detections += value - oldValue;
    }

    /**
     * @brief Trace sink
     * @param value new value
     */
    void Shadow(uint32_t /* old */, uint32_t value)
    {
        m_largestShadow = std::max(m_largestShadow, value);
    }

    /**
     * @brief Trace sink
     * @param value new value
     */
    void State(uint8_t /* old */, uint8_t value)
    {
        m_backoffStates += value == static_cast<uint8_t>(linuxtcp::CdgQueueState::BACKOFF);
    }

    uint32_t m_gradients{0};     ///< gradients
    uint32_t m_backoffs{0};      ///< back-offs
    uint32_t m_wrongBackoffs{0}; ///< back-offs to another factor, or without a gradient
    uint32_t m_exits{0};         ///< exits from slow start
    uint32_t m_detections{0};    ///< exits from slow start by the counters
    uint32_t m_largestShadow{0}; ///< largest shadow window (segments)
    uint32_t m_backoffStates{0}; ///< times that the state became BACKOFF
};

/**
 * @ingroup linux-tcp-tests
 * @brief Forks have the same attributes; each draws numbers of its own.
 */
class TcpCdgForkTest : public TestCase
{
  public:
    TcpCdgForkTest()
        : TestCase("forks are independent")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t alone = RunPair(false, 1);
        NS_TEST_EXPECT_MSG_EQ(RunPair(true, 1), alone, "a second flow changes the first");
        NS_TEST_EXPECT_MSG_EQ(RunPair(false, 1), alone, "the same stream, other numbers");
        NS_TEST_EXPECT_MSG_NE(RunPair(false, 2), alone, "another stream, the same numbers");
    }

    /**
     * @brief Run a flow, with or without another one on another link.
     * @param both whether the other one runs
     * @param stream stream of the random numbers
     * @return bytes that the first has received
     */
    uint64_t RunPair(bool both, int64_t stream)
    {
        Ptr<TcpCdg> original = CreateObject<TcpCdg>();
        original->SetAttribute("GradientWindow", UintegerValue(4));
        NS_TEST_EXPECT_MSG_EQ(original->AssignStreams(stream), 1, "streams");
        m_gradients = 0;
        original->TraceConnectWithoutContext("Gradient",
                                             MakeCallback(&TcpCdgForkTest::Gradient, this));
        Ptr<TcpCdg> copy = DynamicCast<TcpCdg>(original->Fork());
        UintegerValue window;
        copy->GetAttribute("GradientWindow", window);
        NS_TEST_EXPECT_MSG_EQ(window.Get(), 4, "attribute of the fork");

        SingleFlow::Options options;
        options.rate = "20Mbps";
        options.delay = MilliSeconds(20);
        options.buffer = 200;
        SingleFlow first(original, options);
        SingleFlow::Options other = options;
        other.network = "10.1.2.0";
        other.start = MilliSeconds(2);
        std::unique_ptr<SingleFlow> second;
        if (both)
        {
            second = std::make_unique<SingleFlow>(copy, other);
        }
        Simulator::Stop(Seconds(12));
        Simulator::Run();
        const uint64_t received = first.GetReceived();
        NS_TEST_EXPECT_MSG_GT(m_gradients, (both ? 300 : 100), "gradients, by the same sink");
        if (both)
        {
            NS_TEST_EXPECT_MSG_NE(second->GetReceived(), received, "flows in lockstep");
        }
        Simulator::Destroy();
        return received;
    }

    /// Trace sink
    void Gradient(Time /* gradient */)
    {
        m_gradients++;
    }

    uint32_t m_gradients{0}; ///< gradients
};

/**
 * @ingroup linux-tcp-tests
 * @brief TestSuite of TcpCdg
 */
class TcpCdgTestSuite : public TestSuite
{
  public:
    TcpCdgTestSuite()
        : TestSuite("linux-tcp-cdg", linuxtcp::TEST_SUITE_UNIT)
    {
        AddTestCase(new TcpCdgAttributesTest, linuxtcp::TEST_CASE_QUICK);
        AddTestCase(new TcpCdgForkTest, linuxtcp::TEST_CASE_QUICK);
        AddTestCase(new TcpCdgLinkTest, linuxtcp::TEST_CASE_QUICK);
        const auto make = []() {
            Ptr<TcpCdg> cdg = CreateObject<TcpCdg>();
            cdg->AssignStreams(1);
            return cdg;
        };
        AddTestCase(new RouteChangeTest("", make, Seconds(12)), linuxtcp::TEST_CASE_QUICK);
        AddTestCase(new ExtremePathsTest("", make, Seconds(2)), linuxtcp::TEST_CASE_QUICK);
    }
};

static TcpCdgTestSuite g_tcpCdgTestSuite; ///< the suite
