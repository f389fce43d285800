/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_CONGESTION_CONTROL_CASES_H
#define LINUX_TCP_CONGESTION_CONTROL_CASES_H

#include "single-flow.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/test.h"

#include <functional>
#include <string>
#include <utility>

/// Makes a congestion control with the attributes that a test is about
using CongestionControlMaker = std::function<ns3::Ptr<ns3::TcpCongestionOps>()>;

/**
 * @ingroup linux-tcp-tests
 * @brief A path without delay at 100 Gbit/s, and one whose buffer keeps the window very small.
 */
class ExtremePathsTest : public ns3::TestCase
{
  public:
    /**
     * @brief Constructor
     * @param variant what to add to the name
     * @param make makes the congestion control
     * @param settled when the flow with the small window is past its start and its first timeouts
     */
    ExtremePathsTest(const std::string& variant, CongestionControlMaker make, ns3::Time settled)
        : TestCase("extreme paths" + variant),
          m_make(std::move(make)),
          m_settled(settled)
    {
    }

  private:
    void DoRun() override
    {
        using namespace ns3;
        SingleFlow::Options fast;
        fast.rate = "100Gbps";
        fast.delay = Time(0);
        fast.buffer = 1000;
        fast.bytes = 20000000;
        fast.socketBuffer = 1 << 20;
        {
            SingleFlow flow(m_make(), fast);
            Simulator::Stop(Seconds(2));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(flow.GetReceived(),
                                  fast.bytes,
                                  "bytes over 100 Gbit/s, no delay");
            Simulator::Destroy();
        }
        SingleFlow::Options tiny;
        tiny.rate = "100Mbps";
        tiny.delay = MicroSeconds(5);
        tiny.buffer = 2;
        tiny.socketBuffer = 1 << 17;
        {
            SingleFlow flow(m_make(), tiny);
            const double utilisation = flow.MeasureUtilisation(m_settled, m_settled + Seconds(2));
            NS_TEST_EXPECT_MSG_GT(utilisation, 0.5, "share with a buffer of two packets");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(flow.GetSmallestWindow(), 2, "smallest window");
            Simulator::Destroy();
        }
    }

    CongestionControlMaker m_make; ///< makes the congestion control
    ns3::Time m_settled;           ///< start of the measurement
};

/**
 * @ingroup linux-tcp-tests
 * @brief After a change of the route from 1 ms to 3 ms at 3 s, the rate recovers.
 */
class RouteChangeTest : public ns3::TestCase
{
  public:
    /**
     * @brief Constructor
     * @param variant what to add to the name
     * @param make makes the congestion control
     * @param recovered when the rate must have recovered
     */
    RouteChangeTest(const std::string& variant, CongestionControlMaker make, ns3::Time recovered)
        : TestCase("recovery from a change of the route" + variant),
          m_make(std::move(make)),
          m_recovered(recovered)
    {
    }

  private:
    void DoRun() override
    {
        using namespace ns3;
        SingleFlow::Options options;
        options.rate = "100Mbps";
        options.delay = MicroSeconds(500);
        SingleFlow flow(m_make(), options);
        flow.ChangeDelay(Seconds(3), MicroSeconds(1500));
        NS_TEST_EXPECT_MSG_GT(flow.MeasureUtilisation(Seconds(2), Seconds(3)), 0.9, "before");
        NS_TEST_EXPECT_MSG_GT(flow.MeasureUtilisation(m_recovered, m_recovered + Seconds(1)),
                              0.9,
                              "after");
        Simulator::Destroy();
    }

    CongestionControlMaker m_make; ///< makes the congestion control
    ns3::Time m_recovered;         ///< when the rate must have recovered
};

#endif /* LINUX_TCP_CONGESTION_CONTROL_CASES_H */
