/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-linux-congestion.h"

#include "ns3-compat.h"

#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TcpLinuxCongestion");

NS_OBJECT_ENSURE_REGISTERED(TcpLinuxCongestion);

using linuxtcp::CongestionState;
using linuxtcp::IsAfter;

TypeId
TcpLinuxCongestion::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TcpLinuxCongestion")
            .SetParent<TcpCongestionOps>()
            .SetGroupName("LinuxTcp")
            .AddAttribute("ClockTicksPerSecond",
                          "Ticks per second of the kernel's timer (HZ), the resolution of clocks "
                          "that an algorithm keeps in ticks.",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&TcpLinuxCongestion::m_ticksPerSecond),
                          MakeUintegerChecker<uint32_t>(24, 10000))
            .AddAttribute("ClockOffset",
                          "What the kernel's clock shows when the simulation starts. Shifts the "
                          "phase of the timer ticks; at least 1 s, so that the clock is never 0.",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&TcpLinuxCongestion::m_clockOffset),
                          MakeTimeChecker(Seconds(1)))
            .AddAttribute(
                "RttSource",
                "Where RTT samples come from: the time each segment was sent, as in "
                "Linux, or the smoothed RTT that ns-3 passes.",
                EnumValue(SEND_RECORDS),
                linuxtcp::MakeEnumAttributeAccessor<RttSource>(&TcpLinuxCongestion::m_rttSource),
                MakeEnumChecker(SEND_RECORDS, "SendRecords", SMOOTHED, "Smoothed"))
            .AddTraceSource("AckSample",
                            "What an acknowledgement of new data told: RTT, negative if there is "
                            "none; packets acknowledged; bytes in flight.",
                            MakeTraceSourceAccessor(&TcpLinuxCongestion::m_ackSampleTrace),
                            "ns3::TcpLinuxCongestion::AckSampleTracedCallback");
    return tid;
}

TcpLinuxCongestion::TcpLinuxCongestion(const TcpLinuxCongestion& other)
    : TcpCongestionOps(other),
      m_ticksPerSecond(other.m_ticksPerSecond),
      m_clockOffset(other.m_clockOffset),
      m_rttSource(other.m_rttSource),
      m_ackSampleTrace(other.m_ackSampleTrace)
{
}

TcpLinuxCongestion::~TcpLinuxCongestion()
{
    Detach();
}

void
TcpLinuxCongestion::DoDispose()
{
    Detach();
    m_transport = nullptr;
    TcpCongestionOps::DoDispose();
}

// Life of a connection

void
TcpLinuxCongestion::Init(Ptr<TcpSocketState> tcb)
{
    NS_LOG_FUNCTION(this << tcb);
    Attach(tcb);
}

void
TcpLinuxCongestion::Attach(Ptr<TcpSocketState> tcb)
{
    Detach();
    m_tcb = tcb;
    m_tcb->TraceConnectWithoutContext("HighestSequence",
                                      MakeCallback(&TcpLinuxCongestion::SegmentSent, this));
    m_tcb->TraceConnectWithoutContext("CongState",
                                      MakeCallback(&TcpLinuxCongestion::StateTraced, this));
    m_handshakeSeen = m_tcb->m_highTxMark.Get().GetValue() != 0;
}

void
TcpLinuxCongestion::Detach()
{
    if (!m_tcb)
    {
        return;
    }
    m_tcb->TraceDisconnectWithoutContext("HighestSequence",
                                         MakeCallback(&TcpLinuxCongestion::SegmentSent, this));
    m_tcb->TraceDisconnectWithoutContext("CongState",
                                         MakeCallback(&TcpLinuxCongestion::StateTraced, this));
    m_tcb = nullptr;
    m_algorithm.reset();
    m_records.clear();
}

