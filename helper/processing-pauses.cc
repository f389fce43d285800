/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "processing-pauses.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ProcessingPauses");

NS_OBJECT_ENSURE_REGISTERED(ProcessingPauses);

TypeId
ProcessingPauses::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ProcessingPauses")
            .SetParent<ReceiveStage>()
            .SetGroupName("LinuxTcp")
            .AddConstructor<ProcessingPauses>()
            .AddAttribute("Length",
                          "The length of a pause.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&ProcessingPauses::m_length),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MeanInterval",
                          "The mean time from the end of a pause to the start of the next.",
                          TimeValue(MilliSeconds(5)),
                          MakeTimeAccessor(&ProcessingPauses::m_interval),
                          MakeTimeChecker(MicroSeconds(1)));
    return tid;
}

ProcessingPauses::ProcessingPauses()
    : m_random(CreateObject<ExponentialRandomVariable>())
{
    m_random->SetAttribute("Mean", DoubleValue(1));
}

int64_t
ProcessingPauses::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

uint64_t
ProcessingPauses::GetHeldPackets() const
{
    return m_held.size();
}

void
ProcessingPauses::DoDispose()
{
    m_event.Cancel();
    m_held.clear();
    m_random = nullptr;
    ReceiveStage::DoDispose();
}

void
ProcessingPauses::Advance()
{
    while (m_end <= Simulator::Now())
    {
        const auto mean = static_cast<double>(m_interval.GetNanoSeconds());
        m_start = m_end + NanoSeconds(static_cast<int64_t>(m_random->GetValue() * mean) + 1);
        m_end = m_start + m_length;
    }
}

void
ProcessingPauses::Process(Arrival&& arrival)
{
    NS_LOG_FUNCTION(this << arrival.packet);
    if (m_event.IsExpired())
    {
        Advance();
        if (Simulator::Now() < m_start)
        {
            PassOn(std::move(arrival));
            return;
        }
        m_event = Simulator::Schedule(m_end - Simulator::Now(), &ProcessingPauses::Release, this);
    }
    m_held.push_back(std::move(arrival));
}

void
ProcessingPauses::Release()
{
    // What is handed on may cause new packets, which come later.
    std::vector<Arrival> held;
    held.swap(m_held);
    for (auto& arrival : held)
    {
        PassOn(std::move(arrival));
    }
}

} // namespace ns3
