/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wired-topology.h"

#include "packet-switch.h"
#include "processing-jitter.h"
#include "processing-pauses.h"
#include "receive-coalescer.h"

#include "ns3/abort.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/fq-queue-disc.h"
#include "ns3/icmpv6-l4-protocol.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-static-routing-helper.h"
#include "ns3/ipv6.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/object-factory.h"
#include "ns3/pie-queue-disc.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/red-queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

namespace
{

constexpr uint32_t PPP_HEADER = 2;        ///< header of a point-to-point link (bytes)
constexpr uint32_t TCP_HEADER = 20;       ///< TCP header without options (bytes)
constexpr uint32_t TIMESTAMP_OPTION = 12; ///< Timestamp option with padding (bytes)

} // namespace

WiredTopology::WiredTopology(const ScenarioSpec& common)
    : m_common(common),
      m_senderDisc(ParseQueueDisc("senderQueue", common.senderQueue))
{
}

WiredTopology::~WiredTopology() = default;

NodeContainer
WiredTopology::GetHosts() const
{
    NodeContainer hosts;
    for (const auto& record : m_nodes)
    {
        if (record.host)
        {
            hosts.Add(record.node);
        }
    }
    return hosts;
}

NodeContainer
WiredTopology::GetRouters() const
{
    NodeContainer routers;
    for (const auto& record : m_nodes)
    {
        if (!record.host)
        {
            routers.Add(record.node);
        }
    }
    return routers;
}

WiredTopology::NodeIndex
WiredTopology::Find(const std::string& name) const
{
    const auto found = m_byName.find(name);
    NS_ABORT_MSG_IF(found == m_byName.end(), "There is no host named '" << name << "'");
    return found->second;
}

Ptr<Node>
WiredTopology::GetHost(const std::string& name) const
{
    return m_nodes[Find(name)].node;
}

Address
WiredTopology::GetHostAddress(const std::string& name, uint16_t port) const
{
    const auto& record = m_nodes[Find(name)];
    const Address& address = m_ports[record.ports.front()]->address;
    if (m_common.ipv6)
    {
        return Inet6SocketAddress(Ipv6Address::ConvertFrom(address), port);
    }
    return InetSocketAddress(Ipv4Address::ConvertFrom(address), port);
}

Ptr<PointToPointNetDevice>
WiredTopology::GetHostDevice(const std::string& name) const
{
    return m_ports[m_nodes[Find(name)].ports.front()]->device;
}

const std::string&
WiredTopology::GetTopology() const
{
    return m_drawing;
}

WiredTopology::NodeIndex
WiredTopology::AddHost(const std::string& name, Role role)
{
    const auto index = AddRouter(name);
    auto& record = m_nodes[index];
    record.host = true;
    record.role = role;
    record.number = m_hostCount[role == Role::SENDER ? 0 : 1]++;
    return index;
}

WiredTopology::NodeIndex
WiredTopology::AddRouter(const std::string& name)
{
    NS_ABORT_MSG_IF(m_byName.count(name) > 0, "There are two nodes named '" << name << "'");
    NodeRecord record;
    record.name = name;
    record.node = CreateObject<Node>();
    InternetStackHelper stack;
    if (m_common.ipv6)
    {
        stack.SetIpv4StackInstall(false);
        stack.SetRoutingHelper(Ipv6StaticRoutingHelper());
    }
    else
    {
        stack.SetIpv6StackInstall(false);
        stack.SetRoutingHelper(Ipv4StaticRoutingHelper());
    }
    stack.Install(record.node);
    if (m_common.ipv6)
    {
        record.node->GetObject<Icmpv6L4Protocol>()->SetAttribute("DAD", BooleanValue(false));
    }
    const auto index = static_cast<NodeIndex>(m_nodes.size());
    m_byName[name] = index;
    m_nodes.push_back(record);
    return index;
}

WiredTopology::PortOptions
WiredTopology::MakeHostPort(NodeIndex host, uint64_t rate) const
{
    const auto& record = m_nodes[host];
    PortOptions options;
    options.rate = rate;
    options.name = record.name;
    options.disc.deviceQueueOnly = true;
    options.disc.name = "none";
    if (record.role == Role::SENDER)
    {
        options.disc = m_senderDisc;
    }
    options.buffer.value = UNLIMITED_QUEUE;
    return options;
}

