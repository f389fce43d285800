/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup linux-tcp-tests
 * Tests of RpcClient, RpcServer, StreamSender and StreamSink on nodes that ns-3's own helpers
 * make.
 */

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/node-container.h"
#include "ns3/ns3-compat.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/rpc-client.h"
#include "ns3/rpc-server.h"
#include "ns3/simulator.h"
#include "ns3/stream-sender.h"
#include "ns3/string.h"
#include "ns3/tcp-linux-helper.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;

/**
 * @ingroup linux-tcp-tests
 * @brief Two nodes with a link of 100 Mbit/s and 5 ms.
 */
class ApplicationTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor
     * @param name name of the case
     * @param kind kind of sockets, "linux" or "stock"
     */
    ApplicationTestCase(const std::string& name, const std::string& kind)
        : TestCase(name + ", " + kind + " sockets"),
          m_kind(kind)
    {
    }

  protected:
    void DoSetup() override
    {
        m_nodes = NodeContainer();
        m_nodes.Create(2);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
        // a queue that holds everything, and no queue disc: nothing is lost
        link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("3000p"));
        link.DisableFlowControl();
        link.SetChannelAttribute("Delay", StringValue("5ms"));
        const auto devices = link.Install(m_nodes);
        InternetStackHelper().Install(m_nodes);
        Ipv4AddressHelper addresses("10.1.1.0", "255.255.255.0");
        addresses.Assign(devices);
    }

    void DoTeardown() override
    {
        m_nodes = NodeContainer();
        Simulator::Destroy();
    }

    /**
     * @brief Make applications use the kind of sockets.
     * @param application an application
     */
    template <typename T>
    void Prepare(Ptr<T> application) const
    {
        TcpLinuxHelper tcp;
        tcp.SetCongestionControl("reno");
        tcp.SetSocket(m_kind);
        tcp.SetSocketAttribute("SegmentSize", "1448");
        tcp.SetSocketAttribute("InitialCwnd", "10");
        tcp.SetSocketAttribute("DelAckTimeout", "40ms");
        tcp.SetSocketAttribute("SndBufSize", "4000000");
        tcp.SetSocketAttribute("RcvBufSize", "4000000");
        application->SetSocketCreator(tcp.GetSocketCreator());
    }

    /**
     * @brief Install a server on the second node.
     * @param server the server
     * @return address to connect to
     */
    template <typename T>
    Address Serve(Ptr<T> server)
    {
        server->SetAttribute("Local", AddressValue(InetSocketAddress(Ipv4Address::GetAny(), 80)));
        Prepare(server);
        m_nodes.Get(1)->AddApplication(server);
        return InetSocketAddress("10.1.1.2", 80);
    }

    std::string m_kind;    ///< kind of sockets
    NodeContainer m_nodes; ///< client and server
};

/**
 * @ingroup linux-tcp-tests
 * @brief A closed loop: number, times and pauses of requests over one connection.
 */
class RpcLoopTestCase : public ApplicationTestCase
{
  public:
    /**
     * @brief Constructor
     * @param kind kind of sockets
     */
    explicit RpcLoopTestCase(const std::string& kind)
        : ApplicationTestCase("closed loop", kind)
    {
    }

  private:
    /**
     * @brief A request was answered.
     * @param index its number
     * @param start when it was sent
     * @param completion when the response was complete
     */
    void Completed(uint64_t index, Time start, Time completion)
    {
        NS_TEST_EXPECT_MSG_EQ(index, m_start.size(), "numbers in order");
        m_start.push_back(start);
        m_completion.push_back(completion);
    }

    /**
     * @brief A connection was accepted.
     * @param socket its socket
     * @param from the peer
     */
    void Accepted(Ptr<Socket> /* socket */, const Address& /* from */)
    {
        ++m_accepted;
    }

