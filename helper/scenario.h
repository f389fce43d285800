/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_SCENARIO_H
#define LINUX_TCP_SCENARIO_H

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup linux-tcp
 * What is simulated and what comes out of it, as plain records.
 *
 * Quantities with a unit are texts that carry it, so that no bare number can be misread:
 * - rates: "10Mbps", "2.5Gbps", "800kbps" (also "10mbit" as tc writes it); bits per second
 * - times: "20ms", "50us", "10s", "2min", "50d"; never negative
 * - sizes: "64KB" (1000 bytes), "64KiB" (1024 bytes), "1500B"
 * - buffers: packets "100p", a size, the time the link needs to drain it "50ms", or bandwidth-delay
 *   products "1.5bdp"
 *
 * Counts, bytes of a transfer, windows in segments and probabilities are numbers. Records of
 * results are in seconds, bits per second, bytes, packets and segments.
 */

namespace ns3
{

/// Attribute values by attribute name, in ns-3's textual form.
using AttributeMap = std::map<std::string, std::string>;

/**
 * @ingroup linux-tcp
 * @brief A closed loop of requests and responses over persistent connections.
 */
struct RpcSpec
{
    uint64_t requestBytes{1000000}; ///< size of a request (bytes), at least 1
    uint64_t responseBytes{100};    ///< size of a response (bytes), at least 1
    uint32_t connections{1};        ///< connections, each with its own loop, at least 1
    uint64_t requests{0};           ///< requests per connection, 0 for no limit
    std::string thinkTime{"0s"};    ///< pause between a response and the next request
    std::string startJitter{"0s"};  ///< each connection starts up to this much later (uniform)
};

/**
 * @ingroup linux-tcp
 * @brief A sender that alternates between bursts of data and silence.
 */
struct BurstSpec
{
    uint64_t bytes{1500000};     ///< data written at the start of each period (bytes), at least 1
    std::string period{"500ms"}; ///< time between two bursts, above 0
    uint64_t count{0};           ///< number of bursts, 0 for no limit
};

/**
 * @ingroup linux-tcp
 * @brief One flow: its workload, its transport and its place.
 */
struct FlowSpec
{
    std::string name; ///< name in the results; "flow0", "flow1", ... if empty

    /// "reno", "cubic", "htcp", "nv", "cdg", or the TypeId of any TcpCongestionOps
    std::string congestionControl{"cubic"};
    AttributeMap congestionAttributes; ///< attributes of the congestion control

    /// "linux" for LinuxTcpSocket (pacing, small queues), "stock" for ns-3's own socket
    std::string socket{"linux"};
    AttributeMap socketAttributes;         ///< attributes of the sender's socket
    AttributeMap receiverSocketAttributes; ///< attributes of the receiver's socket

    std::string start{"0s"}; ///< when the connection is opened
    std::string stop;        ///< when the sender gives up; the end of the run if empty

    /// "bulk": a transfer of @ref bytes; "rpc": see @ref rpc; "bursts": see @ref bursts
    std::string workload{"bulk"};
    uint64_t bytes{0}; ///< bytes of a bulk transfer, 0 for no limit
    RpcSpec rpc;       ///< parameters of the workload "rpc"
    BurstSpec bursts;  ///< parameters of the workload "bursts"

    std::string rtt;             ///< base RTT of this flow; the scenario's if empty
    uint32_t windowLimit{0};     ///< limit of the window by the receiver (segments), 0 for none
    uint32_t initialWindow{10};  ///< initial window (segments), at least 1
    uint32_t delayedAckCount{2}; ///< segments per acknowledgement at the receiver, at least 1
    std::string delayedAckTimeout{"40ms"}; ///< longest wait of a delayed acknowledgement
    std::string minRto{"200ms"};           ///< smallest retransmission timeout
    std::string maxPacingRate; ///< limit of the pacing rate ("linux" sockets only); none if empty
    bool reverse{false};       ///< data goes from the right to the left (dumbbell only)

    std::string sender;   ///< name of the sending host; may be empty in a dumbbell
    std::string receiver; ///< name of the receiving host; may be empty in a dumbbell
};

/**
 * @ingroup linux-tcp
 * @brief What a host adds to the network: offloads and processing times. All off by default.
 */
struct HostSpec
{
    /// The sender hands down bursts as segmentation offload does ("linux" sockets only)
    bool segmentationOffload{false};
    uint32_t segmentationMinSegments{2};  ///< smallest burst aimed at (segments), at least 1
    uint32_t segmentationMaxSegments{44}; ///< largest burst (segments), at least the smallest