void
WiredTopology::AssignAddress(Port& port, uint32_t subnet, uint32_t host)
{
    const auto node = m_nodes[port.node].node;
    if (m_common.ipv6)
    {
        std::ostringstream text;
        text << "2001:db8:" << std::hex << (subnet >> 16) << ":" << (subnet & 0xffff)
             << "::" << host;
        const Ipv6Address address(text.str().c_str());
        const auto ipv6 = node->GetObject<Ipv6>();
        const auto interface = ipv6->AddInterface(port.device);
        ipv6->AddAddress(interface, Ipv6InterfaceAddress(address, Ipv6Prefix(64)));
        ipv6->SetMetric(interface, 1);
        // hosts forward too, so that they solicit no router
        ipv6->SetForwarding(interface, true);
        ipv6->SetUp(interface);
        port.address = address;
        return;
    }
    const Ipv4Address address(0x0a000000 + 4 * subnet + host);
    const auto ipv4 = node->GetObject<Ipv4>();
    const auto interface = ipv4->AddInterface(port.device);
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, Ipv4Mask("/30")));
    ipv4->SetMetric(interface, 1);
    ipv4->SetUp(interface);
    port.address = address;
}

uint32_t
WiredTopology::AddLink(NodeIndex a,
                       NodeIndex b,
                       const PortOptions& portA,
                       const PortOptions& portB,
                       Time delay)
{
    const auto link = static_cast<uint32_t>(m_links.size());
    m_links.push_back({CreateObject<PointToPointChannel>(), delay});
    auto& channel = m_links.back().channel;
    channel->SetAttribute("Delay", TimeValue(delay));
    const std::pair<NodeIndex, const PortOptions*> ends[] = {{a, &portA}, {b, &portB}};
    for (const auto& [nodeIndex, options] : ends)
    {
        auto port = std::make_unique<Port>();
        auto& record = m_nodes[nodeIndex];
        port->node = nodeIndex;
        port->options = *options;
        const bool hasDisc = !options->disc.deviceQueueOnly;

        port->queue = CreateObject<PortQueue>();
        const std::string size =
            hasDisc ? std::to_string(m_common.deviceQueue) + "p" : options->buffer.ToQueueSize();
        port->queue->SetMaxSize(QueueSize(size));
        if (options->pool)
        {
            port->queue->SetAttribute("Pool", PointerValue(options->pool));
        }
        port->kind = hasDisc ? options->disc.name : "fifo " + size;

        port->device = CreateObject<PointToPointNetDevice>();
        port->device->SetAddress(Mac48Address::Allocate());
        port->device->SetMtu(static_cast<uint16_t>(m_common.mtu));
        port->device->SetDataRate(DataRate(options->rate));
        record.node->AddDevice(port->device);
        port->device->SetQueue(port->queue);
        port->device->TraceConnectWithoutContext(
            "MacRx",
            MakeBoundCallback(&WiredTopology::CountArrival, port.get()));
        port->device->Attach(channel);

        if (hasDisc)
        {
            const auto interface = CreateObject<NetDeviceQueueInterface>();
            interface->GetTxQueue(0)->ConnectQueueTraces(port->queue);
            port->device->AggregateObject(interface);
            ObjectFactory factory;
            factory.SetTypeId(options->disc.type);
            for (const auto& [name, value] : options->disc.attributes)
            {
                factory.Set(name, StringValue(value));
            }
            port->disc = factory.Create<QueueDisc>();
            if (!record.host && !options->disc.limited)
            {
                const QueueSize wanted(options->buffer.ToQueueSize());
                if (options->buffer.inBytes &&
                    port->disc->GetMaxSize().GetUnit() == QueueSizeUnit::PACKETS &&
                    options->disc.type.GetName().find("Fq") != std::string::npos)
                {
                    // these count packets only
                    const auto packets =
                        std::max<uint64_t>(1, options->buffer.value / GetFullPacket());
                    port->disc->SetMaxSize(QueueSize(std::to_string(packets) + "p"));
                }
                else
                {
                    port->disc->SetMaxSize(wanted);
                }
            }
            record.node->GetObject<TrafficControlLayer>()->SetRootQueueDiscOnDevice(port->device,
                                                                                    port->disc);
            port->disc->TraceConnectWithoutContext(
                "PacketsInQueue",
                MakeBoundCallback(&WiredTopology::NoteDiscPackets, port.get()));
            port->disc->TraceConnectWithoutContext(
                "BytesInQueue",
                MakeBoundCallback(&WiredTopology::NoteDiscBytes, port.get()));
        }
        AssignAddress(*port, link, nodeIndex == a ? 1 : 2);
        record.ports.push_back(static_cast<uint32_t>(m_ports.size()));
        m_ports.push_back(std::move(port));
    }
    return link;
}

