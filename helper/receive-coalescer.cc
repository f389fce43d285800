/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "receive-coalescer.h"

#include "ns3/boolean.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ReceiveCoalescer");

NS_OBJECT_ENSURE_REGISTERED(ReceiveCoalescer);

namespace
{

constexpr uint16_t ETHERTYPE_IPV4 = 0x0800; ///< EtherType of IPv4
constexpr uint16_t ETHERTYPE_IPV6 = 0x86dd; ///< EtherType of IPv6
constexpr uint8_t PROTOCOL_TCP = 6;         ///< IP protocol number of TCP
constexpr uint32_t IPV4_HEADER = 20;        ///< IPv4 header without options (bytes)
constexpr uint32_t IPV6_HEADER = 40;        ///< IPv6 header (bytes)
constexpr uint32_t TCP_HEADER = 20;         ///< TCP header without options (bytes)
constexpr uint32_t TCP_MAX_HEADER = 60;     ///< largest TCP header (bytes)
constexpr uint8_t FLAG_PSH = 0x08;          ///< TCP flag PSH
constexpr uint8_t FLAG_ACK = 0x10;          ///< TCP flag ACK

/**
 * @brief Read a number in network byte order.
 * @param p its first byte
 * @return the number
 */
uint32_t
ReadU32(const uint8_t* p)
{
    return uint32_t{p[0]} << 24 | uint32_t{p[1]} << 16 | uint32_t{p[2]} << 8 | p[3];
}

/**
 * @brief Read a number in network byte order.
 * @param p its first byte
 * @return the number
 */
uint32_t
ReadU16(const uint8_t* p)
{
    return uint32_t{p[0]} << 8 | p[1];
}

} // namespace

