/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_PORT_QUEUE_H
#define LINUX_TCP_PORT_QUEUE_H

#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/queue.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief Memory that several ports share.
 *
 * Dynamic thresholds: a packet is admitted to a port that holds at most alpha times the free part
 * of the pool (A. K. Choudhury and E. L. Hahne, "Dynamic queue length thresholds for shared-memory
 * packet switches", 1998).
 */
class SharedBufferPool : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Take memory for a packet, if the threshold allows it.
     * @param held what the port holds already (bytes)
     * @param bytes size of the packet (bytes)
     * @return whether the packet is admitted
     */
    bool Take(uint64_t held, uint64_t bytes);

    /**
     * @brief Give memory back.
     * @param bytes size of the packet (bytes)
     */
    void Give(uint64_t bytes);

    /// @return memory in use (bytes)
    uint64_t GetUsed() const;

  private:
    uint64_t m_size{0};  ///< memory (bytes)
    uint64_t m_used{0};  ///< memory in use (bytes)
    double m_alpha{1.0}; ///< what a port may hold over what is free
};

/**
 * @ingroup linux-tcp
 * @brief First-in first-out queue of a device with 64-bit counters and, if wanted, shared memory.
 */
class PortQueue : public Queue<Packet>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool Enqueue(Ptr<Packet> item) override;
    Ptr<Packet> Dequeue() override;
    Ptr<Packet> Remove() override;
    Ptr<const Packet> Peek() const override;

    /// Counters since the start
    struct Counters
    {
        uint64_t receivedPackets{0};   ///< packets that came
        uint64_t receivedBytes{0};     ///< bytes that came
        uint64_t sentPackets{0};       ///< packets that left
        uint64_t sentBytes{0};         ///< bytes that left
        uint64_t droppedPackets{0};    ///< packets that found no room
        uint64_t droppedBytes{0};      ///< bytes that found no room
        uint64_t maxBacklogPackets{0}; ///< most packets that waited
        uint64_t maxBacklogBytes{0};   ///< most bytes that waited
    };

    /// @return the counters
    const Counters& GetCounters() const;

  protected:
    void DoDispose() override;

  private:
    /**
     * @brief Account for a packet that left the queue.
     * @param item the packet, may be null
     */
    void Release(Ptr<const Packet> item);

    Ptr<SharedBufferPool> m_pool; ///< memory shared with other ports, null if there is none
    Counters m_counters;          ///< counters
};

} // namespace ns3

#endif /* LINUX_TCP_PORT_QUEUE_H */
