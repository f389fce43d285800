/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_RECEIVE_COALESCER_H
#define LINUX_TCP_RECEIVE_COALESCER_H

#include "receive-stage.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief A host that polls its network interface and merges what belongs together.
 *
 * Received packets wait for the next poll. Polls lie on a grid with a fixed interval, whose phase
 * is drawn at random (or is 0). In a poll, TCP segments that follow each other within one flow
 * become one packet with one larger payload, up to a number of segments and bytes. Segments are
 * merged only if nothing is lost by it: same acknowledgement number, window, options and IP fields
 * (ECN, DSCP, TTL), no flag but ACK and PSH, no hole, no IP fragment. A segment shorter than the
 * first one or with PSH is the last one of its packet. Pure acknowledgements are never merged.
 * Packets of one flow keep their order; flows keep the order of their first packets.
 *
 * With an interval of 0 nothing is held or merged.
 */
class ReceiveCoalescer : public ReceiveStage
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ReceiveCoalescer();

    /**
     * @brief Use fixed random streams.
     * @param stream first stream to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    uint64_t GetHeldPackets() const override;
    uint64_t GetMergedPackets() const override;

  protected:
    void DoDispose() override;
    void Process(Arrival&& arrival) override;

  private:
    /// A packet that may still grow
    struct Candidate
    {
        Arrival arrival;              ///< the packet, or the first of several
        Ptr<Packet> payload;          ///< payload of all segments, null if there is only one
        std::vector<uint8_t> headers; ///< IP and TCP header of the first segment
        uint32_t ipHeaderSize{0};     ///< size of the IP header (bytes)
        uint32_t nextSequence{0};     ///< sequence number that follows
        uint32_t segmentSize{0};      ///< payload of the first segment, 0 if it stays alone (bytes)
        uint32_t segments{1};         ///< segments in it
        bool pushed{false};           ///< whether the last segment has PSH
        bool open{false};             ///< whether more may follow
    };

    /// Hand up everything that has come.
    void Poll();

    /**
     * @brief Look into a packet.
     * @param candidate its packet is given, the rest is filled in
     * @return whether it is TCP, so that the headers hold the flow's addresses and ports
     */
    static bool Parse(Candidate& candidate);

    /**
     * @brief Whether two packets belong to the same flow.
     * @param a one packet
     * @param b another packet
     * @return true if protocol, addresses and ports are equal
     */
    static bool IsSameFlow(const Candidate& a, const Candidate& b);

    /**
     * @brief Append a segment to a packet, if it may.
     * @param head the packet
     * @param segment the segment
     * @return whether it was appended
     */
    bool Merge(Candidate& head, const Candidate& segment);

    /**
     * @brief Hand a packet up.
     * @param candidate the packet
     */
    void Finish(Candidate& candidate);

    Time m_interval;                     ///< time between two polls, 0 for none
    uint32_t m_maxSegments{45};          ///< most segments in a packet
    uint32_t m_maxBytes{65535};          ///< largest packet (bytes of IP)
    bool m_randomPhase{true};            ///< whether the phase is drawn
    Ptr<UniformRandomVariable> m_random; ///< phase in [0, 1)
    int64_t m_phaseNs{-1};               ///< phase of the polls (ns), -1 if not drawn yet
    std::vector<Arrival> m_held;         ///< packets since the last poll
    EventId m_event;                     ///< next poll
    uint64_t m_merged{0};                ///< segments that were appended to another
};

} // namespace ns3

#endif /* LINUX_TCP_RECEIVE_COALESCER_H */
