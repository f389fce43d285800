/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FQ_PACKET_TAG_H
#define FQ_PACKET_TAG_H

#include "ns3/tag.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief What a sending socket tells the FQ queue disc of its own node about a packet.
 *
 * ns-3 packets carry no reference to their socket; this packet tag stands in for it. The queue
 * disc removes it at dequeue and ignores a tag that another node wrote.
 */
class FqPacketTag : public Tag
{
  public:
    /// Properties of the packet
    enum Flag : uint8_t
    {
        PURE_ACK = 1,        ///< carries no payload
        RETRANSMIT = 2,      ///< carries data sent before
        CONTROL = 4,         ///< SYN, SYN-ACK or RST
        UNCONNECTED = 8,     ///< sent by a socket that is not connected
        NOT_TCP = 16,        ///< sent by a socket of another protocol
        REQUEST_SOCKET = 32, ///< answer of a listening socket: treated as if it had no socket
        BURST_CONTINUES = 64 ///< the socket's next packet is part of the same offloaded burst
    };

    FqPacketTag() = default;

    /**
     * @brief Constructor
     * @param nodeId node that wrote the tag
     * @param cookie identity of the socket within its node; never 0, never used twice
     * @param departureNs earliest departure time (ns since the start of the simulation), 0 if none
     * @param pacingRate pacing rate of the socket (bytes/s), 0 if unlimited
     * @param flags combination of Flag values
     */
    FqPacketTag(uint32_t nodeId,
                uint64_t cookie,
                int64_t departureNs,
                uint64_t pacingRate,
                uint8_t flags);

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(TagBuffer i) const override;
    void Deserialize(TagBuffer i) override;
    void Print(std::ostream& os) const override;

    uint32_t m_nodeId{0};     ///< node that wrote the tag
    uint64_t m_cookie{0};     ///< identity of the socket within its node
    int64_t m_departureNs{0}; ///< earliest departure time (ns), 0 if none
    uint64_t m_pacingRate{0}; ///< pacing rate of the socket (bytes/s), 0 if unlimited
    uint8_t m_flags{0};       ///< combination of Flag values
};

} // namespace ns3

#endif /* FQ_PACKET_TAG_H */
