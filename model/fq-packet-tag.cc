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
constexpr uint32_t SERIALIZED_SIZE = 4 + 3 * 8 + 1;

/**
 * @brief Write a number, the lowest byte first. Much faster than TagBuffer byte by byte.
 * @tparam T type of the number
 * @param bytes where to
 * @param number the number
 * @return the end of what was written
 */
template <typename T>
uint8_t*
Put(uint8_t* bytes, T number)
{
    for (std::size_t i = 0; i < sizeof(T); i++)
    {
        *bytes++ = static_cast<uint8_t>(number >> (8 * i));
    }
    return bytes;
}

/**
 * @brief Read a number that Put() wrote.
 * @tparam T type of the number
 * @param bytes where from
 * @param[out] number the number
 * @return the end of what was read
 */
template <typename T>
const uint8_t*
Get(const uint8_t* bytes, T& number)
{
    number = 0;
    for (std::size_t i = 0; i < sizeof(T); i++)
    {
        number |= static_cast<T>(static_cast<T>(*bytes++) << (8 * i));
    }
    return bytes;
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
    uint8_t bytes[SERIALIZED_SIZE];
    uint8_t* end = Put(bytes, m_nodeId);
    end = Put(end, m_cookie);
    end = Put(end, static_cast<uint64_t>(m_departureNs));
    end = Put(end, m_pacingRate);
    Put(end, m_flags);
    i.Write(bytes, SERIALIZED_SIZE);
}

void
FqPacketTag::Deserialize(TagBuffer i)
{
    uint8_t bytes[SERIALIZED_SIZE];
    i.Read(bytes, SERIALIZED_SIZE);
    uint64_t departure;
    const uint8_t* end = Get(bytes, m_nodeId);
    end = Get(end, m_cookie);
    end = Get(end, departure);
    m_departureNs = static_cast<int64_t>(departure);
    end = Get(end, m_pacingRate);
    Get(end, m_flags);
}

void
FqPacketTag::Print(std::ostream& os) const
{
    os << "node=" << m_nodeId << " cookie=" << m_cookie << " departure=" << m_departureNs
       << "ns rate=" << m_pacingRate << "B/s flags=" << static_cast<uint32_t>(m_flags);
}

} // namespace ns3
