/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fq-item-queue.h"

#include "ns3/fair-queue.h"

#include <iterator>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FqItemQueue");

NS_OBJECT_ENSURE_REGISTERED(FqItemQueue);

TypeId
FqItemQueue::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FqItemQueue")
                            .SetParent<Queue<QueueDiscItem>>()
                            .SetGroupName("LinuxTcp")
                            .AddConstructor<FqItemQueue>();
    return tid;
}

FqItemQueue::FqItemQueue()
    : NS_LOG_TEMPLATE_DEFINE("FqItemQueue")
{
    SetMaxSize(QueueSize(QueueSizeUnit::PACKETS, std::numeric_limits<uint32_t>::max()));
}

FqItemQueue::~FqItemQueue()
{
}

FqItemQueue::Place
FqItemQueue::Append(Ptr<QueueDiscItem> item)
{
    Iterator place;
    const bool isQueued [[maybe_unused]] = DoEnqueue(GetContainer().end(), item, place);
    NS_ASSERT(isQueued);
    return place;
}

Ptr<QueueDiscItem>
FqItemQueue::Take(Place place)
{
    return DoDequeue(place);
}

void
FqItemQueue::Prefetch(Place place) const
{
    linuxtcp::Prefetch(&*place);
}

void
FqItemQueue::PrefetchNeighbours(Place place) const
{
    if (place != GetContainer().begin())
    {
        linuxtcp::Prefetch(&*std::prev(place));
    }
    if (std::next(place) != GetContainer().end())
    {
        linuxtcp::Prefetch(&*std::next(place));
    }
}

bool
FqItemQueue::Enqueue(Ptr<QueueDiscItem> item)
{
    return DoEnqueue(GetContainer().end(), item);
}

Ptr<QueueDiscItem>
FqItemQueue::Dequeue()
{
    return DoDequeue(GetContainer().begin());
}

Ptr<QueueDiscItem>
FqItemQueue::Remove()
{
    return DoRemove(GetContainer().begin());
}

Ptr<const QueueDiscItem>
FqItemQueue::Peek() const
{
    return DoPeek(GetContainer().begin());
}

} // namespace ns3
