/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FQ_QUEUE_DISC_H
#define FQ_QUEUE_DISC_H

#include "fq-item-queue.h"
#include "fq-packet-tag.h"

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/fair-queue.h"
#include "ns3/nstime.h"
#include "ns3/queue-disc.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class Node;
class PacingRegistry;

/**
 * @ingroup linux-tcp
 * @brief Linux's FQ packet scheduler with pacing, as a root queue disc of a host.
 *
 * The scheduling is that of linuxtcp::FairQueue, which see. This class gives it ns-3's packets and
 * clock:
 * * the socket that sent a packet, its earliest departure time and its pacing rate come from
 *   FqPacketTag, which is removed when the packet enters and ignored if another node wrote it; the
 *   rate is asked anew from PacingRegistry when the packet leaves;
 * * packets without such a tag (forwarded ones, ARP, sockets of ns-3 itself) share a flow with
 * those of equal hash;
 * * the priority is that of SocketPriorityTag; neighbour discovery, MLD and IGMP packets without
 * one have priority 7, as in Linux;
 * * lengths are those of the IP packets plus LinkHeaderSize.
 *
 * A timer runs the queue disc when the first waiting flow may go. So it can be installed as a root
 * queue disc or as a child of MqQueueDisc only; below a classful queue disc it ends the simulation
 * with an error when it starts.
 */
class FqQueueDisc : public QueueDisc, private linuxtcp::FairQueue::RateSource
{
  public:
    /// Kernel whose scheduler is followed; see linuxtcp::FairQueueModel
    enum LinuxModel
    {
        LINUX_3_12, ///< first version
        LINUX_3_13, ///< refill delay
        LINUX_4_0,  ///< orphan mask, acknowledgements never wait
        LINUX_4_9,  ///< low rate threshold, compensation of late departures
        LINUX_6_1,  ///< earliest departure times, horizon, CE threshold
        LINUX_6_7,  ///< bands, fast path
        LINUX_6_13, ///< offload horizon
    };

    static constexpr const char* LIMIT_DROP = "Limit exceeded";           ///< queue, or band, full
    static constexpr const char* FLOW_LIMIT_DROP = "Flow limit exceeded"; ///< flow full
    static constexpr const char* HORIZON_DROP =
        "Horizon exceeded";                                       ///< departure time too far ahead
    static constexpr const char* RESET_DROP = "Queue disc reset"; ///< dropped by Reset()
    static constexpr const char* CE_THRESHOLD_MARK = "CE threshold exceeded"; ///< left too late

    /// Signature of the trace source Warning: a sentence for the user.
    typedef void (*WarningTracedCallback)(const std::string& warning);

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FqQueueDisc();
    ~FqQueueDisc() override;

    /**
     * @brief Say which node the queue disc belongs to, where it cannot be found by way of the
     * device.
     * @param node the node
     */
    void SetNode(Ptr<Node> node);

    /**
     * @brief The counters, named in words.
     * @return their values now
     */
    linuxtcp::FairQueueStatistics GetFqStats() const;

    /**
     * @brief The parameters in force, with those that follow from the device's MTU.
     * @return the parameters
     */
    const linuxtcp::FairQueueParameters& GetFqParameters() const;

    /**
     * @brief The text that `tc -s qdisc show` would print.
     * @param handle handle to show, with colon
     * @return the text
     */
    std::string GetTcText(const std::string& handle = "8001:");

    /**
     * @brief Parameters and counters as a JSON object, with the names of tc.
     * @param handle handle to show, with colon
     * @return the object
     */
    std::string GetJson(const std::string& handle = "8001:");

    /**
     * @brief What the user should know: each fault once, in the order of appearance.
     * @return sentences
     */
    const std::vector<std::string>& GetWarnings() const;

    /**
     * @brief When the first waiting flow may go.
     * @return the time, Time::Max() if none waits
     */
    Time GetNextDeparture() const;

    /// Drop all packets and forget all flows; the counters stay.
    void Reset();

    /**
     * @brief Memory held for flows.
     * @return bytes
     */
    std::size_t GetFlowMemory() const;

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    bool DoEnqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> DoDequeue() override;
    bool CheckConfig() override;
    void InitializeParams() override;
    uint64_t GetPacingRate(linuxtcp::FairQueue::PacketId packet) override;

    /// What is kept for a packet, in one cache line
    struct alignas(64) Slot
    {
        FqItemQueue::Place place;    ///< where it lies
        const void* item{nullptr};   ///< its item, to be fetched ahead
        const void* packet{nullptr}; ///< the item's Packet, to be fetched ahead
        uint64_t cookie{0};          ///< its socket, 0 if none
        uint64_t rate{0};   ///< rate of the socket when it was sent (bytes/s), 0: unlimited
        uint32_t size{0};   ///< its size (bytes)
        bool isUsed{false}; ///< it lies in the store
    };

    /**
     * @brief Find the node that the queue disc belongs to, and refuse a place where it cannot work.
     */
    void FindNode();

    /**
     * @brief MTU of the device.
     * @return bytes
     */
    uint32_t GetMtu() const;

    /// What the tags of a packet say
    struct Tags
    {
        FqPacketTag fq;          ///< what the socket says
        bool hasFq{false};       ///< a socket says it, perhaps of another node
        uint8_t priority{0};     ///< priority
        bool hasPriority{false}; ///< the packet has one
    };

    /**
     * @brief Read the tags that matter here, and remove FqPacketTag.
     * @param packet the packet
     * @return what they say
     */
    static Tags TakeTags(const Ptr<Packet>& packet);

