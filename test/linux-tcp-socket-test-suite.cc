/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-test-path.h"

#include "ns3/fq-packet-tag.h"
#include "ns3/fq-queue-disc.h"
#include "ns3/fq-stamper.h"
#include "ns3/ns3-compat.h"
#include "ns3/pacing-registry.h"
#include "ns3/ppp-header.h"
#include "ns3/socket-pacing.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-linux-cubic.h"
#include "ns3/tcp-reno.h"
#include "ns3/test.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// What is known of a packet that a device sent
struct SentPacket
{
    bool tagged{false};   ///< whether it bears a tag
    FqPacketTag tag;      ///< its tag
    uint8_t tcpFlags{0};  ///< flags of TCP, 0 if it has no TCP header
    uint32_t sequence{0}; ///< sequence number
    uint32_t payload{0};  ///< bytes of payload
    bool fragment{false}; ///< whether it is a fragment of a datagram
    Time time;            ///< when the device got it
};

/**
 * @brief Record what a device gets to send.
 * @param device the device
 * @param sent where to record
 */
void
RecordSent(Ptr<PointToPointNetDevice> device, std::vector<SentPacket>& sent)
{
    device->TraceConnectWithoutContext(
        "MacTx",
        Callback<void, Ptr<const Packet>>([&sent](Ptr<const Packet> packet) {
            SentPacket record;
            record.time = Simulator::Now();
            record.tagged = packet->PeekPacketTag(record.tag);
            Ptr<Packet> copy = packet->Copy();
            PppHeader ppp;
            copy->RemoveHeader(ppp);
            Ipv4Header ip;
            copy->RemoveHeader(ip);
            record.fragment = !ip.IsLastFragment() || ip.GetFragmentOffset() > 0;
            if (ip.GetFragmentOffset() == 0)
            {
                TcpHeader tcp;
                copy->RemoveHeader(tcp);
                record.tcpFlags = tcp.GetFlags();
                record.sequence = tcp.GetSequenceNumber().GetValue();
            }
            record.payload = copy->GetSize();
            sent.push_back(record);
        }));
}

/// Drops one data segment, by number of arrival.
class OneDataErrorModel : public ErrorModel
{
  public:
    uint32_t drop{0}; ///< number of the segment, from 0

  private:
    bool DoCorrupt(Ptr<Packet> packet) override
    {
        return packet->GetSize() > 200 && m_seen++ == drop;
    }

    void DoReset() override
    {
        m_seen = 0;
    }

    uint32_t m_seen{0}; ///< data segments seen
};

/// Drops the first transmissions of data segments, by sequence number.
class TransmissionErrorModel : public ErrorModel
{
  public:
    std::map<uint32_t, uint32_t> drops;            ///< sequence number, transmissions to drop
    std::map<uint32_t, std::vector<Time>> arrived; ///< sequence number, when each came in

  private:
    bool DoCorrupt(Ptr<Packet> packet) override
    {
        Ptr<Packet> copy = packet->Copy();
        PppHeader ppp;
        copy->RemoveHeader(ppp);
        Ipv4Header ip;
        copy->RemoveHeader(ip);
        TcpHeader tcp;
        copy->RemoveHeader(tcp);
        const uint32_t sequence = tcp.GetSequenceNumber().GetValue();
        const auto drop = drops.find(sequence);
        if (copy->GetSize() == 0 || drop == drops.end())
        {
            return false;
        }
        arrived[sequence].push_back(Simulator::Now());
        return arrived[sequence].size() <= drop->second;
    }

    void DoReset() override
    {
        arrived.clear();
    }
};

} // namespace

/**
 * @ingroup linux-tcp-tests
 * @brief The pacing rate and the clock of departure times, against their specification.
 */
class SocketPacingTest : public TestCase
{
  public:
    SocketPacingTest()
        : TestCase("pacing rate and departure clock")
    {
    }

