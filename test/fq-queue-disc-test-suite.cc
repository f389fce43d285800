/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup linux-tcp-tests
 * Tests of FqQueueDisc: what it adds to the scheduler, which has tests of its own.
 */

#include "ns3/arp-header.h"
#include "ns3/arp-queue-disc-item.h"
#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/enum.h"
#include "ns3/fq-packet-tag.h"
#include "ns3/fq-queue-disc.h"
#include "ns3/icmpv6-header.h"
#include "ns3/integer.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-queue-disc-item.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node.h"
#include "ns3/ns3-compat.h"
#include "ns3/pacing-registry.h"
#include "ns3/simple-channel.h"
#include "ns3/simple-net-device.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/udp-header.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <random>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// What a test asks of a packet
struct Ask
{
    uint32_t size{1500};  ///< size with IP header (bytes)
    uint64_t cookie{0};   ///< socket, 0 for a packet without tag
    int64_t departure{0}; ///< departure time (ns)
    uint64_t rate{0};     ///< rate of the socket (bytes/s)
    uint8_t flags{0};     ///< flags of the tag
    int priority{-1};     ///< priority, -1 for none
    uint8_t ecn{0};       ///< ECN field
    uint16_t port{1};     ///< source port
    uint32_t foreign{0};  ///< added to the number of the node in the tag
};

} // namespace

/**
 * @ingroup linux-tcp-tests
 * @brief A queue disc of a node, with a record of what it sends.
 */
class FqTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor
     * @param name name of the test
     */
    explicit FqTestCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /// A packet that the queue disc sent
    struct Sent
    {
        Time time;               ///< when
        Ptr<QueueDiscItem> item; ///< the packet
        uint64_t uid;            ///< its number
    };

    /**
     * @brief Make the queue disc, which sends to the record at once.
     * @param attributes names and values of attributes
     */
    void Make(const std::vector<std::pair<std::string, std::string>>& attributes = {})
    {
        m_node = CreateObject<Node>();
        ObjectFactory factory("ns3::FqQueueDisc");
        for (const auto& [name, value] : attributes)
        {
            factory.Set(name, StringValue(value));
        }
        m_disc = factory.Create<FqQueueDisc>();
        m_disc->SetNode(m_node);
        m_disc->SetSendCallback([this](Ptr<QueueDiscItem> item) {
            m_sent.push_back({Simulator::Now(), item, item->GetPacket()->GetUid()});
        });
        m_disc->Initialize();
        m_sent.clear();
    }

    /**
     * @brief Make a packet.
     * @param ask what it is to be like
     * @return the packet
     */
    Ptr<QueueDiscItem> MakeItem(const Ask& ask) const
    {
        Ptr<Packet> packet = Create<Packet>(ask.size - 28);
        UdpHeader udp;
        udp.SetSourcePort(ask.port);
        udp.SetDestinationPort(9);
        packet->AddHeader(udp);
        if (ask.cookie != 0)
        {
            packet->AddPacketTag(FqPacketTag(m_node->GetId() + ask.foreign,
                                             ask.cookie,
                                             ask.departure,
                                             ask.rate,
                                             ask.flags));
        }
        if (ask.priority >= 0)
        {
            SocketPriorityTag priority;
            priority.SetPriority(static_cast<uint8_t>(ask.priority));
            packet->AddPacketTag(priority);
        }
        Ipv4Header ip;
        ip.SetSource(Ipv4Address("10.0.0.1"));
        ip.SetDestination(Ipv4Address("10.0.0.2"));
        ip.SetProtocol(17);
        ip.SetPayloadSize(packet->GetSize());
        ip.SetEcn(static_cast<Ipv4Header::EcnType>(ask.ecn));
        return Create<Ipv4QueueDiscItem>(packet, Address(), 0x0800, ip);
    }

    /**
     * @brief Hand a packet over, as the traffic control layer does.
     * @param ask what it is to be like
     * @return whether it was taken
     */
    bool Send(const Ask& ask)
    {
        const bool isTaken = m_disc->Enqueue(MakeItem(ask));
        m_disc->Run();
        return isTaken;
    }

    /// Check that no packet got lost, by the counters of the queue disc and of the scheduler.
    void CheckConservation()
    {
        const QueueDisc::Stats& stats = m_disc->GetStats();
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalReceivedPackets,
                              stats.nTotalEnqueuedPackets + stats.nTotalDroppedPacketsBeforeEnqueue,
                              "received = enqueued + dropped before");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalEnqueuedPackets,
                              stats.nTotalDequeuedPackets + m_disc->GetNPackets(),
                              "enqueued = dequeued + backlog");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalEnqueuedBytes,
                              stats.nTotalDequeuedBytes + m_disc->GetNBytes(),
                              "the same in bytes");
        const linuxtcp::FairQueueStatistics fq = m_disc->GetFqStats();
        NS_TEST_EXPECT_MSG_EQ(fq.droppedPackets, stats.nTotalDroppedPackets, "drops");
        NS_TEST_EXPECT_MSG_EQ(fq.packets, m_disc->GetNPackets(), "backlog");
        NS_TEST_EXPECT_MSG_EQ(fq.sentPackets, m_sent.size(), "sent");
    }

    void DoTeardown() override
    {
        m_sent.clear();
        if (m_disc)
        {
            m_disc->Dispose();
        }
        m_disc = nullptr;
        m_node = nullptr;
        Simulator::Destroy();
    }

    Ptr<Node> m_node;         ///< the node
    Ptr<FqQueueDisc> m_disc;  ///< the queue disc
    std::vector<Sent> m_sent; ///< what it sent
};