    /// Received packets are handed up once per interval, in-order segments merged; "0s" for off
    std::string receivePollInterval{"0s"};
    uint32_t receiveMaxSegments{45}; ///< most segments merged into one, at least 1
    uint32_t receiveMaxBytes{65535}; ///< largest merged packet (bytes of IP), 1500 to 65535
    bool receiveRandomPhase{true};   ///< the polls' phase is drawn at random

    std::string ackJitter{"0s"};  ///< acknowledgements wait up to this long at the sender (uniform)
    std::string dataJitter{"0s"}; ///< data waits up to this long at the receiver (uniform)

    std::string pauseLength{"0s"};    ///< length of pauses of what is received; "0s" for none
    std::string pauseInterval{"5ms"}; ///< mean time from one pause to the next (exponential)

    uint32_t quickAcks{0}; ///< first segments acknowledged at once by a "linux" receiver
};

/**
 * @ingroup linux-tcp
 * @brief A queue discipline.
 */
struct QueueSpec
{
    /**
     * "fifo", "none" (device queue only), "pfifo_fast", "fq", "fq_codel", "codel", "pie", "red",
     * "cobalt", "tbf", a line as given to tc ("fq maxrate 100mbit flow_limit 200"), or the TypeId
     * of any QueueDisc
     */
    std::string disc{"fifo"};
    AttributeMap attributes; ///< attributes of the queue disc, applied after the line
};

/**
 * @ingroup linux-tcp
 * @brief A token bucket without a queue: what exceeds it is dropped.
 */
struct PolicerSpec
{
    std::string rate;           ///< rate of the tokens; no policer if empty
    std::string burst{"100KB"}; ///< depth of the bucket (a size)
    /// "ingress": before the bottleneck's queue; "egress": after its link
    std::string place{"ingress"};
    uint32_t overhead{14}; ///< bytes charged per packet besides IP (an Ethernet header), up to 1000
};

/**
 * @ingroup linux-tcp
 * @brief A change of the path during the run.
 */
struct PathChange
{
    std::string at; ///< time of the change
    /// new base RTT of the scenario, by which flows with an own RTT shift too; unchanged if empty
    std::string rtt;
    std::string rate; ///< new rate of the bottleneck; unchanged if empty
};

/**
 * @ingroup linux-tcp
 * @brief What all scenarios have in common.
 */
struct ScenarioSpec
{
    std::string rtt{"40ms"}; ///< base RTT: propagation there and back, without serialisation

    QueueSpec senderQueue{"none", {}}; ///< queue disc of the hosts that send data
    HostSpec senderHost;               ///< hosts that send data
    HostSpec receiverHost;             ///< hosts that receive data

    uint32_t mtu{1500};      ///< MTU of every link (bytes of IP), 576 to 65535
    uint32_t mss{1448};      ///< payload of a full segment (bytes)
    bool ipv6{false};        ///< IPv6 instead of IPv4
    bool timestamps{false};  ///< Timestamp option (RTT samples are then rounded to 1 ms)
    bool ecn{false};         ///< Explicit Congestion Notification
    double lossRate{0.0};    ///< random loss of data packets at the bottleneck, 0 to below 1
    uint32_t deviceQueue{1}; ///< device queue under a queue disc (packets), at least 1

    std::string startTime{"0s"}; ///< simulated time at which the scenario's time 0 lies
    std::string duration{"10s"}; ///< length of the run from the scenario's time 0, above 0
    std::string warmup{"0s"};    ///< start of the steady window, below the duration

    bool stopWhenComplete{
        false}; ///< end as soon as all limited flows are complete, if there are any

    std::string sampleInterval{"0s"}; ///< period of the time series, "0s" for none
    bool sampleFlows{true};           ///< time series of flows, if there is a period
    bool sampleQueues{true};          ///< time series of queues, if there is a period
    bool recordAcks{false};           ///< one sample per acknowledgement besides the periodic ones

    /**
     * Places whose packets are recorded: "sender" (leaving a sending host), "bottleneck" (leaving
     * the bottleneck), "receiver" (arriving at a receiving host)
     */
    std::vector<std::string> recordPackets;
    uint64_t recordPacketsLimit{1000000}; ///< most packets recorded per place
    std::string pcapPrefix;               ///< prefix of pcap files, none if empty