  private:
    void DoRun() override
    {
        using linuxtcp::ComputePacingRate;
        constexpr uint32_t INFINITE = linuxtcp::INFINITE_SSTHRESH;
        constexpr uint64_t NONE = linuxtcp::UNLIMITED_PACING_RATE;
        const linuxtcp::PacingGains gains;
        // mss 1448, srtt 10 ms
        NS_TEST_EXPECT_MSG_EQ(ComputePacingRate(gains, 1448, 10, INFINITE, 0, 10000, NONE),
                              2896000,
                              "slow start");
        NS_TEST_EXPECT_MSG_EQ(ComputePacingRate(gains, 1448, 100, 100, 0, 10000, NONE),
                              17376000,
                              "avoidance");
        NS_TEST_EXPECT_MSG_EQ(ComputePacingRate(gains, 1448, 49, 100, 0, 10000, NONE),
                              14190400,
                              "just below half of the threshold");
        NS_TEST_EXPECT_MSG_EQ(ComputePacingRate(gains, 1448, 50, 100, 0, 10000, NONE),
                              8688000,
                              "half of the threshold");
        NS_TEST_EXPECT_MSG_EQ(ComputePacingRate(gains, 1448, 5, 5, 20, 10000, NONE),
                              3475200,
                              "more outstanding than the window");
        NS_TEST_EXPECT_MSG_EQ(ComputePacingRate(gains, 1448, 10, INFINITE, 0, 0, 5000),
                              5000,
                              "no RTT: the limit");
        NS_TEST_EXPECT_MSG_EQ(ComputePacingRate(gains, 1448, 10, INFINITE, 0, 10000, 1000000),
                              1000000,
                              "the limit");
        // A window of 4 GB within 1 us is far from an overflow.
        NS_TEST_EXPECT_MSG_EQ(ComputePacingRate(gains, 65535, 65535, INFINITE, 0, 1, NONE),
                              65535ull * 65535 * 2000000,
                              "no overflow");

        // 1 250 000 bytes/s, 14 segments of 1448 bytes at 5 ms, three more at 20 ms (ns)
        const std::vector<int64_t> expected = {5000000,
                                               5000000,
                                               5000000,
                                               5000000,
                                               5000000,
                                               5000000,
                                               5000000,
                                               5000000,
                                               5000000,
                                               5000000,
                                               6158400,
                                               7316800,
                                               8475200,
                                               9633600,
                                               20000000,
                                               20579200,
                                               21737600};
        linuxtcp::DepartureClock clock;
        for (std::size_t i = 0; i < expected.size(); i++)
        {
            NS_TEST_EXPECT_MSG_EQ(clock.Stamp(i < 14 ? 5000000 : 20000000),
                                  expected[i],
                                  "segment " << i + 1);
            if (i + 1 >= 10)
            {
                clock.Advance(1448, 1250000);
            }
        }
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief The registry counts what waits, and wakes once for each request.
 */
class PacingRegistryTest : public TestCase
{
  public:
    PacingRegistryTest()
        : TestCase("registry of a node")
    {
    }

  private:
    void DoRun() override
    {
        auto node = CreateObject<Node>();
        auto registry = PacingRegistry::GetOf(node);
        NS_TEST_EXPECT_MSG_EQ((registry == PacingRegistry::GetOf(node)), true, "one a node");
        uint64_t rate = 1000;
        uint32_t wakes = 0;
        const uint64_t a = registry->Register(Callback<uint64_t>([&]() { return rate; }),
                                              Callback<void>([&]() { wakes++; }));
        const uint64_t b =
            registry->Register(PacingRegistry::RateCallback(), PacingRegistry::WakeCallback());
        NS_TEST_EXPECT_MSG_EQ((a != 0 && b != 0 && a != b), true, "cookies");
        NS_TEST_EXPECT_MSG_EQ(registry->GetPacingRate(a, 7), 1000, "rate");
        rate = 2000;
        NS_TEST_EXPECT_MSG_EQ(registry->GetPacingRate(a, 7), 2000, "rate as it is now");
        NS_TEST_EXPECT_MSG_EQ(registry->GetPacingRate(b, 7), 7, "no rate: the fallback");
        registry->AddBacklog(a, 3000);
        registry->AddBacklog(b, 1000);
        registry->RemoveBacklog(a, 1000);
        NS_TEST_EXPECT_MSG_EQ(registry->GetBacklog(a), 2000, "backlog");
        NS_TEST_EXPECT_MSG_EQ(registry->GetBacklog(b), 1000, "backlog of the other one");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(wakes, 0, "nobody asked");
        registry->RequestWake(a);
        registry->RemoveBacklog(a, 500);
        registry->RemoveBacklog(a, 500);
        NS_TEST_EXPECT_MSG_EQ(wakes, 0, "not from within");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(wakes, 1, "once");
        registry->RemoveBacklog(a, 5000);
        NS_TEST_EXPECT_MSG_EQ(registry->GetBacklog(a), 0, "never below 0");
        registry->RequestWake(a);
        registry->RemoveBacklog(a, 1);
        registry->Unregister(a);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(wakes, 1, "a socket that has gone is not called");
        NS_TEST_EXPECT_MSG_EQ(registry->GetPacingRate(a, 7), 7, "gone: the fallback");
        registry->RemoveBacklog(a, 1);
        NS_TEST_EXPECT_MSG_GT(
            registry->Register(PacingRegistry::RateCallback(), PacingRegistry::WakeCallback()),
            b,
            "a cookie is never given twice");
        Simulator::Destroy();
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Every packet is tagged: handshake, data, retransmissions, fragments, acknowledgements.
 */
class SocketTagTest : public TestCase
{
  public:
    /**
     * @param linuxSocket LinuxTcpSocket, or ns-3's own with the stamper
     * @param mtu MTU of the links
     */
    SocketTagTest(bool linuxSocket, uint16_t mtu)
        : TestCase(std::string("tags of a ") + (linuxSocket ? "Linux" : "stamped stock") +
                   " socket, MTU " + std::to_string(mtu)),
          m_linuxSocket(linuxSocket),
          m_mtu(mtu)
    {
    }

  private:
    void DoRun() override
    {
        TcpTestPath::Options options;
        options.linuxSocket = m_linuxSocket;
        options.mtu = m_mtu;
        options.deviceQueue = "1000p";
        options.total = 200 * 1448;
        TcpTestPath path(options, CreateObject<TcpReno>());
        if (!m_linuxSocket)
        {
            FqStamper::Install(path.GetNode(0));
            FqStamper::Install(path.GetNode(2));
        }
        auto errors = CreateObject<OneDataErrorModel>();
        errors->drop = 30;
        path.GetReceiverDevice()->SetReceiveErrorModel(errors);
        std::vector<SentPacket> forth;
        std::vector<SentPacket> back;
        RecordSent(path.GetSenderDevice(), forth);
        RecordSent(path.GetReceiverDevice(), back);
        path.Run(Seconds(5));

        NS_TEST_EXPECT_MSG_EQ(path.GetReceived(), options.total, "data arrives");
        NS_TEST_ASSERT_MSG_GT(forth.size(), 200, "packets sent");
        uint32_t retransmissions = 0;
        uint32_t fragments = 0;
        uint32_t highest = 0;
        for (std::size_t i = 0; i < forth.size(); i++)
        {
            const SentPacket& packet = forth[i];
            NS_TEST_ASSERT_MSG_EQ(packet.tagged, true, "packet " << i);
            NS_TEST_EXPECT_MSG_EQ(packet.tag.m_nodeId, path.GetNode(0)->GetId(), "node");
            NS_TEST_EXPECT_MSG_EQ(packet.tag.m_cookie, forth[0].tag.m_cookie, "one socket");
            fragments += packet.fragment;
            if (packet.tcpFlags == 0)
            {
                continue;
            }
            const uint32_t end = packet.sequence + packet.payload;
            const bool again = packet.payload > 0 && packet.sequence < highest;
            retransmissions += again;
            highest = std::max(highest, end);
            uint32_t flags = 0;
            if (packet.tcpFlags & TcpHeader::SYN)
            {
                flags = FqPacketTag::CONTROL;
            }
            else if (packet.payload == 0)
            {
                flags = FqPacketTag::PURE_ACK;
            }
            else if (again)
            {
                flags = FqPacketTag::RETRANSMIT;
            }
            NS_TEST_EXPECT_MSG_EQ(uint32_t{packet.tag.m_flags}, flags, "flags of packet " << i);
            if (m_linuxSocket && i > 0)
            {
                NS_TEST_EXPECT_MSG_GT(packet.tag.m_departureNs, 0, "departure time");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(((forth[0].tcpFlags & TcpHeader::SYN) != 0), true, "SYN first");
        NS_TEST_EXPECT_MSG_GT(retransmissions, 0, "a retransmission");
        NS_TEST_EXPECT_MSG_EQ((fragments > 400), (m_mtu < 1500), "fragments");
        NS_TEST_EXPECT_MSG_GT(forth.back().tag.m_pacingRate, 0, "pacing rate");
        NS_TEST_ASSERT_MSG_GT(back.size(), 50, "acknowledgements");
        for (std::size_t i = 0; i < back.size(); i++)
        {
            NS_TEST_ASSERT_MSG_EQ(back[i].tagged, true, "answer " << i);
            NS_TEST_EXPECT_MSG_EQ(back[i].tag.m_nodeId, path.GetNode(2)->GetId(), "node");
            const uint32_t flags =
                i == 0 ? FqPacketTag::CONTROL | FqPacketTag::REQUEST_SOCKET : FqPacketTag::PURE_ACK;
            NS_TEST_EXPECT_MSG_EQ(uint32_t{back[i].tag.m_flags}, flags, "flags of answer " << i);
        }
    }

    bool m_linuxSocket; ///< LinuxTcpSocket, or ns-3's own with the stamper
    uint16_t m_mtu;     ///< MTU of the links
};

/**
 * @ingroup linux-tcp-tests
 * @brief Accepted sockets stamp by themselves, not through the listening one.
 */
class SocketForkTest : public TestCase
{
  public:
    SocketForkTest()
        : TestCase("accepted sockets")
    {
    }

  private:
    void DoRun() override
    {
        TcpTestPath::Options options;
        options.total = 20 * 1448;
        TcpTestPath path(options, CreateObject<TcpReno>());
        path.GetListener()->SetAttribute("MaxPacingRate", StringValue("5Mbps"));
        std::vector<SentPacket> back;
        RecordSent(path.GetReceiverDevice(), back);
        auto second = LinuxTcpSocketFactory::Install(path.GetNode(0))->CreateSocket();
        second->SetAttribute("Timestamp", BooleanValue(false));
        Simulator::ScheduleWithContext(path.GetNode(0)->GetId(), MilliSeconds(10), [&]() {
            second->Bind();
            second->Connect(path.GetRemote());
        });
        path.Run(Seconds(1));

        std::map<uint64_t, uint32_t> packets;
        uint32_t answers = 0;
        for (const SentPacket& packet : back)
        {
            packets[packet.tag.m_cookie]++;
            answers += (packet.tcpFlags & TcpHeader::SYN) != 0;
        }
        NS_TEST_EXPECT_MSG_EQ(answers, 2, "two connections");
        NS_TEST_EXPECT_MSG_EQ(packets.size(), 2, "two identities");
        NS_TEST_EXPECT_MSG_EQ(packets.count(0), 0, "none is 0");
        const auto listener = DynamicCast<LinuxTcpSocket>(path.GetListener());
        NS_TEST_EXPECT_MSG_EQ(listener->GetCookie(), 0, "the listening socket sent nothing");
        const auto accepted = DynamicCast<LinuxTcpSocket>(path.GetAccepted());
        NS_TEST_EXPECT_MSG_EQ(accepted->GetMaxPacingRate().GetBitRate(), 5000000, "inherited");
        NS_TEST_EXPECT_MSG_EQ(packets.count(accepted->GetCookie()), 1, "its own identity");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief A host that paces below its link rate: what waits, and what the RTT says of it.
 */
class SocketPacedHostTest : public TestCase
{
  public:
    /**
     * @param departure earliest departure times
     * @param smallQueues small queues
     * @param timestamps Timestamp option
     */
    SocketPacedHostTest(bool departure, bool smallQueues, bool timestamps)
        : TestCase(std::string("paced host, departure times ") + (departure ? "on" : "off") +
                   ", small queues " + (smallQueues ? "on" : "off") +
                   (timestamps ? ", timestamps" : "")),
          m_departure(departure),
          m_smallQueues(smallQueues),
          m_timestamps(timestamps)
    {
    }

  private:
    void DoRun() override
    {
        TcpTestPath::Options options;
        options.rate = "1Gbps";
        options.rtt = MilliSeconds(10);
        options.timestamps = m_timestamps;
        options.deviceQueue = "1000p";
        options.senderDisc = "ns3::FqQueueDisc";
        options.quickAcks = 1000000; // a delayed acknowledgement would count as RTT
        TcpTestPath path(options, CreateObject<TcpLinuxCubic>());
        auto sender = path.GetLinuxSender();
        sender->SetAttribute("EarliestDepartureTime", BooleanValue(m_departure));
        sender->SetAttribute("SmallQueues", BooleanValue(m_smallQueues));
        sender->SetMaxPacingRate(DataRate("100Mbps"));
        path.GetSenderDisc()->SetAttribute("FlowLimit", UintegerValue(10000));
        Time smoothed;
        sender->TraceConnectWithoutContext("RTT", Callback<void, Time, Time>([&](Time, Time value) {
                                               smoothed = value;
                                           }));
        uint32_t enforced = 0;
        sender->TraceConnectWithoutContext("PacingNotEnforced",
                                           Callback<void, DataRate>([&](DataRate) { enforced++; }));
        auto registry = PacingRegistry::GetOf(path.GetNode(0));
        uint64_t largest = 0;
        for (int i = 0; i < 15000; i++)
        {
            Simulator::Schedule(MicroSeconds(100 * i), [&]() {
                largest = std::max(largest, registry->GetBacklog(sender->GetCookie()));
            });
        }
        path.Run(MilliSeconds(700));
        const uint64_t before = path.GetReceived();
        path.Run(MilliSeconds(1500));

        const double goodput = (path.GetReceived() - before) * 8 / 0.8e6;
        const double base = path.GetBaseRtt().GetNanoSeconds();
        const double ratio = smoothed.GetNanoSeconds() / base;
        // 100 Mbit/s of payload, by departure times; by rate, of payload and headers.
        const double expected = m_departure ? 100 : 100 * 1448.0 / (m_timestamps ? 1514 : 1502);
        NS_TEST_EXPECT_MSG_EQ_TOL(goodput, expected, 1.5, "goodput in Mbit/s");
        NS_TEST_EXPECT_MSG_EQ(enforced, 0, "the queue disc paces");
        NS_TEST_EXPECT_MSG_EQ(path.GetSenderDisc()->GetStats().nTotalDroppedPackets, 0, "drops");
        if (m_smallQueues)
        {
            // 1/1024 s at 12.5 MB/s, and the packet that exceeds it
            NS_TEST_EXPECT_MSG_LT(largest, 12500000 / 1024 + 1500 + 1, "bytes below the socket");
            NS_TEST_EXPECT_MSG_GT(largest, 12500000 / 2048, "but the limit is used");
        }
        else
        {
            NS_TEST_EXPECT_MSG_GT(largest, 500000, "a window below the socket");
        }
        if (m_departure && m_smallQueues)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(ratio, 1, 0.01, "RTT of the path");
        }
        else if (m_smallQueues)
        {
            NS_TEST_EXPECT_MSG_GT(ratio, 1.03, "waiting counts as RTT");
            NS_TEST_EXPECT_MSG_LT(ratio, 1.2, "but little waits");
        }
        else if (!m_departure)
        {
            NS_TEST_EXPECT_MSG_GT(ratio, 3, "a window waits, and counts as RTT");
        }
        const QueueDisc::Stats stats = path.GetSenderDisc()->GetStats();
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalEnqueuedPackets,
                              stats.nTotalDequeuedPackets + path.GetSenderDisc()->GetNPackets(),
                              "packets are conserved");
    }

    bool m_departure;   ///< earliest departure times
    bool m_smallQueues; ///< small queues
    bool m_timestamps;  ///< Timestamp option
};

/**
 * @ingroup linux-tcp-tests
 * @brief A maximum rate without a pacing queue disc: the socket paces, or says that nobody does.
 */
class SocketInternalPacingTest : public TestCase
{
  public:
    /// @param internal whether the socket may pace
    explicit SocketInternalPacingTest(bool internal)
        : TestCase(std::string("maximum rate, internal pacing ") + (internal ? "on" : "off")),
          m_internal(internal)
    {
    }

  private:
    void DoRun() override
    {
        TcpTestPath::Options options;
        options.rate = "100Mbps";
        options.rtt = MilliSeconds(10);
        options.deviceQueue = "1000p";
        TcpTestPath path(options, CreateObject<TcpReno>());
        auto sender = path.GetLinuxSender();
        sender->SetAttribute("InternalPacing", BooleanValue(m_internal));
        sender->SetAttribute("MaxPacingRate", StringValue("20Mbps"));
        uint32_t told = 0;
        sender->TraceConnectWithoutContext(
            "PacingNotEnforced",
            Callback<void, DataRate>([&](DataRate rate) {
                told++;
                NS_TEST_EXPECT_MSG_EQ(rate.GetBitRate(), 20000000, "rate told");
            }));
        std::vector<SentPacket> sent;
        RecordSent(path.GetSenderDevice(), sent);
        path.Run(Seconds(1));
        uint64_t before = path.GetReceived();
        path.Run(Seconds(2));
        const double first = (path.GetReceived() - before) * 8 / 1e6;
        double second = 0;
        if (m_internal)
        {
            sender->SetAttribute("MaxPacingRate", StringValue("5Mbps")); // at run time
            path.Run(Seconds(3));
            before = path.GetReceived();
            path.Run(Seconds(4));
            second = (path.GetReceived() - before) * 8 / 1e6;
        }
        NS_TEST_EXPECT_MSG_EQ(told, (m_internal ? 0 : 1), "told once");
        NS_TEST_EXPECT_MSG_EQ(sender->IsPacingEnforced(), m_internal, "enforced");
        if (m_internal)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(first, 20, 0.3, "20 Mbit/s");
            NS_TEST_EXPECT_MSG_EQ_TOL(second, 5, 0.1, "5 Mbit/s");
            // The first ten leave together, the others 1448 bytes at 2.5 MB/s apart.
            std::vector<Time> data;
            for (const auto& packet : sent)
            {
                if (packet.payload > 0)
                {
                    data.push_back(packet.time);
                }
            }
            NS_TEST_EXPECT_MSG_EQ(data[9], data[0], "initial window");
            for (std::size_t i = 100; i < 500; i++)
            {
                NS_TEST_EXPECT_MSG_GT_OR_EQ((data[i] - data[i - 1]).GetNanoSeconds(),
                                            579200 / 2,
                                            "gap " << i);
            }
            NS_TEST_EXPECT_MSG_EQ_TOL((data[500] - data[100]).GetNanoSeconds() / 400,
                                      579200,
                                      1000,
                                      "mean gap");
        }
        else
        {
            NS_TEST_EXPECT_MSG_GT(first, 90, "nobody paces");
        }
    }

    bool m_internal; ///< whether the socket may pace
};

/**
 * @ingroup linux-tcp-tests
 * @brief Bursts of segmentation offload.
 */
class SocketSegmentationTest : public TestCase
{
  public:
    SocketSegmentationTest()
        : TestCase("segmentation offload")
    {
    }

  private:
    /**
     * @brief Count how many segments leave together.
     * @param sent packets sent
     * @param from since when
     * @return bursts by their number of segments
     */
    static std::map<uint32_t, uint32_t> CountBursts(const std::vector<SentPacket>& sent, Time from)
    {
        std::map<uint32_t, uint32_t> bursts;
        uint32_t size = 0;
        Time last = Seconds(-1);
        for (const auto& packet : sent)
        {
            if (packet.payload == 0 || packet.time < from)
            {
                continue;
            }
            if (packet.time != last && size > 0)
            {
                bursts[size]++;
                size = 0;
            }
            size++;
            last = packet.time;
        }
        return bursts;
    }

    void DoRun() override
    {
        // 80 Mbit/s of payload: bursts of 10 MB/s / 1024 = 9765 bytes, 6 segments.
        {
            TcpTestPath::Options options;
            options.rate = "1Gbps";
            options.rtt = MilliSeconds(10);
            options.deviceQueue = "1000p";
            TcpTestPath path(options, CreateObject<TcpReno>());
            auto sender = path.GetLinuxSender();
            sender->SetAttribute("SegmentationOffload", BooleanValue(true));
            sender->SetAttribute("MaxPacingRate", StringValue("80Mbps"));
            std::vector<SentPacket> sent;
            RecordSent(path.GetSenderDevice(), sent);
            path.Run(Seconds(2));
            const auto bursts = CountBursts(sent, Seconds(1));
            NS_TEST_ASSERT_MSG_EQ(bursts.count(6), 1, "bursts of six");
            uint32_t all = 0;
            for (const auto& [size, count] : bursts)
            {
                all += count;
            }
            NS_TEST_EXPECT_MSG_GT(bursts.at(6), all * 95 / 100, "nearly all of them");
            NS_TEST_EXPECT_MSG_EQ_TOL(path.GetReceived() * 8 / 2e6, 80, 2, "goodput in Mbit/s");
        }
        // Small windows do not stall: one window a round trip, whatever the burst aimed at.
        for (uint32_t limit : {1, 2, 3, 10})
        {
            TcpTestPath::Options options;
            options.rate = "1Gbps";
            options.rtt = MilliSeconds(10);
            options.quickAcks = 1000;
            options.total = 60 * 1448;
            TcpTestPath path(options, CreateObject<TcpReno>());
            auto sender = path.GetLinuxSender();
            sender->SetAttribute("SegmentationOffload", BooleanValue(true));
            sender->SetAttribute("SegmentationMinimum", UintegerValue(44));
            sender->SetAttribute("WindowLimit", UintegerValue(limit));
            uint32_t inFlight = 0;
            sender->TraceConnectWithoutContext(
                "BytesInFlight",
                Callback<void, uint32_t, uint32_t>(
                    [&](uint32_t, uint32_t bytes) { inFlight = std::max(inFlight, bytes); }));
            path.Run(MilliSeconds(11) * (60 / limit + 4));
            NS_TEST_EXPECT_MSG_EQ(path.GetReceived(), options.total, "window " << limit);
            NS_TEST_EXPECT_MSG_LT(inFlight, limit * 1448 + 1, "in flight, window " << limit);
        }
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Acknowledgements: delayed, quick at the start, at once for merged segments.
 */
class SocketAcknowledgementTest : public TestCase
{
  public:
    SocketAcknowledgementTest()
        : TestCase("acknowledgements of the receiver")
    {
    }

  private:
    /**
     * @brief Transfer 100 segments.
     * @param quickAcks segments acknowledged at once
     * @param receiverMss segment size of the receiver (bytes)
     * @return acknowledgements of data
     */
    static uint32_t Count(uint32_t quickAcks, uint32_t receiverMss)
    {
        TcpTestPath::Options options;
        options.deviceQueue = "1000p";
        options.quickAcks = quickAcks;
        options.receiverMss = receiverMss;
        options.total = 100 * 1448;
        TcpTestPath path(options, CreateObject<TcpReno>());
        std::vector<SentPacket> back;
        RecordSent(path.GetReceiverDevice(), back);
        path.Run(Seconds(2));
        return static_cast<uint32_t>(back.size()) - 1; // without the SYN-ACK
    }

    void DoRun() override
    {
        const uint32_t delayed = Count(0, 1448);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(delayed, 50, "every second segment");
        NS_TEST_EXPECT_MSG_LT(delayed, 56, "every second segment");
        const uint32_t quick = Count(16, 1448);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(quick, 16 + 42, "sixteen at once");
        NS_TEST_EXPECT_MSG_LT(quick, 16 + 42 + 5, "then every second segment");
        NS_TEST_EXPECT_MSG_EQ(Count(1000, 1448), 100, "all at once");
        // To a receiver with smaller segments, each of these looks merged.
        NS_TEST_EXPECT_MSG_EQ(Count(0, 724), 100, "merged segments at once");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief The window after an idle time.
 */
class SocketIdleTest : public TestCase
{
  public:
    /// @param restart slow start after idle
    explicit SocketIdleTest(bool restart)
        : TestCase(std::string("slow start after idle ") + (restart ? "on" : "off")),
          m_restart(restart)
    {
    }

  private:
    void DoRun() override
    {
        TcpTestPath::Options options;
        options.rate = "100Mbps";
        options.total = 700 * 1448;
        options.deviceQueue = "1000p";
        TcpTestPath path(options, CreateObject<TcpReno>());
        auto sender = path.GetLinuxSender();
        sender->SetAttribute("SlowStartAfterIdle", BooleanValue(m_restart));
        uint32_t cwnd = 0;
        uint32_t ssthresh = 0;
        uint32_t inFlight = 0;
        sender->TraceConnectWithoutContext(
            "BytesInFlight",
            Callback<void, uint32_t, uint32_t>([&](uint32_t, uint32_t v) { inFlight = v; }));
        sender->TraceConnectWithoutContext(
            "CongestionWindow",
            Callback<void, uint32_t, uint32_t>([&](uint32_t, uint32_t v) { cwnd = v / 1448; }));
        sender->TraceConnectWithoutContext(
            "SlowStartThreshold",
            Callback<void, uint32_t, uint32_t>([&](uint32_t, uint32_t v) { ssthresh = v; }));
        path.Run(Seconds(2));
        const uint32_t grown = cwnd;
        NS_TEST_ASSERT_MSG_GT(grown, 100, "a grown window");
        path.Run(MilliSeconds(2010)); // sent last before 0.5 s; the timeout is 0.2 s
        uint32_t burst = 0;
        Simulator::ScheduleNow([&]() { path.AddTotal(1000 * 1448); });
        Simulator::Schedule(MilliSeconds(20), [&]() { burst = inFlight; });
        path.Run(MilliSeconds(2035));
        if (m_restart)
        {
            NS_TEST_EXPECT_MSG_EQ(burst / 1448, 10, "initial window");
            NS_TEST_EXPECT_MSG_EQ(ssthresh,
                                  std::numeric_limits<uint32_t>::max(),
                                  "the threshold is never lowered");
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(burst / 1448, grown, "the old window");
        }
        path.Run(Seconds(5));
        NS_TEST_EXPECT_MSG_EQ(path.GetReceived(), 1700 * 1448, "data arrives");
    }

    bool m_restart; ///< slow start after idle
};

/**
 * @ingroup linux-tcp-tests
 * @brief A retransmission that is lost in turn.
 */
class SocketLostRetransmissionTest : public TestCase
{
  public:
    /**
     * @param rule value of LostRetransmissions
     * @param timeouts timeouts to expect
     */
    SocketLostRetransmissionTest(const std::string& rule, uint32_t timeouts)
        : TestCase("lost retransmissions: " + rule),
          m_rule(rule),
          m_timeouts(timeouts)
    {
    }

  private:
    void DoRun() override
    {
        // 30 segments take 30 * 12 us of 40 ms: the rounds are apart.
        TcpTestPath::Options options;
        options.rate = "1Gbps";
        options.deviceQueue = "1000p";
        options.total = 300 * 1448;
        TcpTestPath path(options, CreateObject<TcpReno>());
        auto sender = path.GetLinuxSender();
        sender->SetAttribute("LostRetransmissions", StringValue(m_rule));
        sender->SetAttribute("WindowLimit", UintegerValue(30));
        auto losses = CreateObject<TransmissionErrorModel>();
        const uint32_t first = 1 + 100 * 1448;
        const uint32_t second = 1 + 102 * 1448;
        losses->drops = {{first, 2}, {second, 1}};
        path.GetReceiverDevice()->SetReceiveErrorModel(losses);
        uint32_t timeouts = 0;
        sender->TraceConnectWithoutContext(
            "CongState",
            Callback<void, TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t>(
                [&](TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t state) {
                    timeouts += state == TcpSocketState::CA_LOSS;
                }));
        path.Run(Seconds(5));
        NS_TEST_EXPECT_MSG_EQ(path.GetReceived(), options.total, "data arrives");
        NS_TEST_EXPECT_MSG_EQ(timeouts, m_timeouts, "timeouts");
        const auto& times = losses->arrived[first];
        NS_TEST_ASSERT_MSG_EQ(times.size(), 3, "sent three times");
        NS_TEST_EXPECT_MSG_EQ(losses->arrived[second].size(), 2, "sent twice");
        const double rtt = path.GetBaseRtt().GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL((times[1] - times[0]).GetSeconds(),
                                  rtt,
                                  rtt / 50,
                                  "found by SACK");
        const double gap = (times[2] - times[1]).GetSeconds();
        if (m_timeouts == 0)
        {
            // What was sent next, a round trip ago, has arrived.
            NS_TEST_EXPECT_MSG_EQ_TOL(gap, rtt, rtt / 50, "found by what was sent after it");
        }
        else
        {
            NS_TEST_EXPECT_MSG_GT(gap, 0.15, "found by the timeout of 0.2 s");
        }
    }

    std::string m_rule;  ///< value of LostRetransmissions
    uint32_t m_timeouts; ///< timeouts to expect
};

/**
 * @ingroup linux-tcp-tests
 * @brief ns-3's own socket is paced by FQ, at the rate that the stamper computes.
 */
class StamperPacingTest : public TestCase
{
  public:
    StamperPacingTest()
        : TestCase("stamper and FQ pace ns-3's own socket")
    {
    }

  private:
    void DoRun() override
    {
        TcpTestPath::Options options;
        options.linuxSocket = false;
        options.rate = "1Gbps";
        options.rtt = MilliSeconds(100);
        options.deviceQueue = "1000p";
        options.senderDisc = "ns3::FqQueueDisc";
        options.total = 30 * 1448;
        TcpTestPath path(options, CreateObject<TcpReno>());
        auto stamper = FqStamper::Install(path.GetNode(0));
        NS_TEST_EXPECT_MSG_EQ((stamper == FqStamper::Install(path.GetNode(0))), true, "one a node");
        std::vector<Time> sent;
        path.GetSenderDevice()->TraceConnectWithoutContext(
            "MacTx",
            Callback<void, Ptr<const Packet>>([&](Ptr<const Packet> packet) {
                FqPacketTag tag;
                NS_TEST_EXPECT_MSG_EQ(packet->PeekPacketTag(tag), false, "FQ removes the tag");
                if (packet->GetSize() > 200)
                {
                    sent.push_back(Simulator::Now());
                }
            }));
        path.Run(Seconds(3));
        NS_TEST_EXPECT_MSG_EQ(stamper->GetNFlows(), 1, "one connection");
        NS_TEST_ASSERT_MSG_EQ(sent.size(), 30, "data sent");
        NS_TEST_EXPECT_MSG_EQ(path.GetReceived(), options.total, "data arrives");
        // The second round: window 12 to 20, twice window over RTT; a quantum of two packets.
        const double gap = 3028.0 * 0.1 / (2 * 1448 * 12);
        double largest = 0;
        for (std::size_t i = 11; i < 30; i++)
        {
            largest = std::max(largest, (sent[i] - sent[i - 1]).GetSeconds());
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(largest, gap, gap / 5, "paced in slow start");
    }
};

/**
 * @ingroup linux-tcp-tests
 * @brief Test suite of the Linux socket, its registry and the stamper.
 */
class LinuxTcpSocketTestSuite : public TestSuite
{
  public:
    LinuxTcpSocketTestSuite()
        : TestSuite("linux-tcp-socket", linuxtcp::TEST_SUITE_UNIT)
    {
        using linuxtcp::TEST_CASE_QUICK;
        AddTestCase(new SocketPacingTest(), TEST_CASE_QUICK);
        AddTestCase(new PacingRegistryTest(), TEST_CASE_QUICK);
        AddTestCase(new SocketTagTest(true, 1500), TEST_CASE_QUICK);
        AddTestCase(new SocketTagTest(true, 600), TEST_CASE_QUICK);
        AddTestCase(new SocketTagTest(false, 1500), TEST_CASE_QUICK);
        AddTestCase(new SocketTagTest(false, 600), TEST_CASE_QUICK);
        AddTestCase(new SocketForkTest(), TEST_CASE_QUICK);
        AddTestCase(new SocketPacedHostTest(true, true, false), TEST_CASE_QUICK);
        AddTestCase(new SocketPacedHostTest(true, true, true), TEST_CASE_QUICK);
        AddTestCase(new SocketPacedHostTest(false, true, false), TEST_CASE_QUICK);
        AddTestCase(new SocketPacedHostTest(false, false, false), TEST_CASE_QUICK);
        AddTestCase(new SocketInternalPacingTest(true), TEST_CASE_QUICK);
        AddTestCase(new SocketInternalPacingTest(false), TEST_CASE_QUICK);
        AddTestCase(new SocketSegmentationTest(), TEST_CASE_QUICK);
        AddTestCase(new SocketAcknowledgementTest(), TEST_CASE_QUICK);
        AddTestCase(new SocketIdleTest(true), TEST_CASE_QUICK);
        AddTestCase(new SocketIdleTest(false), TEST_CASE_QUICK);
        AddTestCase(new SocketLostRetransmissionTest("Timeout", 1), TEST_CASE_QUICK);
        AddTestCase(new SocketLostRetransmissionTest("NewData", 0), TEST_CASE_QUICK);
        AddTestCase(new SocketLostRetransmissionTest("AnyData", 0), TEST_CASE_QUICK);
        AddTestCase(new StamperPacingTest(), TEST_CASE_QUICK);
    }
};

/// The suite's one instance
static LinuxTcpSocketTestSuite g_linuxTcpSocketTestSuite;