void
TcpLinuxCongestion::Start()
{
    NS_LOG_FUNCTION(this);
    m_connection = linuxtcp::Connection();
    m_records.clear();
    // The handshake takes one sequence number, from 0 to 1; ns-3 counts it after this point.
    m_una = std::max<uint32_t>(m_tcb->m_lastAckedSeq.GetValue(), 1);
    m_highest = std::max<uint32_t>(m_tcb->m_highTxMark.Get().GetValue(), 1);
    m_usageEnd = m_una;
    m_recoveryPoint = m_una;
    m_cumulative = 0;
    m_delivered = 0;
    m_priorInFlight = 0;
    m_deliveredRemainder = 0;
    m_packetsForIncrease = 0;
    m_duplicateAcks = 0;
    m_ackTaken = false;
    m_increasePending = false;
    m_maxOutstanding = 0;
    m_windowWasFilled = false;
    m_recoveryLatched = false;
    m_thresholdAsked = false;
    m_pendingComplete = false;
    m_pendingOpen = false;
    m_pendingCwr = false;
    m_requestingCwr = false;
    m_emulatedCwr = false;
    m_seenMss = 0;

    m_algorithm = MakeAlgorithm();
    ReadState();
    m_algorithm->Init(m_connection);
    WriteState();
    AlgorithmCalled();
}

void
TcpLinuxCongestion::Prepare(Ptr<TcpSocketState> tcb)
{
    if (tcb != m_tcb)
    {
        Attach(tcb);
    }
    if (!m_algorithm)
    {
        Start();
    }
}

void
TcpLinuxCongestion::SetTransport(TcpLinuxTransport* transport)
{
    m_transport = transport;
}

// Windows: segments and bytes

void
TcpLinuxCongestion::ReadState()
{
    linuxtcp::Connection& c = m_connection;
    const uint32_t mss = std::max<uint32_t>(m_tcb->m_segmentSize, 1);
    const uint32_t cwndBytes = m_tcb->m_cWnd;
    const uint32_t ssthreshBytes = m_tcb->m_ssThresh;
    if (cwndBytes != m_seenCwndBytes || mss != m_seenMss)
    {
        c.cwnd = std::max<uint32_t>(cwndBytes / mss, 1);
    }
    if (ssthreshBytes != m_seenSsthreshBytes || mss != m_seenMss)
    {
        c.ssthresh = ssthreshBytes == std::numeric_limits<uint32_t>::max()
                         ? linuxtcp::INFINITE_SSTHRESH
                         : ssthreshBytes / mss;
    }
    m_seenMss = mss;
    m_seenCwndBytes = cwndBytes;
    m_seenSsthreshBytes = ssthreshBytes;
    m_seenCwnd = c.cwnd;
    m_seenSsthresh = c.ssthresh;

    c.mss = mss;
    c.cwndClamp = std::numeric_limits<uint32_t>::max() / mss;
    c.nowUs = GetClockUs();
    c.sndUna = m_una;
    c.sndNxt = m_highest;
    c.packetsInFlight = static_cast<uint32_t>((m_priorInFlight + mss - 1) / mss);
    // What was delivered beyond the cumulative acknowledgement is selectively acknowledged;
    // without that option, duplicate acknowledgements count.
    const uint64_t selective = m_delivered - m_cumulative;
    c.sackedOut = static_cast<uint32_t>((selective + mss - 1) / mss);
    if (c.sackedOut == 0 && m_tcb->m_congState != TcpSocketState::CA_OPEN)
    {
        c.sackedOut = m_duplicateAcks;
    }
    if (m_transport)
    {
        c.paced = m_transport->IsPaced();
        c.pacingRate = m_transport->GetPacingRate();
    }
    else
    {
        c.paced = m_tcb->m_pacing;
        c.pacingRate = m_tcb->m_pacing ? m_tcb->m_pacingRate.Get().GetBitRate() / 8 : 0;
    }
    c.cwndLimited = IsWindowLimited();
}

void
TcpLinuxCongestion::WriteState()
{
    linuxtcp::Connection& c = m_connection;
    if (c.cwnd != m_seenCwnd)
    {
        c.cwnd = std::min(std::max<uint32_t>(c.cwnd, 1), c.cwndClamp);
        uint64_t bytes = uint64_t{c.cwnd} * c.mss;
        if (c.cwnd > m_seenCwnd && m_seenCwndBytes >= c.mss)
        {
            // Growth leaves the part of a segment where it is.
            bytes += m_seenCwndBytes % c.mss;
        }
        m_seenCwnd = c.cwnd;
        m_seenCwndBytes =
            static_cast<uint32_t>(std::min<uint64_t>(bytes, std::numeric_limits<uint32_t>::max()));
        m_tcb->m_cWnd = m_seenCwndBytes;
    }
    if (c.ssthresh != m_seenSsthresh)
    {
        m_seenSsthresh = c.ssthresh;
        m_seenSsthreshBytes = ThresholdBytes(c.ssthresh);
        m_tcb->m_ssThresh = m_seenSsthreshBytes;
    }
}