    uint32_t seed{1}; ///< seed of the random numbers, above 0
    uint64_t run{1};  ///< run number: substream of the random numbers
};

/**
 * @ingroup linux-tcp
 * @brief Senders on the left, receivers on the right, two routers between them.
 */
struct DumbbellSpec : ScenarioSpec
{
    std::vector<FlowSpec> flows; ///< the flows, at least one

    /// Hosts left0, left1, ...; flows without a named sender go round them. 0 for one per flow
    uint32_t left{0};
    /// Hosts right0, right1, ...; flows without a named receiver go round them. 0 for one per flow
    uint32_t right{0};

    std::string bottleneckRate{"100Mbps"}; ///< rate of the link between the routers
    std::string accessRate{"10Gbps"};      ///< rate of the links of the hosts on the left
    std::string receiverRate;              ///< rate of the links on the right; accessRate if empty
    std::string reverseRate;               ///< rate from right to left; bottleneckRate if empty

    QueueSpec bottleneckQueue;          ///< queue disc in front of the bottleneck
    std::string buffer{"1bdp"};         ///< buffer in front of the bottleneck
    std::string reverseBuffer{"1000p"}; ///< buffer in front of the link from right to left
    PolicerSpec policer;                ///< policer in the path of the data

    std::vector<PathChange> changes; ///< changes of the path, in order of time

    /**
     * @brief Check all but whether there is a flow, for a network without applications.
     * @copydetails Validate
     */
    void ValidateNetwork() const;

    /**
     * @brief Check everything that can be checked before a simulation is built.
     * @throw std::invalid_argument with one line naming the option, its value and what is allowed
     */
    void Validate() const;
};

/**
 * @ingroup linux-tcp
 * @brief Clients and servers around one switch.
 *
 * Hosts are called client0, client1, ... and server0, server1, ...; flows name two of them.
 */
struct StarSpec : ScenarioSpec
{
    StarSpec();

    uint32_t clients{2};         ///< number of clients, at least 1
    uint32_t servers{1};         ///< number of servers, at least 1
    std::vector<FlowSpec> flows; ///< the flows, at least one

    std::string clientRate{"10Gbps"}; ///< rate of the clients' links
    std::string serverRate{"10Gbps"}; ///< rate of the servers' links

    QueueSpec portQueue;           ///< queue disc of every switch port
    std::string buffer{"1MB"};     ///< buffer of a port, or of all ports together
    bool sharedBuffer{false};      ///< whether the ports share the buffer (given as a size)
    double sharedBufferAlpha{1.0}; ///< a port may hold this many times the free part of it
    PolicerSpec policer;           ///< policer before the ports towards the servers

    /// @copydoc DumbbellSpec::Validate
    void Validate() const;
};

/**
 * @ingroup linux-tcp
 * @brief One receiver asks many senders at once and waits for all of them, round after round.
 *
 * The receiver has a connection to each sender. A round begins with a small request on every
 * connection and ends when all responses are there (barrier).
 */
struct IncastSpec : ScenarioSpec
{
    IncastSpec();

    uint32_t senders{16};            ///< number of senders, 1 to 10000
    uint64_t totalBytes{0};          ///< bytes of a round, split evenly; 0 if bytesPerSender counts
    uint64_t bytesPerSender{64000};  ///< bytes from each sender in a round, if totalBytes is 0
    uint64_t requestBytes{64};       ///< size of a request (bytes), at least 1
    uint32_t rounds{10};             ///< number of rounds, at least 1
    std::string roundGap{"0s"};      ///< pause between two rounds
    std::string requestJitter{"0s"}; ///< requests of a round are spread over this time (uniform)

    FlowSpec flow; ///< transport of every sender (workload, sender and receiver are not used)
    /// Congestion control of sender i: entry i modulo the size; that of flow if there is none
    std::vector<std::string> congestionControls;

    std::string senderRate{"10Gbps"};   ///< rate of the senders' links
    std::string receiverRate{"10Gbps"}; ///< rate of the receiver's link

    QueueSpec portQueue;           ///< queue disc of every switch port
    std::string buffer{"256KB"};   ///< buffer of a port, or of all ports together
    bool sharedBuffer{false};      ///< whether the ports share the buffer (given as a size)
    double sharedBufferAlpha{1.0}; ///< a port may hold this many times the free part of it

