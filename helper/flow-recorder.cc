/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-recorder.h"

#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/tcp-linux-congestion.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t INFINITE_THRESHOLD = 0x7fffffff; ///< threshold that was never set (segments)

/**
 * @brief Whether an object's class has a trace source.
 * @param object the object
 * @param name name of the trace source
 * @return true if it has
 */
bool
HasTraceSource(Ptr<Object> object, const std::string& name)
{
    return bool(object->GetInstanceTypeId().LookupTraceSourceByName(name));
}

/**
 * @brief Whole segments, the last one counted if it is not full.
 * @param bytes bytes
 * @param segmentSize payload of a full segment (bytes)
 * @return segments
 */
uint32_t
ToSegments(uint32_t bytes, uint32_t segmentSize)
{
    return static_cast<uint32_t>((uint64_t{bytes} + segmentSize - 1) / segmentSize);
}

} // namespace

FlowRecorder::FlowRecorder(Time origin, Time steadyStart, uint32_t segmentSize)
    : m_origin(origin),
      m_steadyStart(steadyStart),
      m_segmentSize(segmentSize),
      m_ssthresh(UINT32_MAX)
{
}

void
FlowRecorder::Attach(Ptr<TcpSocketBase> socket)
{
    m_transport = dynamic_cast<const TcpLinuxTransport*>(PeekPointer(socket));
    const Ptr<FlowRecorder> self(this);
    socket->TraceConnectWithoutContext("Tx", MakeCallback(&FlowRecorder::Transmitted, self));
    socket->TraceConnectWithoutContext("Rx", MakeCallback(&FlowRecorder::Received, self));
    socket->TraceConnectWithoutContext("CongestionWindow",
                                       MakeCallback(&FlowRecorder::WindowChanged, self));
    socket->TraceConnectWithoutContext("SlowStartThreshold",
                                       MakeCallback(&FlowRecorder::ThresholdChanged, self));
    socket->TraceConnectWithoutContext("RTT", MakeCallback(&FlowRecorder::RttChanged, self));
    socket->TraceConnectWithoutContext("RTO", MakeCallback(&FlowRecorder::TimeoutChanged, self));
    socket->TraceConnectWithoutContext("CongState",
                                       MakeCallback(&FlowRecorder::StateChanged, self));
    socket->TraceConnectWithoutContext("BytesInFlight",
                                       MakeCallback(&FlowRecorder::InFlightChanged, self));
    PointerValue congestionControl;
    socket->GetAttribute("CongestionOps", congestionControl);
    const auto ops = congestionControl.Get<Object>();
    m_exitsTraced =
        HasTraceSource(ops, "SlowStartExit") &&
        ops->TraceConnectWithoutContext("SlowStartExit",
                                        MakeCallback(&FlowRecorder::SlowStartEnded, self));
    const std::pair<const char*, uint64_t HystartCounters::*> counters[] = {
        {"HystartTrainDetect", &HystartCounters::trainDetect},
        {"HystartTrainCwnd", &HystartCounters::trainCwnd},
        {"HystartDelayDetect", &HystartCounters::delayDetect},
        {"HystartDelayCwnd", &HystartCounters::delayCwnd}};
    for (const auto& [name, member] : counters)
    {
        if (HasTraceSource(ops, name))
        {
            ops->TraceConnectWithoutContext(
                name,
                MakeCallback(&FlowRecorder::CounterChanged, self).Bind(member));
        }
    }
    if (!m_transport)
    {
        socket->TraceConnectWithoutContext("PacingRate",
                                           MakeCallback(&FlowRecorder::PacingRateChanged, self));
    }
}

void
FlowRecorder::NoteStart()
{
    m_result.start = ToSeconds(Simulator::Now());
}

void
FlowRecorder::NoteEstablished()
{
    m_result.established = ToSeconds(Simulator::Now());
}

void
FlowRecorder::NoteCompletion()
{
    m_completionNs = Simulator::Now().GetNanoSeconds();
    m_result.completion = ToSeconds(Simulator::Now());
}

double
FlowRecorder::ToSeconds(Time time) const
{
    return static_cast<double>((time - m_origin).GetNanoSeconds()) / 1e9;
}

