/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fq-stamper.h"

#include "fq-packet-tag.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FqStamper");

NS_OBJECT_ENSURE_REGISTERED(FqStamper);

TypeId
FqStamper::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FqStamper")
            .SetParent<Object>()
            .SetGroupName("LinuxTcp")
            .AddConstructor<FqStamper>()
            .AddAttribute("PacingSlowStartRatio",
                          "Pacing rate in slow start, while the window is below half of the "
                          "threshold, relative to window over RTT (percent).",
                          UintegerValue(200),
                          MakeUintegerAccessor(&FqStamper::m_slowStartPercent),
                          MakeUintegerChecker<uint32_t>(1, 1000))
            .AddAttribute("PacingAvoidanceRatio",
                          "Pacing rate otherwise, relative to window over RTT (percent).",
                          UintegerValue(120),
                          MakeUintegerAccessor(&FqStamper::m_avoidancePercent),
                          MakeUintegerChecker<uint32_t>(1, 1000))
            .AddAttribute("PacingSlowStartRatioAlways",
                          "PacingSlowStartRatio holds in congestion avoidance too (Linux 3.12 to "
                          "4.2).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FqStamper::m_slowStartGainOnly),
                          MakeBooleanChecker());
    return tid;
}

Ptr<FqStamper>
FqStamper::Install(Ptr<Node> node)
{
    NS_LOG_FUNCTION(node);
    Ptr<FqStamper> stamper = node->GetObject<FqStamper>();
    if (!stamper)
    {
        Ptr<TcpL4Protocol> tcp = node->GetObject<TcpL4Protocol>();
        NS_ABORT_MSG_UNLESS(tcp, "FqStamper: node " << node->GetId() << " has no internet stack");
        stamper = CreateObject<FqStamper>();
        stamper->m_node = node;
        stamper->m_registry = PacingRegistry::GetOf(node);
        stamper->Insert(tcp);
        node->AggregateObject(stamper);
    }
    return stamper;
}

void
FqStamper::DoDispose()
{
    m_flows.clear();
    m_downTarget.Nullify();
    m_downTarget6.Nullify();
    m_registry = nullptr;
    m_node = nullptr;
    Object::DoDispose();
}

void
FqStamper::Insert(Ptr<IpL4Protocol> tcp)
{
    m_downTarget = tcp->GetDownTarget();
    m_downTarget6 = tcp->GetDownTarget6();
    if (!m_downTarget.IsNull())
    {
        tcp->SetDownTarget(MakeCallback(&FqStamper::Send, this));
    }
    if (!m_downTarget6.IsNull())
    {
        tcp->SetDownTarget6(MakeCallback(&FqStamper::Send6, this));
    }
}

std::size_t
FqStamper::GetNFlows() const
{
    return m_flows.size();
}

void
FqStamper::Send(Ptr<Packet> packet,
                Ipv4Address source,
                Ipv4Address destination,
                uint8_t protocol,
                Ptr<Ipv4Route> route)
{
    Stamp(packet, source, destination);
    m_downTarget(packet, source, destination, protocol, route);
}

void
FqStamper::Send6(Ptr<Packet> packet,
                 Ipv6Address source,
                 Ipv6Address destination,
                 uint8_t protocol,
                 Ptr<Ipv6Route> route)
{
    Stamp(packet, source, destination);
    m_downTarget6(packet, source, destination, protocol, route);
}

void
FqStamper::Stamp(Ptr<Packet> packet, const Address& source, const Address& destination)
{
    FqPacketTag old;
    if (packet->PeekPacketTag(old) && old.m_nodeId == m_node->GetId())
    {
        return; // of a LinuxTcpSocket
    }
    packet->RemovePacketTag(old);

    TcpHeader header;
    const uint32_t headerSize = packet->PeekHeader(header);
    const Key key(source, header.GetSourcePort(), destination, header.GetDestinationPort());
    Ptr<Flow> flow = FindFlow(key, header);
    if (!flow)
    {
        return; // an answer that no socket gave
    }
    const bool data = packet->GetSize() > headerSize;
    const uint8_t tcpFlags = header.GetFlags();
    uint8_t flags = 0;
    if (tcpFlags & (TcpHeader::SYN | TcpHeader::RST))
    {
        flags |= FqPacketTag::CONTROL;
        if ((tcpFlags & TcpHeader::SYN) && (tcpFlags & TcpHeader::ACK))
        {
            flags |= FqPacketTag::REQUEST_SOCKET;
        }
    }
    else if (!data && !(tcpFlags & TcpHeader::FIN))
    {
        flags |= FqPacketTag::PURE_ACK;
    }
    if (data && header.GetSequenceNumber() < flow->sent)
    {
        flags |= FqPacketTag::RETRANSMIT;
    }
    packet->AddPacketTag(FqPacketTag(m_node->GetId(), flow->cookie, 0, RateOf(flow), flags));
}