WiredTopology::Port&
WiredTopology::GetPort(NodeIndex node, uint32_t link)
{
    auto& first = *m_ports[2 * link];
    auto& second = *m_ports[2 * link + 1];
    NS_ABORT_MSG_UNLESS(first.node == node || second.node == node, "The node is not at this link");
    return first.node == node ? first : second;
}

void
WiredTopology::SetDefaultRoute(NodeIndex node, uint32_t link)
{
    auto& port = GetPort(node, link);
    const auto& peer =
        m_ports[2 * link]->node == node ? *m_ports[2 * link + 1] : *m_ports[2 * link];
    auto& record = m_nodes[node];
    record.defaultPort = m_ports[2 * link]->node == node ? 2 * link : 2 * link + 1;
    if (m_common.ipv6)
    {
        const auto ipv6 = record.node->GetObject<Ipv6>();
        Ipv6StaticRoutingHelper().GetStaticRouting(ipv6)->SetDefaultRoute(
            Ipv6Address::ConvertFrom(peer.address),
            static_cast<uint32_t>(ipv6->GetInterfaceForDevice(port.device)));
        return;
    }
    const auto ipv4 = record.node->GetObject<Ipv4>();
    Ipv4StaticRoutingHelper().GetStaticRouting(ipv4)->SetDefaultRoute(
        Ipv4Address::ConvertFrom(peer.address),
        static_cast<uint32_t>(ipv4->GetInterfaceForDevice(port.device)));
}

void
WiredTopology::InstallHostStages(NodeIndex host)
{
    const auto& record = m_nodes[host];
    const bool sender = record.role == Role::SENDER;
    const HostSpec& spec = sender ? m_common.senderHost : m_common.receiverHost;
    const auto device = m_ports[record.ports.front()]->device;
    const auto pause = ParseTime("pauseLength", spec.pauseLength);
    if (pause > 0)
    {
        const auto stage = CreateObject<ProcessingPauses>();
        stage->SetAttribute("Length", TimeValue(NanoSeconds(pause)));
        stage->SetAttribute("MeanInterval",
                            TimeValue(NanoSeconds(ParseTime("pauseInterval", spec.pauseInterval))));
        stage->Install(device);
    }
    const auto interval = ParseTime("receivePollInterval", spec.receivePollInterval);
    if (interval > 0)
    {
        const auto coalescer = CreateObject<ReceiveCoalescer>();
        coalescer->SetAttribute("PollInterval", TimeValue(NanoSeconds(interval)));
        coalescer->SetAttribute("MaxSegments", UintegerValue(spec.receiveMaxSegments));
        coalescer->SetAttribute("MaxBytes", UintegerValue(spec.receiveMaxBytes));
        coalescer->SetAttribute("RandomPhase", BooleanValue(spec.receiveRandomPhase));
        coalescer->Install(device);
    }
    const auto jitter =
        sender ? ParseTime("ackJitter", spec.ackJitter) : ParseTime("dataJitter", spec.dataJitter);
    if (jitter > 0)
    {
        const auto stage = CreateObject<ProcessingJitter>();
        stage->SetAttribute("Maximum", TimeValue(NanoSeconds(jitter)));
        stage->Install(device);
    }
}

void
WiredTopology::InstallSwitches()
{
    for (const auto& record : m_nodes)
    {
        if (record.host)
        {
            continue;
        }
        const auto forwarding = CreateObject<PacketSwitch>();
        record.node->AggregateObject(forwarding);
        for (const auto index : record.ports)
        {
            forwarding->AddLocal(m_ports[index]->address);
            forwarding->AddDestination(m_ports[index ^ 1]->address, m_ports[index]->device);
            CreateObject<SwitchStage>(forwarding)->Install(m_ports[index]->device);
        }
        if (record.defaultPort != UINT32_MAX)
        {
            forwarding->SetDefault(m_ports[record.defaultPort]->device);
        }
    }
}