    /// @copydoc DumbbellSpec::Validate
    void Validate() const;
};

/// A value that was never measured.
constexpr double NOT_MEASURED = std::numeric_limits<double>::quiet_NaN();

/**
 * @ingroup linux-tcp
 * @brief The end of a slow start.
 */
struct SlowStartExit
{
    double time{0};                ///< when (s since the scenario's time 0)
    std::string detector;          ///< "train", "delay", "loss", "ecn" or "other"
    uint32_t cwnd{0};              ///< window at the exit (segments)
    double minRtt{NOT_MEASURED};   ///< smallest RTT known to the detector (s)
    double roundRtt{NOT_MEASURED}; ///< smallest RTT of the round (s)
};

/**
 * @ingroup linux-tcp
 * @brief HyStart's counters, as nstat prints them.
 */
struct HystartCounters
{
    uint64_t trainDetect{0}; ///< TCPHystartTrainDetect: exits by ACK train
    uint64_t trainCwnd{0};   ///< TCPHystartTrainCwnd: sum of the windows at these exits (segments)
    uint64_t delayDetect{0}; ///< TCPHystartDelayDetect: exits by delay
    uint64_t delayCwnd{0};   ///< TCPHystartDelayCwnd: sum of the windows at these exits (segments)
};

/**
 * @ingroup linux-tcp
 * @brief What one connection achieved. Times are in seconds since the scenario's time 0.
 */
struct FlowResult
{
    std::string name;              ///< name of the flow; "name/i" for connection i of several
    uint32_t spec{0};              ///< index of its FlowSpec
    std::string congestionControl; ///< as given
    std::string sender;            ///< host that sends the data
    std::string receiver;          ///< host that receives the data

    double start{NOT_MEASURED};       ///< the connection was opened
    double established{NOT_MEASURED}; ///< the handshake was complete at the sender
    double completion{NOT_MEASURED};  ///< the last byte was acknowledged; NaN if it was not

    uint64_t bytesAcked{0};  ///< payload acknowledged during the run (bytes)
    uint64_t steadyBytes{0}; ///< payload acknowledged in the steady window (bytes)
    double goodput{0};       ///< bytesAcked over the time from start to completion or end (bit/s)
    double steadyGoodput{0}; ///< steadyBytes over the steady window (bit/s)

    uint64_t segmentsSent{0}; ///< data segments sent, retransmissions included
    uint64_t retransmits{0};  ///< data segments sent again
    uint64_t timeouts{0};     ///< retransmission timeouts
    uint64_t recoveries{0};   ///< fast recoveries
    uint64_t reductions{0};   ///< reductions in answer to ECN or by the algorithm itself

    double baseRtt{NOT_MEASURED}; ///< RTT of a full segment on the empty path, by arithmetic (s)
    double minRtt{NOT_MEASURED};  ///< smallest RTT sample of a data segment (s)
    double meanRtt{NOT_MEASURED}; ///< mean of the smoothed RTT over acknowledgements (s)
    double maxRtt{NOT_MEASURED};  ///< largest RTT sample of a data segment (s)