TypeId
ReceiveCoalescer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ReceiveCoalescer")
            .SetParent<ReceiveStage>()
            .SetGroupName("LinuxTcp")
            .AddConstructor<ReceiveCoalescer>()
            .AddAttribute("PollInterval",
                          "The time between two polls; 0 hands packets up as they come.",
                          TimeValue(MicroSeconds(40)),
                          MakeTimeAccessor(&ReceiveCoalescer::m_interval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MaxSegments",
                          "The largest number of segments that become one packet.",
                          UintegerValue(45),
                          MakeUintegerAccessor(&ReceiveCoalescer::m_maxSegments),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxBytes",
                          "The largest packet made of several segments (bytes of IP).",
                          UintegerValue(65535),
                          MakeUintegerAccessor(&ReceiveCoalescer::m_maxBytes),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute("RandomPhase",
                          "Whether the phase of the polls is drawn at random; if not, polls lie at "
                          "multiples of the interval.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&ReceiveCoalescer::m_randomPhase),
                          MakeBooleanChecker());
    return tid;
}

ReceiveCoalescer::ReceiveCoalescer()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

int64_t
ReceiveCoalescer::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

uint64_t
ReceiveCoalescer::GetHeldPackets() const
{
    return m_held.size();
}

uint64_t
ReceiveCoalescer::GetMergedPackets() const
{
    return m_merged;
}

void
ReceiveCoalescer::DoDispose()
{
    m_event.Cancel();
    m_held.clear();
    m_random = nullptr;
    ReceiveStage::DoDispose();
}

void
ReceiveCoalescer::Process(Arrival&& arrival)
{
    NS_LOG_FUNCTION(this << arrival.packet);
    const int64_t interval = m_interval.GetNanoSeconds();
    if (interval == 0)
    {
        PassOn(std::move(arrival));
        return;
    }
    if (m_phaseNs < 0)
    {
        m_phaseNs =
            m_randomPhase
                ? static_cast<int64_t>(m_random->GetValue(0, 1) * static_cast<double>(interval))
                : 0;
    }
    m_held.push_back(std::move(arrival));
    if (m_held.size() == 1)
    {
        const int64_t sincePoll =
            (Simulator::Now().GetNanoSeconds() + interval - m_phaseNs % interval) % interval;
        const int64_t wait = sincePoll == 0 ? 0 : interval - sincePoll;
        m_event = Simulator::Schedule(NanoSeconds(wait), &ReceiveCoalescer::Poll, this);
    }
}

void
ReceiveCoalescer::Poll()
{
    NS_LOG_FUNCTION(this << m_held.size());
    std::vector<Arrival> batch;
    batch.swap(m_held);
    std::vector<Candidate> open; // at most one per flow, in order of arrival
    for (auto& arrival : batch)
    {
        Candidate next;
        next.arrival = std::move(arrival);
        if (!Parse(next))
        {
            PassOn(std::move(next.arrival));
            continue;
        }
        const auto head = std::find_if(open.begin(), open.end(), [&](const Candidate& c) {
            return IsSameFlow(c, next);
        });
        if (head != open.end())
        {
            const bool merged = Merge(*head, next);
            m_merged += merged;
            if (merged && head->open)
            {
                continue;
            }
            Candidate done = std::move(*head);
            open.erase(head);
            Finish(done);
            if (merged)
            {
                continue;
            }
        }
        if (next.open)
        {
            open.push_back(std::move(next));
        }
        else
        {
            Finish(next);
        }
    }
    for (auto& candidate : open)
    {
        Finish(candidate);
    }
}

bool
ReceiveCoalescer::Parse(Candidate& candidate)
{
    const Arrival& arrival = candidate.arrival;
    const uint32_t size = arrival.packet->GetSize();
    uint32_t ipHeader;
    if (arrival.protocol == ETHERTYPE_IPV4)
    {
        ipHeader = IPV4_HEADER;
    }
    else if (arrival.protocol == ETHERTYPE_IPV6)
    {
        ipHeader = IPV6_HEADER;
    }
    else
    {
        return false;
    }
    auto& headers = candidate.headers;
    headers.resize(std::min(size, ipHeader + TCP_MAX_HEADER));
    if (headers.size() < ipHeader + TCP_HEADER)
    {
        return false;
    }
    arrival.packet->CopyData(headers.data(), headers.size());
    const uint8_t* ip = headers.data();
    const uint8_t* tcp = ip + ipHeader;
    uint32_t length;
    if (arrival.protocol == ETHERTYPE_IPV4)
    {
        // options, fragments ("more fragments" or an offset) and other protocols go up unchanged
        if (ip[0] != 0x45 || (ReadU16(ip + 6) & 0x3fff) != 0 || ip[9] != PROTOCOL_TCP)
        {
            return false;
        }
        length = ReadU16(ip + 2);
    }
    else
    {
        if (ip[6] != PROTOCOL_TCP)
        {
            return false;
        }
        length = ipHeader + ReadU16(ip + 4);
    }
    const uint32_t tcpHeader = (tcp[12] >> 4) * 4;
    if (length > size || tcpHeader < TCP_HEADER || ipHeader + tcpHeader > length)
    {
        return false;
    }
    headers.resize(ipHeader + tcpHeader);
    candidate.ipHeaderSize = ipHeader;
    const uint32_t payload = length - ipHeader - tcpHeader;
    const uint8_t flags = tcp[13];
    const bool plain =
        (flags & FLAG_ACK) != 0 && (flags & ~(FLAG_ACK | FLAG_PSH)) == 0 && (tcp[12] & 0x0f) == 0;
    if (payload > 0 && plain)
    {
        candidate.segmentSize = payload;
        candidate.nextSequence = ReadU32(tcp + 4) + payload;
        candidate.pushed = (flags & FLAG_PSH) != 0;
        candidate.open = !candidate.pushed;
    }
    return true;
}

bool
ReceiveCoalescer::IsSameFlow(const Candidate& a, const Candidate& b)
{
    if (a.ipHeaderSize != b.ipHeaderSize)
    {
        return false;
    }
    // the addresses are the last fields of either IP header, the ports the first ones of TCP
    const uint32_t first = a.ipHeaderSize == IPV4_HEADER ? 12 : 8;
    const uint32_t count = a.ipHeaderSize + 4 - first;
    return std::memcmp(a.headers.data() + first, b.headers.data() + first, count) == 0;
}

bool
ReceiveCoalescer::Merge(Candidate& head, const Candidate& segment)
{
    const std::size_t headerSize = head.headers.size();
    const uint32_t ipHeader = head.ipHeaderSize;
    const uint8_t* a = head.headers.data();
    const uint8_t* b = segment.headers.data();
    const uint8_t* tcpA = a + ipHeader;
    const uint8_t* tcpB = b + ipHeader;
    if (segment.segmentSize == 0 || segment.segmentSize > head.segmentSize ||
        segment.headers.size() != headerSize || head.segments >= m_maxSegments ||
        ReadU32(tcpB + 4) != head.nextSequence)
    {
        return false;
    }
    const uint32_t payload = head.nextSequence - ReadU32(tcpA + 4);
    if (headerSize + payload + segment.segmentSize > m_maxBytes)
    {
        return false;
    }
    // acknowledgement number, window and options; the flags differ at most in PSH
    if (std::memcmp(tcpA + 8, tcpB + 8, 5) != 0 || std::memcmp(tcpA + 14, tcpB + 14, 2) != 0 ||
        std::memcmp(tcpA + TCP_HEADER, tcpB + TCP_HEADER, headerSize - ipHeader - TCP_HEADER) != 0)
    {
        return false;
    }
    // DSCP, ECN and TTL; in IPv6 traffic class, flow label and hop limit
    const bool sameIp = ipHeader == IPV4_HEADER ? a[1] == b[1] && a[8] == b[8]
                                                : std::memcmp(a, b, 4) == 0 && a[7] == b[7];
    if (!sameIp)
    {
        return false;
    }
    if (!head.payload)
    {
        head.payload = head.arrival.packet->Copy();
        head.payload->RemoveAtStart(headerSize);
        head.payload->RemoveAtEnd(head.payload->GetSize() - payload);
    }
    head.payload->AddAtEnd(segment.arrival.packet->CreateFragment(headerSize, segment.segmentSize));
    head.nextSequence = segment.nextSequence;
    ++head.segments;
    head.pushed = !segment.open;
    head.open = segment.open && segment.segmentSize == head.segmentSize;
    return true;
}

void
ReceiveCoalescer::Finish(Candidate& candidate)
{
    if (candidate.payload)
    {
        const auto first = candidate.arrival.packet->Copy();
        const auto payload = candidate.payload;
        const bool checksum = Node::ChecksumEnabled();
        const auto prepare =
            [&](TcpHeader& tcp, const Address& source, const Address& destination) {
                if (candidate.pushed)
                {
                    tcp.SetFlags(tcp.GetFlags() | TcpHeader::PSH);
                }
                if (checksum)
                {
                    tcp.EnableChecksums();
                    tcp.InitializeChecksum(source, destination, PROTOCOL_TCP);
                }
            };
        TcpHeader tcp;
        if (candidate.ipHeaderSize == IPV4_HEADER)
        {
            Ipv4Header ip;
            first->RemoveHeader(ip);
            first->RemoveHeader(tcp);
            prepare(tcp, ip.GetSource(), ip.GetDestination());
            payload->AddHeader(tcp);
            ip.SetPayloadSize(static_cast<uint16_t>(payload->GetSize()));
            if (checksum)
            {
                ip.EnableChecksum();
            }
            payload->AddHeader(ip);
        }
        else
        {
            Ipv6Header ip;
            first->RemoveHeader(ip);
            first->RemoveHeader(tcp);
            prepare(tcp, ip.GetSource(), ip.GetDestination());
            payload->AddHeader(tcp);
            ip.SetPayloadLength(static_cast<uint16_t>(payload->GetSize()));
            payload->AddHeader(ip);
        }
        candidate.arrival.packet = payload;
    }
    PassOn(std::move(candidate.arrival));
}

} // namespace ns3