void
WiredTopology::InstallPolicer(NodeIndex node,
                              uint32_t link,
                              Ptr<TokenBucket> bucket,
                              uint32_t overhead)
{
    const auto policer = CreateObject<Policer>();
    policer->SetAttribute("Bucket", PointerValue(bucket));
    policer->SetAttribute("Overhead", UintegerValue(overhead));
    policer->Install(GetPort(node, link).device);
}

void
WiredTopology::InstallLoss(NodeIndex node, uint32_t link, double rate)
{
    auto& port = GetPort(node, link);
    const auto model = CreateObject<RateErrorModel>();
    model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
    model->SetRate(rate);
    port.device->SetReceiveErrorModel(model);
    port.loss = model;
    port.device->TraceConnectWithoutContext("PhyRxDrop",
                                            MakeBoundCallback(&WiredTopology::CountLoss, &port));
}

void
WiredTopology::MarkBottleneck(NodeIndex node, uint32_t link)
{
    const uint32_t port = m_ports[2 * link]->node == node ? 2 * link : 2 * link + 1;
    m_bottlenecks.push_back(port);
}

void
WiredTopology::SetDelay(uint32_t link, Time delay)
{
    m_links[link].channel->SetAttribute("Delay", TimeValue(delay));
}

void
WiredTopology::SetRate(NodeIndex node, uint32_t link, uint64_t rate)
{
    GetPort(node, link).device->SetDataRate(DataRate(rate));
}

uint32_t
WiredTopology::GetFullPacket() const
{
    return m_common.mss + TCP_HEADER + (m_common.timestamps ? TIMESTAMP_OPTION : 0) +
           (m_common.ipv6 ? 40 : 20) + PPP_HEADER;
}

Time
WiredTopology::GetBaseRtt(const std::string& sender, const std::string& receiver) const
{
    const auto from = m_ports[m_nodes[Find(sender)].ports.front()].get();
    const auto to = m_ports[m_nodes[Find(receiver)].ports.front()].get();
    const auto linkOf = [&](const Port* port) {
        return static_cast<uint32_t>(std::find_if(m_ports.begin(),
                                                  m_ports.end(),
                                                  [&](const auto& p) { return p.get() == port; }) -
                                     m_ports.begin()) /
               2;
    };
    std::vector<uint32_t> links{linkOf(from), linkOf(to)};
    const auto routerOf = [&](uint32_t link) {
        const auto first = m_ports[2 * link]->node;
        return m_nodes[first].host ? m_ports[2 * link + 1]->node : first;
    };
    if (routerOf(links[0]) != routerOf(links[1]))
    {
        const auto& record = m_nodes[routerOf(links[0])];
        links.push_back(record.defaultPort / 2);
    }
    const uint32_t ack = GetFullPacket() - m_common.mss;
    Time rtt;
    for (const auto link : links)
    {
        rtt += m_links[link].delay + m_links[link].delay;
        for (uint32_t end = 0; end < 2; ++end)
        {
            const auto& port = *m_ports[2 * link + end];
            // which end sends the data: the sender itself, or the router unless it is the sender's
            const bool sendsData =
                &port == from || (link == links[1] && &port != to) ||
                (links.size() > 2 && link == links[2] && port.node == routerOf(links[0]));
            rtt +=
                DataRate(port.options.rate).CalculateBytesTxTime(sendsData ? GetFullPacket() : ack);
        }
    }
    return rtt;
}

