/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stream-sender.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("StreamSender");

NS_OBJECT_ENSURE_REGISTERED(StreamSender);

TypeId
StreamSender::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::StreamSender")
            .SetParent<ConnectingApplication>()
            .SetGroupName("LinuxTcp")
            .AddConstructor<StreamSender>()
            .AddAttribute("MaxBytes",
                          "The number of bytes to send; 0 for no limit.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&StreamSender::m_maxBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("BurstBytes",
                          "The number of bytes written at the start of each period; 0 to write "
                          "without a pause.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&StreamSender::m_burstBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("BurstPeriod",
                          "The time from the start of a burst to the start of the next one.",
                          TimeValue(MilliSeconds(500)),
                          MakeTimeAccessor(&StreamSender::m_burstPeriod),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddTraceSource("Completed",
                            "The last byte was acknowledged.",
                            MakeTraceSourceAccessor(&StreamSender::m_completedTrace),
                            "ns3::StreamSender::CompletedCallback")
            .AddTraceSource("BurstCompleted",
                            "The last byte of a burst was acknowledged.",
                            MakeTraceSourceAccessor(&StreamSender::m_burstTrace),
                            "ns3::StreamSender::BurstCallback");
    return tid;
}

uint64_t
StreamSender::GetAckedBytes() const
{
    return m_writer.GetAcked();
}

void
StreamSender::DoDispose()
{
    m_burstEvent.Cancel();
    ConnectingApplication::DoDispose();
}

void
StreamSender::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_start = Simulator::Now();
    ConnectingApplication::StartApplication();
}

void
StreamSender::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_burstEvent.Cancel();
    ConnectingApplication::StopApplication();
}

void
StreamSender::HandleConnected()
{
    if (m_burstBytes > 0)
    {
        StartBurst();
        return;
    }
    m_added = m_maxBytes > 0 ? m_maxBytes : std::numeric_limits<uint64_t>::max();
    m_writer.Add(m_added);
    m_writer.Write();
}

void
StreamSender::StartBurst()
{
    if (!IsConnected())
    {
        return;
    }
    uint64_t bytes = m_burstBytes;
    if (m_maxBytes > 0)
    {
        bytes = std::min(bytes, m_maxBytes - m_added);
    }
    m_added += bytes;
    m_bursts.push_back({m_burstIndex++, m_added, bytes, Simulator::Now()});
    m_writer.Add(bytes);
    m_writer.Write();
    if (m_maxBytes == 0 || m_added < m_maxBytes)
    {
        m_burstEvent = Simulator::Schedule(m_burstPeriod, &StreamSender::StartBurst, this);
    }
}

void
StreamSender::HandleSendSpace()
{
    if (m_burstBytes == 0 && m_writer.GetPending() > 0)
    {
        return;
    }
    const uint64_t acked = m_writer.GetAcked();
    while (!m_bursts.empty() && acked >= m_bursts.front().end)
    {
        const Burst burst = m_bursts.front();
        m_bursts.pop_front();
        m_burstTrace(burst.index, burst.start, Simulator::Now(), burst.bytes);
    }
    if (m_maxBytes > 0 && acked >= m_maxBytes && !m_completed)
    {
        m_completed = true;
        m_completedTrace(m_start, Simulator::Now());
        Close();
    }
}

void
StreamSender::HandleReceived(uint64_t /* bytes */)
{
}

} // namespace ns3
