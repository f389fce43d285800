/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fq-queue-disc.h"

#include "ns3-compat.h"
#include "pacing-registry.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/fair-queue-text.h"
#include "ns3/integer.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/ipv6-queue-disc-item.h"
#include "ns3/log.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/net-device.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FqQueueDisc");

NS_OBJECT_ENSURE_REGISTERED(FqQueueDisc);

namespace
{

constexpr uint32_t ETHERNET_MTU = 1500;        ///< assumed where there is no device (bytes)
constexpr uint8_t PRIORITY_CONTROL = 7;        ///< priority of link and route maintenance
constexpr uint16_t PROTOCOL_IPV4 = 0x0800;     ///< EtherType of IPv4
constexpr uint16_t PROTOCOL_IPV6 = 0x86dd;     ///< EtherType of IPv6
constexpr uint8_t PROTOCOL_IGMP = 2;           ///< protocol number of IGMP
constexpr uint8_t PROTOCOL_ICMPV6 = 58;        ///< protocol number of ICMPv6
constexpr uint8_t ICMPV6_MLD_FIRST = 130;      ///< first message type of MLD (RFC 2710)
constexpr uint8_t ICMPV6_ND_LAST = 137;        ///< last message type of ND (RFC 4861)
constexpr uint8_t ICMPV6_MLDV2_REPORT = 143;   ///< message type of MLDv2 (RFC 3810)
constexpr uint32_t HORIZON_WARNING_DROPS = 16; ///< drops in a row that are warned of
constexpr std::size_t CACHE_LINE = 64;         ///< usual size (bytes); an item takes two

/**
 * @brief Whether a packet maintains the link or the routes: neighbour discovery, MLD, IGMP.
 * @param item the packet
 * @return true if so
 */
bool
IsLinkMaintenance(const Ptr<QueueDiscItem>& item)
{
    if (item->GetProtocol() == PROTOCOL_IPV6)
    {
        const auto ipv6 = dynamic_cast<const Ipv6QueueDiscItem*>(PeekPointer(item));
        uint8_t type = 0;
        if (ipv6 && ipv6->GetHeader().GetNextHeader() == PROTOCOL_ICMPV6 &&
            item->GetPacket()->CopyData(&type, 1) == 1)
        {
            return (type >= ICMPV6_MLD_FIRST && type <= ICMPV6_ND_LAST) ||
                   type == ICMPV6_MLDV2_REPORT;
        }
    }
    else if (item->GetProtocol() == PROTOCOL_IPV4)
    {
        const auto ipv4 = dynamic_cast<const Ipv4QueueDiscItem*>(PeekPointer(item));
        return ipv4 && ipv4->GetHeader().GetProtocol() == PROTOCOL_IGMP;
    }
    return false;
}

/**
 * @brief Whether a queue disc lies below another one.
 * @param parent the other one
 * @param child the queue disc
 * @param[out] isServed whether the traffic control layer serves the child itself
 * @return true if so
 */
bool
IsBelow(const Ptr<QueueDisc>& parent, const QueueDisc* child, bool& isServed)
{
    for (std::size_t i = 0; i < parent->GetNQueueDiscClasses(); i++)
    {
        const Ptr<QueueDisc> disc = parent->GetQueueDiscClass(i)->GetQueueDisc();
        if (PeekPointer(disc) == child)
        {
            isServed = parent->GetWakeMode() == QueueDisc::WAKE_CHILD;
            return true;
        }
        if (IsBelow(disc, child, isServed))
        {
            isServed = false;
            return true;
        }
    }
    return false;
}

/**
 * @brief Read numbers separated by blanks.
 * @tparam Array type of the array to fill
 * @param name the attribute
 * @param text the text
 * @param allowed what is allowed, for the error
 * @return the numbers
 */
template <typename Array>
Array
ParseNumbers(const std::string& name, const std::string& text, const std::string& allowed)
{
    Array numbers;
    std::istringstream stream(text);
    std::size_t count = 0;
    uint64_t number;
    bool isGood = text.find_first_not_of("0123456789 ") == std::string::npos;
    while (isGood && stream >> number)
    {
        isGood = count < numbers.size() &&
                 number <= std::numeric_limits<typename Array::value_type>::max();
        if (isGood)
        {
            numbers[count++] = static_cast<typename Array::value_type>(number);
        }
    }
    NS_ABORT_MSG_UNLESS(isGood && stream.eof() && count == numbers.size(),
                        "FqQueueDisc: " << name << " \"" << text << "\" is not allowed: it must be "
                                        << allowed);
    return numbers;
}

/**
 * @brief Write numbers separated by blanks.
 * @tparam Array type of the array
 * @param numbers the numbers
 * @return the text
 */
template <typename Array>
std::string
FormatNumbers(const Array& numbers)
{
    std::ostringstream text;
    for (std::size_t i = 0; i < numbers.size(); i++)
    {
        text << (i > 0 ? " " : "") << +numbers[i];
    }
    return text.str();
}

} // namespace