/**
 * @ingroup linux-tcp-tests
 * @brief The tag is obeyed and removed, unless another node wrote it: then it is only removed.
 */
class FqTagTestCase : public FqTestCase
{
  public:
    FqTagTestCase()
        : FqTestCase("tags are removed, foreign ones ignored")
    {
    }

  private:
    void DoRun() override
    {
        Make();
        Ask own;
        own.cookie = 1;
        own.departure = 5000000;
        Ask foreign = own;
        foreign.foreign = 1;
        Send(own);
        Send(foreign);
        NS_TEST_EXPECT_MSG_EQ(m_sent.size(), 1, "the foreign departure time is ignored");
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_sent.size(), 2, "both leave");
        NS_TEST_EXPECT_MSG_EQ(m_sent[0].time, Seconds(0), "foreign at once");
        NS_TEST_EXPECT_MSG_EQ(m_sent[1].time, MilliSeconds(5), "own at its time");
        for (const Sent& sent : m_sent)
        {
            FqPacketTag tag;
            NS_TEST_EXPECT_MSG_EQ(sent.item->GetPacket()->PeekPacketTag(tag), false, "no tag left");
        }
        CheckConservation();
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief A thousand flows that become due at one time all leave then.
 */
class FqQuotaTestCase : public FqTestCase
{
  public:
    FqQuotaTestCase()
        : FqTestCase("1000 flows due at one instant")
    {
    }

  private:
    void DoRun() override
    {
        Make();
        for (uint64_t cookie = 1; cookie <= 1000; cookie++)
        {
            Ask ask;
            ask.cookie = cookie;
            ask.departure = 1000000000;
            Send(ask);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_sent.size(), 1000, "none is left behind");
        for (const Sent& sent : m_sent)
        {
            NS_TEST_EXPECT_MSG_EQ(sent.time, Seconds(1), "all at one time");
        }
        CheckConservation();
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Pacing does not depend on when a flow starts.
 */
class FqStartTimeTestCase : public FqTestCase
{
  public:
    /**
     * @brief Constructor
     * @param start when the flow starts
     */
    explicit FqStartTimeTestCase(Time start)
        : FqTestCase("start at " + std::to_string(start.GetMilliSeconds()) + " ms"),
          m_start(start)
    {
    }

  private:
    void DoRun() override
    {
        Make({{"LinkHeaderSize", "14"}});
        Simulator::Schedule(m_start, [this]() {
            for (int i = 0; i < 14; i++)
            {
                Ask ask;
                ask.cookie = 1;
                ask.rate = 1250000;
                Send(ask);
            }
        });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_sent.size(), 14, "all leave");
        for (std::size_t i = 0; i < 14; i++)
        {
            // The burst of a new flow, then two frames of 1514 bytes in 2.4224 ms.
            const int64_t expected = i < 10 ? 0 : i < 12 ? 2422400 : 4844800;
            NS_TEST_EXPECT_MSG_EQ(m_sent[i].time, m_start + NanoSeconds(expected), "departure");
        }
        CheckConservation();
    }

    Time m_start; ///< when the flow starts
};

/**
 * @ingroup linux-tcp-tests
 * @brief The rate is that of the moment of departure, and the backlog is reported.
 */
class FqRegistryTestCase : public FqTestCase
{
  public:
    FqRegistryTestCase()
        : FqTestCase("rate at departure, backlog of the socket")
    {
    }