void
FlowRecorder::Sample()
{
    m_series.time.push_back(ToSeconds(Simulator::Now()));
    m_series.cwnd.push_back(m_cwnd / m_segmentSize);
    m_series.ssthresh.push_back(m_ssthresh == UINT32_MAX ? INFINITE_THRESHOLD
                                                         : m_ssthresh / m_segmentSize);
    m_series.srtt.push_back(m_srtt.IsZero() ? NOT_MEASURED
                                            : static_cast<double>(m_srtt.GetNanoSeconds()) / 1e9);
    m_series.bytesAcked.push_back(m_bytesAcked);
    m_series.inFlight.push_back(ToSegments(m_inFlight, m_segmentSize));
    const uint64_t rate = m_transport ? m_transport->GetPacingRate() * 8 : m_pacingRate;
    const bool paced = m_transport ? m_transport->IsPaced() : m_pacingRate > 0;
    m_series.pacingRate.push_back(paced ? rate : 0);
    m_series.state.push_back(static_cast<uint8_t>(m_state));
}

void
FlowRecorder::SampleAcks()
{
    m_sampleAcks = true;
}

FlowSeries&
FlowRecorder::GetSeries()
{
    return m_series;
}

uint64_t
FlowRecorder::GetBytesAcked() const
{
    return m_bytesAcked;
}

void
FlowRecorder::Finish(Time end, FlowResult& result) const
{
    FlowResult full = m_result;
    full.name = result.name;
    full.spec = result.spec;
    full.congestionControl = result.congestionControl;
    full.sender = result.sender;
    full.receiver = result.receiver;
    full.baseRtt = result.baseRtt;
    full.bytesAcked = m_bytesAcked;
    full.steadyBytes = m_bytesAcked - m_steadyBase;
    if (full.start == full.start)
    {
        const double until = m_completionNs >= 0 ? full.completion : ToSeconds(end);
        const double duration = until - full.start;
        full.goodput = duration > 0 ? static_cast<double>(m_bytesAcked) * 8 / duration : 0;
    }
    const double steady = ToSeconds(end) - ToSeconds(m_steadyStart);
    full.steadyGoodput = steady > 0 ? static_cast<double>(full.steadyBytes) * 8 / steady : 0;
    if (m_minRttNs >= 0)
    {
        full.minRtt = static_cast<double>(m_minRttNs) / 1e9;
        full.maxRtt = static_cast<double>(m_maxRttNs) / 1e9;
    }
    if (m_rttCount > 0)
    {
        full.meanRtt = static_cast<double>(m_sumRttNs) / 1e9 / static_cast<double>(m_rttCount);
    }
    result = std::move(full);
}

void
FlowRecorder::Transmitted(Ptr<const Packet> packet,
                          const TcpHeader& header,
                          Ptr<const TcpSocketBase> /* socket */)
{
    const uint32_t size = packet->GetSize();
    if (size == 0)
    {
        return;
    }
    ++m_result.segmentsSent;
    const SequenceNumber32 start = header.GetSequenceNumber();
    const SequenceNumber32 end = start + size;
    if (end > m_nextSequence)
    {
        const Time departure = m_transport ? m_transport->GetDepartureTime() : Simulator::Now();
        m_sent.push_back({end, departure, start < m_nextSequence});
        m_result.retransmits += start < m_nextSequence;
        m_nextSequence = end;
        return;
    }
    ++m_result.retransmits;
    auto sent = std::lower_bound(m_sent.begin(),
                                 m_sent.end(),
                                 start,
                                 [](const Sent& s, SequenceNumber32 at) { return s.end <= at; });
    for (; sent != m_sent.end() && sent->end <= end; ++sent)
    {
        sent->retransmitted = true;
    }
    if (sent != m_sent.end() && sent != m_sent.begin() && std::prev(sent)->end < end)
    {
        sent->retransmitted = true;
    }
}