TypeId
FqQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FqQueueDisc")
            .SetParent<QueueDisc>()
            .SetGroupName("LinuxTcp")
            .AddConstructor<FqQueueDisc>()
            .AddAttribute("Model",
                          "The Linux kernel whose fq scheduler is followed, by version. A model "
                          "holds until the next one in the list.",
                          TypeId::ATTR_GET | TypeId::ATTR_CONSTRUCT,
                          EnumValue(LINUX_6_1),
                          linuxtcp::MakeEnumAttributeAccessor<LinuxModel>(&FqQueueDisc::m_model),
                          MakeEnumChecker(LINUX_3_12,
                                          "3.12",
                                          LINUX_3_13,
                                          "3.13",
                                          LINUX_4_0,
                                          "4.0",
                                          LINUX_4_9,
                                          "4.9",
                                          LINUX_6_1,
                                          "6.1",
                                          LINUX_6_7,
                                          "6.7",
                                          LINUX_6_13,
                                          "6.13"))
            .AddAttribute("LinkHeaderSize",
                          "The bytes that are added to the size of every IP packet and to the "
                          "device's MTU, 14 for Linux's count on Ethernet.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FqQueueDisc::m_linkHeaderSize),
                          MakeUintegerChecker<uint32_t>(0, 256))
            .AddAttribute("MaxSize",
                          "The number of packets that may wait, in all bands together or, from "
                          "model 6.7 on, in each (tc: limit). Must be in packets.",
                          QueueSizeValue(QueueSize("10000p")),
                          MakeQueueSizeAccessor(&FqQueueDisc::SetLimit, &FqQueueDisc::GetLimit),
                          MakeQueueSizeChecker())
            .AddAttribute(
                "FlowLimit",
                "The number of packets that may wait in each flow (tc: flow_limit). Linux counts "
                "packets of up to 64 KB before segmentation, ns-3 counts frames.",
                UintegerValue(100),
                MakeUintegerAccessor(&FqQueueDisc::SetValue<uint32_t, &FqQueueDisc::m_flowLimit>,
                                     &FqQueueDisc::GetValue<uint32_t, &FqQueueDisc::m_flowLimit>),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "Quantum",
                "The bytes that a flow may send in each round (tc: quantum); 0 stands for twice "
                "the device's MTU with link header.",
                UintegerValue(0),
                MakeUintegerAccessor(&FqQueueDisc::SetValue<uint32_t, &FqQueueDisc::m_quantum>,
                                     &FqQueueDisc::GetValue<uint32_t, &FqQueueDisc::m_quantum>),
                MakeUintegerChecker<uint32_t>(0, 1048576))
            .AddAttribute("InitialQuantum",
                          "The bytes that a new flow may send in its first round (tc: "
                          "initial_quantum); -1 stands for ten times the device's MTU with link "
                          "header.",
                          IntegerValue(-1),
                          MakeIntegerAccessor(
                              &FqQueueDisc::SetValue<int64_t, &FqQueueDisc::m_initialQuantum>,
                              &FqQueueDisc::GetValue<int64_t, &FqQueueDisc::m_initialQuantum>),
                          MakeIntegerChecker<int64_t>(-1, 2147483647))
            .AddAttribute(
                "MaxRate",
                "The rate that no flow may exceed (tc: maxrate); 0 stands for no limit.",
                DataRateValue(DataRate(0)),
                MakeDataRateAccessor(&FqQueueDisc::SetValue<DataRate, &FqQueueDisc::m_maxRate>,
                                     &FqQueueDisc::GetValue<DataRate, &FqQueueDisc::m_maxRate>),
                MakeDataRateChecker())
            .AddAttribute(
                "DefaultRate",
                "The rate of flows whose socket has none, in model 3.12 only (tc: defrate); 0 "
                "stands for no limit.",
                DataRateValue(DataRate(0)),
                MakeDataRateAccessor(&FqQueueDisc::SetValue<DataRate, &FqQueueDisc::m_defaultRate>,
                                     &FqQueueDisc::GetValue<DataRate, &FqQueueDisc::m_defaultRate>),
                MakeDataRateChecker())
            .AddAttribute(
                "Buckets",
                "The size of Linux's hash table, rounded up to a power of two (tc: buckets). Up "
                "to model 6.1, idle flows are forgotten only while twice as many flows are known.",
                UintegerValue(1024),
                MakeUintegerAccessor(&FqQueueDisc::SetValue<uint32_t, &FqQueueDisc::m_buckets>,
                                     &FqQueueDisc::GetValue<uint32_t, &FqQueueDisc::m_buckets>),
                MakeUintegerChecker<uint32_t>(1, 262144))
            .AddAttribute(
                "OrphanMask",
                "The mask of the hash of packets without a socket, which share the flows that it "
                "leaves (tc: orphan_mask).",
                UintegerValue(1023),
                MakeUintegerAccessor(&FqQueueDisc::SetValue<uint32_t, &FqQueueDisc::m_orphanMask>,
                                     &FqQueueDisc::GetValue<uint32_t, &FqQueueDisc::m_orphanMask>),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "Pacing",
                "Whether rates delay packets (tc: pacing or nopacing). Departure times do in any "
                "case.",
                BooleanValue(true),
                MakeBooleanAccessor(&FqQueueDisc::SetValue<bool, &FqQueueDisc::m_pacing>,
                                    &FqQueueDisc::GetValue<bool, &FqQueueDisc::m_pacing>),
                MakeBooleanChecker())
            .AddAttribute(
                "RefillDelay",
                "The time without packets after which a flow gets a full quantum again (tc: "
                "refill_delay).",
                TimeValue(MilliSeconds(40)),
                MakeTimeAccessor(&FqQueueDisc::SetValue<Time, &FqQueueDisc::m_refillDelay>,
                                 &FqQueueDisc::GetValue<Time, &FqQueueDisc::m_refillDelay>),
                MakeTimeChecker(Seconds(0)))
            .AddAttribute("LowRateThreshold",
                          "The rate up to which each packet is delayed by itself, instead of a "
                          "quantum of bytes (tc: low_rate_threshold).",
                          DataRateValue(DataRate("550kbps")),
                          MakeDataRateAccessor(
                              &FqQueueDisc::SetValue<DataRate, &FqQueueDisc::m_lowRateThreshold>,
                              &FqQueueDisc::GetValue<DataRate, &FqQueueDisc::m_lowRateThreshold>),
                          MakeDataRateChecker())
            .AddAttribute(
                "CeThreshold",
                "The lateness from which on packets that leave are marked with CE (tc: "
                "ce_threshold); the largest time stands for never.",
                TimeValue(Time::Max()),
                MakeTimeAccessor(&FqQueueDisc::SetValue<Time, &FqQueueDisc::m_ceThreshold>,
                                 &FqQueueDisc::GetValue<Time, &FqQueueDisc::m_ceThreshold>),
                MakeTimeChecker(Seconds(0)))
            .AddAttribute(
                "TimerSlack",
                "The time by which the timer fires late (tc: timer_slack). A negative time stands "
                "for the kernel's allowance of 10 us of which an exact timer makes no use.",
                TimeValue(NanoSeconds(-1)),
                MakeTimeAccessor(&FqQueueDisc::SetValue<Time, &FqQueueDisc::m_timerSlack>,
                                 &FqQueueDisc::GetValue<Time, &FqQueueDisc::m_timerSlack>),
                MakeTimeChecker())
            .AddAttribute("Horizon",
                          "The time by which departure times may lie ahead (tc: horizon).",
                          TimeValue(Seconds(10)),
                          MakeTimeAccessor(&FqQueueDisc::SetValue<Time, &FqQueueDisc::m_horizon>,
                                           &FqQueueDisc::GetValue<Time, &FqQueueDisc::m_horizon>),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute(
                "HorizonDrop",
                "Whether packets with departure times beyond the horizon are dropped (tc: "
                "horizon_drop), or sent at the horizon (tc: horizon_cap).",
                BooleanValue(true),
                MakeBooleanAccessor(&FqQueueDisc::SetValue<bool, &FqQueueDisc::m_horizonDrop>,
                                    &FqQueueDisc::GetValue<bool, &FqQueueDisc::m_horizonDrop>),
                MakeBooleanChecker())
            .AddAttribute("Priomap",
                          "The bands, 0 to 2, of the priorities 0 to 15, separated by blanks, from "
                          "model 6.7 on (tc: bands 3 priomap).",
                          StringValue("1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1"),
                          MakeStringAccessor(&FqQueueDisc::SetPriomap, &FqQueueDisc::GetPriomap),
                          MakeStringChecker())
            .AddAttribute("Weights",
                          "The bytes, 16384 or more, that each of the three bands may send in a "
                          "round, separated by blanks, from model 6.7 on (tc: weights).",
                          StringValue("589824 196608 65536"),
                          MakeStringAccessor(&FqQueueDisc::SetWeights, &FqQueueDisc::GetWeights),
                          MakeStringChecker())
            .AddAttribute(
                "OffloadHorizon",
                "The time by which the device takes packets early, in model 6.13 (tc: "
                "offload_horizon). The device must hold them back itself.",
                TimeValue(Seconds(0)),
                MakeTimeAccessor(&FqQueueDisc::SetValue<Time, &FqQueueDisc::m_offloadHorizon>,
                                 &FqQueueDisc::GetValue<Time, &FqQueueDisc::m_offloadHorizon>),
                MakeTimeChecker(Seconds(0)))
            .AddTraceSource("Warning",
                            "A sentence on something that the user should know, once for each.",
                            MakeTraceSourceAccessor(&FqQueueDisc::m_warningTrace),
                            "ns3::FqQueueDisc::WarningTracedCallback");
    return tid;
}