Ptr<FqStamper::Flow>
FqStamper::FindFlow(const Key& key, const TcpHeader& header)
{
    auto it = m_flows.find(key);
    // Ports may be used again by another connection.
    const bool begins =
        (header.GetFlags() & TcpHeader::SYN) && it != m_flows.end() && it->second->closed;
    if (it != m_flows.end() && !begins)
    {
        return it->second;
    }
    Ptr<TcpSocketBase> socket = FindSocket(key);
    if (!socket)
    {
        return nullptr;
    }
    Sweep();
    Ptr<Flow> flow = Create<Flow>();
    UintegerValue segmentSize;
    socket->GetAttribute("SegmentSize", segmentSize);
    flow->mss = static_cast<uint32_t>(segmentSize.Get());
    flow->gains = {m_slowStartPercent, m_avoidancePercent, m_slowStartGainOnly};
    flow->ssthresh = std::numeric_limits<uint32_t>::max();
    flow->cookie = m_registry->Register(MakeBoundCallback(&FqStamper::RateOf, flow),
                                        PacingRegistry::WakeCallback());
    socket->TraceConnectWithoutContext("CongestionWindow",
                                       MakeBoundCallback(&FqStamper::CwndTraced, flow));
    socket->TraceConnectWithoutContext("SlowStartThreshold",
                                       MakeBoundCallback(&FqStamper::SsthreshTraced, flow));
    socket->TraceConnectWithoutContext("HighestSequence",
                                       MakeBoundCallback(&FqStamper::SentTraced, flow));
    socket->TraceConnectWithoutContext("HighestRxAck",
                                       MakeBoundCallback(&FqStamper::AckedTraced, flow));
    socket->TraceConnectWithoutContext("RTT", MakeBoundCallback(&FqStamper::RttTraced, flow));
    socket->TraceConnectWithoutContext("State", MakeBoundCallback(&FqStamper::StateTraced, flow));
    m_flows[key] = flow;
    return flow;
}

Ptr<TcpSocketBase>
FqStamper::FindSocket(const Key& key) const
{
    // The list of sockets is private, its type differs between versions; paths reach it in all.
    const std::string path =
        "/NodeList/" + std::to_string(m_node->GetId()) + "/$ns3::TcpL4Protocol/SocketList/*";
    const Config::MatchContainer matches = Config::LookupMatches(path);
    for (auto it = matches.Begin(); it != matches.End(); ++it)
    {
        Ptr<TcpSocketBase> socket = DynamicCast<TcpSocketBase>(*it);
        Address local;
        Address remote;
        if (!socket || socket->GetSockName(local) != 0 || socket->GetPeerName(remote) != 0)
        {
            continue;
        }
        if (InetSocketAddress::IsMatchingType(local) && InetSocketAddress::IsMatchingType(remote))
        {
            const auto from = InetSocketAddress::ConvertFrom(local);
            const auto to = InetSocketAddress::ConvertFrom(remote);
            if (key == Key(from.GetIpv4(), from.GetPort(), to.GetIpv4(), to.GetPort()))
            {
                return socket;
            }
        }
        else if (Inet6SocketAddress::IsMatchingType(local) &&
                 Inet6SocketAddress::IsMatchingType(remote))
        {
            const auto from = Inet6SocketAddress::ConvertFrom(local);
            const auto to = Inet6SocketAddress::ConvertFrom(remote);
            if (key == Key(from.GetIpv6(), from.GetPort(), to.GetIpv6(), to.GetPort()))
            {
                return socket;
            }
        }
    }
    return nullptr;
}

void
FqStamper::Sweep()
{
    for (auto it = m_flows.begin(); it != m_flows.end();)
    {
        if (it->second->closed)
        {
            m_registry->Unregister(it->second->cookie);
            it = m_flows.erase(it);
        }
        else
        {
            ++it;
        }
    }
}

uint64_t
FqStamper::RateOf(Ptr<Flow> flow)
{
    const uint32_t mss = std::max<uint32_t>(flow->mss, 1);
    const auto outstanding = static_cast<uint32_t>(flow->sent - flow->acked);
    const uint64_t rate = linuxtcp::ComputePacingRate(flow->gains,
                                                      mss,
                                                      std::max<uint32_t>(flow->cwnd / mss, 1),
                                                      flow->ssthresh / mss,
                                                      (outstanding + mss - 1) / mss,
                                                      flow->smoothedRttUs,
                                                      linuxtcp::UNLIMITED_PACING_RATE);
    return rate == linuxtcp::UNLIMITED_PACING_RATE ? 0 : rate;
}

void
FqStamper::CwndTraced(Ptr<Flow> flow, uint32_t /* oldValue */, uint32_t newValue)
{
    flow->cwnd = newValue;
}

void
FqStamper::SsthreshTraced(Ptr<Flow> flow, uint32_t /* oldValue */, uint32_t newValue)
{
    flow->ssthresh = newValue;
}

void
FqStamper::SentTraced(Ptr<Flow> flow, SequenceNumber32 /* oldValue */, SequenceNumber32 newValue)
{
    flow->sent = newValue;
}

void
FqStamper::AckedTraced(Ptr<Flow> flow, SequenceNumber32 /* oldValue */, SequenceNumber32 newValue)
{
    flow->acked = newValue;
}

void
FqStamper::RttTraced(Ptr<Flow> flow, Time /* oldValue */, Time newValue)
{
    flow->smoothedRttUs = static_cast<uint64_t>(std::max<int64_t>(newValue.GetMicroSeconds(), 1));
}

void
FqStamper::StateTraced(Ptr<Flow> flow,
                       TcpSocket::TcpStates_t /* oldValue */,
                       TcpSocket::TcpStates_t newValue)
{
    flow->closed = newValue == TcpSocket::CLOSED;
}

} // namespace ns3