uint32_t
TcpLinuxCongestion::ThresholdBytes(uint32_t segments) const
{
    if (segments >= linuxtcp::INFINITE_SSTHRESH)
    {
        return std::numeric_limits<uint32_t>::max();
    }
    return static_cast<uint32_t>(std::min<uint64_t>(uint64_t{segments} * m_connection.mss,
                                                    std::numeric_limits<uint32_t>::max() - 1));
}

bool
TcpLinuxCongestion::IsWindowLimited() const
{
    if (m_windowWasFilled)
    {
        return true;
    }
    return m_connection.cwnd < m_connection.ssthresh &&
           m_connection.cwnd < uint64_t{2} * m_maxOutstanding;
}

// Transmission

void
TcpLinuxCongestion::SegmentSent(SequenceNumber32 oldValue, SequenceNumber32 newValue)
{
    if (!m_handshakeSeen)
    {
        m_handshakeSeen = true;
        if (newValue.GetValue() == 1)
        {
            return;
        }
    }
    if (!m_algorithm)
    {
        return;
    }
    const uint32_t end = newValue.GetValue();
    const uint32_t size = end - oldValue.GetValue();
    const uint32_t una = m_tcb->m_lastAckedSeq.GetValue();
    m_highest = end;
    uint64_t sentUs = GetClockUs();
    if (m_transport)
    {
        sentUs = static_cast<uint64_t>(
            (m_transport->GetDepartureTime() + m_clockOffset).GetMicroSeconds());
    }
    m_records.push_back({end, IsAfter(una, m_una) ? una : m_una, sentUs, m_delivered, true});

    // The socket state still shows what was in flight without this segment.
    const uint64_t inFlight = uint64_t{m_tcb->m_bytesInFlight.Get()} + size;
    const bool filled = inFlight + m_tcb->m_segmentSize > m_tcb->m_cWnd;
    const auto outstanding = static_cast<uint32_t>(m_records.size());
    if (!IsAfter(m_usageEnd, m_una) || filled ||
        (!m_windowWasFilled && outstanding > m_maxOutstanding))
    {
        m_windowWasFilled = filled;
        m_maxOutstanding = outstanding;
        m_usageEnd = end;
    }
    m_connection.lastSendUs = GetClockUs();
}

void
TcpLinuxCongestion::SetWindowLimited()
{
    m_windowWasFilled = true;
    m_maxOutstanding = static_cast<uint32_t>(m_records.size());
    m_usageEnd = m_highest;
}

void
TcpLinuxCongestion::InvalidateRecords()
{
    for (SendRecord& record : m_records)
    {
        record.valid = false;
    }
}

// Acknowledgements

void
TcpLinuxCongestion::CountDelivered(uint32_t bytes)
{
    m_delivered = std::max(m_delivered + bytes, m_cumulative);
}

void
TcpLinuxCongestion::TakeSample()
{
    const uint32_t delivered = m_tcb->m_lastAckedSackedBytes;
    TakeSample(m_tcb->m_lastAckedSeq.GetValue(),
               delivered,
               uint64_t{m_tcb->m_bytesInFlight.Get()} + delivered);
}