FqQueueDisc::FqQueueDisc()
    : QueueDisc(QueueDiscSizePolicy::MULTIPLE_QUEUES, QueueSizeUnit::PACKETS),
      m_priomap(linuxtcp::FairQueueParameters().priomap),
      m_weights(linuxtcp::FairQueueParameters().weights)
{
    NS_LOG_FUNCTION(this);
}

FqQueueDisc::~FqQueueDisc()
{
    NS_LOG_FUNCTION(this);
}

void
FqQueueDisc::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_watchdog.Cancel();
    m_slots.clear();
    m_store = nullptr;
    m_node = nullptr;
    m_registry = nullptr;
    QueueDisc::DoDispose();
}

void
FqQueueDisc::SetNode(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    m_node = node;
    m_nodeId = node->GetId();
    m_registry = PacingRegistry::GetOf(node);
}

void
FqQueueDisc::FindNode()
{
    NS_LOG_FUNCTION(this);
    Ptr<NetDeviceQueueInterface> interface = GetNetDeviceQueueInterface();
    Ptr<NetDevice> device = interface ? interface->GetObject<NetDevice>() : nullptr;
    if (m_node)
    {
        // set by hand
    }
    else if (device && device->GetNode())
    {
        SetNode(device->GetNode());
    }
    else if (Simulator::GetContext() < NodeList::GetNNodes())
    {
        SetNode(NodeList::GetNode(Simulator::GetContext()));
    }
    if (!m_node)
    {
        return;
    }
    Ptr<TrafficControlLayer> layer = m_node->GetObject<TrafficControlLayer>();
    for (uint32_t i = 0; layer && i < m_node->GetNDevices(); i++)
    {
        const Ptr<QueueDisc> root = layer->GetRootQueueDiscOnDevice(m_node->GetDevice(i));
        bool isServed = true;
        if (root && IsBelow(root, this, isServed) && !isServed)
        {
            NS_FATAL_ERROR("FqQueueDisc must be the root queue disc of a device or a child of "
                           "MqQueueDisc; it cannot be a child of "
                           << root->GetInstanceTypeId().GetName()
                           << ", which would not let its timer send packets.");
        }
    }
}