void
FlowRecorder::Received(Ptr<const Packet> /* packet */,
                       const TcpHeader& header,
                       Ptr<const TcpSocketBase> /* socket */)
{
    if ((header.GetFlags() & TcpHeader::ACK) == 0)
    {
        return;
    }
    const SequenceNumber32 ack = header.GetAckNumber();
    if (ack > m_acked && !m_sent.empty())
    {
        // a FIN is acknowledged with one number more than there is data
        const SequenceNumber32 data = std::min(ack, m_nextSequence);
        const auto bytes = static_cast<uint32_t>(data - m_acked);
        m_bytesAcked += bytes;
        if (Simulator::Now() <= m_steadyStart)
        {
            m_steadyBase += bytes;
        }
        m_acked = data;
        bool clean = true;
        Time sentAt;
        while (!m_sent.empty() && m_sent.front().end <= ack)
        {
            clean &= !m_sent.front().retransmitted;
            sentAt = m_sent.front().time;
            m_sent.pop_front();
            if (m_sent.empty() || m_sent.front().end > ack)
            {
                const int64_t rtt = (Simulator::Now() - sentAt).GetNanoSeconds();
                if (clean && m_state != TcpSocketState::CA_RECOVERY &&
                    m_state != TcpSocketState::CA_LOSS)
                {
                    m_minRttNs = m_minRttNs < 0 ? rtt : std::min(m_minRttNs, rtt);
                    m_maxRttNs = std::max(m_maxRttNs, rtt);
                }
            }
        }
    }
    if (!m_srtt.IsZero())
    {
        m_sumRttNs += m_srtt.GetNanoSeconds();
        ++m_rttCount;
    }
    if (m_sampleAcks)
    {
        Sample();
    }
}

void
FlowRecorder::WindowChanged(uint32_t /* before */, uint32_t after)
{
    m_cwnd = after;
    m_result.maxCwnd = std::max(m_result.maxCwnd, after / m_segmentSize);
}

void
FlowRecorder::ThresholdChanged(uint32_t before, uint32_t after)
{
    m_ssthresh = after;
    if (!m_exitsTraced && after < before && m_cwnd < before && m_result.segmentsSent > 0)
    {
        SlowStartExit exit;
        exit.time = ToSeconds(Simulator::Now());
        exit.cwnd = m_cwnd / m_segmentSize;
        exit.detector = ToDetector(m_state);
        m_result.exits.push_back(exit);
        m_lastExit = Simulator::Now();
    }
}

void
FlowRecorder::SlowStartEnded(std::string detector, uint32_t window, Time minRtt, Time roundRtt)
{
    SlowStartExit exit;
    exit.time = ToSeconds(Simulator::Now());
    exit.detector = detector;
    exit.cwnd = window;
    const auto toRtt = [](Time rtt) {
        return rtt.IsStrictlyPositive() ? static_cast<double>(rtt.GetNanoSeconds()) / 1e9
                                        : NOT_MEASURED;
    };
    exit.minRtt = toRtt(minRtt);
    exit.roundRtt = toRtt(roundRtt);
    m_result.exits.push_back(exit);
}

void
FlowRecorder::CounterChanged(uint64_t HystartCounters::*counter,
                             uint32_t /* before */,
                             uint32_t after)
{
    m_result.hystart.*counter = after;
}

std::string
FlowRecorder::ToDetector(TcpSocketState::TcpCongState_t state)
{
    switch (state)
    {
    case TcpSocketState::CA_RECOVERY:
    case TcpSocketState::CA_LOSS:
        return "loss";
    case TcpSocketState::CA_CWR:
        return "ecn";
    default:
        return "other";
    }
}

void
FlowRecorder::RttChanged(Time /* before */, Time after)
{
    m_srtt = after;
}

void
FlowRecorder::TimeoutChanged(Time before, Time after)
{
    // the timer is doubled by a timeout only; data must be under way, which leaves out the SYN
    constexpr int64_t maximumNs = 60000000000;
    const int64_t doubled = std::min(2 * before.GetNanoSeconds(), maximumNs);
    if (!m_sent.empty() && after > before && after.GetNanoSeconds() == doubled)
    {
        ++m_result.timeouts;
    }
}

void
FlowRecorder::StateChanged(TcpSocketState::TcpCongState_t /* before */,
                           TcpSocketState::TcpCongState_t after)
{
    m_state = after;
    m_result.recoveries += after == TcpSocketState::CA_RECOVERY;
    m_result.reductions += after == TcpSocketState::CA_CWR;
    // the threshold may have been lowered just before the state was entered
    if (!m_exitsTraced && !m_result.exits.empty() && m_lastExit == Simulator::Now() &&
        m_result.exits.back().detector == "other")
    {
        m_result.exits.back().detector = ToDetector(after);
    }
}

void
FlowRecorder::InFlightChanged(uint32_t /* before */, uint32_t after)
{
    m_inFlight = after;
}

void
FlowRecorder::PacingRateChanged(DataRate /* before */, DataRate after)
{
    m_pacingRate = after.GetBitRate();
}

} // namespace ns3
