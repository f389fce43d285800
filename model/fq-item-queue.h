/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FQ_ITEM_QUEUE_H
#define FQ_ITEM_QUEUE_H

#include "ns3/queue-item.h"
#include "ns3/queue.h"

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief Where FqQueueDisc keeps its packets: an internal queue without a limit of its own, from
 * which any packet can be taken.
 *
 * A queue disc counts its packets by the traces of its internal queues, so the packets must lie in
 * one. The order of service is not the order of this queue.
 */
class FqItemQueue : public Queue<QueueDiscItem>
{
  public:
    /// Place of a packet in the queue
    typedef Queue<QueueDiscItem>::ConstIterator Place;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FqItemQueue();
    ~FqItemQueue() override;

    /**
     * @brief Append a packet.
     * @param item the packet
     * @return its place, valid until it is taken
     */
    Place Append(Ptr<QueueDiscItem> item);

    /**
     * @brief Take a packet out.
     * @param place its place
     * @return the packet
     */
    Ptr<QueueDiscItem> Take(Place place);

    /**
     * @brief Have the processor fetch a place.
     * @param place the place of a packet that is still there
     */
    void Prefetch(Place place) const;

    /**
     * @brief Have the processor fetch the neighbours, which Take() changes, of a place that has
     * been fetched.
     * @param place the place of a packet that is still there
     */
    void PrefetchNeighbours(Place place) const;

    bool Enqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> Dequeue() override;
    Ptr<QueueDiscItem> Remove() override;
    Ptr<const QueueDiscItem> Peek() const override;

  private:
    NS_LOG_TEMPLATE_DECLARE; //!< the log component
};

} // namespace ns3

#endif /* FQ_ITEM_QUEUE_H */