uint32_t
FqQueueDisc::GetMtu() const
{
    Ptr<NetDeviceQueueInterface> interface = GetNetDeviceQueueInterface();
    Ptr<NetDevice> device = interface ? interface->GetObject<NetDevice>() : nullptr;
    if (device)
    {
        return device->GetMtu();
    }
    Ptr<TrafficControlLayer> layer = m_node ? m_node->GetObject<TrafficControlLayer>() : nullptr;
    for (uint32_t i = 0; layer && i < m_node->GetNDevices(); i++)
    {
        device = m_node->GetDevice(i);
        if (PeekPointer(layer->GetRootQueueDiscOnDevice(device)) == this)
        {
            return device->GetMtu();
        }
    }
    NS_LOG_LOGIC("No device is known, an MTU of " << ETHERNET_MTU << " bytes is assumed");
    return ETHERNET_MTU;
}

void
FqQueueDisc::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    FindNode();
    QueueDisc::DoInitialize();
}

bool
FqQueueDisc::CheckConfig()
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_IF(GetNQueueDiscClasses() > 0, "FqQueueDisc cannot have classes");
    NS_ABORT_MSG_IF(GetNPacketFilters() > 0, "FqQueueDisc cannot have packet filters");
    NS_ABORT_MSG_IF(GetNInternalQueues() > 0,
                    "FqQueueDisc cannot have internal queues other than its own");
    m_store = CreateObject<FqItemQueue>();
    AddInternalQueue(m_store);
    return true;
}