    /**
     * @brief Describe a packet to the scheduler, and remove its FqPacketTag.
     * @param item the packet
     * @param[out] slot what is to be kept of it
     * @return the description
     */
    linuxtcp::FairQueuePacket Describe(const Ptr<QueueDiscItem>& item, Slot& slot) const;

    /**
     * @brief Have the processor fetch what the next departures need.
     * @param likelyNext a packet likely to leave soon, NO_PACKET if none is known
     */
    void FetchAhead(linuxtcp::FairQueue::PacketId likelyNext);

    /**
     * @brief Take a packet out of the store and clear its traces.
     * @param packet its number
     * @return the packet
     */
    Ptr<QueueDiscItem> TakeOut(linuxtcp::FairQueue::PacketId packet);

    /// Give changed parameters to the scheduler, once the queue disc has started.
    void Reconfigure();

    /**
     * @brief Parameters of the scheduler that follow from the attributes.
     * @return the parameters
     */
    linuxtcp::FairQueueParameters MakeParameters() const;

    /**
     * @brief Warn of a fault, unless that has been done.
     * @param[in,out] done whether it has been done
     * @param warning a sentence
     */
    void Warn(bool& done, const std::string& warning);

    /**
     * @brief Have the timer run the queue disc.
     * @param time when (ns)
     */
    void SetWatchdog(int64_t time);

    /// Run the queue disc when the first waiting flow may go.
    void WatchdogExpired();

    /**
     * @brief Set an attribute of any simple kind.
     * @tparam T type of the value
     * @tparam Member the member that holds it
     * @param value the value
     */
    template <typename T, T FqQueueDisc::*Member>
    void SetValue(T value)
    {
        this->*Member = value;
        Reconfigure();
    }

    /**
     * @brief Get an attribute of any simple kind.
     * @tparam T type of the value
     * @tparam Member the member that holds it
     * @return the value
     */
    template <typename T, T FqQueueDisc::*Member>
    T GetValue() const
    {
        return this->*Member;
    }

    /**
     * @brief Set the limit.
     * @param size packets
     */
    void SetLimit(QueueSize size);

    /**
     * @brief Get the limit.
     * @return packets
     */
    QueueSize GetLimit() const;

    /**
     * @brief Set the bands of the priorities.
     * @param priomap sixteen numbers from 0 to 2, separated by blanks
     */
    void SetPriomap(std::string priomap);

    /**
     * @brief Get the bands of the priorities.
     * @return sixteen numbers
     */
    std::string GetPriomap() const;

    /**
     * @brief Set the weights of the bands.
     * @param weights three numbers of bytes, separated by blanks
     */
    void SetWeights(std::string weights);

    /**
     * @brief Get the weights of the bands.
     * @return three numbers of bytes
     */
    std::string GetWeights() const;

    // Attributes
    LinuxModel m_model{LINUX_6_1};     ///< kernel to follow
    uint32_t m_linkHeaderSize{0};      ///< bytes added to the length of every packet
    uint32_t m_limit{10000};           ///< packets
    uint32_t m_flowLimit{100};         ///< packets per flow
    uint32_t m_quantum{0};             ///< bytes, 0: twice the frame
    int64_t m_initialQuantum{-1};      ///< bytes, -1: ten times the frame
    DataRate m_maxRate{0};             ///< rate limit of a flow, 0: none
    DataRate m_defaultRate{0};         ///< rate of sockets without one
    uint32_t m_buckets{1024};          ///< size of Linux's hash table
    uint32_t m_orphanMask{1023};       ///< mask of the hash of packets without socket
    bool m_pacing{true};               ///< whether rates delay packets
    Time m_refillDelay;                ///< idle time that refills the credit
    DataRate m_lowRateThreshold{0};    ///< rate up to which each packet is paced
    Time m_ceThreshold;                ///< lateness that marks
    Time m_timerSlack;                 ///< lateness of the timer, negative: exact
    Time m_horizon;                    ///< how far ahead departure times may lie
    bool m_horizonDrop{true};          ///< drop beyond the horizon, else cap
    Time m_offloadHorizon;             ///< how early the device takes packets
    std::array<uint8_t, 16> m_priomap; ///< band of each priority
    std::array<uint32_t, linuxtcp::FAIR_QUEUE_BANDS> m_weights; ///< bytes per round of the bands

    // State
    linuxtcp::FairQueue m_scheduler; ///< the scheduler
    Ptr<FqItemQueue> m_store;        ///< the packets
    std::vector<Slot> m_slots;       ///< what is kept, by number of the packet
    /// packets likely to leave soon, of which the slot and the place in the store are fetched
    std::array<linuxtcp::FairQueue::PacketId, 2> m_ahead{linuxtcp::FairQueue::NO_PACKET,
                                                         linuxtcp::FairQueue::NO_PACKET};
    bool m_started{false};               ///< whether the parameters are in force
    Ptr<Node> m_node;                    ///< node that the queue disc belongs to
    uint32_t m_nodeId{0};                ///< its number
    Ptr<PacingRegistry> m_registry;      ///< knows the sockets of the node
    EventId m_watchdog;                  ///< pending event of the timer
    int64_t m_watchdogTime{0};           ///< when the first waiting flow may go (ns)
    uint32_t m_horizonDropsInRow{0};     ///< packets dropped beyond the horizon, none taken between
    bool m_warnedFlowLimit{false};       ///< whether the flow limit was warned of
    bool m_warnedHorizon{false};         ///< whether the horizon was warned of
    std::vector<std::string> m_warnings; ///< the warnings
    TracedCallback<const std::string&> m_warningTrace; ///< fired with each warning
};

} // namespace ns3

#endif /* FQ_QUEUE_DISC_H */
