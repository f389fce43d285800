/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fq-packet-tag.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FqPacketTag);

namespace
{

/// Bytes of a tag
constexpr uint32_t SERIALIZED_SIZE = 4 * 8;

/**
 * @brief Write a number, the lowest byte first. Compilers make one store of it.
 * @param bytes where to
 * @param number the number
 */
void
Put(uint8_t* bytes, uint64_t number)
{
    bytes[0] = static_cast<uint8_t>(number);
    bytes[1] = static_cast<uint8_t>(number >> 8);
    bytes[2] = static_cast<uint8_t>(number >> 16);
    bytes[3] = static_cast<uint8_t>(number >> 24);
    bytes[4] = static_cast<uint8_t>(number >> 32);
    bytes[5] = static_cast<uint8_t>(number >> 40);
    bytes[6] = static_cast<uint8_t>(number >> 48);
    bytes[7] = static_cast<uint8_t>(number >> 56);
}

/**
 * @brief Read a number that Put() wrote. Compilers make one load of it.
 * @param bytes where from
 * @return the number
 */
uint64_t
Get(const uint8_t* bytes)
{
    return static_cast<uint64_t>(bytes[0]) | static_cast<uint64_t>(bytes[1]) << 8 |
           static_cast<uint64_t>(bytes[2]) << 16 | static_cast<uint64_t>(bytes[3]) << 24 |
           static_cast<uint64_t>(bytes[4]) << 32 | static_cast<uint64_t>(bytes[5]) << 40 |
           static_cast<uint64_t>(bytes[6]) << 48 | static_cast<uint64_t>(bytes[7]) << 56;
}

} // namespace

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
    return SERIALIZED_SIZE;
}

void
FqPacketTag::Serialize(TagBuffer i) const
{
    // At once: TagBuffer's methods for numbers go byte by byte.
    uint8_t bytes[SERIALIZED_SIZE];
    Put(bytes, static_cast<uint64_t>(m_flags) << 32 | m_nodeId);
    Put(bytes + 8, m_cookie);
    Put(bytes + 16, static_cast<uint64_t>(m_departureNs));
    Put(bytes + 24, m_pacingRate);
    i.Write(bytes, SERIALIZED_SIZE);
}

void
FqPacketTag::Deserialize(TagBuffer i)
{
    uint8_t bytes[SERIALIZED_SIZE];
    i.Read(bytes, SERIALIZED_SIZE);
    const uint64_t first = Get(bytes);
    m_nodeId = static_cast<uint32_t>(first);
    m_flags = static_cast<uint8_t>(first >> 32);
    m_cookie = Get(bytes + 8);
    m_departureNs = static_cast<int64_t>(Get(bytes + 16));
    m_pacingRate = Get(bytes + 24);
}

void
FqPacketTag::Print(std::ostream& os) const
{
    os << "node=" << m_nodeId << " cookie=" << m_cookie << " departure=" << m_departureNs
       << "ns rate=" << m_pacingRate << "B/s flags=" << static_cast<uint32_t>(m_flags);
}

} // namespace ns3