void
FqQueueDisc::InitializeParams()
{
    NS_LOG_FUNCTION(this);
    // A run that ends at the quota is not taken up again, so that packets would be left behind
    // when many flows become due at one time.
    SetQuota(std::numeric_limits<uint32_t>::max());
    m_started = true;
    Reconfigure();
}

linuxtcp::FairQueueParameters
FqQueueDisc::MakeParameters() const
{
    const uint64_t frame = static_cast<uint64_t>(GetMtu()) + m_linkHeaderSize;
    const auto toBytes = [](const DataRate& rate) { return rate.GetBitRate() / 8; };
    const auto toNs = [](const Time& time) {
        return time == Time::Max() ? linuxtcp::NEVER : time.GetNanoSeconds();
    };
    constexpr uint64_t maximum = 1048576;
    linuxtcp::FairQueueParameters parameters;
    parameters.model = static_cast<linuxtcp::FairQueueModel>(m_model);
    parameters.limit = m_limit;
    parameters.flowLimit = m_flowLimit;
    parameters.quantum = m_quantum != 0
                             ? m_quantum
                             : static_cast<uint32_t>(std::clamp<uint64_t>(2 * frame, 1, maximum));
    parameters.initialQuantum = static_cast<uint32_t>(
        m_initialQuantum >= 0 ? m_initialQuantum : std::min(10 * frame, maximum));
    parameters.maxRate =
        m_maxRate.GetBitRate() == 0 ? linuxtcp::UNLIMITED_RATE : toBytes(m_maxRate);
    parameters.defaultRate = toBytes(m_defaultRate);
    parameters.buckets = 2;
    while (parameters.buckets < m_buckets)
    {
        parameters.buckets *= 2;
    }
    parameters.orphanMask = m_orphanMask;
    parameters.pacing = m_pacing;
    parameters.refillDelay = toNs(m_refillDelay);
    parameters.lowRateThreshold = toBytes(m_lowRateThreshold);
    parameters.ceThreshold = toNs(m_ceThreshold);
    if (!m_timerSlack.IsStrictlyNegative())
    {
        parameters.timerSlack = toNs(m_timerSlack);
    }
    parameters.horizon = toNs(m_horizon);
    parameters.horizonDrop = m_horizonDrop;
    parameters.priomap = m_priomap;
    parameters.weights = m_weights;
    parameters.offloadHorizon = toNs(m_offloadHorizon);
    return parameters;
}