    uint32_t maxCwnd{0};              ///< largest congestion window (segments)
    HystartCounters hystart;          ///< HyStart's counters of this connection
    std::vector<SlowStartExit> exits; ///< ends of slow start, in order
};

/**
 * @ingroup linux-tcp
 * @brief Time series of one flow; all columns have the same length.
 */
struct FlowSeries
{
    uint32_t flow{0};                 ///< index into RunResult::flows
    std::vector<double> time;         ///< s since the scenario's time 0
    std::vector<uint32_t> cwnd;       ///< congestion window (segments)
    std::vector<uint32_t> ssthresh;   ///< slow start threshold (segments; 2^31 - 1 if infinite)
    std::vector<double> srtt;         ///< smoothed RTT (s), NaN before the first sample
    std::vector<uint64_t> bytesAcked; ///< payload acknowledged so far (bytes)
    std::vector<uint32_t> inFlight;   ///< segments in flight
    std::vector<uint64_t> pacingRate; ///< pacing rate (bit/s), 0 if not paced
    std::vector<uint8_t> state;       ///< 0 open, 1 disorder, 2 CWR, 3 recovery, 4 loss
};

/**
 * @ingroup linux-tcp
 * @brief Time series of one queue; all columns have the same length.
 */
struct QueueSeries
{
    uint32_t queue{0};               ///< index into RunResult::queues
    std::vector<double> time;        ///< s since the scenario's time 0
    std::vector<uint64_t> packets;   ///< packets waiting
    std::vector<uint64_t> bytes;     ///< bytes waiting
    std::vector<uint64_t> sentBytes; ///< bytes that have left so far
    std::vector<uint64_t> drops;     ///< packets dropped so far
};

/**
 * @ingroup linux-tcp
 * @brief Packets seen at one place; all columns have the same length.
 */
struct PacketSeries
{
    std::string place;          ///< "sender", "bottleneck" or "receiver"
    std::vector<double> time;   ///< s since the scenario's time 0
    std::vector<uint32_t> size; ///< bytes of IP
    std::vector<uint32_t> node; ///< number of the host: the n-th host of its side
};

/**
 * @ingroup linux-tcp
 * @brief Requests that were answered; all columns have the same length.
 */
struct RequestSeries
{
    std::vector<uint32_t> flow;     ///< index into RunResult::flows
    std::vector<uint64_t> index;    ///< number of the request on its connection, from 0
    std::vector<double> start;      ///< first byte of the request written (s)
    std::vector<double> completion; ///< last byte of the response read (s)
    std::vector<uint64_t> bytes;    ///< bytes of request and response
};

/**
 * @ingroup linux-tcp
 * @brief Rounds of an incast; all columns have the same length.
 */
struct RoundSeries
{
    std::vector<double> start;      ///< first request (s)
    std::vector<double> completion; ///< last response (s)
    std::vector<uint64_t> bytes;    ///< bytes of all responses
};

/**
 * @ingroup linux-tcp
 * @brief Packets lost at one place for one reason.
 */
struct DropRecord
{
    std::string place;   ///< "host qdisc", "host device", "router qdisc", "router device", ...
    std::string name;    ///< name of the host or link
    std::string reason;  ///< reason in the words of the queue disc or device
    uint64_t packets{0}; ///< packets
    uint64_t bytes{0};   ///< bytes
};

/**
 * @ingroup linux-tcp
 * @brief Counters of one queue.
 */
struct QueueResult
{
    std::string name;              ///< name of the link, as in the topology
    std::string place;             ///< "host qdisc", "router qdisc", "router device", ...
    std::string disc;              ///< kind of the queue
    uint64_t receivedPackets{0};   ///< packets that came
    uint64_t receivedBytes{0};     ///< bytes that came
    uint64_t sentPackets{0};       ///< packets that left
    uint64_t sentBytes{0};         ///< bytes that left
    uint64_t droppedPackets{0};    ///< packets dropped
    uint64_t droppedBytes{0};      ///< bytes dropped
    uint64_t markedPackets{0};     ///< packets marked with CE
    uint64_t backlogPackets{0};    ///< packets left at the end
    uint64_t backlogBytes{0};      ///< bytes left at the end
    uint64_t maxBacklogPackets{0}; ///< most packets that waited at one time
    uint64_t maxBacklogBytes{0};   ///< most bytes that waited at one time
    std::string text;              ///< statistics as "tc -s qdisc show" prints them
};

/**
 * @ingroup linux-tcp
 * @brief Everything that a run gave.
 */
struct RunResult
{
    std::string topology;                   ///< drawing of the network (ASCII)
    std::string ns3Version;                 ///< version of ns-3
    std::vector<FlowResult> flows;          ///< one per connection
    std::vector<QueueResult> queues;        ///< the queues that can drop
    std::vector<DropRecord> drops;          ///< drops by place and reason; only places with drops
    std::vector<FlowSeries> flowSeries;     ///< one per connection, if sampled
    std::vector<QueueSeries> queueSeries;   ///< bottlenecks only, if sampled
    std::vector<PacketSeries> packetSeries; ///< one per place recorded
    RequestSeries requests;                 ///< answered requests, in order of completion
    RoundSeries rounds;                     ///< completed rounds of an incast
    std::vector<std::string> warnings;      ///< what a user should know, one line each

    uint64_t packetsSent{0};     ///< packets that the hosts handed to their queues
    uint64_t packetsReceived{0}; ///< packets that arrived at hosts
    uint64_t packetsDropped{0};  ///< packets dropped anywhere
    uint64_t packetsInside{0};   ///< packets still under way at the end

    double simulatedTime{0}; ///< length of the run (s)
    double wallTime{0};      ///< what it took (s); the only figure that differs between two runs
    uint64_t events{0};      ///< simulator events executed
};

/**
 * @ingroup linux-tcp
 * @brief Told from time to time how far a run is.
 *
 * Arguments: simulated time so far (s), length of the run (s). Returns false to end the run early.
 */
using ProgressCallback = std::function<bool(double, double)>;

} // namespace ns3

#endif /* LINUX_TCP_SCENARIO_H */