    void DoRun() override
    {
        const auto server = CreateObject<RpcServer>();
        server->SetAttribute("RequestSize", UintegerValue(10000));
        server->SetAttribute("ResponseSize", UintegerValue(100));
        server->TraceConnectWithoutContext("Accepted",
                                           MakeCallback(&RpcLoopTestCase::Accepted, this));
        const auto client = CreateObject<RpcClient>();
        client->SetAttribute("Remote", AddressValue(Serve(server)));
        client->SetAttribute("RequestSize", UintegerValue(10000));
        client->SetAttribute("ResponseSize", UintegerValue(100));
        client->SetAttribute("Requests", UintegerValue(5));
        client->SetAttribute("ThinkTime", TimeValue(MilliSeconds(3)));
        client->TraceConnectWithoutContext("Completed",
                                           MakeCallback(&RpcLoopTestCase::Completed, this));
        Prepare(client);
        m_nodes.Get(0)->AddApplication(client);
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_start.size(), 5, "five requests");
        NS_TEST_EXPECT_MSG_EQ(m_accepted, 1, "one connection");
        NS_TEST_EXPECT_MSG_EQ(server->GetReceivedRequests(), 5, "the server saw as many");
        NS_TEST_EXPECT_MSG_EQ(server->GetReceivedBytes(), 50000, "bytes of requests");
        // the handshake takes one round trip of 10 ms
        NS_TEST_EXPECT_MSG_GT_OR_EQ(m_start[0], MilliSeconds(10), "after the handshake");
        NS_TEST_EXPECT_MSG_LT(m_start[0], MicroSeconds(10100), "right after the handshake");
        for (std::size_t i = 0; i < 5; ++i)
        {
            // one round trip, and 0.8 ms of data at 100 Mbit/s
            const Time took = m_completion[i] - m_start[i];
            NS_TEST_EXPECT_MSG_GT_OR_EQ(took, MicroSeconds(10800), "not too fast");
            NS_TEST_EXPECT_MSG_LT(took, MicroSeconds(11200), "not too slow");
            if (i > 0)
            {
                NS_TEST_EXPECT_MSG_EQ(m_start[i] - m_completion[i - 1],
                                      MilliSeconds(3),
                                      "think time");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(client->SendRequest(), false, "closed after the last request");
    }

    std::vector<Time> m_start;      ///< when requests were sent
    std::vector<Time> m_completion; ///< when they were answered
    uint32_t m_accepted{0};         ///< connections
};

/**
 * @ingroup linux-tcp-tests
 * @brief Requests on demand, larger than the send buffer, with large responses.
 */
class RpcManualTestCase : public ApplicationTestCase
{
  public:
    /**
     * @brief Constructor
     * @param kind kind of sockets
     */
    explicit RpcManualTestCase(const std::string& kind)
        : ApplicationTestCase("requests on demand", kind)
    {
    }

