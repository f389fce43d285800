/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_WIRED_TOPOLOGY_H
#define LINUX_TCP_WIRED_TOPOLOGY_H

#include "policer.h"
#include "port-queue.h"
#include "quantity.h"
#include "queue-disc-line.h"
#include "receive-stage.h"
#include "scenario.h"

#include "ns3/address.h"
#include "ns3/error-model.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/queue-disc.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief Hosts and routers joined by point-to-point links, with counters that add up.
 *
 * The base of DumbbellHelper and StarHelper. It touches no global default and no global address
 * generator, so that several can be built one after the other in a process.
 */
class WiredTopology
{
  public:
    /// Index of a node
    using NodeIndex = uint32_t;

    /// One end of a link: what is sent from there
    struct PortOptions
    {
        uint64_t rate{0};           ///< rate (bit/s)
        QueueDiscChoice disc;       ///< queue disc
        BufferCapacity buffer;      ///< buffer
        Ptr<SharedBufferPool> pool; ///< memory shared with other ports, or null
        std::string name;           ///< name of the port, as in the results
    };

    /**
     * @brief Constructor
     * @param common what all scenarios have in common
     */
    explicit WiredTopology(const ScenarioSpec& common);
    virtual ~WiredTopology();
    WiredTopology(const WiredTopology&) = delete;
    WiredTopology& operator=(const WiredTopology&) = delete;

    /// @return the hosts, in the order in which they were added
    NodeContainer GetHosts() const;

    /// @return the routers or switches
    NodeContainer GetRouters() const;

    /**
     * @brief Find a host.
     * @param name its name
     * @return the host; aborts if there is none
     */
    Ptr<Node> GetHost(const std::string& name) const;

    /**
     * @brief Address of a host.
     * @param name its name
     * @param port port number
     * @return IPv4 or IPv6 address with the port
     */
    Address GetHostAddress(const std::string& name, uint16_t port) const;

    /**
     * @brief Device of a host.
     * @param name its name
     * @return the device
     */
    Ptr<PointToPointNetDevice> GetHostDevice(const std::string& name) const;

    /// @return drawing of the network (ASCII)
    const std::string& GetTopology() const;

    /**
     * @brief Base RTT between two hosts by arithmetic: propagation and serialisation of a full
     *        segment and its acknowledgement on all links.
     * @param sender name of the sending host
     * @param receiver name of the receiving host
     * @return RTT on the empty network
     */
    Time GetBaseRtt(const std::string& sender, const std::string& receiver) const;

    /**
     * @brief Counters of all queues, drops by place and reason, and packets in all.
     * @param result receives queues, drops and the packet counts
     */
    void Collect(RunResult& result) const;

    /**
     * @brief Take a sample of each bottleneck.
     * @param seconds time of the sample (s since the scenario's time 0)
     */
    void SampleQueues(double seconds);

    /// @return time series of the bottlenecks
    const std::vector<QueueSeries>& GetQueueSeries() const;

    /**
     * @brief Record packets.
     * @param places "sender", "bottleneck", "receiver"
     * @param limit most packets per place
     * @param origin the scenario's time 0
     */
    void RecordPackets(const std::vector<std::string>& places, uint64_t limit, Time origin);

    /// @return packets recorded, one entry per place
    std::vector<PacketSeries> GetPacketSeries() const;

    /**
     * @brief Write pcap files, one per device.
     * @param prefix prefix of their names
     */
    void EnablePcap(const std::string& prefix) const;

    /**
     * @brief Use fixed random streams.
     * @param stream first stream to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  protected:
    static constexpr uint64_t UNLIMITED_QUEUE = 1000000; ///< a queue that is never full (packets)

    /// Role of a host, which decides on its queue disc and processing
    enum class Role
    {
        SENDER,  ///< sends data
        RECEIVER ///< receives data
    };

    /**
     * @brief Add a host.
     * @param name its name
     * @param role what it does
     * @return its index
     */
    NodeIndex AddHost(const std::string& name, Role role);

