/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_RECEIVE_STAGE_H
#define LINUX_TCP_RECEIVE_STAGE_H

#include "ns3/address.h"
#include "ns3/net-device.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/queue-disc.h"
#include "ns3/traffic-control-layer.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief Something that received packets pass between a device and the protocols of its node.
 *
 * A stage takes the place of the device's receive callback. Several stages on one device act in
 * the order of their installation; behind the last one comes the node's TrafficControlLayer, which
 * hands packets to IPv4, IPv6 and ARP. A stage serves one device.
 */
class ReceiveStage : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Put this stage behind those that the device already has.
     * @param device the device, which belongs to a node; aborts if the stage is in use already
     */
    void Install(Ptr<NetDevice> device);

    /**
     * @brief The stages of a device.
     * @param device the device
     * @return its stages in the order in which packets pass them
     */
    static std::vector<Ptr<ReceiveStage>> GetStages(Ptr<NetDevice> device);

    /// @return packets that wait in this stage
    virtual uint64_t GetHeldPackets() const = 0;

    /// @return packets that this stage has dropped
    virtual uint64_t GetDroppedPackets() const;

    /// @return packets by which the number of packets fell, because several became one
    virtual uint64_t GetMergedPackets() const;

  protected:
    void DoDispose() override;

    /// A received packet
    struct Arrival
    {
        Ptr<const Packet> packet; ///< without the device's header
        uint16_t protocol{0};     ///< EtherType
        Address from;             ///< address of the sending device
    };

    /**
     * @brief A packet has come.
     * @param arrival the packet
     */
    virtual void Process(Arrival&& arrival) = 0;

    /**
     * @brief Hand a packet to the next stage or the protocols.
     * @param arrival the packet
     */
    void PassOn(Arrival&& arrival);

  private:
    /**
     * @brief Take a packet from the device.
     * @param device the device
     * @param packet the packet
     * @param protocol EtherType
     * @param from address of the sending device
     * @return true
     */
    bool ReceiveFromDevice(Ptr<NetDevice> device,
                           Ptr<const Packet> packet,
                           uint16_t protocol,
                           const Address& from);

    Ptr<NetDevice> m_device;              ///< the device served
    Ptr<ReceiveStage> m_next;             ///< next stage, null for the last one
    Ptr<TrafficControlLayer> m_protocols; ///< behind the last stage, looked up when first needed
};

} // namespace ns3

#endif /* LINUX_TCP_RECEIVE_STAGE_H */
