/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-switch.h"

#include "ns3/abort.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/ipv6-address.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-queue-disc-item.h"
#include "ns3/node.h"

#include <cstring>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PacketSwitch);
NS_OBJECT_ENSURE_REGISTERED(SwitchStage);

namespace
{

constexpr uint16_t ETHERTYPE_IPV4 = 0x0800; ///< EtherType of IPv4
constexpr uint16_t ETHERTYPE_IPV6 = 0x86dd; ///< EtherType of IPv6

} // namespace

TypeId
PacketSwitch::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PacketSwitch")
                            .SetParent<Object>()
                            .SetGroupName("LinuxTcp")
                            .AddConstructor<PacketSwitch>();
    return tid;
}

std::size_t
PacketSwitch::KeyHash::operator()(const Key& key) const
{
    uint64_t halves[2];
    std::memcpy(halves, key.data(), sizeof(halves));
    return static_cast<std::size_t>((halves[0] * 0x9e3779b97f4a7c15ULL) ^
                                    (halves[1] * 0xc2b2ae3d27d4eb4fULL));
}

PacketSwitch::Key
PacketSwitch::ToKey(const Address& address)
{
    Key key{};
    if (Ipv4Address::IsMatchingType(address))
    {
        Ipv4Address::ConvertFrom(address).Serialize(key.data());
    }
    else
    {
        NS_ABORT_MSG_UNLESS(Ipv6Address::IsMatchingType(address),
                            "A PacketSwitch needs IPv4 or IPv6 addresses");
        Ipv6Address::ConvertFrom(address).Serialize(key.data());
    }
    return key;
}

PacketSwitch::Port
PacketSwitch::ToPort(Ptr<NetDevice> device)
{
    Port port;
    port.device = device;
    if (device)
    {
        const auto layer = device->GetNode()->GetObject<TrafficControlLayer>();
        if (layer && layer->GetRootQueueDiscOnDevice(device))
        {
            port.protocol = layer;
        }
    }
    return port;
}

void
PacketSwitch::AddDestination(const Address& destination, Ptr<NetDevice> device)
{
    m_ports[ToKey(destination)] = ToPort(device);
}

void
PacketSwitch::SetDefault(Ptr<NetDevice> device)
{
    m_default = ToPort(device);
}

void
PacketSwitch::AddLocal(const Address& address)
{
    m_ports[ToKey(address)] = Port();
}

bool
PacketSwitch::Forward(const Ptr<const Packet>& packet, uint16_t protocol)
{
    uint8_t header[40];
    Key key{};
    if (protocol == ETHERTYPE_IPV4)
    {
        constexpr uint32_t size = 20;
        if (packet->CopyData(header, size) < size)
        {
            return false;
        }
        std::memcpy(key.data(), header + 16, 4);
    }
    else if (protocol == ETHERTYPE_IPV6)
    {
        constexpr uint32_t size = 40;
        if (packet->CopyData(header, size) < size || header[24] == 0xff)
        {
            return false; // multicast stays on its link
        }
        std::memcpy(key.data(), header + 24, 16);
    }
    else
    {
        return false;
    }
    const auto found = m_ports.find(key);
    const Port& port = found == m_ports.end() ? m_default : found->second;
    if (!port.device)
    {
        return false;
    }
    auto copy = packet->Copy();
    if (!port.protocol)
    {
        port.device->Send(copy, port.device->GetBroadcast(), protocol);
        return true;
    }
    if (protocol == ETHERTYPE_IPV4)
    {
        Ipv4Header ip;
        copy->RemoveHeader(ip);
        port.protocol->Send(
            port.device,
            Create<Ipv4QueueDiscItem>(copy, port.device->GetBroadcast(), protocol, ip));
    }
    else
    {
        Ipv6Header ip;
        copy->RemoveHeader(ip);
        port.protocol->Send(
            port.device,
            Create<Ipv6QueueDiscItem>(copy, port.device->GetBroadcast(), protocol, ip));
    }
    return true;
}

void
PacketSwitch::DoDispose()
{
    m_ports.clear();
    m_default = Port();
    Object::DoDispose();
}

TypeId
SwitchStage::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SwitchStage")
                            .SetParent<ReceiveStage>()
                            .SetGroupName("LinuxTcp")
                            .AddConstructor<SwitchStage>();
    return tid;
}

SwitchStage::SwitchStage(Ptr<PacketSwitch> packetSwitch)
    : m_switch(packetSwitch)
{
}

uint64_t
SwitchStage::GetHeldPackets() const
{
    return 0;
}

void
SwitchStage::DoDispose()
{
    m_switch = nullptr;
    ReceiveStage::DoDispose();
}

void
SwitchStage::Process(Arrival&& arrival)
{
    if (!m_switch || !m_switch->Forward(arrival.packet, arrival.protocol))
    {
        PassOn(std::move(arrival));
    }
}

} // namespace ns3