void
TcpLinuxCongestion::TakeSample(uint32_t ackNumber, uint32_t deliveredBytes, uint64_t priorInFlight)
{
    if (!IsAfter(ackNumber, m_una))
    {
        return;
    }
    const uint32_t ackedBytes = ackNumber - m_una;
    m_una = ackNumber;
    m_cumulative += ackedBytes;
    CountDelivered(deliveredBytes);
    m_duplicateAcks = 0;
    m_priorInFlight = priorInFlight;

    linuxtcp::AckSample sample;
    bool covered = ackedBytes > deliveredBytes; // part of it was selectively acknowledged before
    SendRecord newest{};
    while (!m_records.empty() && !IsAfter(m_records.front().end, ackNumber))
    {
        newest = m_records.front();
        m_records.pop_front();
        covered |= !newest.valid;
        sample.packetsAcked++;
    }
    if (ackedBytes == deliveredBytes)
    {
        m_packetsForIncrease = sample.packetsAcked;
    }
    else
    {
        const uint64_t bytes = uint64_t{m_deliveredRemainder} + deliveredBytes;
        const uint32_t mss = std::max<uint32_t>(m_tcb->m_segmentSize, 1);
        m_packetsForIncrease = static_cast<uint32_t>(bytes / mss);
        m_deliveredRemainder = static_cast<uint32_t>(bytes % mss);
    }
    m_ackTaken = true;
    m_increasePending = true;

    ReadState();
    if (sample.packetsAcked > 0 && !covered)
    {
        sample.rttUs = static_cast<int64_t>(m_connection.nowUs - newest.sentUs);
        const uint64_t since = m_delivered - newest.delivered;
        sample.inFlight =
            GetInFlightDefinition() == AS_SENT
                ? newest.end - newest.una
                : static_cast<uint32_t>(
                      std::min<uint64_t>(since, std::numeric_limits<uint32_t>::max()));
        if (m_rttSource == SMOOTHED)
        {
            const Time smoothed = linuxtcp::GetSmoothedRtt(*m_tcb);
            sample.rttUs = smoothed.GetMicroSeconds();
        }
    }
    NS_LOG_DEBUG(this << " una " << m_una << " rtt " << sample.rttUs << "us packets "
                      << sample.packetsAcked << " in flight " << sample.inFlight);
    m_ackSampleTrace(MicroSeconds(sample.rttUs), sample.packetsAcked, sample.inFlight);
    const CongestionState before = m_connection.state;
    m_algorithm->OnAck(m_connection, sample);
    WriteState();
    AlgorithmCalled();
    if (m_connection.state != before)
    {
        BeginOwnCwr(false);
    }
    FlushPending();
}

void
TcpLinuxCongestion::BeginAck(SequenceNumber32 ackNumber)
{
    if (m_algorithm && m_delivered == m_cumulative)
    {
        const uint32_t ack = ackNumber.GetValue();
        TakeSample(ack, ack - m_una, m_tcb->m_bytesInFlight.Get());
    }
}

void
TcpLinuxCongestion::PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt)
{
    NS_LOG_FUNCTION(this << tcb << segmentsAcked << rtt);
    Prepare(tcb);
    TakeSample();
    if (!m_ackTaken)
    {
        // A duplicate acknowledgement: no record, no sample.
        CountDelivered(m_tcb->m_lastAckedSackedBytes);
        m_duplicateAcks++;
    }
    m_ackTaken = false;
    FlushPending();
    StepEmulatedCwr();
}

void
TcpLinuxCongestion::IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    NS_LOG_FUNCTION(this << tcb << segmentsAcked);
    Prepare(tcb);
    TakeSample();
    FlushPending();
    StepEmulatedCwr();
    m_ackTaken = false;
    const uint32_t packets = m_increasePending ? m_packetsForIncrease : segmentsAcked;
    m_increasePending = false;
    if (packets == 0 || m_connection.state == CongestionState::CWR ||
        m_connection.state == CongestionState::RECOVERY)
    {
        return;
    }
    ReadState();
    const CongestionState before = m_connection.state;
    m_algorithm->IncreaseWindow(m_connection, packets);
    WriteState();
    AlgorithmCalled();
    if (m_connection.state != before)
    {
        BeginOwnCwr(true);
    }
}

// State of loss recovery

uint32_t
TcpLinuxCongestion::AskThreshold()
{
    ReadState();
    m_connection.credit = 0;
    const uint32_t threshold = m_algorithm->GetSsThresh(m_connection);
    m_thresholdAsked = true;
    return threshold;
}