void
FqQueueDisc::Reconfigure()
{
    if (!m_started)
    {
        return;
    }
    NS_LOG_FUNCTION(this);
    const linuxtcp::FairQueueParameters parameters = MakeParameters();
    const std::string fault = parameters.Validate();
    NS_ABORT_MSG_UNLESS(fault.empty(), "FqQueueDisc: " << fault);
    m_scheduler.Configure(parameters,
                          Simulator::Now().GetNanoSeconds(),
                          *this,
                          [this](linuxtcp::FairQueue::PacketId packet) {
                              DropAfterDequeue(TakeOut(packet), LIMIT_DROP);
                          });
    if (m_pacing && m_registry)
    {
        m_registry->AnnouncePacer();
    }
}

FqQueueDisc::Tags
FqQueueDisc::TakeTags(const Ptr<Packet>& packet)
{
    // One pass over the tags instead of a search for each.
    static const TypeId priorityType = SocketPriorityTag::GetTypeId();
    static const TypeId fqType = FqPacketTag::GetTypeId();
    Tags tags;
    bool hasOthers = false;
    PacketTagIterator iterator = packet->GetPacketTagIterator();
    while (iterator.HasNext())
    {
        const PacketTagIterator::Item found = iterator.Next();
        const TypeId type = found.GetTypeId();
        if (type == fqType && !tags.hasFq)
        {
            found.GetTag(tags.fq);
            tags.hasFq = true;
            continue;
        }
        hasOthers = true;
        if (type == priorityType && !tags.hasPriority)
        {
            SocketPriorityTag priority;
            found.GetTag(priority);
            tags.priority = priority.GetPriority();
            tags.hasPriority = true;
        }
    }
    if (tags.hasFq)
    {
        if (hasOthers)
        {
            packet->RemovePacketTag(tags.fq);
        }
        else
        {
            packet->RemoveAllPacketTags(); // faster where there is no other
        }
    }
    return tags;
}

linuxtcp::FairQueuePacket
FqQueueDisc::Describe(const Ptr<QueueDiscItem>& item, Slot& slot) const
{
    using linuxtcp::PacketOwner;
    linuxtcp::FairQueuePacket packet;
    const Ptr<Packet> bytes = item->GetPacket();
    slot.item = PeekPointer(item);
    slot.packet = PeekPointer(bytes);
    slot.size = item->GetSize();
    packet.length = slot.size + m_linkHeaderSize;

    const Tags tags = TakeTags(bytes);
    packet.priority = tags.priority;
    if (tags.hasFq && tags.fq.m_cookie != 0 && (!m_node || tags.fq.m_nodeId == m_nodeId))
    {
        const FqPacketTag& tag = tags.fq;
        packet.socket = tag.m_cookie;
        packet.departure = tag.m_departureNs;
        packet.pureAck = (tag.m_flags & FqPacketTag::PURE_ACK) != 0;
        packet.continues = (tag.m_flags & FqPacketTag::BURST_CONTINUES) != 0;
        packet.owner = (tag.m_flags & FqPacketTag::REQUEST_SOCKET) != 0 ? PacketOwner::REQUEST
                       : (tag.m_flags & FqPacketTag::UNCONNECTED) != 0  ? PacketOwner::UNCONNECTED
                                                                        : PacketOwner::CONNECTED;
        slot.cookie = tag.m_cookie;
        slot.rate = tag.m_pacingRate;
        if ((tag.m_flags & FqPacketTag::NOT_TCP) != 0)
        {
            packet.rateLimitedNotTcp =
                (m_registry ? m_registry->GetPacingRate(slot.cookie, slot.rate) : slot.rate) != 0;
        }
    }
    else if (!tags.hasPriority && IsLinkMaintenance(item))
    {
        packet.priority = PRIORITY_CONTROL;
    }
    if (packet.owner != PacketOwner::CONNECTED)
    {
        packet.hash = item->Hash();
    }
    return packet;
}