  private:
    void DoRun() override
    {
        Make({{"Quantum", "1500"}, {"InitialQuantum", "1500"}});
        Ptr<PacingRegistry> registry = PacingRegistry::GetOf(m_node);
        NS_TEST_EXPECT_MSG_EQ(registry->HasPacer(), true, "announced");
        uint64_t rate = 1500000; // one frame in 1 ms
        uint32_t wakes = 0;
        const uint64_t cookie = registry->Register(Callback<uint64_t>([&rate]() { return rate; }),
                                                   Callback<void>([&wakes]() { wakes++; }));
        for (int i = 0; i < 4; i++)
        {
            Ask ask;
            ask.cookie = cookie;
            ask.rate = 99; // not used while the socket is registered
            Send(ask);
        }
        NS_TEST_EXPECT_MSG_EQ(registry->GetBacklog(cookie), 4500, "three wait");
        registry->RequestWake(cookie);
        Simulator::Schedule(MicroSeconds(500), [&rate]() { rate = 750000; });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_sent.size(), 4, "all leave");
        const int64_t expected[] = {0, 1000, 3000, 5000};
        for (std::size_t i = 0; i < 4; i++)
        {
            NS_TEST_EXPECT_MSG_EQ(m_sent[i].time, MicroSeconds(expected[i]), "departure " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(registry->GetBacklog(cookie), 0, "nothing waits");
        NS_TEST_EXPECT_MSG_EQ(wakes, 1, "woken after the first departure, as asked");
        CheckConservation();
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Counters of queue disc and scheduler agree under random packets.
 */
class FqConservationTestCase : public FqTestCase
{
  public:
    FqConservationTestCase()
        : FqTestCase("packets are conserved")
    {
    }

  private:
    void DoRun() override
    {
        for (const char* model : {"3.12", "3.13", "4.0", "4.9", "6.1", "6.7", "6.13"})
        {
            Make({{"Model", model}, {"MaxSize", "50p"}, {"FlowLimit", "10"}, {"Horizon", "100ms"}});
            std::mt19937 random(1);
            for (int i = 0; i < 1000; i++)
            {
                Simulator::Schedule(MicroSeconds(random() % 1000000), [this, &random]() {
                    Ask ask;
                    ask.size = 40 + random() % 1461;
                    ask.cookie = random() % 20;
                    ask.departure =
                        random() % 2 ? 0 : Simulator::Now().GetNanoSeconds() + random() % 120000000;
                    ask.rate = 10000 + random() % 90000;
                    ask.priority = random() % 10;
                    ask.port = random() % 5;
                    ask.foreign = random() % 10 == 0;
                    for (uint32_t burst = random() % 12; burst > 0; burst--)
                    {
                        Send(ask);
                    }
                });
            }
            Simulator::Stop(MilliSeconds(500));
            Simulator::Run();
            CheckConservation();
            Simulator::Run();
            CheckConservation();
            NS_TEST_EXPECT_MSG_EQ(m_disc->GetNPackets(), 0, "all have left");
            NS_TEST_EXPECT_MSG_GT(m_disc->GetFqStats().droppedPackets, 0, "some were dropped");
            const QueueDisc::Stats& stats = m_disc->GetStats();
            NS_TEST_EXPECT_MSG_EQ(stats.GetNDroppedPackets(FqQueueDisc::LIMIT_DROP) +
                                      stats.GetNDroppedPackets(FqQueueDisc::FLOW_LIMIT_DROP) +
                                      stats.GetNDroppedPackets(FqQueueDisc::HORIZON_DROP),
                                  stats.nTotalDroppedPackets,
                                  "every drop has its reason");
            DoTeardown();
        }
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Changes at run time: a lower limit drops, a new rate holds, a reset empties.
 */
class FqReconfigureTestCase : public FqTestCase
{
  public:
    FqReconfigureTestCase()
        : FqTestCase("reconfiguration and reset at run time")
    {
    }

  private:
    void DoRun() override
    {
        Make({{"Quantum", "1500"}, {"InitialQuantum", "0"}});
        Ptr<PacingRegistry> registry = PacingRegistry::GetOf(m_node);
        const uint64_t cookie = registry->Register(Callback<uint64_t>(), Callback<void>());
        // The queue disc is not run, so that the packets stay.
        for (int i = 0; i < 10; i++)
        {
            Ask ask;
            ask.cookie = cookie;
            m_disc->Enqueue(MakeItem(ask));
        }
        m_disc->SetAttribute("MaxSize", StringValue("4p"));
        NS_TEST_EXPECT_MSG_EQ(m_disc->GetNPackets(), 4, "dropped down to the limit");
        NS_TEST_EXPECT_MSG_EQ(m_disc->GetStats().GetNDroppedPackets(FqQueueDisc::LIMIT_DROP),
                              6,
                              "counted as drops at the limit");
        NS_TEST_EXPECT_MSG_EQ(registry->GetBacklog(cookie), 6000, "the socket is told");

        m_disc->SetAttribute("MaxRate", StringValue("12Mbps"));
        DataRateValue rate;
        m_disc->GetAttribute("MaxRate", rate);
        NS_TEST_EXPECT_MSG_EQ(rate.Get(), DataRate("12Mbps"), "the attribute can be read");
        m_disc->Run();
        Simulator::Stop(MicroSeconds(1500));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_sent.size(), 2, "one frame per ms");
        m_disc->Reset();
        NS_TEST_EXPECT_MSG_EQ(m_disc->GetNPackets(), 0, "empty");
        NS_TEST_EXPECT_MSG_EQ(m_disc->GetFqStats().flows, 0, "no flow is known");
        NS_TEST_EXPECT_MSG_EQ(registry->GetBacklog(cookie), 0, "the socket is told");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_sent.size(), 2, "nothing is left to send");
        CheckConservation();
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Text and record of the counters.
 */
class FqTextTestCase : public FqTestCase
{
  public:
    FqTextTestCase()
        : FqTestCase("text of tc -s qdisc show")
    {
    }

  private:
    void DoRun() override
    {
        Make({{"LinkHeaderSize", "14"}});
        NS_TEST_EXPECT_MSG_EQ(
            m_disc->GetTcText("8001:"),
            "qdisc fq 8001: root refcnt 2 limit 10000p flow_limit 100p buckets 1024 orphan_mask "
            "1023 quantum 3028b initial_quantum 15140b low_rate_threshold 550Kbit refill_delay "
            "40ms timer_slack 10us horizon 10s horizon_drop\n"
            " Sent 0 bytes 0 pkt (dropped 0, overlimits 0 requeues 0)\n"
            " backlog 0b 0p requeues 0\n"
            "  flows 0 (inactive 0 throttled 0)\n"
            "  gc 0 highprio 0 throttled 0\n",
            "defaults on Ethernet");
        Ask ask;
        ask.cookie = 1;
        Send(ask);
        ask.departure = 1000000;
        Send(ask);
        ask.departure = 20000000000;
        Send(ask);
        ask.departure = 0;
        ask.priority = 7;
        Send(ask);
        NS_TEST_EXPECT_MSG_EQ(
            m_disc->GetTcText("0:").substr(m_disc->GetTcText("0:").find('\n') + 1),
            " Sent 3028 bytes 2 pkt (dropped 1, overlimits 0 requeues 0)\n"
            " backlog 1514b 1p requeues 0\n"
            "  flows 1 (inactive 0 throttled 1) next_packet_delay 1.01ms\n"
            "  gc 0 highprio 1 throttled 1\n"
            "  horizon_drops 1\n",
            "counters");
        const std::string json = m_disc->GetJson();
        NS_TEST_EXPECT_MSG_NE(json.find("\"quantum\": 3028,"), std::string::npos, json);
        NS_TEST_EXPECT_MSG_NE(json.find("\"horizon_drops\": 1,"), std::string::npos, json);
        Simulator::Run();
        DoTeardown();

        Make();
        const linuxtcp::FairQueueParameters& parameters = m_disc->GetFqParameters();
        NS_TEST_EXPECT_MSG_EQ(parameters.quantum, 3000, "two packets of the MTU");
        NS_TEST_EXPECT_MSG_EQ(parameters.initialQuantum, 15000, "ten packets of the MTU");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Long-run rates of limited flows.
 */
class FqRateTestCase : public FqTestCase
{
  public:
    FqRateTestCase()
        : FqTestCase("long-run rates")
    {
    }

  private:
    /**
     * @brief Send packets of one flow at a maximum rate.
     * @param rate the rate
     * @param size size of each packet (bytes)
     * @param packets how many
     */
    void Flow(const std::string& rate, uint32_t size, uint32_t packets)
    {
        Make({{"MaxRate", rate}, {"FlowLimit", "1000000"}, {"MaxSize", "1000000p"}});
        Ask ask;
        ask.cookie = 1;
        ask.size = size;
        for (uint32_t i = 0; i < packets; i++)
        {
            Send(ask);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_sent.size(), packets, "all leave");
    }

    void DoRun() override
    {
        // Around the low rate threshold.
        for (uint32_t kbps : {500, 512, 549, 550, 551})
        {
            Flow(std::to_string(kbps) + "kbps", 1500, 400);
            const std::size_t first = kbps <= 550 ? 0 : 9; // the last packet of the first burst
            const double seconds = (m_sent.back().time - m_sent[first].time).GetSeconds();
            const double rate = (m_sent.size() - 1 - first) * 12000 / seconds;
            NS_TEST_EXPECT_MSG_EQ_TOL(rate, kbps * 1e3, kbps * 10, "rate within 1 %");
            for (std::size_t i = 1; kbps <= 550 && i < m_sent.size(); i++)
            {
                NS_TEST_EXPECT_MSG_GT(m_sent[i].time, m_sent[i - 1].time, "no burst");
            }
            DoTeardown();
        }
        // 10 kbit/s with packets of 1340 bytes: each delay is cut to one second.
        Flow("10kbps", 1340, 61);
        NS_TEST_EXPECT_MSG_EQ(m_sent.back().time, Seconds(60), "one packet per second");
        NS_TEST_EXPECT_MSG_EQ(m_disc->GetFqStats().tooLongDelays, 61, "all delays are cut");
        DoTeardown();
        // High rates.
        for (const char* text :
             {"99.9Mbps", "100Mbps", "100.1Mbps", "1Gbps", "10Gbps", "40Gbps", "100Gbps"})
        {
            const std::string rate = text;
            Flow(rate, 1500, 20010);
            const double bps = DataRate(rate).GetBitRate();
            const double seconds = (m_sent.back().time - m_sent[9].time).GetSeconds();
            // The last pair starts with the credit of a whole quantum.
            const double measured = (m_sent.size() - 10) * 12000 / seconds;
            NS_TEST_EXPECT_MSG_EQ_TOL(measured, bps, bps / 1000, "rate within 0.1 %: " << rate);
            DoTeardown();
        }
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Late packets are marked if they can be, and dropped in no case.
 */
class FqCeTestCase : public FqTestCase
{
  public:
    FqCeTestCase()
        : FqTestCase("CE threshold")
    {
    }

  private:
    void DoRun() override
    {
        Make({{"CeThreshold", "1ms"}});
        for (int i = 0; i < 20; i++)
        {
            Ask ask;
            ask.cookie = 1;
            ask.ecn = i % 2 == 0 ? Ipv4Header::ECN_ECT0 : Ipv4Header::ECN_NotECT;
            m_disc->Enqueue(MakeItem(ask));
        }
        Simulator::Schedule(MilliSeconds(1), [this]() { m_disc->Dequeue(); });
        Simulator::Schedule(MicroSeconds(1001), [this]() {
            while (Ptr<QueueDiscItem> item = m_disc->Dequeue())
            {
                m_sent.push_back({Simulator::Now(), item, 0});
            }
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_sent.size(), 19, "none is dropped");
        NS_TEST_EXPECT_MSG_EQ(m_disc->GetFqStats().ceMarks, 19, "all but the first were late");
        NS_TEST_EXPECT_MSG_EQ(m_disc->GetStats().GetNMarkedPackets(FqQueueDisc::CE_THRESHOLD_MARK),
                              9,
                              "those that can be are marked");
        uint32_t marked = 0;
        for (const Sent& sent : m_sent)
        {
            const auto item = DynamicCast<Ipv4QueueDiscItem>(sent.item);
            marked += item->GetHeader().GetEcn() == Ipv4Header::ECN_CE;
        }
        NS_TEST_EXPECT_MSG_EQ(marked, 9, "the mark is in the header");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Packets of other kinds: ARP, neighbour discovery, unconnected sockets, fragments.
 */
class FqOtherPacketsTestCase : public FqTestCase
{
  public:
    FqOtherPacketsTestCase()
        : FqTestCase("ARP, neighbour discovery, UDP, answers of listeners, fragments")
    {
    }

  private:
    void DoRun() override
    {
        Make();
        ArpHeader arp;
        arp.SetRequest(Mac48Address("00:00:00:00:00:01"),
                       Ipv4Address("10.0.0.1"),
                       Mac48Address("ff:ff:ff:ff:ff:ff"),
                       Ipv4Address("10.0.0.2"));
        m_disc->Enqueue(Create<ArpQueueDiscItem>(Create<Packet>(), Address(), 0x0806, arp));
        NS_TEST_EXPECT_MSG_EQ(m_disc->GetFqStats().flows, 1, "ARP has a flow by its hash");
        NS_TEST_EXPECT_MSG_EQ(m_disc->GetFqStats().controlPackets, 0, "and no preference");

        Ptr<Packet> solicitation = Create<Packet>();
        Icmpv6NS ns(Ipv6Address("2001:db8::2"));
        solicitation->AddHeader(ns);
        Ipv6Header ip;
        ip.SetSource(Ipv6Address("2001:db8::1"));
        ip.SetDestination(Ipv6Address("2001:db8::2"));
        ip.SetNextHeader(58);
        ip.SetPayloadLength(solicitation->GetSize());
        m_disc->Enqueue(Create<Ipv6QueueDiscItem>(solicitation, Address(), 0x86dd, ip));
        NS_TEST_EXPECT_MSG_EQ(m_disc->GetFqStats().controlPackets,
                              1,
                              "neighbour discovery goes first");
        Ptr<QueueDiscItem> first = m_disc->Dequeue();
        NS_TEST_EXPECT_MSG_EQ(first->GetProtocol(), 0x86dd, "neighbour discovery goes first");

        // An unconnected socket is classified by the packet but paced by its own rate.
        Make({{"Quantum", "1500"}, {"InitialQuantum", "1500"}});
        for (uint16_t port : {1, 2})
        {
            for (int i = 0; i < 2; i++)
            {
                Ask ask;
                ask.cookie = 5;
                ask.rate = 1500000;
                ask.flags = FqPacketTag::UNCONNECTED | FqPacketTag::NOT_TCP;
                ask.port = port;
                Send(ask);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(m_disc->GetFqStats().flows, 2, "a flow for each port");
        NS_TEST_EXPECT_MSG_EQ(m_sent.size(), 2, "the second packet of each is paced");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_sent.back().time, MilliSeconds(1), "by the socket's rate");

        // The answer of a listening socket has none of its rates.
        Make({{"Quantum", "1500"}, {"InitialQuantum", "1500"}});
        for (int i = 0; i < 2; i++)
        {
            Ask ask;
            ask.cookie = 6;
            ask.rate = 1000;
            ask.flags = FqPacketTag::REQUEST_SOCKET;
            Send(ask);
        }
        NS_TEST_EXPECT_MSG_EQ(m_sent.size(), 2, "not paced");

        // Fragments carry their socket's tag and stay in its flow and in order.
        Make();
        Ask ask;
        ask.cookie = 7;
        Ptr<QueueDiscItem> whole = MakeItem(ask);
        std::vector<uint64_t> order;
        for (uint16_t offset : {0, 736})
        {
            Ptr<Packet> fragment = whole->GetPacket()->CreateFragment(offset, 736);
            Ipv4Header header = DynamicCast<Ipv4QueueDiscItem>(whole)->GetHeader();
            header.SetFragmentOffset(offset);
            header.SetPayloadSize(736);
            m_disc->Enqueue(Create<Ipv4QueueDiscItem>(fragment, Address(), 0x0800, header));
        }
        NS_TEST_EXPECT_MSG_EQ(m_disc->GetFqStats().flows, 1, "one flow");
        for (uint16_t offset : {0, 736})
        {
            Ptr<QueueDiscItem> item = m_disc->Dequeue();
            NS_TEST_EXPECT_MSG_EQ(
                DynamicCast<Ipv4QueueDiscItem>(item)->GetHeader().GetFragmentOffset(),
                offset,
                "in order");
        }
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Warnings on limits that harm, once each; both ways to treat the horizon.
 */
class FqWarningTestCase : public FqTestCase
{
  public:
    FqWarningTestCase()
        : FqTestCase("warnings and horizon")
    {
    }

  private:
    void DoRun() override
    {
        Make({{"FlowLimit", "2"}, {"Horizon", "1s"}});
        Ask ask;
        ask.cookie = 1;
        ask.departure = 500000000;
        for (int i = 0; i < 5; i++)
        {
            Send(ask);
        }
        NS_TEST_EXPECT_MSG_EQ(m_disc->GetWarnings().size(), 1, "the flow limit, once");
        ask.cookie = 2;
        ask.departure = 1000000001;
        for (int i = 0; i < 40; i++)
        {
            Send(ask);
        }
        NS_TEST_EXPECT_MSG_EQ(m_disc->GetWarnings().size(), 2, "the horizon, once");
        NS_TEST_EXPECT_MSG_EQ(m_disc->GetFqStats().horizonDrops, 40, "all dropped");
        m_disc->SetAttribute("HorizonDrop", BooleanValue(false));
        NS_TEST_EXPECT_MSG_EQ(Send(ask), true, "taken");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_sent.back().time, Seconds(1), "at the horizon");
        NS_TEST_EXPECT_MSG_EQ(m_disc->GetFqStats().horizonCaps, 1, "one was capped");
        CheckConservation();
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief A late timer: the lateness is forgiven, not added up.
 */
class FqTimerSlackTestCase : public FqTestCase
{
  public:
    FqTimerSlackTestCase()
        : FqTestCase("timer slack")
    {
    }

  private:
    void DoRun() override
    {
        Make({{"LinkHeaderSize", "14"}, {"TimerSlack", "100us"}});
        for (int i = 0; i < 20; i++)
        {
            Ask ask;
            ask.cookie = 1;
            ask.rate = 1250000;
            Send(ask);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_sent.size(), 20, "all leave");
        NS_TEST_EXPECT_MSG_EQ(m_sent[10].time, NanoSeconds(2522400), "100 us late");
        NS_TEST_EXPECT_MSG_EQ(m_sent[18].time, NanoSeconds(12212000), "and not later");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Places: root of a device, child of mq, and refused below prio.
 */
class FqPlaceTestCase : public TestCase
{
  public:
    FqPlaceTestCase()
        : TestCase("root, child of mq, refused elsewhere")
    {
    }

  private:
    /**
     * @brief Two nodes with simple devices, the first with a queue disc.
     * @param helper installs the queue disc
     * @param queues transmission queues of the device
     * @return the root queue disc
     */
    Ptr<QueueDisc> Install(TrafficControlHelper& helper, uint32_t queues)
    {
        Ptr<SimpleChannel> channel = CreateObject<SimpleChannel>();
        Ptr<QueueDisc> root;
        m_nodes.clear();
        for (uint32_t i = 0; i < 2; i++)
        {
            Ptr<Node> node = CreateObject<Node>();
            m_nodes.push_back(node);
            Ptr<SimpleNetDevice> device = CreateObject<SimpleNetDevice>();
            device->SetAddress(Mac48Address::Allocate());
            device->SetChannel(channel);
            device->SetMtu(9000);
            node->AddDevice(device);
            node->AggregateObject(CreateObject<TrafficControlLayer>());
            if (i == 0)
            {
                Ptr<NetDeviceQueueInterface> interface =
                    CreateObjectWithAttributes<NetDeviceQueueInterface>("NTxQueues",
                                                                        UintegerValue(queues));
                interface->SetSelectQueueCallback(
                    [queues](Ptr<QueueItem> item) { return item->GetPacket()->GetUid() % queues; });
                device->AggregateObject(interface);
                root = helper.Install(device).Get(0);
            }
            else
            {
                device->SetReceiveCallback(
                    [this](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&) {
                        m_received.push_back(Simulator::Now());
                        return true;
                    });
            }
        }
        return root;
    }

    /// Send packets of ten sockets, all due in a second.
    void Send()
    {
        Ptr<Node> node = m_nodes[0];
        for (uint64_t cookie = 1; cookie <= 10; cookie++)
        {
            Ptr<Packet> packet = Create<Packet>(1000);
            packet->AddPacketTag(FqPacketTag(node->GetId(), cookie, 1000000000, 0, 0));
            Ipv4Header ip;
            ip.SetPayloadSize(1000);
            node->GetObject<TrafficControlLayer>()->Send(
                node->GetDevice(0),
                Create<Ipv4QueueDiscItem>(packet,
                                          m_nodes[1]->GetDevice(0)->GetAddress(),
                                          0x0800,
                                          ip));
        }
    }

    void DoRun() override
    {
        // Root; the quantum follows the device.
        TrafficControlHelper rootHelper;
        rootHelper.SetRootQueueDisc("ns3::FqQueueDisc",
                                    "MaxSize",
                                    StringValue("7p"),
                                    "LinkHeaderSize",
                                    UintegerValue(14));
        Ptr<QueueDisc> root = Install(rootHelper, 1);
        Simulator::Schedule(Seconds(0.5), [this]() { Send(); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_received.size(), 7, "as many as the limit admits");
        NS_TEST_EXPECT_MSG_EQ(m_received.at(6), Seconds(1), "at their time");
        NS_TEST_EXPECT_MSG_EQ(root->GetMaxSize(), QueueSize("7p"), "limit");
        NS_TEST_EXPECT_MSG_EQ(DynamicCast<FqQueueDisc>(root)->GetFqParameters().quantum,
                              2 * 9014,
                              "two frames");
        Simulator::Destroy();

        // Children of mq.
        TrafficControlHelper mqHelper;
        const uint16_t handle = mqHelper.SetRootQueueDisc("ns3::MqQueueDisc");
        const TrafficControlHelper::ClassIdList classes =
            mqHelper.AddQueueDiscClasses(handle, 2, "ns3::QueueDiscClass");
        mqHelper.AddChildQueueDiscs(handle, classes, "ns3::FqQueueDisc");
        m_received.clear();
        root = Install(mqHelper, 2);
        Simulator::Schedule(Seconds(0.5), [this]() { Send(); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_received.size(), 10, "all");
        NS_TEST_EXPECT_MSG_EQ(m_received.at(9), Seconds(1), "at their time");
        for (std::size_t i = 0; i < 2; i++)
        {
            NS_TEST_EXPECT_MSG_EQ(
                root->GetQueueDiscClass(i)->GetQueueDisc()->GetStats().nTotalSentPackets,
                5,
                "by both children");
        }
        Simulator::Destroy();

        // Child of prio: the process ends with a message, so look at it in a process of its own.
        int output[2];
        NS_TEST_ASSERT_MSG_EQ(pipe(output), 0, "pipe");
        const pid_t child = fork();
        NS_TEST_ASSERT_MSG_NE(child, -1, "fork");
        if (child == 0)
        {
            dup2(output[1], STDERR_FILENO);
            TrafficControlHelper prioHelper;
            const uint16_t prio = prioHelper.SetRootQueueDisc("ns3::PrioQueueDisc");
            const TrafficControlHelper::ClassIdList bands =
                prioHelper.AddQueueDiscClasses(prio, 2, "ns3::QueueDiscClass");
            prioHelper.AddChildQueueDiscs(prio, bands, "ns3::FqQueueDisc");
            Install(prioHelper, 1);
            Simulator::Run();
            _exit(0);
        }
        close(output[1]);
        std::string message;
        char buffer[1024];
        ssize_t length;
        while ((length = read(output[0], buffer, sizeof(buffer))) > 0)
        {
            message.append(buffer, static_cast<std::size_t>(length));
        }
        close(output[0]);
        int status = 0;
        waitpid(child, &status, 0);
        NS_TEST_EXPECT_MSG_EQ(WIFSIGNALED(status), true, "refused");
        NS_TEST_EXPECT_MSG_NE(message.find("it cannot be a child of ns3::PrioQueueDisc"),
                              std::string::npos,
                              message);
    }

    void DoTeardown() override
    {
        m_nodes.clear();
        m_received.clear();
        Simulator::Destroy();
    }

    std::vector<Ptr<Node>> m_nodes; ///< sender and receiver
    std::vector<Time> m_received;   ///< when packets arrived
};

/**
 * @ingroup linux-tcp-tests
 * @brief Pacing and the link's rate, whichever is lower.
 */
class FqLinkTestCase : public FqTestCase
{
  public:
    FqLinkTestCase()
        : FqTestCase("pacing below and above the link's rate, many flows on one link")
    {
    }

  private:
    /**
     * @brief Serve the queue disc at the rate of a link.
     * @param rate rate of the link
     */
    void Link(DataRate rate)
    {
        m_longest = std::max(m_longest, m_disc->GetNPackets());
        Ptr<QueueDiscItem> item = m_disc->Dequeue();
        if (item)
        {
            m_sent.push_back({Simulator::Now(), item, 0});
            Simulator::Schedule(rate.CalculateBytesTxTime(item->GetSize()),
                                &FqLinkTestCase::Link,
                                this,
                                rate);
        }
        else
        {
            Simulator::Schedule(MicroSeconds(1), &FqLinkTestCase::Link, this, rate);
        }
    }

    void DoRun() override
    {
        // A flow paced at 17.5 and at 40 Mbit/s that offers its rate, on a link of 24 Mbit/s.
        for (uint64_t kbps : {17500, 40000})
        {
            Make({{"Quantum", "1500"}, {"InitialQuantum", "1500"}, {"FlowLimit", "50"}});
            m_longest = 0;
            const Time gap = NanoSeconds(1500 * 8 * 1000000ULL / kbps);
            for (int i = 0; i < 3000; i++)
            {
                Simulator::Schedule(gap * i, [this, kbps]() {
                    Ask ask;
                    ask.cookie = 1;
                    ask.rate = kbps * 125;
                    m_disc->Enqueue(MakeItem(ask));
                });
            }
            Link(DataRate("24Mbps"));
            Simulator::Stop(gap * 3000);
            Simulator::Run();
            const double rate = m_sent.size() * 12000 / (gap * 3000).GetSeconds();
            const double expected = std::min<uint64_t>(kbps, 24000) * 1e3;
            NS_TEST_EXPECT_MSG_EQ_TOL(rate, expected, expected / 100, "the lower rate");
            if (kbps < 24000)
            {
                NS_TEST_EXPECT_MSG_LT_OR_EQ(m_longest, 2, "no queue");
            }
            else
            {
                NS_TEST_EXPECT_MSG_EQ(m_longest, 50, "queue up to the flow limit");
            }
            DoTeardown();
        }
        // 1000 flows of 1 Mbit/s on 1 Gbit/s: each departs within a round of the others.
        Make({{"Quantum", "1500"}, {"InitialQuantum", "1500"}});
        m_longest = 0;
        for (uint64_t cookie = 1; cookie <= 1000; cookie++)
        {
            for (int i = 0; i < 8; i++)
            {
                Simulator::Schedule(MilliSeconds(12) * i + MicroSeconds(cookie), [this, cookie]() {
                    Ask ask;
                    ask.cookie = cookie;
                    ask.rate = 125000;
                    m_disc->Enqueue(MakeItem(ask));
                });
            }
        }
        std::vector<double> delays;
        m_disc->TraceConnectWithoutContext("SojournTime",
                                           Callback<void, Time>([&delays](Time sojourn) {
                                               delays.push_back(sojourn.GetSeconds());
                                           }));
        Link(DataRate("1Gbps"));
        Simulator::Stop(MilliSeconds(200));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_disc->GetFqStats().droppedPackets, 0, "none is dropped");
        NS_TEST_ASSERT_MSG_EQ(delays.size(), 8000, "all leave");
        std::sort(delays.begin(), delays.end());
        NS_TEST_EXPECT_MSG_LT(delays[delays.size() * 99 / 100], 0.024, "no flow waits two gaps");
    }

    uint32_t m_longest{0}; ///< longest queue (packets)
};

/**
 * @ingroup linux-tcp-tests
 * @brief The suite.
 */
class FqQueueDiscTestSuite : public TestSuite
{
  public:
    FqQueueDiscTestSuite()
        : TestSuite("linux-tcp-fq-queue-disc", linuxtcp::TEST_SUITE_UNIT)
    {
        AddTestCase(new FqTagTestCase, linuxtcp::TEST_CASE_QUICK);
        AddTestCase(new FqQuotaTestCase, linuxtcp::TEST_CASE_QUICK);
        for (Time start : {Seconds(0), Seconds(60), Days(50)})
        {
            AddTestCase(new FqStartTimeTestCase(start), linuxtcp::TEST_CASE_QUICK);
        }
        AddTestCase(new FqRegistryTestCase, linuxtcp::TEST_CASE_QUICK);
        AddTestCase(new FqConservationTestCase, linuxtcp::TEST_CASE_QUICK);
        AddTestCase(new FqReconfigureTestCase, linuxtcp::TEST_CASE_QUICK);
        AddTestCase(new FqTextTestCase, linuxtcp::TEST_CASE_QUICK);
        AddTestCase(new FqRateTestCase, linuxtcp::TEST_CASE_QUICK);
        AddTestCase(new FqCeTestCase, linuxtcp::TEST_CASE_QUICK);
        AddTestCase(new FqOtherPacketsTestCase, linuxtcp::TEST_CASE_QUICK);
        AddTestCase(new FqWarningTestCase, linuxtcp::TEST_CASE_QUICK);
        AddTestCase(new FqTimerSlackTestCase, linuxtcp::TEST_CASE_QUICK);
        AddTestCase(new FqPlaceTestCase, linuxtcp::TEST_CASE_QUICK);
        AddTestCase(new FqLinkTestCase, linuxtcp::TEST_CASE_QUICK);
    }
};

/// Registers the suite
static FqQueueDiscTestSuite g_fqQueueDiscTestSuite;
