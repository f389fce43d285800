/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_PROCESSING_JITTER_H
#define LINUX_TCP_PROCESSING_JITTER_H

#include "receive-stage.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <deque>
#include <utility>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief A host that takes a random time to process what it receives, in order.
 *
 * Each packet waits a time drawn uniformly from 0 to a maximum, but never less than what lets the
 * packets before it go first.
 */
class ProcessingJitter : public ReceiveStage
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ProcessingJitter();

    /**
     * @brief Use fixed random streams.
     * @param stream first stream to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    uint64_t GetHeldPackets() const override;

  protected:
    void DoDispose() override;
    void Process(Arrival&& arrival) override;

  private:
    /// Hand on all packets that are due.
    void Release();

    Time m_maximum;                              ///< longest processing time
    Ptr<UniformRandomVariable> m_random;         ///< processing times in [0, 1)
    std::deque<std::pair<Time, Arrival>> m_held; ///< packets with the times they go on
    EventId m_event;                             ///< release of the first one
};

} // namespace ns3

#endif /* LINUX_TCP_PROCESSING_JITTER_H */
