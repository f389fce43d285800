/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_PACKET_SWITCH_H
#define LINUX_TCP_PACKET_SWITCH_H

#include "receive-stage.h"

#include "ns3/address.h"
#include "ns3/net-device.h"
#include "ns3/object.h"
#include "ns3/queue-disc.h"
#include "ns3/traffic-control-layer.h"

#include <array>
#include <cstdint>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief Forwards packets by their IP destination without the node's IP protocol.
 *
 * A node of IP routers would do the same with a linear search per packet, a parsed and rebuilt
 * header and a new route; this does one look-up and leaves the packet alone (the TTL too, as a
 * switch does). Packets for unknown destinations take the default port if there is one, else they
 * are for the node itself and go to its protocols. Ports with a queue disc send through it.
 */
class PacketSwitch : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Send what is for an address out of a device.
     * @param destination IPv4 or IPv6 address
     * @param device a device of the node
     */
    void AddDestination(const Address& destination, Ptr<NetDevice> device);

    /**
     * @brief Send everything else out of a device.
     * @param device a device of the node
     */
    void SetDefault(Ptr<NetDevice> device);

    /**
     * @brief Keep what is for an address of the node itself.
     * @param address IPv4 or IPv6 address
     */
    void AddLocal(const Address& address);

    /**
     * @brief Forward a packet.
     * @param packet the packet, from the IP header on
     * @param protocol EtherType
     * @return false if it is for the node itself
     */
    bool Forward(const Ptr<const Packet>& packet, uint16_t protocol);

  protected:
    void DoDispose() override;

  private:
    /// An IPv6 address, or an IPv4 address in its first bytes
    using Key = std::array<uint8_t, 16>;

    /// Hash of an address
    struct KeyHash
    {
        /**
         * @brief Hash of an address.
         * @param key the address
         * @return its hash
         */
        std::size_t operator()(const Key& key) const;
    };

    /// A port
    struct Port
    {
        Ptr<NetDevice> device;             ///< the device, null for the node itself
        Ptr<TrafficControlLayer> protocol; ///< what has its queue disc, null if there is none
    };

    /**
     * @brief Make a key.
     * @param address IPv4 or IPv6 address
     * @return the key
     */
    static Key ToKey(const Address& address);

    /**
     * @brief Describe a device.
     * @param device the device, or null
     * @return the port
     */
    static Port ToPort(Ptr<NetDevice> device);

    std::unordered_map<Key, Port, KeyHash> m_ports; ///< ports by destination
    Port m_default;                                 ///< port of all other destinations
};

/**
 * @ingroup linux-tcp
 * @brief Hands what a device receives to the switch of its node.
 */
class SwitchStage : public ReceiveStage
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    SwitchStage() = default;

    /**
     * @brief Constructor
     * @param packetSwitch the switch
     */
    explicit SwitchStage(Ptr<PacketSwitch> packetSwitch);

    uint64_t GetHeldPackets() const override;

  protected:
    void DoDispose() override;
    void Process(Arrival&& arrival) override;

  private:
    Ptr<PacketSwitch> m_switch; ///< the switch
};

} // namespace ns3

#endif /* LINUX_TCP_PACKET_SWITCH_H */