bool
FqQueueDisc::DoEnqueue(Ptr<QueueDiscItem> item)
{
    NS_LOG_FUNCTION(this << item);
    using linuxtcp::FairQueue;
    Slot slot;
    const linuxtcp::FairQueuePacket packet = Describe(item, slot);
    const FairQueue::EnqueueResult result =
        m_scheduler.Enqueue(packet, Simulator::Now().GetNanoSeconds());
    switch (result.verdict)
    {
    case FairQueue::Verdict::QUEUED:
        break;
    case FairQueue::Verdict::LIMIT:
        DropBeforeEnqueue(item, LIMIT_DROP);
        return false;
    case FairQueue::Verdict::FLOW_LIMIT:
        Warn(m_warnedFlowLimit,
             "FqQueueDisc: a flow filled its limit of " + std::to_string(m_flowLimit) +
                 " packets and loses packets in its own host: raise FlowLimit above the flow's "
                 "window, or have its socket limit what it hands down (TCP small queues).");
        DropBeforeEnqueue(item, FLOW_LIMIT_DROP);
        return false;
    case FairQueue::Verdict::HORIZON:
        if (++m_horizonDropsInRow == HORIZON_WARNING_DROPS)
        {
            Warn(m_warnedHorizon,
                 "FqQueueDisc: the horizon drops everything: " +
                     std::to_string(HORIZON_WARNING_DROPS) +
                     " packets in a row had departure times beyond it. Raise Horizon, switch "
                     "HorizonDrop off, or correct the senders' rates.");
        }
        DropBeforeEnqueue(item, HORIZON_DROP);
        return false;
    }
    m_horizonDropsInRow = 0;

    slot.place = m_store->Append(item);
    if (result.packet >= m_slots.size())
    {
        m_slots.resize(result.packet + 1);
    }
    slot.isUsed = true;
    m_slots[result.packet] = slot;
    if (slot.cookie != 0 && m_registry)
    {
        m_registry->AddBacklog(slot.cookie, slot.size);
    }
    return true;
}

Ptr<QueueDiscItem>
FqQueueDisc::TakeOut(linuxtcp::FairQueue::PacketId packet)
{
    Slot& slot = m_slots[packet];
    Ptr<QueueDiscItem> item = m_store->Take(slot.place);
    slot.isUsed = false;
    if (slot.cookie != 0 && m_registry)
    {
        m_registry->RemoveBacklog(slot.cookie, slot.size);
    }
    return item;
}

void
FqQueueDisc::FetchAhead(linuxtcp::FairQueue::PacketId likelyNext)
{
    // What lies where is known only once what refers to it is there, so each departure fetches one
    // step of what the departures soon to come need.
    const auto isHeld = [this](linuxtcp::FairQueue::PacketId packet) {
        return packet < m_slots.size() && m_slots[packet].isUsed;
    };
    if (isHeld(m_ahead[1]))
    {
        m_store->PrefetchNeighbours(m_slots[m_ahead[1]].place);
    }
    if (isHeld(m_ahead[0]))
    {
        const Slot& slot = m_slots[m_ahead[0]];
        m_store->Prefetch(slot.place);
        linuxtcp::Prefetch(slot.item);
        linuxtcp::Prefetch(static_cast<const char*>(slot.item) + CACHE_LINE);
        linuxtcp::Prefetch(slot.packet);
    }
    m_ahead[1] = m_ahead[0];
    m_ahead[0] = likelyNext;
    if (likelyNext < m_slots.size())
    {
        linuxtcp::Prefetch(&m_slots[likelyNext]);
    }
}

Ptr<QueueDiscItem>
FqQueueDisc::DoDequeue()
{
    NS_LOG_FUNCTION(this);
    const linuxtcp::FairQueue::Departure departure =
        m_scheduler.Dequeue(Simulator::Now().GetNanoSeconds(), *this);
    if (departure.packet == linuxtcp::FairQueue::NO_PACKET)
    {
        if (departure.wakeUp != linuxtcp::NEVER)
        {
            SetWatchdog(departure.wakeUp);
        }
        return nullptr;
    }
    FetchAhead(departure.likelyNext);
    Ptr<QueueDiscItem> item = TakeOut(departure.packet);
    if (departure.mark)
    {
        Mark(item, CE_THRESHOLD_MARK);
    }
    return item;
}

uint64_t
FqQueueDisc::GetPacingRate(linuxtcp::FairQueue::PacketId packet)
{
    const Slot& slot = m_slots[packet];
    const uint64_t rate =
        m_registry ? m_registry->GetPacingRate(slot.cookie, slot.rate) : slot.rate;
    return rate == 0 ? linuxtcp::UNLIMITED_RATE : rate;
}

