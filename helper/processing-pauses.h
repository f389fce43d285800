/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_PROCESSING_PAUSES_H
#define LINUX_TCP_PROCESSING_PAUSES_H

#include "receive-stage.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief A host whose processor is now and then busy with something else.
 *
 * Pauses have a fixed length; the times between the end of one and the start of the next are
 * drawn from an exponential distribution. What comes during a pause waits for its end, in order;
 * nothing is lost.
 */
class ProcessingPauses : public ReceiveStage
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    ProcessingPauses();

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
    /// Draw pauses until the last one ends in the future.
    void Advance();

    /// Hand on all packets that have waited.
    void Release();

    Time m_length;                           ///< length of a pause
    Time m_interval;                         ///< mean time from one pause to the next
    Ptr<ExponentialRandomVariable> m_random; ///< times between pauses, over their mean
    Time m_start;                            ///< start of the present or next pause
    Time m_end;                              ///< its end; 0 if none was drawn yet
    std::vector<Arrival> m_held;             ///< packets that wait
    EventId m_event;                         ///< end of the present pause
};

} // namespace ns3

#endif /* LINUX_TCP_PROCESSING_PAUSES_H */
