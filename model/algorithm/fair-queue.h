/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_FAIR_QUEUE_H
#define LINUX_TCP_FAIR_QUEUE_H

#include "key-index.h"
#include "ladder-queue.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace linuxtcp
{

/// Rate of a socket or a queue without a limit (bytes/s).
constexpr uint64_t UNLIMITED_RATE = std::numeric_limits<uint64_t>::max();

/// A time that never comes (ns).
constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

/// Number of priority bands (Linux 6.7 and later).
constexpr uint32_t FAIR_QUEUE_BANDS = 3;

/**
 * @ingroup linux-tcp
 * @brief Have the processor fetch something into its cache, where the compiler knows how.
 * @param address address of what will be needed soon
 */
inline void
Prefetch(const void* address)
{
#if defined(__GNUC__)
    __builtin_prefetch(address);
#else
    static_cast<void>(address);
#endif
}

/// Kernel whose fair queue scheduler is followed. A model holds until the next one in the list.
enum class FairQueueModel : uint8_t
{
    LINUX_3_12, ///< first version: pacing of sockets by the true length, delays up to 125 ms
    LINUX_3_13, ///< refill delay; pacing by max(length, quantum)
    LINUX_4_0,  ///< delays up to 1 s, orphan mask, acknowledgements without payload never wait
    LINUX_4_9,  ///< low rate threshold, compensation of late departures
    LINUX_6_1,  ///< earliest departure times, any order within a flow, horizon, CE threshold
    LINUX_6_7,  ///< three bands with weights, fast path, limit per band
    LINUX_6_13, ///< offload horizon, TIME_WAIT sockets are orphans
};

/**
 * @brief Parameters of FairQueue, with Linux's defaults for Ethernet (MTU 1500, 14 byte header).
 *
 * In tc's terms: limit, flow_limit, quantum, initial_quantum, maxrate, defrate, buckets,
 * orphan_mask, [no]pacing, refill_delay, low_rate_threshold, ce_threshold, timer_slack, horizon,
 * horizon_drop or horizon_cap, priomap, weights, offload_horizon.
 */
struct FairQueueParameters
{
    FairQueueModel model{FairQueueModel::LINUX_6_1}; ///< kernel to follow
    uint32_t limit{10000};                           ///< packets held (from 6.7: per band)
    uint32_t flowLimit{100};                         ///< packets held per flow
    uint32_t quantum{3028};                          ///< credit per round (bytes), 1 to 2^20
    uint32_t initialQuantum{15140};   ///< credit of a new flow (bytes), up to 2^31 - 1
    uint64_t maxRate{UNLIMITED_RATE}; ///< rate limit of every flow (bytes/s)
    uint64_t defaultRate{0};          ///< rate of sockets without one (bytes/s), 3.12 only
    uint32_t buckets{1024};           ///< size of Linux's hash table, a power of two to 2^18
    uint32_t orphanMask{1023};        ///< mask of the hash of packets without socket
    bool pacing{true};                ///< whether rates delay packets
    int64_t refillDelay{40000000};    ///< idle time that refills the credit (ns)
    uint64_t lowRateThreshold{68750}; ///< rate up to which every packet is paced (bytes/s)
    int64_t ceThreshold{NEVER};       ///< lateness from which on packets are marked (ns)
    int64_t timerSlack{10000};        ///< lateness the wake-up timer is allowed (ns)
    int64_t horizon{10000000000};     ///< how far ahead departure times may lie (ns)
    bool horizonDrop{true};           ///< drop packets beyond the horizon, else cap the time
    std::array<uint8_t, 16> priomap{{1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}};
    ///< band of each priority
    std::array<uint32_t, FAIR_QUEUE_BANDS> weights{{589824, 196608, 65536}};
    ///< bytes per round of each band, at least 16384
    int64_t offloadHorizon{0};         ///< how early the device takes packets (ns)
    uint32_t maximumFlows{0xfffffff0}; ///< flows for which memory may be taken

    /**
     * @brief Check the values against their rules.
     * @return what is wrong, naming the parameter, its value and what is allowed; empty if nothing
     */
    std::string Validate() const;
};

/// Counters of FairQueue, named in words; tc's names in parentheses.
struct FairQueueStatistics
{
    uint64_t sentPackets{0};      ///< packets that left
    uint64_t sentBytes{0};        ///< bytes that left
    uint64_t droppedPackets{0};   ///< packets dropped, for any reason (dropped)
    uint64_t limitDrops{0};       ///< packets dropped because the queue was full
    uint64_t flowLimitDrops{0};   ///< packets dropped because their flow was full (flows_plimit)
    uint64_t horizonDrops{0};     ///< packets dropped beyond the horizon (horizon_drops)
    uint64_t trimDrops{0};        ///< packets dropped because the limit was lowered
    uint64_t resetDrops{0};       ///< packets dropped by a reset
    uint64_t horizonCaps{0};      ///< departure times cut to the horizon (horizon_caps)
    uint64_t collectedFlows{0};   ///< idle flows forgotten (gc)
    uint64_t controlPackets{0};   ///< packets that bypassed the flows by priority (highprio)
    uint64_t fastPathPackets{0};  ///< packets that bypassed the flows of an idle queue (fastpath)
    uint64_t retransmissions{0};  ///< never counted by any kernel (retrans)
    uint64_t throttled{0};        ///< times a flow was made to wait (throttled)
    uint64_t latencyNs{0};        ///< average lateness of releases (latency)
    uint64_t ceMarks{0};          ///< packets later than the CE threshold (ce_mark)
    uint64_t tooLongDelays{0};    ///< delays cut to the maximum (pkts_too_long)
    uint64_t allocationErrors{0}; ///< flows for which there was no memory (alloc_errors)
    std::array<uint64_t, FAIR_QUEUE_BANDS> bandDrops{}; ///< drops at the limit (bandN_drops)

    uint64_t packets{0};        ///< packets held
    uint64_t bytes{0};          ///< bytes held
    uint32_t flows{0};          ///< flows known
    uint32_t inactiveFlows{0};  ///< flows in no list; from 6.7: flows without packets
    uint32_t throttledFlows{0}; ///< flows that wait for their time
    std::array<uint64_t, FAIR_QUEUE_BANDS> bandPackets{}; ///< packets held by band (bandN_pkts)
    int64_t nextDelayed{NEVER}; ///< time at which the first waiting flow may go (ns)
};

/// Who sent a packet, as far as the classification asks.
enum class PacketOwner : uint8_t
{
    NONE,        ///< no socket: forwarded packets, ARP and the like
    CONNECTED,   ///< a socket
    UNCONNECTED, ///< a socket without a peer of its own (UDP with sendto)
    REQUEST,     ///< a listening socket, or a request for connection that it answers
    TIME_WAIT,   ///< a connection that is over
};

/// What the scheduler must know of a packet.
struct FairQueuePacket
{
    uint64_t socket{0};                   ///< identity of the socket, below 2^63
    uint32_t connection{0};               ///< identity of the connection that the socket has now
    uint32_t hash{0};                     ///< hash of the addresses and ports
    int64_t departure{0};                 ///< earliest departure time (ns), 0 if none
    uint32_t length{0};                   ///< length (bytes), below 2^30
    uint8_t priority{0};                  ///< priority; the low four bits count
    PacketOwner owner{PacketOwner::NONE}; ///< who sent it
    bool pureAck{false};                  ///< TCP acknowledgement without payload
    bool rateLimitedNotTcp{false};        ///< its socket is not TCP and has a maximum pacing rate
    bool continues{false};                ///< the socket's next packet counts as a part of this one
};

/**
 * @brief Linux's fair queue packet scheduler with pacing (fq), as a pure algorithm.
 *
 * One queue per socket, deficit round robin with strict preference for new flows, and a head of
 * line that waits until its flow may send: until the earliest departure time that the transport
 * wrote into the packet, or until the time that follows from the rate of the socket and the
 * packets sent before.
 *
 * The scheduler knows packets by numbers that it gives at enqueue and takes back at dequeue; the
 * numbers are small and reused, so that the owner may keep its data in an array. The clock is the
 * owner's; it must not run backwards.
 *
 * Cost per packet: constant but for flows that wait, which pass a heap. Memory: 64 bytes for a
 * flow, 11 to 22 for its place in the index and up to 16 for its place in the order of idle flows;
 * 32 bytes for a packet.
 */
class FairQueue
{
  public:
    /// Number of a packet that is held
    typedef uint32_t PacketId;
    /// Number that says that there is no packet
    static constexpr PacketId NO_PACKET = std::numeric_limits<PacketId>::max();

    /// Knows how fast the sockets may send. Asked when a packet leaves.
    class RateSource
    {
      public:
        virtual ~RateSource() = default;

        /**
         * @brief Pacing rate, at this moment, of the socket that sent a packet.
         * @param packet number of the packet
         * @return rate (bytes/s), UNLIMITED_RATE if there is no limit
         */
        virtual uint64_t GetPacingRate(PacketId packet) = 0;
    };

    /// What became of a packet handed to Enqueue()
    enum class Verdict : uint8_t
    {
        QUEUED,     ///< it is held
        LIMIT,      ///< dropped: the queue, or its band, is full
        FLOW_LIMIT, ///< dropped: its flow is full
        HORIZON     ///< dropped: its departure time lies beyond the horizon
    };

    /// Result of Enqueue()
    struct EnqueueResult
    {
        Verdict verdict{Verdict::QUEUED}; ///< what became of the packet
        PacketId packet{NO_PACKET};       ///< its number, if it is held
    };

    /// Result of Dequeue()
    struct Departure
    {
        PacketId packet{NO_PACKET}; ///< the packet that leaves, which the scheduler forgets
        bool mark{false};           ///< it is later than the CE threshold
        int64_t wakeUp{NEVER};      ///< without packet: when to ask again (ns), at the latest
        PacketId likelyNext{
            NO_PACKET}; ///< a packet likely to leave soon, whose data may be fetched
    };

    /**
     * @brief Constructor
     * @param parameters the parameters
     * @throws std::invalid_argument if they break a rule
     */
    explicit FairQueue(const FairQueueParameters& parameters = FairQueueParameters());

    FairQueue(const FairQueue&) = delete;
    FairQueue& operator=(const FairQueue&) = delete;

    /**
     * @brief The parameters in force.
     * @return the parameters
     */
    const FairQueueParameters& GetParameters() const;

    /**
     * @brief Change parameters at any time.
     *
     * Flows keep their credit and their time. A limit below the present length drops packets in
     * the order they would leave, as far as they may leave now. A new number of buckets forgets
     * the flows that have been idle long enough. The model can change only while the queue is
     * empty, and forgets all flows.
     *
     * @param parameters the new parameters
     * @param now the clock (ns)
     * @param rates knows the rates of the sockets
     * @param drop called with each packet dropped
     * @throws std::invalid_argument if the parameters break a rule; then nothing changes
     */
    void Configure(const FairQueueParameters& parameters,
                   int64_t now,
                   RateSource& rates,
                   const std::function<void(PacketId)>& drop);

    /**
     * @brief Take a packet in, or drop it.
     * @param packet what is known of it
     * @param now the clock (ns)
     * @return what became of it
     */
    EnqueueResult Enqueue(const FairQueuePacket& packet, int64_t now);

    /**
     * @brief Give out the next packet that may leave, if there is one.
     * @param now the clock (ns)
     * @param rates knows the rates of the sockets
     * @return the packet, or when to ask again
     */
    Departure Dequeue(int64_t now, RateSource& rates);

    /**
     * @brief Drop all packets and forget all flows. The counters stay.
     * @param drop called with each packet dropped
     */
    void Reset(const std::function<void(PacketId)>& drop);

    /**
     * @brief Number of packets held.
     * @return packets
     */
    uint64_t GetLength() const;

    /**
     * @brief When the first waiting flow may go.
     * @return the time (ns), NEVER if none waits
     */
    int64_t GetNextDelayed() const;

    /**
     * @brief The counters.
     * @return their values now
     */
    FairQueueStatistics GetStatistics() const;

    /**
     * @brief Memory held for flows and for the index of their keys.
     * @return bytes
     */
    std::size_t GetFlowMemory() const;

    /**
     * @brief Memory held for packets and for waiting flows.
     * @return bytes
     */
    std::size_t GetPacketMemory() const;

    /**
     * @brief State of the flow of a socket, for tests and traces.
     * @param socket identity of the socket
     * @param credit set to its credit (bytes)
     * @param nextTime set to the earliest time of its next packet (ns), 0 if never set
     * @return false if the flow is not known
     */
    bool GetFlowState(uint64_t socket, int32_t& credit, int64_t& nextTime) const;

  private:
    /// Number that says that there is no record
    static constexpr uint32_t NONE = KeyIndex::NONE;
    /// Record of the flow that bypasses all others; it has no key
    static constexpr uint32_t INTERNAL = 0;
    /// Flow records are allocated in chunks of this many
    static constexpr uint32_t CHUNK = 1024;
    /// A packet does not continue beyond this (bytes)
    static constexpr uint32_t MAXIMUM_PART = 1 << 20;

    /// Where a flow is
    enum class FlowState : uint8_t
    {
        DETACHED, ///< in no list
        NEW,      ///< in a list of new flows
        OLD,      ///< in a list of old flows
        THROTTLED ///< waits for its time
    };

    /// A flow, in one cache line
    struct alignas(64) Flow
    {
        uint64_t key{0};                      ///< socket or hash of the packets
        int64_t nextTime{0};                  ///< earliest time of the next packet (ns), 0: none
        int64_t age{0};                       ///< when it became DETACHED (ns)
        uint32_t fifoHead{NONE};              ///< first packet in order of arrival
        uint32_t fifoTail{NONE};              ///< last packet in order of arrival
        uint32_t tree{NONE};                  ///< first of the packets that came out of order
        uint32_t length{0};                   ///< packets held
        int32_t credit{0};                    ///< bytes it may send in this round
        uint32_t connection{0};               ///< connection of the socket
        uint32_t next{NONE};                  ///< next flow of the list
        uint32_t detachment{0};               ///< number of the last time it became DETACHED
        FlowState state{FlowState::DETACHED}; ///< where it is
        uint8_t band{0};                      ///< band of the last packet enqueued
        uint32_t part{0};                     ///< bytes sent of a packet that continues
    };

    /// A packet, half a cache line
    struct Packet
    {
        int64_t sendTime{0};  ///< earliest departure (ns)
        uint64_t order{0};    ///< position among packets out of order with the same time
        uint32_t length{0};   ///< bytes
        uint32_t next{NONE};  ///< next packet: of the fifo, of the siblings, of the free ones
        uint32_t child{NONE}; ///< first child, among packets out of order
        uint8_t flags{0};     ///< combination of PacketFlag
        uint8_t band{0};      ///< band
    };

    /// Properties of a packet held
    enum PacketFlag : uint8_t
    {
        STAMPED = 1,  ///< came with a departure time
        SOCKET = 2,   ///< the rate of its socket counts
        PURE_ACK = 4, ///< is exempt from pacing where the model says so
        CONTINUES = 8 ///< the next packet of the flow counts as a part of this one
    };

    /// First in, first out list of flows
    struct FlowList
    {
        uint32_t head{NONE}; ///< first
        uint32_t tail{NONE}; ///< last
    };

    /// A flow that became DETACHED; not true any more once the flow is active again
    struct Detached
    {
        int64_t age;         ///< when it became DETACHED (ns)
        uint32_t flow;       ///< number of the flow
        uint32_t detachment; ///< which time it was
    };

    /// A priority band; models without bands use the first
    struct Band
    {
        FlowList newFlows; ///< new flows
        FlowList oldFlows; ///< old flows
        int64_t credit{0}; ///< bytes it may send in this round
    };

    /// Properties of a model
    struct Rules
    {
        uint16_t controlPriorities{0};     ///< priorities that bypass the flows, a bit each
        bool masksOrphans{false};          ///< the orphan mask applies
        bool hashesUnconnected{false};     ///< unconnected sockets are classified by packet
        bool timeWaitIsOrphan{false};      ///< TIME_WAIT sockets are orphans
        bool reuseResetsPacing{false};     ///< a new connection clears the time of its flow
        bool usesDepartureTimes{false};    ///< packets carry departure times; horizon, CE threshold
        bool skipsEmpty{false};            ///< an empty queue is left alone at dequeue
        bool exemptsPureAcks{false};       ///< acknowledgements without payload never wait
        bool refillsAlways{false};         ///< every return to activity refills the credit
        bool pacesSocketsOnly{false};      ///< only packets of sockets are paced, by true length
        bool resetsTimeAtDeparture{false}; ///< every departure sets the time of its flow
        bool pacesLowRates{false};         ///< low rate threshold, compensation, latency
        bool hasBands{false};              ///< bands, fast path, empty flows are inactive
        bool hasOffload{false};            ///< offload horizon
        int64_t maximumDelay{0};           ///< longest delay (ns)
    };

    /**
     * @brief Properties of a model.
     * @param model the model
     * @return its properties
     */
    static Rules GetRules(FairQueueModel model);

    /**
     * @brief A flow record.
     * @param flow its number
     * @return the record
     */
    Flow& GetFlow(uint32_t flow)
    {
        return m_chunks[flow / CHUNK][flow % CHUNK];
    }

    /// @copydoc GetFlow(uint32_t)
    const Flow& GetFlow(uint32_t flow) const
    {
        return m_chunks[flow / CHUNK][flow % CHUNK];
    }

    /**
     * @brief Flow of a packet, made if it is not known.
     * @param packet the packet
     * @param now the clock (ns)
     * @param[out] usesSocket whether the rate of the packet's socket counts
     * @return number of the flow
     */
    uint32_t Classify(const FairQueuePacket& packet, int64_t now, bool& usesSocket);

    /**
     * @brief Whether a packet may bypass the flows.
     * @param packet the packet
     * @param sendTime its earliest departure (ns)
     * @param now the clock (ns)
     * @return true if so
     */
    bool IsFastPath(const FairQueuePacket& packet, int64_t sendTime, int64_t now) const;

    /**
     * @brief Make a flow.
     * @param key its key
     * @param hash hash of the key
     * @param now the clock (ns)
     * @return its number, NONE if there is no memory
     */
    uint32_t CreateFlow(uint64_t key, uint32_t hash, int64_t now);

    /**
     * @brief Forget idle flows.
     * @param now the clock (ns)
     * @param maximum how many at most
     */
    void Collect(int64_t now, uint32_t maximum);

    /**
     * @brief Give a socket's flow to a new connection of the socket.
     * @param flow number of the flow
     * @param connection the connection
     */
    void Reassign(uint32_t flow, uint32_t connection);

    /**
     * @brief Append a flow to a list and set its state.
     * @param list the list
     * @param flow number of the flow
     * @param state NEW or OLD
     */
    void Append(FlowList& list, uint32_t flow, FlowState state);

    /**
     * @brief Append a flow to the old flows of its band.
     * @param flow number of the flow
     */
    void AppendOld(uint32_t flow);

    /**
     * @brief Take the first flow off a list.
     * @param list the list
     */
    void RemoveHead(FlowList& list);

    /**
     * @brief Make a flow DETACHED, which is in no list.
     * @param flow number of the flow
     * @param now the clock (ns)
     */
    void Detach(uint32_t flow, int64_t now);

    /**
     * @brief Whether an entry of the detached flows is still true.
     * @param detached the entry
     * @return false if the flow has been active, or forgotten, since
     */
    bool IsCurrent(const Detached& detached) const;

    /**
     * @brief Put a packet into a flow.
     * @param flow the flow
     * @param packet number of the packet
     */
    void Insert(Flow& flow, PacketId packet);

    /**
     * @brief Packet of a flow that is next in order of send time.
     * @param flow the flow
     * @return its number, NO_PACKET if there is none
     */
    PacketId Peek(const Flow& flow) const;

    /**
     * @brief Take the packet that Peek() returns out of its flow, and out of the backlog.
     * @param flow the flow
     * @param packet its number
     */
    void Take(Flow& flow, PacketId packet);

    /**
     * @brief Join two heaps of packets out of order.
     * @param a first packet of one
     * @param b first packet of the other, or NONE
     * @return first packet of both
     */
    PacketId Meld(PacketId a, PacketId b);

    /**
     * @brief Make the record of a packet free.
     * @param packet its number
     */
    void Release(PacketId packet);

    /**
     * @brief Give the flows whose time has come back to the old flows.
     * @param now the clock (ns)
     */
    void ReleaseDue(int64_t now);

    /**
     * @brief Select the next flow to serve.
     * @param[out] isNew whether it comes from the new flows
     * @return list whose head it is, null if there is nothing to serve
     */
    FlowList* SelectList(bool& isNew);

    /**
     * @brief Take out the next packet that may leave.
     * @param now the clock (ns)
     * @param rates knows the rates of the sockets
     * @return the packet, or when to ask again
     */
    Departure TakeNext(int64_t now, RateSource& rates);

    /**
     * @brief Have the processor fetch what the next departures need.
     * @param flow the flow served now
     * @return a packet likely to leave soon
     */
    PacketId PrefetchAfter(const Flow& flow) const;

    /**
     * @brief Have the processor fetch what the departures of waiting flows need.
     * @return a packet likely to leave soon
     */
    PacketId PrefetchDelayed() const;

    /**
     * @brief Set the time of a flow after a departure.
     * @param flow the flow
     * @param packet number of the packet that left
     * @param length bytes that left with it, the parts sent before included
     * @param now the clock (ns)
     * @param rates knows the rates of the sockets
     */
    void Pace(Flow& flow, PacketId packet, uint64_t length, int64_t now, RateSource& rates);

    FairQueueParameters m_parameters;              ///< the parameters
    Rules m_rules;                                 ///< properties of the model
    FairQueueStatistics m_statistics;              ///< the counters
    std::vector<std::unique_ptr<Flow[]>> m_chunks; ///< flow records
    uint32_t m_usedFlows{1};                       ///< records ever used; the internal flow is one
    uint32_t m_freeFlow{NONE};                     ///< first free record
    KeyIndex m_index;                              ///< finds the flow of a key
    std::vector<Packet> m_store;                   ///< packet records
    PacketId m_freePacket{NO_PACKET};              ///< first free packet record
    uint64_t m_nextOrder{0};                       ///< order of the next packet out of order
    std::array<Band, FAIR_QUEUE_BANDS> m_bands;    ///< the bands
    uint32_t m_currentBand{0};                     ///< band being served
    std::deque<Detached> m_detached;               ///< detached flows, the oldest first
    uint32_t m_detachments{0};                     ///< number of the last detachment
    LadderQueue m_delayed;                         ///< flows that wait for their time
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_FAIR_QUEUE_H */
