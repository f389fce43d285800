/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "linux-tcp-socket.h"

#include "fq-packet-tag.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv6-end-point.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-option-sack.h"
#include "ns3/tcp-option.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("LinuxTcpSocket");

NS_OBJECT_ENSURE_REGISTERED(LinuxTcpSocket);

LINUX_TCP_DEFINE_INSTANCE_TYPE_ID(LinuxTcpSocket)

namespace
{

/// Data segments of a connection that leave without a gap, the tenth one starting the clock.
constexpr uint32_t UNPACED_SEGMENTS = 10;

} // namespace

TypeId
LinuxTcpSocket::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::LinuxTcpSocket")
            .SetParent<TcpSocketBase>()
            .SetGroupName("LinuxTcp")
            .AddConstructor<LinuxTcpSocket>()
            .AddAttribute("EarliestDepartureTime",
                          "Stamp each packet with its earliest departure time, from which the RTT "
                          "counts (Linux 4.20 and later). Otherwise a pacing queue disc goes by "
                          "the socket's rate, and waiting in it counts as RTT.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&LinuxTcpSocket::m_earliestDeparture),
                          MakeBooleanChecker())
            .AddAttribute("SmallQueues",
                          "Limit the bytes that wait below the socket (TCP small queues). Needs a "
                          "FqQueueDisc at the node.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&LinuxTcpSocket::m_smallQueues),
                          MakeBooleanChecker())
            .AddAttribute("SmallQueueMinimum",
                          "Least limit of the bytes that wait below the socket; 0 for two "
                          "segments (Linux 3.19 and later; 3.12 to 3.18 have 131072).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&LinuxTcpSocket::m_smallQueueMinimum),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SmallQueueShift",
                          "The limit of the bytes that wait below the socket is what the pacing "
                          "rate sends in 2^-n s, if that is above the least limit.",
                          UintegerValue(10),
                          MakeUintegerAccessor(&LinuxTcpSocket::m_smallQueueShift),
                          MakeUintegerChecker<uint32_t>(0, 30))
            .AddAttribute("OutputLimit",
                          "Greatest limit of the bytes that wait below a socket that is not paced "
                          "(tcp_limit_output_bytes; Linux 6.1).",
                          UintegerValue(1048576),
                          MakeUintegerAccessor(&LinuxTcpSocket::m_outputLimit),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("OutputLimitAlways",
                          "OutputLimit holds for paced sockets too (Linux 3.19 to 4.x).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&LinuxTcpSocket::m_outputLimitAlways),
                          MakeBooleanChecker())
            .AddAttribute("MaxPacingRate",
                          "Limit of the pacing rate (SO_MAX_PACING_RATE), counted in payload; 0 "
                          "for none. It may change at any time.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&LinuxTcpSocket::SetMaxPacingRate,
                                               &LinuxTcpSocket::GetMaxPacingRate),
                          MakeDataRateChecker())
            .AddAttribute("PacingSlowStartRatio",
                          "Pacing rate in slow start, while the window is below half of the "
                          "threshold, relative to window over RTT (percent).",
                          UintegerValue(200),
                          MakeUintegerAccessor(&LinuxTcpSocket::m_slowStartPercent),
                          MakeUintegerChecker<uint32_t>(1, 1000))
            .AddAttribute("PacingAvoidanceRatio",
                          "Pacing rate otherwise, relative to window over RTT (percent).",
                          UintegerValue(120),
                          MakeUintegerAccessor(&LinuxTcpSocket::m_avoidancePercent),
                          MakeUintegerChecker<uint32_t>(1, 1000))
            .AddAttribute("PacingSlowStartRatioAlways",
                          "PacingSlowStartRatio holds in congestion avoidance too (Linux 3.12 to "
                          "4.2).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&LinuxTcpSocket::m_slowStartGainOnly),
                          MakeBooleanChecker())
            .AddAttribute("InternalPacing",
                          "Pace in the socket when a maximum pacing rate is set and no queue disc "
                          "of the node paces (Linux 4.13 and later).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&LinuxTcpSocket::m_internalPacing),
                          MakeBooleanChecker())
            .AddAttribute("ProportionalRateReduction",
                          "Reduce the window in fast recovery and after ECN echoes as RFC 6937 "
                          "says (Linux 3.2 and later); otherwise the recovery object of the socket "
                          "does.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&LinuxTcpSocket::m_proportionalReduction),
                          MakeBooleanChecker())
            .AddAttribute(
                "LostRetransmissions",
                "By what a retransmission is known to be lost: the retransmission "
                "timeout only, as in ns-3; new data that was sent after it and has "
                "arrived (Linux up to 4.17); anything that was sent after it and has "
                "arrived (RACK, RFC 8985; Linux 4.18 and later). The latter two need "
                "selective acknowledgements.",
                EnumValue(ANY_DATA),
                linuxtcp::MakeEnumAttributeAccessor<LostRetransmissionRule>(
                    &LinuxTcpSocket::m_lostRule),
                MakeEnumChecker(TIMEOUT, "Timeout", NEW_DATA, "NewData", ANY_DATA, "AnyData"))
            .AddAttribute("SlowStartAfterIdle",
                          "Reduce the window after an idle time longer than the retransmission "
                          "timeout, and a window that was not used for as long "
                          "(tcp_slow_start_after_idle).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&LinuxTcpSocket::m_restartAfterIdle),
                          MakeBooleanChecker())
            .AddAttribute("WindowLimit",
                          "Limit of the data in flight, as a receiver's window would set it "
                          "(segments); 0 for none.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&LinuxTcpSocket::m_windowLimit),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SegmentationOffload",
                          "Hand down segments in bursts, as with segmentation offload.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&LinuxTcpSocket::m_segmentationOffload),
                          MakeBooleanChecker())
            .AddAttribute("SegmentationMinimum",
                          "Least burst of segmentation offload to aim at (segments).",
                          UintegerValue(2),
                          MakeUintegerAccessor(&LinuxTcpSocket::m_segmentationMinimum),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute("SegmentationMaximum",
                          "Largest burst of segmentation offload (segments).",
                          UintegerValue(44),
                          MakeUintegerAccessor(&LinuxTcpSocket::m_segmentationMaximum),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute("SegmentationRateDivisor",
                          "A burst of segmentation offload is what the pacing rate sends in 1/n "
                          "s, between the least and the largest burst.",
                          UintegerValue(1024),
                          MakeUintegerAccessor(&LinuxTcpSocket::m_segmentationDivisor),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("QuickAcks",
                          "Number of segments acknowledged at once when data begins to arrive; "
                          "delayed acknowledgements start after them.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&LinuxTcpSocket::m_quickAcks),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AcknowledgeCoalesced",
                          "Acknowledge at once what arrives in one piece larger than a segment, "
                          "because it was merged on reception. Takes the segment size from the "
                          "receiving socket's own SegmentSize.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&LinuxTcpSocket::m_ackCoalesced),
                          MakeBooleanChecker())
            .AddTraceSource("PacingNotEnforced",
                            "A maximum pacing rate is set, and neither a queue disc nor the "
                            "socket paces. Fires once a connection.",
                            MakeTraceSourceAccessor(&LinuxTcpSocket::m_notEnforcedTrace),
                            "ns3::LinuxTcpSocket::PacingNotEnforcedTracedCallback");
    return tid;
}

LinuxTcpSocket::LinuxTcpSocket()
{
    ConnectTraces();
}

LinuxTcpSocket::LinuxTcpSocket(const LinuxTcpSocket& other)
    : TcpSocketBase(other),
      m_earliestDeparture(other.m_earliestDeparture),
      m_smallQueues(other.m_smallQueues),
      m_smallQueueMinimum(other.m_smallQueueMinimum),
      m_smallQueueShift(other.m_smallQueueShift),
      m_outputLimit(other.m_outputLimit),
      m_outputLimitAlways(other.m_outputLimitAlways),
      m_slowStartPercent(other.m_slowStartPercent),
      m_avoidancePercent(other.m_avoidancePercent),
      m_slowStartGainOnly(other.m_slowStartGainOnly),
      m_maxRate(other.m_maxRate),
      m_internalPacing(other.m_internalPacing),
      m_proportionalReduction(other.m_proportionalReduction),
      m_lostRule(other.m_lostRule),
      m_restartAfterIdle(other.m_restartAfterIdle),
      m_windowLimit(other.m_windowLimit),
      m_segmentationOffload(other.m_segmentationOffload),
      m_segmentationMinimum(other.m_segmentationMinimum),
      m_segmentationMaximum(other.m_segmentationMaximum),
      m_segmentationDivisor(other.m_segmentationDivisor),
      m_quickAcks(other.m_quickAcks),
      m_ackCoalesced(other.m_ackCoalesced),
      m_rate(other.m_maxRate),
      m_notEnforcedTrace(other.m_notEnforcedTrace)
{
    // The copied trace still calls the listening socket, which must not stamp for its children.
    m_txTrace.DisconnectWithoutContext(
        MakeCallback(&LinuxTcpSocket::PacketSent, const_cast<LinuxTcpSocket*>(&other)));
    ConnectTraces();
}

LinuxTcpSocket::~LinuxTcpSocket()
{
    m_paceEvent.Cancel();
    if (m_linked)
    {
        m_linked->SetTransport(nullptr);
    }
    if (m_registry)
    {
        m_registry->Unregister(m_cookie);
    }
}

void
LinuxTcpSocket::ConnectTraces()
{
    m_txTrace.ConnectWithoutContext(MakeCallback(&LinuxTcpSocket::PacketSent, this));
    m_tcb->TraceConnectWithoutContext("CongState",
                                      MakeCallback(&LinuxTcpSocket::StateTraced, this));
}

Ptr<TcpSocketBase>
LinuxTcpSocket::Fork()
{
    return CopyObject<LinuxTcpSocket>(this);
}

void
LinuxTcpSocket::LinkCongestionControl()
{
    if (m_congestionControl == m_seenOps)
    {
        return;
    }
    if (m_linked)
    {
        m_linked->SetTransport(nullptr);
    }
    m_seenOps = m_congestionControl;
    m_linked = DynamicCast<TcpLinuxCongestion>(m_congestionControl);
    if (m_linked)
    {
        m_linked->SetTransport(this);
    }
}

// What leaves the socket

void
LinuxTcpSocket::PacketSent(Ptr<const Packet> packet,
                           const TcpHeader& header,
                           Ptr<const TcpSocketBase> /* socket */)
{
    if (!m_registry)
    {
        m_registry = PacingRegistry::GetOf(m_node);
        m_cookie = m_registry->Register(MakeCallback(&LinuxTcpSocket::GetPacingRate, this),
                                        MakeCallback(&LinuxTcpSocket::Resume, this));
    }
    LinkCongestionControl();

    const bool data = packet->GetSize() > 0;
    if (!data || m_burst.segments == 0 || !m_burst.stamped)
    {
        m_stampNs = m_clock.Stamp(Simulator::Now().GetNanoSeconds());
        m_burst.stamped = data;
    }

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
    if (data && header.GetSequenceNumber() < m_tcb->m_highTxMark.Get())
    {
        flags |= FqPacketTag::RETRANSMIT;
    }
    else if (data && m_burst.segments > 1)
    {
        const SequenceNumber32 end = header.GetSequenceNumber() + packet->GetSize();
        if (m_txBuffer->SizeFromSequence(end) > 0)
        {
            flags |= FqPacketTag::BURST_CONTINUES;
        }
    }
    if (data)
    {
        CheckEnforcement();
    }
    const FqPacketTag tag(m_node->GetId(),
                          m_cookie,
                          m_earliestDeparture ? m_stampNs : 0,
                          GetPacingRate(),
                          flags);
    // The packet is the copy that is handed down. It may bear a tag already, if an application
    // sends back what it received.
    Ptr<Packet> handedDown = ConstCast<Packet>(packet);
    FqPacketTag old;
    handedDown->RemovePacketTag(old);
    handedDown->AddPacketTag(tag);
}

void
LinuxTcpSocket::UpdateRttHistory(const SequenceNumber32& seq, uint32_t sz, bool isRetransmission)
{
    TcpSocketBase::UpdateRttHistory(seq, sz, isRetransmission);
    if (sz == 0)
    {
        return; // SYN
    }
    // The data segment has been handed down.
    if (m_earliestDeparture && !isRetransmission)
    {
        m_history.back().time = NanoSeconds(m_stampNs);
    }
    m_dataSegments = std::min(m_dataSegments + 1, UNPACED_SEGMENTS);
    if (m_dataSegments >= UNPACED_SEGMENTS && m_rate != linuxtcp::UNLIMITED_PACING_RATE &&
        m_rate > 0 && (PacesItself() || (m_earliestDeparture && m_registry->HasPacer())))
    {
        m_clock.Advance(sz, m_rate);
    }
    if (IsReducing(m_tcb->m_congState))
    {
        m_reduction.sent += sz;
    }
    if (isRetransmission && m_sackEnabled && m_lostRule != TIMEOUT)
    {
        m_retransmissions.push_back({seq, seq + sz, m_tcb->m_highTxMark, Simulator::Now()});
    }
    if (m_burst.segments > 0)
    {
        m_burst.segments--;
    }
    m_lastData = Simulator::Now();
    const uint32_t outstanding = UnAckDataCount() + (isRetransmission ? 0 : sz);
    m_usedSegments = std::max(m_usedSegments, outstanding / m_tcb->m_segmentSize);
}

Time
LinuxTcpSocket::GetDepartureTime() const
{
    return m_earliestDeparture ? NanoSeconds(m_stampNs) : Simulator::Now();
}

uint64_t
LinuxTcpSocket::GetCookie() const
{
    return m_cookie;
}

// When it may leave

uint32_t
LinuxTcpSocket::Window() const
{
    const uint32_t window = TcpSocketBase::Window();
    if (m_windowLimit == 0)
    {
        return window;
    }
    return static_cast<uint32_t>(
        std::min<uint64_t>(window, uint64_t{m_windowLimit} * m_tcb->m_segmentSize));
}

uint32_t
LinuxTcpSocket::AvailableWindow() const
{
    // TcpSocketBase asks before each segment, through this constant function.
    auto* self = const_cast<LinuxTcpSocket*>(this);
    self->ReduceWindow();
    uint32_t room = self->GetRoom();
    while (m_answering && room > 0 &&
           (self->SendLostRetransmission(room) || self->SendNewSegment(room)))
    {
        room = self->GetRoom();
    }
    return room;
}

uint32_t
LinuxTcpSocket::GetRoom()
{
    const uint32_t room = TcpSocketBase::AvailableWindow();
    return room == 0 ? 0 : GateTransmission(room);
}

bool
LinuxTcpSocket::SendNewSegment(uint32_t room)
{
    const uint32_t mss = m_tcb->m_segmentSize;
    const SequenceNumber32 next = m_tcb->m_highTxMark;
    if (m_state != ESTABLISHED || m_tcb->m_congState != TcpSocketState::CA_OPEN ||
        m_tcb->m_pacing || m_tcb->m_nextTxSequence != next || m_txBuffer->GetLost() > 0 ||
        room < mss || m_txBuffer->SizeFromSequence(next) < room ||
        uint64_t{UnAckDataCount()} + mss > m_rWnd || BytesInFlight() == 0)
    {
        return false;
    }
    m_tcb->m_nextTxSequence += SendDataPacket(next, mss, m_connected);
    return true;
}

uint32_t
LinuxTcpSocket::GateTransmission(uint32_t room)
{
    UpdateRate();
    const Time now = Simulator::Now();
    if (m_burst.segments > 0 && m_burst.time == now)
    {
        return room;
    }
    m_burst = Burst();
    if (IsThrottled())
    {
        m_registry->RequestWake(m_cookie);
        return 0;
    }
    if (PacesItself())
    {
        const Time wait = NanoSeconds(m_clock.GetNext()) - now;
        if (wait.IsStrictlyPositive())
        {
            if (m_paceEvent.IsExpired())
            {
                m_paceEvent = Simulator::Schedule(wait, &LinuxTcpSocket::Resume, this);
            }
            return 0;
        }
    }
    uint32_t segments = 1;
    if (m_segmentationOffload)
    {
        const uint32_t goal = GetBurstGoal();
        if (ShouldDefer(room, goal))
        {
            // The congestion window is the limit unless the receiver's is smaller.
            if (m_linked && m_tcb->m_cWnd.Get() <= Window())
            {
                m_linked->SetWindowLimited();
            }
            return 0;
        }
        segments = std::min(goal, std::max<uint32_t>(room / m_tcb->m_segmentSize, 1));
    }
    m_burst.time = now;
    m_burst.segments = segments;
    return room;
}

bool
LinuxTcpSocket::IsThrottled() const
{
    if (!m_smallQueues || !m_registry)
    {
        return false;
    }
    const uint64_t backlog = m_registry->GetBacklog(m_cookie);
    const uint32_t segment = m_tcb->m_segmentSize;
    if (backlog == 0 || UnAckDataCount() <= segment || BytesInFlight() <= segment)
    {
        return false;
    }
    uint64_t limit = m_smallQueueMinimum;
    if (limit == 0)
    {
        limit = uint64_t{2} * (segment + GetHeaderBytes());
    }
    limit = std::max(limit, m_rate >> m_smallQueueShift);
    if (m_outputLimitAlways || !IsPaced())
    {
        limit = std::min<uint64_t>(limit, m_outputLimit);
    }
    if (m_tcb->m_congState == TcpSocketState::CA_RECOVERY ||
        m_tcb->m_congState == TcpSocketState::CA_LOSS)
    {
        limit *= 2;
    }
    return backlog > limit;
}

uint32_t
LinuxTcpSocket::GetHeaderBytes() const
{
    const uint32_t ip = m_endPoint6 ? 40 : 20;
    const uint32_t tcp = m_timestampEnabled ? 32 : 20;
    return ip + tcp;
}

uint32_t
LinuxTcpSocket::GetBurstGoal() const
{
    const uint64_t segments = m_rate / m_segmentationDivisor / m_tcb->m_segmentSize;
    const uint64_t least = std::max<uint64_t>(segments, m_segmentationMinimum);
    return static_cast<uint32_t>(std::min<uint64_t>(least, m_segmentationMaximum));
}

bool
LinuxTcpSocket::ShouldDefer(uint32_t room, uint32_t goal) const
{
    // An acknowledgement is on its way that will make more room, unless nothing is in flight.
    // Waiting for it must not cost a third of the window.
    const uint32_t unsent =
        static_cast<uint32_t>(m_txBuffer->TailSequence() - m_tcb->m_highTxMark.Get());
    return m_tcb->m_congState != TcpSocketState::CA_RECOVERY &&
           m_tcb->m_congState != TcpSocketState::CA_LOSS && BytesInFlight() > 0 &&
           room < uint64_t{goal} * m_tcb->m_segmentSize && uint64_t{3} * room < Window() &&
           unsent > room;
}

void
LinuxTcpSocket::Resume()
{
    if (m_state == ESTABLISHED || m_state == CLOSE_WAIT || m_state == FIN_WAIT_1 ||
        m_state == LAST_ACK || m_state == CLOSING)
    {
        m_answering = true;
        SendPendingData(m_connected);
        m_answering = false;
    }
}

// Pacing

bool
LinuxTcpSocket::PacesItself() const
{
    return m_internalPacing && m_maxRate != linuxtcp::UNLIMITED_PACING_RATE &&
           !(m_registry && m_registry->HasPacer());
}

bool
LinuxTcpSocket::IsPaced() const
{
    return (m_registry && m_registry->HasPacer()) || PacesItself() || m_tcb->m_pacing;
}

bool
LinuxTcpSocket::IsPacingEnforced() const
{
    return (m_registry && m_registry->HasPacer()) || PacesItself();
}

uint64_t
LinuxTcpSocket::GetPacingRate() const
{
    return m_rate == linuxtcp::UNLIMITED_PACING_RATE ? 0 : m_rate;
}

void
LinuxTcpSocket::UpdateRate()
{
    if (!m_rateDue)
    {
        return;
    }
    m_rateDue = false;
    if (m_congestionControl->HasCongControl())
    {
        m_rate = std::min(m_tcb->m_pacingRate.Get().GetBitRate() / 8, m_maxRate);
        return;
    }
    if (m_rtt->GetNSamples() == 0)
    {
        m_rate = m_maxRate;
        return;
    }
    const uint32_t mss = m_tcb->m_segmentSize;
    const int64_t smoothedUs = m_rtt->GetEstimate().GetMicroSeconds();
    const linuxtcp::PacingGains gains{m_slowStartPercent, m_avoidancePercent, m_slowStartGainOnly};
    m_rate = linuxtcp::ComputePacingRate(gains,
                                         mss,
                                         m_tcb->m_cWnd / mss,
                                         m_tcb->m_ssThresh / mss,
                                         (UnAckDataCount() + mss - 1) / mss,
                                         static_cast<uint64_t>(std::max<int64_t>(smoothedUs, 1)),
                                         m_maxRate);
    if (!m_tcb->m_pacing)
    {
        // TcpSocketBase leaves its rate alone then: show ours in its trace.
        m_tcb->m_pacingRate =
            DataRate(std::min(m_rate, std::numeric_limits<uint64_t>::max() / 8) * 8);
    }
}

void
LinuxTcpSocket::SetMaxPacingRate(DataRate rate)
{
    const uint64_t bytes = rate.GetBitRate() / 8;
    m_maxRate = bytes == 0 ? linuxtcp::UNLIMITED_PACING_RATE : bytes;
    m_rate = std::min(m_rate, m_maxRate);
}

DataRate
LinuxTcpSocket::GetMaxPacingRate() const
{
    return DataRate(m_maxRate == linuxtcp::UNLIMITED_PACING_RATE ? 0 : m_maxRate * 8);
}

void
LinuxTcpSocket::CheckEnforcement()
{
    if (m_warned || m_maxRate == linuxtcp::UNLIMITED_PACING_RATE || IsPacingEnforced())
    {
        return;
    }
    m_warned = true;
    NS_LOG_WARN("Node " << m_node->GetId() << ": MaxPacingRate " << GetMaxPacingRate()
                        << " has no effect: no FqQueueDisc is installed and InternalPacing is off");
    m_notEnforcedTrace(GetMaxPacingRate());
}

// Acknowledgements

void
LinuxTcpSocket::DoForwardUp(Ptr<Packet> packet,
                            const Address& fromAddress,
                            const Address& toAddress)
{
    LinkCongestionControl();
    m_rateDue = true;
    m_answering = true;
    TcpSocketBase::DoForwardUp(packet, fromAddress, toAddress);
    m_answering = false;
    if (m_state == ESTABLISHED || m_state == CLOSE_WAIT)
    {
        ReduceWindow();
        UpdateRate();
        DecayUnusedWindow();
    }
}

void
LinuxTcpSocket::ReceivedAck(Ptr<Packet> packet, const TcpHeader& tcpHeader)
{
    if (m_linked && (tcpHeader.GetFlags() & TcpHeader::ECE) &&
        m_tcb->m_ecnState != TcpSocketState::ECN_DISABLED &&
        !tcpHeader.HasOption(TcpOption::SACK) &&
        tcpHeader.GetAckNumber() > m_txBuffer->HeadSequence() &&
        tcpHeader.GetAckNumber() <= m_tcb->m_highTxMark.Get())
    {
        m_linked->BeginAck(tcpHeader.GetAckNumber());
    }
    FindLostRetransmissions(tcpHeader);
    m_priorUna = m_txBuffer->HeadSequence();
    m_reductionDue = tcpHeader.GetAckNumber() >= m_priorUna;
    TcpSocketBase::ReceivedAck(packet, tcpHeader);
}

bool
LinuxTcpSocket::IsReducing(TcpSocketState::TcpCongState_t state)
{
    return state == TcpSocketState::CA_RECOVERY || state == TcpSocketState::CA_CWR;
}

void
LinuxTcpSocket::StateTraced(TcpSocketState::TcpCongState_t oldValue,
                            TcpSocketState::TcpCongState_t newValue)
{
    if (IsReducing(newValue) && !IsReducing(oldValue))
    {
        // The window is still that from before.
        m_reduction = Reduction();
        m_reduction.priorWindow = std::max(m_tcb->m_cWnd.Get(), m_tcb->m_segmentSize);
    }
}

void
LinuxTcpSocket::ReduceWindow()
{
    if (!m_reductionDue || !m_proportionalReduction || !IsReducing(m_tcb->m_congState) ||
        m_congestionControl->HasCongControl())
    {
        return;
    }
    m_reductionDue = false;
    const int64_t delivered = m_tcb->m_lastAckedSackedBytes;
    m_reduction.delivered += delivered;
    const int64_t pipe = BytesInFlight();
    const int64_t threshold = m_tcb->m_ssThresh;
    const auto sent = static_cast<int64_t>(m_reduction.sent);
    int64_t allowed = 0;
    if (pipe > threshold)
    {
        const uint64_t share = m_reduction.delivered * m_tcb->m_ssThresh.Get();
        const uint64_t prior = m_reduction.priorWindow;
        allowed = static_cast<int64_t>((share + prior - 1) / prior) - sent;
    }
    else
    {
        // Back up to the threshold, as fast as slow start at most.
        allowed = std::max(static_cast<int64_t>(m_reduction.delivered) - sent, delivered);
        if (m_txBuffer->HeadSequence() > m_priorUna)
        {
            allowed += m_tcb->m_segmentSize;
        }
        allowed = std::min(allowed, threshold - pipe);
    }
    allowed = std::max<int64_t>(allowed, sent > 0 ? 0 : m_tcb->m_segmentSize);
    m_tcb->m_cWnd = static_cast<uint32_t>(std::max<int64_t>(pipe + allowed, m_tcb->m_segmentSize));
    m_tcb->m_cWndInfl = m_tcb->m_cWnd;
}

void
LinuxTcpSocket::EstimateRtt(const TcpHeader& tcpHeader)
{
    // TcpSocketBase prefers the Timestamp option, which counts milliseconds, to its own record.
    const bool timestamps = m_timestampEnabled;
    m_timestampEnabled = false;
    TcpSocketBase::EstimateRtt(tcpHeader);
    m_timestampEnabled = timestamps;
}

bool
LinuxTcpSocket::EnterCwrState()
{
    if (m_tcb->m_congState != TcpSocketState::CA_OPEN &&
        m_tcb->m_congState != TcpSocketState::CA_DISORDER)
    {
        return false;
    }
    EnterCwr(m_tcb->m_lastAckedSackedBytes);
    return true;
}

// Lost retransmissions

void
LinuxTcpSocket::FindLostRetransmissions(const TcpHeader& header)
{
    if (m_retransmissions.empty() && m_lost.empty())
    {
        return;
    }
    const SequenceNumber32 acknowledged = header.GetAckNumber();
    SequenceNumber32 highest = acknowledged;
    TcpOptionSack::SackList blocks;
    if (const auto option = DynamicCast<const TcpOptionSack>(header.GetOption(TcpOption::SACK)))
    {
        blocks = option->GetSackList();
        for (const auto& block : blocks)
        {
            highest = std::max(highest, block.second);
        }
    }
    const auto arrived = [&](const SequenceNumber32& begin, const SequenceNumber32& end) {
        return end <= acknowledged ||
               std::any_of(blocks.begin(), blocks.end(), [&](const auto& block) {
                   return block.first <= begin && end <= block.second;
               });
    };
    for (auto it = m_lost.begin(); it != m_lost.end();)
    {
        const auto [begin, size] = *it++;
        if (arrived(begin, begin + size))
        {
            ForgetLostRetransmission(begin);
        }
    }

    const Time now = Simulator::Now();
    std::size_t proven = 0; // those in front of this one have been overtaken
    std::deque<Retransmission> waiting;
    for (const auto& sent : m_retransmissions)
    {
        if (!arrived(sent.begin, sent.end))
        {
            waiting.push_back(sent);
        }
        else if (m_lostRule == ANY_DATA && now - sent.sent >= m_tcb->m_minRtt)
        {
            // Sooner it would be the first transmission that arrived.
            proven = waiting.size();
        }
    }
    m_retransmissions.clear();
    for (std::size_t i = 0; i < waiting.size(); i++)
    {
        const auto& sent = waiting[i];
        if (i < proven || sent.highest < highest)
        {
            const auto size = static_cast<uint32_t>(sent.end - sent.begin);
            m_lost[sent.begin] = size;
            m_lostBytes += size;
        }
        else
        {
            m_retransmissions.push_back(sent);
        }
    }
}

void
LinuxTcpSocket::ForgetLostRetransmission(const SequenceNumber32& begin)
{
    const auto it = m_lost.find(begin);
    m_lostBytes -= it->second;
    m_lost.erase(it);
}

bool
LinuxTcpSocket::SendLostRetransmission(uint32_t room)
{
    while (!m_lost.empty())
    {
        const auto [begin, size] = *m_lost.begin();
        if (!m_txBuffer->IsLost(begin))
        {
            ForgetLostRetransmission(begin);
            continue;
        }
        if (room < size)
        {
            return false;
        }
        ForgetLostRetransmission(begin);
        if (begin == m_txBuffer->HeadSequence())
        {
            m_retxEvent.Cancel();
            m_retxEvent = Simulator::Schedule(m_rto, &LinuxTcpSocket::ReTxTimeout, this);
        }
        SendDataPacket(begin, size, m_connected);
        return true;
    }
    return false;
}

uint32_t
LinuxTcpSocket::BytesInFlight() const
{
    if (m_lostBytes == 0)
    {
        return TcpSocketBase::BytesInFlight();
    }
    const uint32_t inFlight = m_txBuffer->BytesInFlight();
    m_tcb->m_bytesInFlight = inFlight - std::min(inFlight, m_lostBytes);
    return m_tcb->m_bytesInFlight;
}

void
LinuxTcpSocket::ReTxTimeout()
{
    // All that was sent counts as lost now, and nothing as retransmitted.
    m_retransmissions.clear();
    m_lost.clear();
    m_lostBytes = 0;
    TcpSocketBase::ReTxTimeout();
}

// Unused windows

int
LinuxTcpSocket::Send(Ptr<Packet> packet, uint32_t flags)
{
    RestartAfterIdle();
    // TcpSocketBase only asks for room here, and sends later.
    const bool answering = m_answering;
    m_answering = false;
    const int sent = TcpSocketBase::Send(packet, flags);
    m_answering = answering;
    return sent;
}

uint32_t
LinuxTcpSocket::GetRememberedThreshold() const
{
    const uint32_t mss = m_tcb->m_segmentSize;
    const uint32_t kept = m_tcb->m_cWnd / mss * 3 / 4 * mss;
    return std::max(m_tcb->m_ssThresh.Get(), kept);
}

void
LinuxTcpSocket::WriteUnusedWindow(uint32_t segments, uint32_t threshold)
{
    m_tcb->m_ssThresh = threshold;
    m_tcb->m_cWnd = segments * m_tcb->m_segmentSize;
    m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    m_usedSegments = 0;
    m_windowUsed = Simulator::Now();
}

void
LinuxTcpSocket::RestartAfterIdle()
{
    if (!m_restartAfterIdle || !m_connected || UnAckDataCount() > 0 || m_dataSegments == 0 ||
        m_congestionControl->HasCongControl())
    {
        return;
    }
    const Time rto = m_rto;
    Time idle = Simulator::Now() - m_lastData;
    if (idle <= rto)
    {
        return;
    }
    const uint32_t threshold = GetRememberedThreshold();
    m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_CWND_RESTART);
    uint32_t segments = m_tcb->m_cWnd / m_tcb->m_segmentSize;
    const uint32_t least = std::min(GetInitialCwnd(), segments);
    for (idle -= rto; idle.IsStrictlyPositive() && segments > least; idle -= rto)
    {
        segments /= 2;
    }
    WriteUnusedWindow(std::max(segments, least), threshold);
    m_lastData = Simulator::Now();
}

void
LinuxTcpSocket::DecayUnusedWindow()
{
    const Time now = Simulator::Now();
    if (!m_linked || m_dataSegments == 0 || m_linked->IsWindowLimited())
    {
        m_usedSegments = 0;
        m_windowUsed = now;
        return;
    }
    const Time rto = m_rto;
    if (!m_restartAfterIdle || m_tcb->m_congState != TcpSocketState::CA_OPEN ||
        now - m_windowUsed < rto)
    {
        return;
    }
    const uint32_t segments = m_tcb->m_cWnd / m_tcb->m_segmentSize;
    const uint32_t used = std::max(m_usedSegments, GetInitialCwnd());
    // A window decays when the application leaves it unused, not when the receiver's is smaller.
    const bool dataWaits = m_txBuffer->TailSequence() > m_tcb->m_highTxMark.Get();
    if (used < segments && !dataWaits)
    {
        WriteUnusedWindow((segments + used) / 2, GetRememberedThreshold());
    }
    m_usedSegments = 0;
    m_windowUsed = now;
}

// Receiving side

void
LinuxTcpSocket::ReceivedData(Ptr<Packet> packet, const TcpHeader& tcpHeader)
{
    const uint32_t size = packet->GetSize();
    if (size > 0)
    {
        const uint32_t mss = m_tcb->m_segmentSize;
        if (m_receivedSegments < m_quickAcks || (m_ackCoalesced && size > mss))
        {
            m_delAckCount = m_delAckMaxCount; // the next one is acknowledged at once
        }
        const uint32_t left = m_quickAcks - m_receivedSegments;
        m_receivedSegments += std::min(left, (size + mss - 1) / mss);
    }
    TcpSocketBase::ReceivedData(packet, tcpHeader);
}

} // namespace ns3
