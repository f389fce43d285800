/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup linux-tcp-tests
 * Tests of what hosts and routers add to received packets: ReceiveCoalescer, ProcessingJitter,
 * Policer, PacketSwitch; and of PortQueue.
 */

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/node.h"
#include "ns3/ns3-compat.h"
#include "ns3/pointer.h"
#include "ns3/policer.h"
#include "ns3/port-queue.h"
#include "ns3/processing-jitter.h"
#include "ns3/processing-pauses.h"
#include "ns3/receive-coalescer.h"
#include "ns3/simple-net-device.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/test.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;

/**
 * @ingroup linux-tcp-tests
 * @brief A node with one device, stages on it, and a protocol that notes what arrives.
 */
class StageTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor
     * @param name name of the case
     */
    explicit StageTestCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /// Something that arrived
    struct Received
    {
        Time at;              ///< when
        Ptr<Packet> packet;   ///< the packet, from the IP header on
        uint16_t protocol{0}; ///< EtherType
    };

    void DoSetup() override
    {
        m_received.clear();
        m_node = CreateObject<Node>();
        m_device = CreateObject<SimpleNetDevice>();
        m_device->SetAddress(Mac48Address("00:00:00:00:00:01"));
        m_node->AddDevice(m_device);
        const auto layer = CreateObject<TrafficControlLayer>();
        m_node->AggregateObject(layer);
        layer->RegisterProtocolHandler(MakeCallback(&StageTestCase::Note, this), 0, m_device);
    }

    void DoTeardown() override
    {
        m_device = nullptr;
        m_node = nullptr;
        m_received.clear();
        Simulator::Destroy();
    }

    /**
     * @brief Let the device receive a packet.
     * @param at when
     * @param packet the packet
     * @param protocol EtherType
     */
    void Arrive(Time at, Ptr<Packet> packet, uint16_t protocol = 0x0800)
    {
        Simulator::ScheduleWithContext(m_node->GetId(),
                                       at,
                                       &SimpleNetDevice::Receive,
                                       m_device,
                                       packet,
                                       protocol,
                                       Mac48Address("00:00:00:00:00:01"),
                                       Mac48Address("00:00:00:00:00:02"));
    }

    /// Fields of a segment
    struct Segment
    {
        uint32_t sequence{1};          ///< sequence number
        uint32_t size{1000};           ///< payload (bytes)
        uint8_t flags{TcpHeader::ACK}; ///< TCP flags
        uint32_t ack{1};               ///< acknowledgement number
        uint16_t window{1000};         ///< window
        uint16_t port{1};              ///< source port, which tells flows apart
        uint8_t tos{0};                ///< DSCP and ECN
        bool ipv6{false};              ///< IPv6 instead of IPv4
    };

    /**
     * @brief Make a segment.
     * @param s its fields
     * @return the packet
     */
    static Ptr<Packet> Make(const Segment& s)
    {
        auto packet = Create<Packet>(s.size);
        TcpHeader tcp;
        tcp.SetSourcePort(s.port);
        tcp.SetDestinationPort(80);
        tcp.SetSequenceNumber(SequenceNumber32(s.sequence));
        tcp.SetAckNumber(SequenceNumber32(s.ack));
        tcp.SetFlags(s.flags);
        tcp.SetWindowSize(s.window);
        packet->AddHeader(tcp);
        if (s.ipv6)
        {
            Ipv6Header ip;
            ip.SetSource(Ipv6Address("2001:db8::1"));
            ip.SetDestination(Ipv6Address("2001:db8::2"));
            ip.SetNextHeader(6);
            ip.SetHopLimit(64);
            ip.SetTrafficClass(s.tos);
            ip.SetPayloadLength(static_cast<uint16_t>(packet->GetSize()));
            packet->AddHeader(ip);
            return packet;
        }
        Ipv4Header ip;
        ip.SetSource(Ipv4Address("10.0.0.1"));
        ip.SetDestination(Ipv4Address("10.0.0.2"));
        ip.SetProtocol(6);
        ip.SetTtl(64);
        ip.SetTos(s.tos);
        ip.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
        packet->AddHeader(ip);
        return packet;
    }

    /**
     * @brief Sizes of the payloads that arrived, and whether the headers agree.
     * @return payload of each TCP packet (bytes)
     */
    std::vector<uint32_t> GetPayloads()
    {
        std::vector<uint32_t> sizes;
        for (const auto& r : m_received)
        {
            auto packet = r.packet->Copy();
            uint32_t length;
            if (r.protocol == 0x86dd)
            {
                Ipv6Header ip;
                packet->RemoveHeader(ip);
                length = ip.GetPayloadLength();
            }
            else
            {
                Ipv4Header ip;
                packet->RemoveHeader(ip);
                length = ip.GetPayloadSize();
            }
            NS_TEST_EXPECT_MSG_EQ(length, packet->GetSize(), "the IP header tells the size");
            TcpHeader tcp;
            packet->RemoveHeader(tcp);
            m_headers.push_back(tcp);
            sizes.push_back(packet->GetSize());
        }
        return sizes;
    }

    Ptr<Node> m_node;                 ///< the node
    Ptr<SimpleNetDevice> m_device;    ///< its device
    std::vector<Received> m_received; ///< what arrived
    std::vector<TcpHeader> m_headers; ///< TCP headers, after GetPayloads()

  private:
    /**
     * @brief Note a packet.
     * @param device the device
     * @param packet the packet
     * @param protocol EtherType
     * @param from sender
     * @param to receiver
     * @param type kind of packet
     */
    void Note(Ptr<NetDevice> /* device */,
              Ptr<const Packet> packet,
              uint16_t protocol,
              const Address& /* from */,
              const Address& /* to */,
              NetDevice::PacketType /* type */)
    {
        m_received.push_back({Simulator::Now(), packet->Copy(), protocol});
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief What is merged, and what is not.
 */
class CoalescerMergeTestCase : public StageTestCase
{
  public:
    /**
     * @brief Constructor
     * @param name name of the case
     * @param ipv6 IPv6 instead of IPv4
     */
    CoalescerMergeTestCase(const std::string& name, bool ipv6)
        : StageTestCase("merging: " + name),
          m_ipv6(ipv6)
    {
    }

  private:
    /**
     * @brief Send segments within one poll and compare the payloads that come out.
     * @param what name of the check
     * @param segments the segments
     * @param expected payloads (bytes)
     * @param maxSegments most segments in a packet
     * @param maxBytes largest packet (bytes)
     */
    void Check(const std::string& what,
               std::vector<Segment> segments,
               const std::vector<uint32_t>& expected,
               uint32_t maxSegments = 45,
               uint32_t maxBytes = 65535)
    {
        DoSetup();
        m_headers.clear();
        const auto coalescer = CreateObject<ReceiveCoalescer>();
        coalescer->SetAttribute("PollInterval", TimeValue(MicroSeconds(100)));
        coalescer->SetAttribute("RandomPhase", BooleanValue(false));
        coalescer->SetAttribute("MaxSegments", UintegerValue(maxSegments));
        coalescer->SetAttribute("MaxBytes", UintegerValue(maxBytes));
        coalescer->Install(m_device);
        int64_t us = 1;
        for (auto& s : segments)
        {
            s.ipv6 = m_ipv6;
            Arrive(MicroSeconds(us++), Make(s), m_ipv6 ? 0x86dd : 0x0800);
        }
        Simulator::Run();
        const auto sizes = GetPayloads();
        NS_TEST_EXPECT_MSG_EQ((sizes == expected), true, what);
        NS_TEST_EXPECT_MSG_EQ(coalescer->GetHeldPackets(), 0, what);
        NS_TEST_EXPECT_MSG_EQ(coalescer->GetMergedPackets(),
                              segments.size() - expected.size(),
                              what);
        for (const auto& r : m_received)
        {
            NS_TEST_EXPECT_MSG_EQ(r.at, MicroSeconds(100), what << ": at the poll");
        }
        m_device = nullptr;
        m_node = nullptr;
        m_received.clear();
        Simulator::Destroy();
    }

    void DoRun() override
    {
        DoTeardown();
        const uint8_t ack = TcpHeader::ACK;
        const auto seg = [](uint32_t sequence, uint32_t size = 1000) {
            Segment s;
            s.sequence = sequence;
            s.size = size;
            return s;
        };
        const auto with = [&](uint32_t sequence, auto change) {
            auto s = seg(sequence);
            change(s);
            return s;
        };
        Check("three in order", {seg(1), seg(1001), seg(2001)}, {3000});
        Check("a hole", {seg(1), seg(2001), seg(3001)}, {1000, 2000});
        Check("the same twice", {seg(1), seg(1)}, {1000, 1000});
        Check("out of order", {seg(1001), seg(1)}, {1000, 1000});
        Check("a short one ends a packet",
              {seg(1), seg(1001, 400), seg(1401), seg(2401)},
              {1400, 2000});
        Check("a longer one begins a packet", {seg(1, 400), seg(401)}, {400, 1000});
        Check("at most so many segments", {seg(1), seg(1001), seg(2001)}, {2000, 1000}, 2);
        Check("at most so many bytes",
              {seg(1), seg(1001), seg(2001)},
              {2000, 1000},
              45,
              2000 + (m_ipv6 ? 60 : 40));
        Check("pure acknowledgements", {seg(1, 0), seg(1, 0)}, {0, 0});
        Check("an acknowledgement between",
              {seg(1), with(1001, [](Segment& s) { s.size = 0; }), seg(1001)},
              {1000, 0, 1000});
        Check("FIN",
              {seg(1), with(1001, [&](Segment& s) { s.flags = ack | TcpHeader::FIN; })},
              {1000, 1000});
        Check("ECE",
              {seg(1), with(1001, [&](Segment& s) { s.flags = ack | TcpHeader::ECE; })},
              {1000, 1000});
        Check("CWR",
              {seg(1), with(1001, [&](Segment& s) { s.flags = ack | TcpHeader::CWR; })},
              {1000, 1000});
        Check("PSH ends a packet",
              {seg(1),
               with(1001, [&](Segment& s) { s.flags = ack | TcpHeader::PSH; }),
               seg(2001),
               seg(3001)},
              {2000, 2000});
        Check("another acknowledgement number",
              {seg(1), with(1001, [](Segment& s) { s.ack = 2; })},
              {1000, 1000});
        Check("another window",
              {seg(1), with(1001, [](Segment& s) { s.window = 999; })},
              {1000, 1000});
        Check("CE", {seg(1), with(1001, [](Segment& s) { s.tos = 3; })}, {1000, 1000});
        const auto other = [](Segment& s) { s.port = 2; };
        Check("two flows",
              {seg(1), with(1, other), seg(1001), with(1001, other), seg(2001)},
              {3000, 2000});
        Check("sequence numbers wrap", {seg(0xffffff00), seg(0xffffff00 + 1000)}, {2000});
    }

    bool m_ipv6; ///< IPv6 instead of IPv4
};

/**
 * @ingroup linux-tcp-tests
 * @brief The grid of polls, and what the merged header says.
 */
class CoalescerPollTestCase : public StageTestCase
{
  public:
    CoalescerPollTestCase()
        : StageTestCase("polls lie on a grid")
    {
    }

  private:
    void DoRun() override
    {
        const auto coalescer = CreateObject<ReceiveCoalescer>();
        coalescer->SetAttribute("PollInterval", TimeValue(MicroSeconds(40)));
        coalescer->AssignStreams(7);
        coalescer->Install(m_device);
        Segment s;
        std::vector<int64_t> at{1, 5, 100, 101, 1000, 50000};
        for (const auto us : at)
        {
            Arrive(MicroSeconds(us), Make(s));
            s.sequence += s.size;
        }
        Simulator::Run();
        const auto sizes = GetPayloads();
        NS_TEST_ASSERT_MSG_GT_OR_EQ(m_received.size(), 3, "packets arrive");
        const int64_t phase = m_received[0].at.GetNanoSeconds() % 40000;
        uint32_t total = 0;
        for (std::size_t i = 0; i < m_received.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(m_received[i].at.GetNanoSeconds() % 40000, phase, "on the grid");
            NS_TEST_EXPECT_MSG_EQ(m_headers[i].GetSequenceNumber().GetValue(),
                                  1 + total,
                                  "sequence number of the first segment");
            total += sizes[i];
        }
        NS_TEST_EXPECT_MSG_EQ(total, 6000, "all data arrives");
        const auto last = m_received.back().at;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(last, MicroSeconds(50000), "not before it comes");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(last, MicroSeconds(50040), "at most an interval later");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Random processing times keep the order and their bounds.
 */
class JitterTestCase : public StageTestCase
{
  public:
    JitterTestCase()
        : StageTestCase("processing jitter keeps the order")
    {
    }

  private:
    void DoRun() override
    {
        const auto jitter = CreateObject<ProcessingJitter>();
        jitter->SetAttribute("Maximum", TimeValue(MicroSeconds(500)));
        jitter->AssignStreams(3);
        jitter->Install(m_device);
        constexpr uint32_t count = 2000;
        Segment s;
        for (uint32_t i = 0; i < count; ++i)
        {
            s.sequence = 1 + i;
            Arrive(MicroSeconds(400 * i), Make(s));
        }
        Simulator::Run();
        GetPayloads();
        NS_TEST_ASSERT_MSG_EQ(m_received.size(), count, "nothing is lost");
        double sum = 0;
        for (uint32_t i = 0; i < count; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(m_headers[i].GetSequenceNumber().GetValue(), 1 + i, "order");
            const Time wait = m_received[i].at - MicroSeconds(400 * i);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(wait, Time(0), "not early");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(wait, MicroSeconds(500), "at most the maximum");
            sum += static_cast<double>(wait.GetNanoSeconds());
        }
        // the mean of the uniform distribution, a little more for the order
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / count / 1000, 252, 10, "mean (us)");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Pauses hold what comes until their end and keep the order.
 */
class PausesTestCase : public StageTestCase
{
  public:
    PausesTestCase()
        : StageTestCase("pauses hold packets to their end")
    {
    }

  private:
    void DoRun() override
    {
        const auto pauses = CreateObject<ProcessingPauses>();
        pauses->SetAttribute("Length", TimeValue(MicroSeconds(100)));
        pauses->SetAttribute("MeanInterval", TimeValue(MicroSeconds(900)));
        pauses->AssignStreams(3);
        pauses->Install(m_device);
        constexpr uint32_t count = 100000;
        Segment s;
        s.size = 1;
        for (uint32_t i = 0; i < count; ++i)
        {
            s.sequence = 1 + i;
            Arrive(MicroSeconds(10 * i), Make(s));
        }
        Simulator::Run();
        GetPayloads();
        NS_TEST_ASSERT_MSG_EQ(m_received.size(), count, "nothing is lost");
        NS_TEST_EXPECT_MSG_EQ(pauses->GetHeldPackets(), 0, "nothing is kept");
        uint32_t late = 0;
        uint32_t bursts = 0;
        for (uint32_t i = 0; i < count; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(m_headers[i].GetSequenceNumber().GetValue(), 1 + i, "order");
            const Time wait = m_received[i].at - MicroSeconds(10 * i);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(wait, Time(0), "not early");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(wait, MicroSeconds(100), "at most the length");
            late += wait > Time(0);
            bursts += wait > MicroSeconds(90);
        }
        // 1 s holds 1000 pauses of 100 us each on average, standard deviation 900/1000 sqrt(1000)
        // = 28: a tenth of the packets waits, ten in each pause, the first of them over 90 us.
        NS_TEST_EXPECT_MSG_EQ_TOL(late, 10000, 900, "packets that wait");
        NS_TEST_EXPECT_MSG_EQ_TOL(bursts, 1000, 90, "pauses");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief A policer lets through its burst and its rate, exactly.
 */
class PolicerTestCase : public StageTestCase
{
  public:
    PolicerTestCase()
        : StageTestCase("policer")
    {
    }

  private:
    void DoRun() override
    {
        const auto bucket = CreateObject<TokenBucket>();
        bucket->SetAttribute("Rate", DataRateValue(DataRate("100Mbps")));
        bucket->SetAttribute("Burst", UintegerValue(50000));
        const auto policer = CreateObject<Policer>();
        policer->SetAttribute("Bucket", PointerValue(bucket));
        policer->SetAttribute("Overhead", UintegerValue(14));
        policer->Install(m_device);
        // 986 bytes of IP, 1000 with overhead, at 400 Mbit/s for 1 s
        Segment s;
        s.size = 946;
        constexpr uint32_t count = 50000;
        for (uint32_t i = 0; i < count; ++i)
        {
            Arrive(MicroSeconds(20 * i), Make(s));
        }
        // the bucket is full again after 4 ms of silence: exactly 50 packets pass at once
        for (uint32_t i = 0; i < 60; ++i)
        {
            Arrive(Seconds(2), Make(s));
        }
        Simulator::Run();
        uint32_t burst = 0;
        for (const auto& r : m_received)
        {
            burst += r.at == Seconds(2);
        }
        NS_TEST_EXPECT_MSG_EQ(burst, 50, "burst after silence");
        // 50 packets of burst and 12500 a second, the last of them at 0.99998 s
        NS_TEST_EXPECT_MSG_EQ_TOL(m_received.size() - burst, 12550, 1, "long-run rate");
        NS_TEST_EXPECT_MSG_EQ(policer->GetDroppedPackets() + m_received.size(),
                              count + 60,
                              "all are counted");
        NS_TEST_EXPECT_MSG_EQ(policer->GetDroppedBytes(),
                              policer->GetDroppedPackets() * 986,
                              "bytes of IP");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Token buckets at 100 Gbit/s, after 50 days, and with slow rates.
 */
class TokenBucketTestCase : public TestCase
{
  public:
    TokenBucketTestCase()
        : TestCase("token bucket at extremes")
    {
    }

  private:
    void DoRun() override
    {
        const auto fast = CreateObject<TokenBucket>();
        fast->SetAttribute("Rate", DataRateValue(DataRate("100Gbps")));
        fast->SetAttribute("Burst", UintegerValue(1000000000));
        const auto slow = CreateObject<TokenBucket>();
        slow->SetAttribute("Rate", DataRateValue(DataRate("8bps")));
        slow->SetAttribute("Burst", UintegerValue(100));
        NS_TEST_EXPECT_MSG_EQ(fast->Take(1000000000), true, "full at first");
        NS_TEST_EXPECT_MSG_EQ(fast->Take(1), false, "and then empty");
        NS_TEST_EXPECT_MSG_EQ(slow->Take(100), true, "full at first");
        Simulator::Schedule(Seconds(10), [&]() {
            NS_TEST_EXPECT_MSG_EQ(slow->Take(11), false, "ten bytes in ten seconds");
            NS_TEST_EXPECT_MSG_EQ(slow->Take(10), true, "ten bytes in ten seconds");
        });
        Simulator::Schedule(Seconds(4320000), [&]() {
            NS_TEST_EXPECT_MSG_EQ(fast->Take(1000000000), true, "full after 50 days");
            NS_TEST_EXPECT_MSG_EQ(fast->Take(1), false, "not fuller");
            NS_TEST_EXPECT_MSG_EQ(slow->Take(100), true, "full after 50 days");
        });
        Simulator::Run();
        Simulator::Destroy();
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Queues of ports, with memory of their own and shared memory.
 */
class PortQueueTestCase : public TestCase
{
  public:
    PortQueueTestCase()
        : TestCase("port queue and shared buffer")
    {
    }

  private:
    void DoRun() override
    {
        const auto alone = CreateObject<PortQueue>();
        alone->SetMaxSize(QueueSize("2p"));
        NS_TEST_EXPECT_MSG_EQ(alone->Enqueue(Create<Packet>(100)), true, "room for one");
        NS_TEST_EXPECT_MSG_EQ(alone->Enqueue(Create<Packet>(200)), true, "room for two");
        NS_TEST_EXPECT_MSG_EQ(alone->Enqueue(Create<Packet>(400)), false, "no room for three");
        NS_TEST_EXPECT_MSG_EQ(alone->Dequeue()->GetSize(), 100, "first in, first out");
        const auto& c = alone->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(c.receivedBytes, 700, "received");
        NS_TEST_EXPECT_MSG_EQ(c.sentBytes, 100, "sent");
        NS_TEST_EXPECT_MSG_EQ(c.droppedBytes, 400, "dropped");
        NS_TEST_EXPECT_MSG_EQ(c.maxBacklogBytes, 300, "largest backlog");

        // a pool of three packets, alpha 1: a port that holds two while one is free is refused
        const auto pool = CreateObject<SharedBufferPool>();
        pool->SetAttribute("Size", UintegerValue(3000));
        pool->SetAttribute("Alpha", DoubleValue(1.0));
        const auto make = [&]() {
            const auto queue = CreateObject<PortQueue>();
            queue->SetMaxSize(QueueSize("1000p"));
            queue->SetAttribute("Pool", PointerValue(pool));
            return queue;
        };
        const auto a = make();
        const auto b = make();
        NS_TEST_EXPECT_MSG_EQ(a->Enqueue(Create<Packet>(1000)), true, "0 of 3000 free");
        NS_TEST_EXPECT_MSG_EQ(a->Enqueue(Create<Packet>(1000)), true, "1000 of 2000 free");
        NS_TEST_EXPECT_MSG_EQ(a->Enqueue(Create<Packet>(1000)), false, "2000 of 1000 free");
        NS_TEST_EXPECT_MSG_EQ(b->Enqueue(Create<Packet>(1000)), true, "0 of 1000 free");
        NS_TEST_EXPECT_MSG_EQ(b->Enqueue(Create<Packet>(1000)), false, "nothing free");
        NS_TEST_EXPECT_MSG_EQ(pool->GetUsed(), 3000, "used");
        a->Dequeue();
        NS_TEST_EXPECT_MSG_EQ(b->Enqueue(Create<Packet>(1000)), true, "1000 of 1000 free");
        while (a->Dequeue() || b->Dequeue())
        {
        }
        NS_TEST_EXPECT_MSG_EQ(pool->GetUsed(), 0, "all memory is given back");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Tests of the host model.
 */
class HostModelTestSuite : public TestSuite
{
  public:
    HostModelTestSuite()
        : TestSuite("linux-tcp-host-model", linuxtcp::TEST_SUITE_UNIT)
    {
        const auto quick = linuxtcp::TEST_CASE_QUICK;
        AddTestCase(new CoalescerMergeTestCase("IPv4", false), quick);
        AddTestCase(new CoalescerMergeTestCase("IPv6", true), quick);
        AddTestCase(new CoalescerPollTestCase, quick);
        AddTestCase(new JitterTestCase, quick);
        AddTestCase(new PausesTestCase, quick);
        AddTestCase(new PolicerTestCase, quick);
        AddTestCase(new TokenBucketTestCase, quick);
        AddTestCase(new PortQueueTestCase, quick);
    }
};

static HostModelTestSuite g_hostModelTestSuite; ///< the suite registers itself