uint32_t
TcpLinuxCongestion::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight)
{
    NS_LOG_FUNCTION(this << tcb << bytesInFlight);
    Prepare(ConstCast<TcpSocketState>(tcb));
    uint32_t threshold = 0;
    if (m_requestingCwr)
    {
        threshold = m_connection.ssthresh;
    }
    else
    {
        FlushPending();
        // A window is reduced once, whatever follows before its end is acknowledged.
        const CongestionState state = m_connection.state;
        const bool reducing =
            IsAfter(m_recoveryPoint, m_una) &&
            (state == CongestionState::CWR || state == CongestionState::RECOVERY ||
             (state == CongestionState::LOSS && m_tcb->m_ecnState == TcpSocketState::ECN_ECE_RCVD));
        threshold = reducing ? m_connection.ssthresh : AskThreshold();
    }
    // The socket writes the returned threshold; it counts as seen.
    ReadState();
    m_connection.ssthresh = threshold;
    m_seenSsthresh = threshold;
    m_seenSsthreshBytes = ThresholdBytes(threshold);
    const uint32_t bytes = m_seenSsthreshBytes;
    if (m_recoveryLatched)
    {
        m_recoveryLatched = false;
        m_tcb->m_ssThresh = bytes;
        ChangeState(CongestionState::RECOVERY);
    }
    else
    {
        AlgorithmCalled();
    }
    return bytes;
}

void
TcpLinuxCongestion::ChangeState(CongestionState next)
{
    NS_LOG_FUNCTION(this << static_cast<uint32_t>(m_connection.state)
                         << static_cast<uint32_t>(next));
    if (next == CongestionState::CWR || next == CongestionState::RECOVERY ||
        next == CongestionState::LOSS)
    {
        m_recoveryPoint = m_highest;
        m_connection.credit = 0;
    }
    if (next == CongestionState::RECOVERY || next == CongestionState::LOSS)
    {
        m_emulatedCwr = false;
        InvalidateRecords();
    }
    ReadState();
    m_algorithm->OnStateChange(m_connection, next);
    m_connection.state = next;
    WriteState();
    AlgorithmCalled();
}

void
TcpLinuxCongestion::RaiseEvent(linuxtcp::CwndEvent event)
{
    ReadState();
    m_algorithm->OnEvent(m_connection, event);
    WriteState();
    AlgorithmCalled();
}

void
TcpLinuxCongestion::FlushPending()
{
    if (m_pendingComplete)
    {
        m_pendingComplete = false;
        RaiseEvent(linuxtcp::CwndEvent::COMPLETE_CWR);
    }
    if (m_pendingOpen)
    {
        m_pendingOpen = false;
        ChangeState(CongestionState::OPEN);
    }
    if (m_pendingCwr)
    {
        m_pendingCwr = false;
        ChangeState(CongestionState::CWR);
    }
}

void
TcpLinuxCongestion::StateTraced(TcpSocketState::TcpCongState_t oldValue,
                                TcpSocketState::TcpCongState_t newValue)
{
    if (!m_algorithm)
    {
        return;
    }
    if (newValue == TcpSocketState::CA_CWR)
    {
        // The socket takes over a reduction of our own, or starts one.
        m_emulatedCwr = false;
        m_pendingCwr = m_connection.state != CongestionState::CWR;
    }
    else if (oldValue == TcpSocketState::CA_CWR && newValue == TcpSocketState::CA_OPEN)
    {
        m_pendingOpen = true;
    }
}

void
TcpLinuxCongestion::CongestionStateSet(Ptr<TcpSocketState> tcb,
                                       const TcpSocketState::TcpCongState_t newState)
{
    NS_LOG_FUNCTION(this << tcb << newState);
    const bool running = tcb == m_tcb && m_algorithm;
    Prepare(tcb);
    switch (newState)
    {
    case TcpSocketState::CA_OPEN:
    case TcpSocketState::CA_DISORDER: {
        const bool open = newState == TcpSocketState::CA_OPEN;
        if (!running || (open && m_tcb->m_congState == TcpSocketState::CA_CWR))
        {
            break; // The connection begins; or StateTraced() sees it.
        }
        TakeSample();
        FlushPending();
        const CongestionState next = open ? CongestionState::OPEN : CongestionState::DISORDER;
        if (!m_emulatedCwr && m_connection.state != next)
        {
            ChangeState(next);
        }
        break;
    }
    case TcpSocketState::CA_RECOVERY:
        TakeSample();
        FlushPending();
        m_recoveryLatched = true;
        break;
    case TcpSocketState::CA_LOSS:
        FlushPending();
        // Linux has the new window in force before it tells the state. ns-3 writes the same.
        ReadState();
        m_connection.cwnd = 1;
        WriteState();
        ChangeState(CongestionState::LOSS);
        break;
    default:
        break; // CWR: StateTraced() sees it in every version.
    }
}