    /**
     * @brief Add a router or switch.
     * @param name its name
     * @return its index
     */
    NodeIndex AddRouter(const std::string& name);

    /**
     * @brief Join two nodes. Nodes get a default route by SetDefaultRoute() only.
     * @param a one node
     * @param b the other node
     * @param portA what a sends on the link
     * @param portB what b sends on the link
     * @param delay propagation delay
     * @return index of the link
     */
    uint32_t AddLink(NodeIndex a,
                     NodeIndex b,
                     const PortOptions& portA,
                     const PortOptions& portB,
                     Time delay);

    /**
     * @brief Send everything that is not for a neighbour over a link.
     * @param node the node
     * @param link index of one of its links
     */
    void SetDefaultRoute(NodeIndex node, uint32_t link);

    /**
     * @brief Port of a host, with queue disc as for its role.
     * @param host index of the host
     * @param rate rate (bit/s)
     * @return the options
     */
    PortOptions MakeHostPort(NodeIndex host, uint64_t rate) const;

    /**
     * @brief Install what received packets pass at a host, as the scenario wants it for its role.
     * @param host index of the host
     */
    void InstallHostStages(NodeIndex host);

    /// Let routers forward; called once, when all links and stages are there.
    void InstallSwitches();

    /**
     * @brief Police what a node receives on a link.
     * @param node the node
     * @param link the link
     * @param bucket the tokens
     * @param overhead bytes charged per packet besides IP
     */
    void InstallPolicer(NodeIndex node, uint32_t link, Ptr<TokenBucket> bucket, uint32_t overhead);

    /**
     * @brief Lose packets at random.
     * @param node the node that receives them
     * @param link the link
     * @param rate probability
     */
    void InstallLoss(NodeIndex node, uint32_t link, double rate);

    /**
     * @brief Mark a port as a bottleneck, which is sampled and recorded.
     * @param node the node that sends
     * @param link the link
     */
    void MarkBottleneck(NodeIndex node, uint32_t link);

    /**
     * @brief Change the delay of a link now.
     * @param link the link
     * @param delay new propagation delay
     */
    void SetDelay(uint32_t link, Time delay);

    /**
     * @brief Change a rate now.
     * @param node the node that sends
     * @param link the link
     * @param rate new rate (bit/s)
     */
    void SetRate(NodeIndex node, uint32_t link, uint64_t rate);

    /**
     * @brief Index of a node.
     * @param name its name
     * @return its index; aborts if there is none
     */
    NodeIndex Find(const std::string& name) const;

    /**
     * @brief Size of a full data packet on a link.
     * @return bytes, the header of the link included
     */
    uint32_t GetFullPacket() const;

    /**
     * @brief Draw hosts on two sides of something.
     * @param left names of the hosts on the left
     * @param right names of the hosts on the right
     * @param leftRate rate of the links on the left, as text
     * @param rightRate rate of the links on the right, as text
     * @param middle what is between them
     * @return several lines; of many hosts only the first and the last ones are drawn
     */
    static std::string DrawSides(const std::vector<std::string>& left,
                                 const std::vector<std::string>& right,
                                 const std::string& leftRate,
                                 const std::string& rightRate,
                                 const std::string& middle);

    std::string m_drawing; ///< drawing of the network

  private:
    /// One end of a link
    struct Port
    {
        NodeIndex node{0};                 ///< the node
        Ptr<PointToPointNetDevice> device; ///< its device
        Ptr<PortQueue> queue;              ///< the device's queue
        Ptr<QueueDisc> disc;               ///< root queue disc, or null
        PortOptions options;               ///< as it was made
        std::string kind;                  ///< kind of the queue, for the results
        uint64_t arrived{0};               ///< packets received by the device
        uint64_t lost{0};                  ///< packets lost at random by the device
        uint64_t lostBytes{0};             ///< bytes lost at random by the device (IP)
        uint64_t maxDiscPackets{0};        ///< most packets in the queue disc
        uint64_t maxDiscBytes{0};          ///< most bytes in the queue disc
        Ptr<RateErrorModel> loss;          ///< random loss of what it receives, or null
        Address address;                   ///< IP address
    };

