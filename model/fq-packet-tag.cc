/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fq-packet-tag.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FqPacketTag);

FqPacketTag::FqPacketTag(uint32_t nodeId,
                         uint64_t cookie,
                         int64_t departureNs,
                         uint64_t pacingRate,
                         uint8_t flags)
    : m_nodeId(nodeId),
      m_cookie(cookie),
      m_departureNs(departureNs),
      m_pacingRate(pacingRate),
      m_flags(flags)
{
}

TypeId
FqPacketTag::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FqPacketTag")
                            .SetParent<Tag>()
                            .SetGroupName("LinuxTcp")
                            .AddConstructor<FqPacketTag>();
    return tid;
}

TypeId
FqPacketTag::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
FqPacketTag::GetSerializedSize() const
{
    return sizeof(m_nodeId) + sizeof(m_cookie) + sizeof(m_departureNs) + sizeof(m_pacingRate) +
           sizeof(m_flags);
}

void
FqPacketTag::Serialize(TagBuffer i) const
{
    i.WriteU32(m_nodeId);
    i.WriteU64(m_cookie);
    i.WriteU64(static_cast<uint64_t>(m_departureNs));
    i.WriteU64(m_pacingRate);
    i.WriteU8(m_flags);
}

void
FqPacketTag::Deserialize(TagBuffer i)
{
    m_nodeId = i.ReadU32();
    m_cookie = i.ReadU64();
    m_departureNs = static_cast<int64_t>(i.ReadU64());
    m_pacingRate = i.ReadU64();
    m_flags = i.ReadU8();
}

void
FqPacketTag::Print(std::ostream& os) const
{
    os << "node=" << m_nodeId << " cookie=" << m_cookie << " departure=" << m_departureNs
       << "ns rate=" << m_pacingRate << "B/s flags=" << static_cast<uint32_t>(m_flags);
}

} // namespace ns3