void
TcpLinuxCongestion::CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event)
{
    if (event != TcpSocketState::CA_EVENT_TX_START &&
        event != TcpSocketState::CA_EVENT_CWND_RESTART &&
        event != TcpSocketState::CA_EVENT_COMPLETE_CWR && event != TcpSocketState::CA_EVENT_LOSS)
    {
        return; // events of the receiving side
    }
    NS_LOG_FUNCTION(this << tcb << event);
    Prepare(tcb);
    switch (event)
    {
    case TcpSocketState::CA_EVENT_TX_START:
        FlushPending();
        RaiseEvent(linuxtcp::CwndEvent::TX_START);
        break;
    case TcpSocketState::CA_EVENT_CWND_RESTART:
        FlushPending();
        RaiseEvent(linuxtcp::CwndEvent::CWND_RESTART);
        break;
    case TcpSocketState::CA_EVENT_LOSS:
        FlushPending();
        if (m_thresholdAsked)
        {
            m_thresholdAsked = false;
            RaiseEvent(linuxtcp::CwndEvent::LOSS);
        }
        break;
    default: // COMPLETE_CWR
        if (m_connection.state == CongestionState::RECOVERY)
        {
            TakeSample();
            FlushPending();
            ReadState();
            m_connection.cwnd = m_connection.ssthresh;
            WriteState();
            RaiseEvent(linuxtcp::CwndEvent::COMPLETE_CWR);
        }
        else
        {
            m_pendingComplete = m_connection.state == CongestionState::CWR;
        }
        break;
    }
}

// CWR on the algorithm's own account

void
TcpLinuxCongestion::BeginOwnCwr(bool mayUseSocket)
{
    if (m_connection.state != CongestionState::CWR)
    {
        return;
    }
    NS_LOG_FUNCTION(this << mayUseSocket << m_connection.cwnd << m_connection.ssthresh);
    m_recoveryPoint = m_highest;
    if (mayUseSocket && m_transport)
    {
        m_requestingCwr = true;
        const bool entered = m_transport->EnterCwrState();
        m_requestingCwr = false;
        if (entered)
        {
            return;
        }
    }
    m_emulatedCwr = true;
    m_cwrPriorCwnd = m_connection.cwnd;
    m_cwrPriorDelivered = m_delivered;
}

void
TcpLinuxCongestion::StepEmulatedCwr()
{
    if (!m_emulatedCwr)
    {
        return;
    }
    ReadState();
    linuxtcp::Connection& c = m_connection;
    if (IsAfter(m_una, m_recoveryPoint))
    {
        m_emulatedCwr = false;
        c.cwnd = c.ssthresh;
        WriteState();
        RaiseEvent(linuxtcp::CwndEvent::COMPLETE_CWR);
        ChangeState(CongestionState::OPEN);
        return;
    }
    if (c.ssthresh < m_cwrPriorCwnd)
    {
        const uint64_t delivered =
            std::min<uint64_t>((m_delivered - m_cwrPriorDelivered) / c.mss, m_cwrPriorCwnd);
        const uint64_t descent = (m_cwrPriorCwnd - c.ssthresh) * delivered / m_cwrPriorCwnd;
        c.cwnd = m_cwrPriorCwnd - static_cast<uint32_t>(descent);
        WriteState();
    }
}

// For subclasses

void
TcpLinuxCongestion::AlgorithmCalled()
{
}

TcpLinuxCongestion::InFlightDefinition
TcpLinuxCongestion::GetInFlightDefinition() const
{
    return DELIVERED_SINCE;
}

linuxtcp::CongestionControl*
TcpLinuxCongestion::GetAlgorithm() const
{
    return m_algorithm.get();
}

const linuxtcp::Connection&
TcpLinuxCongestion::GetConnection() const
{
    return m_connection;
}

CongestionState
TcpLinuxCongestion::GetState() const
{
    return m_connection.state;
}

uint32_t
TcpLinuxCongestion::GetWindow() const
{
    return m_connection.cwnd;
}

uint32_t
TcpLinuxCongestion::GetTicksPerSecond() const
{
    return m_ticksPerSecond;
}

uint64_t
TcpLinuxCongestion::GetClockUs() const
{
    return static_cast<uint64_t>((Simulator::Now() + m_clockOffset).GetMicroSeconds());
}

} // namespace ns3
