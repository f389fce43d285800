/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "receive-stage.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"

#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ReceiveStage");

NS_OBJECT_ENSURE_REGISTERED(ReceiveStage);

namespace
{

/**
 * @brief The stages of one device, aggregated to it.
 */
class ReceiveStageList : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ReceiveStageList")
                                .SetParent<Object>()
                                .SetGroupName("LinuxTcp")
                                .AddConstructor<ReceiveStageList>();
        return tid;
    }

    std::vector<Ptr<ReceiveStage>> m_stages; ///< in the order in which packets pass them

  protected:
    void DoDispose() override
    {
        for (auto& stage : m_stages)
        {
            stage->Dispose();
        }
        m_stages.clear();
        Object::DoDispose();
    }
};

NS_OBJECT_ENSURE_REGISTERED(ReceiveStageList);

} // namespace

TypeId
ReceiveStage::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ReceiveStage").SetParent<Object>().SetGroupName("LinuxTcp");
    return tid;
}

void
ReceiveStage::Install(Ptr<NetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    NS_ABORT_MSG_IF(m_device, "A ReceiveStage serves one device; make another one");
    NS_ABORT_MSG_UNLESS(device && device->GetNode(),
                        "A ReceiveStage needs a device that belongs to a node");
    m_device = device;
    auto list = device->GetObject<ReceiveStageList>();
    if (!list)
    {
        list = CreateObject<ReceiveStageList>();
        device->AggregateObject(list);
    }
    if (list->m_stages.empty())
    {
        device->SetReceiveCallback(MakeCallback(&ReceiveStage::ReceiveFromDevice, this));
    }
    else
    {
        list->m_stages.back()->m_next = this;
    }
    list->m_stages.emplace_back(this);
}

std::vector<Ptr<ReceiveStage>>
ReceiveStage::GetStages(Ptr<NetDevice> device)
{
    const auto list = device->GetObject<ReceiveStageList>();
    return list ? list->m_stages : std::vector<Ptr<ReceiveStage>>{};
}

uint64_t
ReceiveStage::GetDroppedPackets() const
{
    return 0;
}

uint64_t
ReceiveStage::GetMergedPackets() const
{
    return 0;
}

void
ReceiveStage::DoDispose()
{
    m_device = nullptr;
    m_next = nullptr;
    m_protocols = nullptr;
    Object::DoDispose();
}

bool
ReceiveStage::ReceiveFromDevice(Ptr<NetDevice> device,
                                Ptr<const Packet> packet,
                                uint16_t protocol,
                                const Address& from)
{
    NS_LOG_FUNCTION(this << device << packet << protocol);
    Process({std::move(packet), protocol, from});
    return true;
}

void
ReceiveStage::PassOn(Arrival&& arrival)
{
    if (m_next)
    {
        m_next->Process(std::move(arrival));
        return;
    }
    if (!m_protocols)
    {
        m_protocols = m_device->GetNode()->GetObject<TrafficControlLayer>();
        NS_ABORT_MSG_UNLESS(
            m_protocols,
            "A ReceiveStage needs a node with an internet stack to pass packets to");
    }
    m_protocols->Receive(m_device,
                         arrival.packet,
                         arrival.protocol,
                         arrival.from,
                         m_device->GetAddress(),
                         NetDevice::PACKET_HOST);
}

} // namespace ns3
