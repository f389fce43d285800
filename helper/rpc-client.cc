/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rpc-client.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RpcClient");

NS_OBJECT_ENSURE_REGISTERED(RpcClient);

TypeId
RpcClient::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RpcClient")
            .SetParent<ConnectingApplication>()
            .SetGroupName("LinuxTcp")
            .AddConstructor<RpcClient>()
            .AddAttribute("RequestSize",
                          "The size of a request (bytes), at least 1.",
                          UintegerValue(1000000),
                          MakeUintegerAccessor(&RpcClient::m_requestSize),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("ResponseSize",
                          "The size of a response (bytes), at least 1.",
                          UintegerValue(100),
                          MakeUintegerAccessor(&RpcClient::m_responseSize),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("Requests",
                          "The number of requests; 0 for no limit.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RpcClient::m_requests),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("ThinkTime",
                          "The pause between a response and the next request.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RpcClient::m_thinkTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("StartJitter",
                          "The connection is opened later than the start by a time that is uniform "
                          "between 0 and this.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RpcClient::m_startJitter),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Automatic",
                          "Whether requests follow each other by themselves.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RpcClient::m_automatic),
                          MakeBooleanChecker())
            .AddTraceSource("Completed",
                            "The last byte of a response was read.",
                            MakeTraceSourceAccessor(&RpcClient::m_completedTrace),
                            "ns3::RpcClient::CompletedCallback");
    return tid;
}

RpcClient::RpcClient()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

bool
RpcClient::SendRequest()
{
    if (!IsConnected() || m_waiting)
    {
        return false;
    }
    NS_LOG_FUNCTION(this << m_completed);
    m_waiting = true;
    m_received = 0;
    m_requestStart = Simulator::Now();
    m_writer.Add(m_requestSize);
    m_writer.Write();
    return true;
}

uint64_t
RpcClient::GetCompletedRequests() const
{
    return m_completed;
}

int64_t
RpcClient::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

void
RpcClient::DoDispose()
{
    m_event.Cancel();
    m_random = nullptr;
    ConnectingApplication::DoDispose();
}

void
RpcClient::StartApplication()
{
    const auto span = static_cast<double>(m_startJitter.GetNanoSeconds());
    const auto delay = static_cast<int64_t>(m_random->GetValue(0, 1) * span);
    m_event = Simulator::Schedule(NanoSeconds(delay), &RpcClient::Open, this);
}

void
RpcClient::Open()
{
    ConnectingApplication::StartApplication();
}

void
RpcClient::StopApplication()
{
    m_event.Cancel();
    ConnectingApplication::StopApplication();
}

void
RpcClient::HandleConnected()
{
    if (m_automatic)
    {
        SendRequest();
    }
}

void
RpcClient::HandleSendSpace()
{
}

void
RpcClient::ContinueLoop()
{
    SendRequest();
}

void
RpcClient::HandleReceived(uint64_t bytes)
{
    if (!m_waiting)
    {
        NS_LOG_WARN("Data outside a response: the sizes of client and server differ");
        return;
    }
    m_received += bytes;
    if (m_received < m_responseSize)
    {
        return;
    }
    m_waiting = false;
    const uint64_t index = m_completed++;
    m_completedTrace(index, m_requestStart, Simulator::Now());
    if (m_requests > 0 && m_completed == m_requests)
    {
        Close();
    }
    else if (m_automatic)
    {
        if (m_thinkTime.IsZero())
        {
            SendRequest();
        }
        else
        {
            m_event = Simulator::Schedule(m_thinkTime, &RpcClient::ContinueLoop, this);
        }
    }
}

} // namespace ns3
