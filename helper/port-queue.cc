/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "port-queue.h"

#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SharedBufferPool);
NS_OBJECT_ENSURE_REGISTERED(PortQueue);

TypeId
SharedBufferPool::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SharedBufferPool")
            .SetParent<Object>()
            .SetGroupName("LinuxTcp")
            .AddConstructor<SharedBufferPool>()
            .AddAttribute("Size",
                          "The memory of all ports together (bytes), at least 1.",
                          UintegerValue(1000000),
                          MakeUintegerAccessor(&SharedBufferPool::m_size),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("Alpha",
                          "What a port may hold over what is free (dimensionless), above 0.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&SharedBufferPool::m_alpha),
                          MakeDoubleChecker<double>(0.001, 1000.0));
    return tid;
}

bool
SharedBufferPool::Take(uint64_t held, uint64_t bytes)
{
    const uint64_t free = m_size - m_used;
    if (bytes > free || static_cast<double>(held) > m_alpha * static_cast<double>(free))
    {
        return false;
    }
    m_used += bytes;
    return true;
}

void
SharedBufferPool::Give(uint64_t bytes)
{
    NS_ASSERT(bytes <= m_used);
    m_used -= bytes;
}

uint64_t
SharedBufferPool::GetUsed() const
{
    return m_used;
}

TypeId
PortQueue::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PortQueue")
            .SetParent<Queue<Packet>>()
            .SetGroupName("LinuxTcp")
            .AddConstructor<PortQueue>()
            .AddAttribute("MaxSize",
                          "The capacity of the queue, in packets or bytes.",
                          QueueSizeValue(QueueSize("100p")),
                          MakeQueueSizeAccessor(&QueueBase::SetMaxSize, &QueueBase::GetMaxSize),
                          MakeQueueSizeChecker())
            .AddAttribute("Pool",
                          "Memory shared with other ports, whose threshold acts besides MaxSize.",
                          PointerValue(),
                          MakePointerAccessor(&PortQueue::m_pool),
                          MakePointerChecker<SharedBufferPool>());
    return tid;
}

bool
PortQueue::Enqueue(Ptr<Packet> item)
{
    const uint32_t size = item->GetSize();
    ++m_counters.receivedPackets;
    m_counters.receivedBytes += size;
    const bool room = !WouldOverflow(1, size) && (!m_pool || m_pool->Take(GetNBytes(), size));
    if (!room)
    {
        ++m_counters.droppedPackets;
        m_counters.droppedBytes += size;
        DropBeforeEnqueue(item);
        return false;
    }
    DoEnqueue(GetContainer().end(), item);
    m_counters.maxBacklogPackets = std::max<uint64_t>(m_counters.maxBacklogPackets, GetNPackets());
    m_counters.maxBacklogBytes = std::max<uint64_t>(m_counters.maxBacklogBytes, GetNBytes());
    return true;
}

void
PortQueue::Release(Ptr<const Packet> item)
{
    if (item && m_pool)
    {
        m_pool->Give(item->GetSize());
    }
}

Ptr<Packet>
PortQueue::Dequeue()
{
    auto item = DoDequeue(GetContainer().begin());
    if (item)
    {
        ++m_counters.sentPackets;
        m_counters.sentBytes += item->GetSize();
        Release(item);
    }
    return item;
}

Ptr<Packet>
PortQueue::Remove()
{
    auto item = DoRemove(GetContainer().begin());
    if (item)
    {
        ++m_counters.droppedPackets;
        m_counters.droppedBytes += item->GetSize();
        Release(item);
    }
    return item;
}

Ptr<const Packet>
PortQueue::Peek() const
{
    return DoPeek(GetContainer().begin());
}

const PortQueue::Counters&
PortQueue::GetCounters() const
{
    return m_counters;
}

void
PortQueue::DoDispose()
{
    m_pool = nullptr;
    Queue<Packet>::DoDispose();
}

} // namespace ns3
