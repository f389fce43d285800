/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "processing-jitter.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ProcessingJitter");

NS_OBJECT_ENSURE_REGISTERED(ProcessingJitter);

TypeId
ProcessingJitter::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ProcessingJitter")
            .SetParent<ReceiveStage>()
            .SetGroupName("LinuxTcp")
            .AddConstructor<ProcessingJitter>()
            .AddAttribute("Maximum",
                          "The longest processing time; each packet's is uniform between 0 and it.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&ProcessingJitter::m_maximum),
                          MakeTimeChecker(Time(0)));
    return tid;
}

ProcessingJitter::ProcessingJitter()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

int64_t
ProcessingJitter::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

uint64_t
ProcessingJitter::GetHeldPackets() const
{
    return m_held.size();
}

void
ProcessingJitter::DoDispose()
{
    m_event.Cancel();
    m_held.clear();
    m_random = nullptr;
    ReceiveStage::DoDispose();
}

void
ProcessingJitter::Process(Arrival&& arrival)
{
    NS_LOG_FUNCTION(this << arrival.packet);
    const auto span = static_cast<double>(m_maximum.GetNanoSeconds());
    Time due =
        Simulator::Now() + NanoSeconds(static_cast<int64_t>(m_random->GetValue(0, 1) * span));
    if (!m_held.empty())
    {
        due = std::max(due, m_held.back().first);
    }
    m_held.emplace_back(due, std::move(arrival));
    if (m_held.size() == 1)
    {
        m_event = Simulator::Schedule(due - Simulator::Now(), &ProcessingJitter::Release, this);
    }
}

void
ProcessingJitter::Release()
{
    const Time now = Simulator::Now();
    while (!m_held.empty() && m_held.front().first <= now)
    {
        Arrival arrival = std::move(m_held.front().second);
        m_held.pop_front();
        PassOn(std::move(arrival));
    }
    if (!m_held.empty())
    {
        m_event = Simulator::Schedule(m_held.front().first - now, &ProcessingJitter::Release, this);
    }
}

} // namespace ns3