std::string
WiredTopology::DrawSides(const std::vector<std::string>& left,
                         const std::vector<std::string>& right,
                         const std::string& leftRate,
                         const std::string& rightRate,
                         const std::string& middle)
{
    constexpr std::size_t shown = 6; // at most this many hosts of a side are drawn
    const auto shorten = [](const std::vector<std::string>& hosts) {
        if (hosts.size() <= shown)
        {
            return hosts;
        }
        std::vector<std::string> lines(hosts.begin(), hosts.begin() + shown - 2);
        lines.push_back("... " + std::to_string(hosts.size() - shown + 1) + " more");
        lines.push_back(hosts.back());
        return lines;
    };
    const auto leftLines = shorten(left);
    const auto rightLines = shorten(right);
    std::size_t width = 0;
    for (const auto& line : leftLines)
    {
        width = std::max(width, line.size());
    }
    const std::string leftLink = " -- " + leftRate + " --+";
    const std::string rightLink = "+-- " + rightRate + " -- ";
    const std::size_t rows = std::max(leftLines.size(), rightLines.size());
    std::string drawing;
    for (std::size_t i = 0; i < rows; ++i)
    {
        const bool isMiddle = i == (rows - 1) / 2;
        std::string line = i < leftLines.size() ? leftLines[i] : "";
        line.resize(width, ' ');
        line += i < leftLines.size() ? leftLink : std::string(leftLink.size(), ' ');
        if (isMiddle)
        {
            line.back() = '+';
        }
        line += isMiddle ? middle : std::string(middle.size(), ' ');
        if (i < rightLines.size())
        {
            line += rightLink + rightLines[i];
        }
        else if (isMiddle)
        {
            line += "+";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        drawing += line + "\n";
    }
    return drawing;
}

void
WiredTopology::CountArrival(Port* port, Ptr<const Packet> /* packet */)
{
    ++port->arrived;
}

void
WiredTopology::CountLoss(Port* port, Ptr<const Packet> packet)
{
    ++port->lost;
    port->lostBytes += packet->GetSize();
}

void
WiredTopology::NoteDiscPackets(Port* port, uint32_t /* before */, uint32_t after)
{
    port->maxDiscPackets = std::max<uint64_t>(port->maxDiscPackets, after);
}

void
WiredTopology::NoteDiscBytes(Port* port, uint32_t /* before */, uint32_t after)
{
    port->maxDiscBytes = std::max<uint64_t>(port->maxDiscBytes, after);
}

void
WiredTopology::Record(Recording* recording, uint32_t number, Ptr<const Packet> packet)
{
    auto& series = recording->series;
    if (series.time.size() >= recording->limit)
    {
        return;
    }
    series.time.push_back(
        static_cast<double>((Simulator::Now() - recording->origin).GetNanoSeconds()) / 1e9);
    series.size.push_back(packet->GetSize() - PPP_HEADER);
    series.node.push_back(number);
}

void
WiredTopology::RecordPackets(const std::vector<std::string>& places, uint64_t limit, Time origin)
{
    for (const auto& place : places)
    {
        auto recording = std::make_unique<Recording>();
        recording->series.place = place;
        recording->limit = limit;
        recording->origin = origin;
        const auto connect = [&](Port& port, const char* source, uint32_t number) {
            port.device->TraceConnectWithoutContext(
                source,
                MakeBoundCallback(&WiredTopology::Record, recording.get(), number));
        };
        if (place == "bottleneck")
        {
            for (std::size_t i = 0; i < m_bottlenecks.size(); ++i)
            {
                connect(*m_ports[m_bottlenecks[i]], "PhyTxEnd", static_cast<uint32_t>(i));
            }
        }
        else
        {
            const Role role = place == "sender" ? Role::SENDER : Role::RECEIVER;
            for (const auto& record : m_nodes)
            {
                if (record.host && record.role == role)
                {
                    connect(*m_ports[record.ports.front()],
                            role == Role::SENDER ? "PhyTxEnd" : "MacRx",
                            record.number);
                }
            }
        }
        m_recordings.push_back(std::move(recording));
    }
}

std::vector<PacketSeries>
WiredTopology::GetPacketSeries() const
{
    std::vector<PacketSeries> all;
    for (const auto& recording : m_recordings)
    {
        all.push_back(recording->series);
    }
    return all;
}

void
WiredTopology::EnablePcap(const std::string& prefix) const
{
    PointToPointHelper helper;
    for (const auto& port : m_ports)
    {
        helper.EnablePcap(prefix, port->device);
    }
}

int64_t
WiredTopology::AssignStreams(int64_t stream)
{
    const int64_t first = stream;
    for (const auto& port : m_ports)
    {
        for (const auto& stage : ReceiveStage::GetStages(port->device))
        {
            if (const auto coalescer = DynamicCast<ReceiveCoalescer>(stage))
            {
                stream += coalescer->AssignStreams(stream);
            }
            else if (const auto jitter = DynamicCast<ProcessingJitter>(stage))
            {
                stream += jitter->AssignStreams(stream);
            }
            else if (const auto pauses = DynamicCast<ProcessingPauses>(stage))
            {
                stream += pauses->AssignStreams(stream);
            }
        }
        if (port->loss)
        {
            stream += port->loss->AssignStreams(stream);
        }
        if (const auto red = DynamicCast<RedQueueDisc>(port->disc))
        {
            stream += red->AssignStreams(stream);
        }
        else if (const auto pie = DynamicCast<PieQueueDisc>(port->disc))
        {
            stream += pie->AssignStreams(stream);
        }
    }
    return stream - first;
}

void
WiredTopology::SampleQueues(double seconds)
{
    if (m_queueSeries.empty())
    {
        m_queueSeries.resize(m_bottlenecks.size());
    }
    for (std::size_t i = 0; i < m_bottlenecks.size(); ++i)
    {
        auto& series = m_queueSeries[i];
        const auto& port = *m_ports[m_bottlenecks[i]];
        series.queue = static_cast<uint32_t>(i);
        uint64_t packets = port.queue->GetNPackets();
        uint64_t bytes = port.queue->GetNBytes();
        uint64_t drops = port.queue->GetCounters().droppedPackets;
        if (port.disc)
        {
            packets += port.disc->GetNPackets();
            bytes += port.disc->GetNBytes();
            drops += port.disc->GetStats().nTotalDroppedPackets;
        }
        series.time.push_back(seconds);
        series.packets.push_back(packets);
        series.bytes.push_back(bytes);
        series.sentBytes.push_back(port.queue->GetCounters().sentBytes);
        series.drops.push_back(drops);
    }
}

const std::vector<QueueSeries>&
WiredTopology::GetQueueSeries() const
{
    return m_queueSeries;
}

void
WiredTopology::CollectPort(const Port& port, RunResult& result) const
{
    const bool host = m_nodes[port.node].host;
    const std::string kind = host ? "host" : "router";
    if (port.disc)
    {
        const auto& stats = port.disc->GetStats();
        QueueResult queue;
        queue.name = port.options.name;
        queue.place = kind + " qdisc";
        queue.disc = port.kind;
        queue.receivedPackets = stats.nTotalReceivedPackets;
        queue.receivedBytes = stats.nTotalReceivedBytes;
        queue.sentPackets = stats.nTotalSentPackets;
        queue.sentBytes = stats.nTotalSentBytes;
        queue.droppedPackets = stats.nTotalDroppedPackets;
        queue.droppedBytes = stats.nTotalDroppedBytes;
        queue.markedPackets = stats.nTotalMarkedPackets;
        queue.backlogPackets = port.disc->GetNPackets();
        queue.backlogBytes = port.disc->GetNBytes();
        queue.maxBacklogPackets = port.maxDiscPackets;
        queue.maxBacklogBytes = port.maxDiscBytes;
        queue.text = DescribeDisc(port, queue);
        result.queues.push_back(queue);
        if (const auto fq = DynamicCast<FqQueueDisc>(port.disc))
        {
            for (const auto& warning : fq->GetWarnings())
            {
                result.warnings.push_back(queue.name + ": " + warning);
            }
        }
        const auto add = [&](const auto& packets, const auto& bytes) {
            for (const auto& [reason, count] : packets)
            {
                const auto size = bytes.find(reason);
                result.drops.push_back({queue.place,
                                        queue.name,
                                        reason,
                                        count,
                                        size == bytes.end() ? 0 : size->second});
            }
        };
        add(stats.nDroppedPacketsBeforeEnqueue, stats.nDroppedBytesBeforeEnqueue);
        add(stats.nDroppedPacketsAfterDequeue, stats.nDroppedBytesAfterDequeue);
    }
    const auto& counters = port.queue->GetCounters();
    const bool bottleneck =
        std::any_of(m_bottlenecks.begin(), m_bottlenecks.end(), [&](uint32_t index) {
            return m_ports[index].get() == &port;
        });
    if ((!port.disc && bottleneck) || counters.droppedPackets > 0)
    {
        QueueResult queue;
        queue.name = port.options.name;
        queue.place = kind + " device";
        queue.disc = port.disc ? "fifo " + std::to_string(m_common.deviceQueue) + "p" : port.kind;
        queue.receivedPackets = counters.receivedPackets;
        queue.receivedBytes = counters.receivedBytes;
        queue.sentPackets = counters.sentPackets;
        queue.sentBytes = counters.sentBytes;
        queue.droppedPackets = counters.droppedPackets;
        queue.droppedBytes = counters.droppedBytes;
        queue.backlogPackets = port.queue->GetNPackets();
        queue.backlogBytes = port.queue->GetNBytes();
        queue.maxBacklogPackets = counters.maxBacklogPackets;
        queue.maxBacklogBytes = counters.maxBacklogBytes;
        queue.text = DescribeCounters(port.kind, queue);
        result.queues.push_back(queue);
        if (counters.droppedPackets > 0)
        {
            result.drops.push_back({queue.place,
                                    queue.name,
                                    port.options.pool ? "Shared buffer exhausted" : "Queue full",
                                    counters.droppedPackets,
                                    counters.droppedBytes});
        }
    }
    if (port.lost > 0)
    {
        result.drops.push_back(
            {"link", port.options.name, "Random loss", port.lost, port.lostBytes});
    }
    for (const auto& stage : ReceiveStage::GetStages(port.device))
    {
        const auto policer = DynamicCast<Policer>(stage);
        if (policer && policer->GetDroppedPackets() > 0)
        {
            result.drops.push_back({"policer",
                                    port.options.name,
                                    "Rate exceeded",
                                    policer->GetDroppedPackets(),
                                    policer->GetDroppedBytes()});
        }
    }
}

std::string
WiredTopology::DescribeCounters(const std::string& kind, const QueueResult& queue)
{
    std::ostringstream text;
    text << "qdisc " << kind << " 8001: dev " << queue.name << " root refcnt 2\n"
         << " Sent " << queue.sentBytes << " bytes " << queue.sentPackets << " pkt (dropped "
         << queue.droppedPackets << ", overlimits 0 requeues 0)\n"
         << " backlog " << queue.backlogBytes << "b " << queue.backlogPackets << "p requeues 0\n";
    return text.str();
}

std::string
WiredTopology::DescribeDisc(const Port& port, const QueueResult& queue)
{
    if (const auto fq = DynamicCast<FqQueueDisc>(port.disc))
    {
        return fq->GetTcText();
    }
    std::ostringstream limit;
    limit << port.disc->GetMaxSize();
    return DescribeCounters(port.kind + " limit " + limit.str(), queue);
}

void
WiredTopology::Collect(RunResult& result) const
{
    // the bottlenecks come first, in the order of their time series
    std::vector<const Port*> order;
    for (const auto index : m_bottlenecks)
    {
        order.push_back(m_ports[index].get());
    }
    for (const auto& port : m_ports)
    {
        if (std::find(order.begin(), order.begin() + m_bottlenecks.size(), port.get()) ==
            order.begin() + m_bottlenecks.size())
        {
            order.push_back(port.get());
        }
    }
    for (const auto port : order)
    {
        CollectPort(*port, result);
    }
    result.queueSeries = m_queueSeries;
    result.packetSeries = GetPacketSeries();

    for (std::size_t i = 0; i < m_ports.size(); ++i)
    {
        const auto& port = *m_ports[i];
        const auto& peer = *m_ports[i ^ 1];
        const auto& counters = port.queue->GetCounters();
        uint64_t entered = counters.receivedPackets;
        result.packetsDropped += counters.droppedPackets + port.lost;
        result.packetsInside += port.queue->GetNPackets();
        if (port.disc)
        {
            entered = port.disc->GetStats().nTotalReceivedPackets;
            result.packetsDropped += port.disc->GetStats().nTotalDroppedPackets;
            result.packetsInside += port.disc->GetNPackets();
        }
        // on the wire, or being put onto it
        result.packetsInside += counters.sentPackets - peer.arrived - peer.lost;
        const bool host = m_nodes[port.node].host;
        result.packetsSent += host ? entered : 0;
        result.packetsReceived += host ? port.arrived : 0;
        if (!host)
        {
            for (const auto& stage : ReceiveStage::GetStages(port.device))
            {
                result.packetsDropped += stage->GetDroppedPackets();
                result.packetsInside += stage->GetHeldPackets();
            }
        }
    }
}

} // namespace ns3