    /// A link: its ends are ports 2i and 2i + 1
    struct Link
    {
        Ptr<PointToPointChannel> channel; ///< the channel
        Time delay;                       ///< its propagation delay
    };

    /// A node
    struct NodeRecord
    {
        std::string name;                 ///< its name
        Ptr<Node> node;                   ///< the node
        bool host{false};                 ///< whether it is a host
        Role role{Role::RECEIVER};        ///< what a host does
        std::vector<uint32_t> ports;      ///< its ports
        uint32_t number{0};               ///< number of the host among those of its role
        uint32_t defaultPort{UINT32_MAX}; ///< port of the default route
    };

    /**
     * @brief The device received a packet.
     * @param port the port
     * @param packet the packet
     */
    static void CountArrival(Port* port, Ptr<const Packet> packet);

    /**
     * @brief The device lost a packet.
     * @param port the port
     * @param packet the packet
     */
    static void CountLoss(Port* port, Ptr<const Packet> packet);

    /**
     * @brief The number of packets in a queue disc changes.
     * @param port the port
     * @param before old value
     * @param after new value
     */
    static void NoteDiscPackets(Port* port, uint32_t before, uint32_t after);

    /**
     * @brief The number of bytes in a queue disc changes.
     * @param port the port
     * @param before old value
     * @param after new value
     */
    static void NoteDiscBytes(Port* port, uint32_t before, uint32_t after);

    /// Packets recorded at one place
    struct Recording
    {
        PacketSeries series; ///< the packets
        uint64_t limit{0};   ///< most packets
        Time origin;         ///< the scenario's time 0
    };

    /**
     * @brief Record a packet.
     * @param recording where to
     * @param number number of the host
     * @param packet the packet, with the header of the link
     */
    static void Record(Recording* recording, uint32_t number, Ptr<const Packet> packet);

    /**
     * @brief Give a device an IP address.
     * @param port the port
     * @param subnet number of the subnet
     * @param host 1 or 2
     */
    void AssignAddress(Port& port, uint32_t subnet, uint32_t host);

    /**
     * @brief The port of a node on a link.
     * @param node the node
     * @param link the link
     * @return the port
     */
    Port& GetPort(NodeIndex node, uint32_t link);

    /**
     * @brief Counters of one port's queues.
     * @param port the port
     * @param result receives them
     */
    void CollectPort(const Port& port, RunResult& result) const;

    /**
     * @brief Counters as "tc -s qdisc show" prints them.
     * @param kind kind of the queue and its parameters
     * @param queue its counters
     * @return several lines
     */
    static std::string DescribeCounters(const std::string& kind, const QueueResult& queue);

    /**
     * @brief Statistics of a queue disc as "tc -s qdisc show" prints them.
     * @param port port of the queue disc
     * @param queue its counters
     * @return several lines
     */
    static std::string DescribeDisc(const Port& port, const QueueResult& queue);

    const ScenarioSpec m_common;                          ///< what all scenarios have in common
    QueueDiscChoice m_senderDisc;                         ///< queue disc of hosts that send data
    std::vector<NodeRecord> m_nodes;                      ///< hosts and routers
    std::map<std::string, NodeIndex> m_byName;            ///< nodes by name
    uint32_t m_hostCount[2]{0, 0};                        ///< hosts of each role
    std::vector<std::unique_ptr<Port>> m_ports;           ///< ends of links
    std::vector<Link> m_links;                            ///< links
    std::vector<uint32_t> m_bottlenecks;                  ///< ports of the bottlenecks
    std::vector<QueueSeries> m_queueSeries;               ///< one per bottleneck
    std::vector<std::unique_ptr<Recording>> m_recordings; ///< one per place
};

} // namespace ns3

#endif /* LINUX_TCP_WIRED_TOPOLOGY_H */