void
FqQueueDisc::SetWatchdog(int64_t time)
{
    NS_LOG_FUNCTION(this << time);
    // Without a send callback there is nobody to send to: the queue disc is used by hand.
    if ((time == m_watchdogTime && !m_watchdog.IsExpired()) || !GetSendCallback())
    {
        return;
    }
    m_watchdog.Cancel();
    m_watchdogTime = time;
    Time delay = NanoSeconds(time) - Simulator::Now();
    if (!m_timerSlack.IsNegative())
    {
        delay += m_timerSlack;
    }
    m_watchdog = Simulator::Schedule(Max(delay, Time(0)), &FqQueueDisc::WatchdogExpired, this);
}

void
FqQueueDisc::WatchdogExpired()
{
    NS_LOG_FUNCTION(this);
    Run();
}

void
FqQueueDisc::Reset()
{
    NS_LOG_FUNCTION(this);
    m_watchdog.Cancel();
    m_scheduler.Reset([this](linuxtcp::FairQueue::PacketId packet) {
        DropAfterDequeue(TakeOut(packet), RESET_DROP);
    });
}

void
FqQueueDisc::Warn(bool& done, const std::string& warning)
{
    if (!done)
    {
        done = true;
        NS_LOG_WARN(warning);
        m_warnings.push_back(warning);
        m_warningTrace(warning);
    }
}

const std::vector<std::string>&
FqQueueDisc::GetWarnings() const
{
    return m_warnings;
}

linuxtcp::FairQueueStatistics
FqQueueDisc::GetFqStats() const
{
    return m_scheduler.GetStatistics();
}

const linuxtcp::FairQueueParameters&
FqQueueDisc::GetFqParameters() const
{
    return m_scheduler.GetParameters();
}

std::string
FqQueueDisc::GetTcText(const std::string& handle)
{
    linuxtcp::FairQueueTextContext context;
    context.handle = handle;
    context.requeues = GetStats().nTotalRequeuedPackets;
    context.now = Simulator::Now().GetNanoSeconds();
    return linuxtcp::FormatTcStatistics(GetFqParameters(), GetFqStats(), context);
}

std::string
FqQueueDisc::GetJson(const std::string& handle)
{
    linuxtcp::FairQueueTextContext context;
    context.handle = handle;
    context.requeues = GetStats().nTotalRequeuedPackets;
    context.now = Simulator::Now().GetNanoSeconds();
    return linuxtcp::FormatJson(GetFqParameters(), GetFqStats(), context);
}

Time
FqQueueDisc::GetNextDeparture() const
{
    const int64_t next = m_scheduler.GetNextDelayed();
    return next == linuxtcp::NEVER ? Time::Max() : NanoSeconds(next);
}

std::size_t
FqQueueDisc::GetFlowMemory() const
{
    return m_scheduler.GetFlowMemory();
}

void
FqQueueDisc::SetLimit(QueueSize size)
{
    NS_LOG_FUNCTION(this << size);
    NS_ABORT_MSG_IF(size.GetUnit() != QueueSizeUnit::PACKETS || size.GetValue() == 0,
                    "FqQueueDisc: MaxSize " << size
                                            << " is not allowed: it must be 1p or more packets");
    m_limit = size.GetValue();
    QueueDisc::SetMaxSize(size);
    Reconfigure();
}

QueueSize
FqQueueDisc::GetLimit() const
{
    return QueueSize(QueueSizeUnit::PACKETS, m_limit);
}

void
FqQueueDisc::SetPriomap(std::string priomap)
{
    NS_LOG_FUNCTION(this << priomap);
    m_priomap = ParseNumbers<std::array<uint8_t, 16>>("Priomap",
                                                      priomap,
                                                      "sixteen bands from 0 to 2, with blanks "
                                                      "between");
    Reconfigure();
}

std::string
FqQueueDisc::GetPriomap() const
{
    return FormatNumbers(m_priomap);
}

void
FqQueueDisc::SetWeights(std::string weights)
{
    NS_LOG_FUNCTION(this << weights);
    m_weights = ParseNumbers<std::array<uint32_t, linuxtcp::FAIR_QUEUE_BANDS>>(
        "Weights",
        weights,
        "three numbers of bytes from 16384 on, with blanks between");
    Reconfigure();
}

std::string
FqQueueDisc::GetWeights() const
{
    return FormatNumbers(m_weights);
}

} // namespace ns3