  private:
    void DoRun() override
    {
        const auto server = CreateObject<RpcServer>();
        const auto client = CreateObject<RpcClient>();
        for (const Ptr<Object>& side : {Ptr<Object>(server), Ptr<Object>(client)})
        {
            side->SetAttribute("RequestSize", UintegerValue(1000000));
            side->SetAttribute("ResponseSize", UintegerValue(700000));
        }
        client->SetAttribute("Remote", AddressValue(Serve(server)));
        client->SetAttribute("Automatic", BooleanValue(false));
        Prepare(client);
        m_nodes.Get(0)->AddApplication(client);
        Simulator::Schedule(Seconds(1), [&]() {
            NS_TEST_EXPECT_MSG_EQ(client->GetCompletedRequests(), 0, "nothing by itself");
            NS_TEST_EXPECT_MSG_EQ(client->SendRequest(), true, "a request");
            NS_TEST_EXPECT_MSG_EQ(client->SendRequest(), false, "not two at a time");
        });
        Simulator::Schedule(Seconds(5), [&]() {
            NS_TEST_EXPECT_MSG_EQ(client->GetCompletedRequests(), 1, "answered");
            NS_TEST_EXPECT_MSG_EQ(client->SendRequest(), true, "another request");
        });
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(client->GetCompletedRequests(), 2, "answered");
        NS_TEST_EXPECT_MSG_EQ(server->GetReceivedBytes(), 2000000, "bytes of requests");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Transfers and bursts.
 */
class StreamTestCase : public ApplicationTestCase
{
  public:
    /**
     * @brief Constructor
     * @param kind kind of sockets
     */
    explicit StreamTestCase(const std::string& kind)
        : ApplicationTestCase("transfer and bursts", kind)
    {
    }

  private:
    /**
     * @brief A transfer is complete.
     * @param start when it was opened
     * @param completion when the last byte was acknowledged
     */
    void Completed(Time start, Time completion)
    {
        m_completed.push_back(completion - start);
    }

    /**
     * @brief A burst was acknowledged.
     * @param index its number
     * @param start when it was written
     * @param completion when its last byte was acknowledged
     * @param bytes its size (bytes)
     */
    void BurstCompleted(uint64_t index, Time start, Time completion, uint64_t bytes)
    {
        NS_TEST_EXPECT_MSG_EQ(index, m_bursts.size(), "numbers in order");
        NS_TEST_EXPECT_MSG_GT(completion - start, MilliSeconds(10), "at least a round trip");
        m_bursts.push_back(start);
        m_burstBytes += bytes;
    }

    void DoRun() override
    {
        const auto sink = CreateObject<StreamSink>();
        const Address remote = Serve(sink);
        const auto bulk = CreateObject<StreamSender>();
        bulk->SetAttribute("Remote", AddressValue(remote));
        bulk->SetAttribute("MaxBytes", UintegerValue(3000001));
        const auto bursts = CreateObject<StreamSender>();
        bursts->SetAttribute("Remote", AddressValue(remote));
        bursts->SetAttribute("BurstBytes", UintegerValue(40000));
        bursts->SetAttribute("BurstPeriod", TimeValue(MilliSeconds(250)));
        bursts->SetAttribute("MaxBytes", UintegerValue(130000));
        for (const auto& sender : {bulk, bursts})
        {
            Prepare(sender);
            sender->TraceConnectWithoutContext("Completed",
                                               MakeCallback(&StreamTestCase::Completed, this));
            m_nodes.Get(0)->AddApplication(sender);
        }
        bursts->TraceConnectWithoutContext("BurstCompleted",
                                           MakeCallback(&StreamTestCase::BurstCompleted, this));
        bursts->SetStartTime(Seconds(2));
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_completed.size(), 2, "both end");
        // 3 MB at 100 Mbit/s take 0.24 s, slow start and handshake less than 0.2 s more
        NS_TEST_EXPECT_MSG_GT(m_completed[0], MilliSeconds(240), "not faster than the link");
        NS_TEST_EXPECT_MSG_LT(m_completed[0], MilliSeconds(440), "not much slower");
        NS_TEST_ASSERT_MSG_EQ(m_bursts.size(), 4, "three bursts and the rest");
        for (std::size_t i = 1; i < 4; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(m_bursts[i] - m_bursts[i - 1], MilliSeconds(250), "period");
        }
        NS_TEST_EXPECT_MSG_EQ(m_burstBytes, 130000, "all bytes");
        NS_TEST_EXPECT_MSG_EQ(sink->GetReceivedBytes(), 3130001, "all bytes arrived");
    }

    std::vector<Time> m_completed; ///< durations of transfers
    std::vector<Time> m_bursts;    ///< starts of bursts
    uint64_t m_burstBytes{0};      ///< bytes of bursts
};

/**
 * @ingroup linux-tcp-tests
 * @brief Tests of the applications.
 */
class RpcTestSuite : public TestSuite
{
  public:
    RpcTestSuite()
        : TestSuite("linux-tcp-rpc", linuxtcp::TEST_SUITE_SYSTEM)
    {
        const auto quick = linuxtcp::TEST_CASE_QUICK;
        for (const char* kind : {"linux", "stock"})
        {
            AddTestCase(new RpcLoopTestCase(kind), quick);
            AddTestCase(new RpcManualTestCase(kind), quick);
            AddTestCase(new StreamTestCase(kind), quick);
        }
    }
};

static RpcTestSuite g_rpcTestSuite; ///< the suite registers itself
