/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_FAIR_QUEUE_REFERENCE_H
#define LINUX_TCP_FAIR_QUEUE_REFERENCE_H

#include "fair-queue.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

/**
 * @ingroup linux-tcp-tests
 * @brief The description of fq written down as plainly as can be, to compare FairQueue with.
 *
 * Flows lie in a map by key, packets in lists, waiting flows in a multimap; whatever can be found
 * by looking through everything is not remembered. Packets are known by the serial numbers that
 * the caller gives.
 */
class FairQueueReference
{
  public:
    /// Reads the rate of the socket of a packet (bytes/s)
    typedef std::function<uint64_t(uint64_t serial)> Rate;

    /// A packet
    struct Packet
    {
        uint64_t serial;                   ///< number given by the caller
        ns3::linuxtcp::FairQueuePacket as; ///< what is known of it
        int64_t sendTime;                  ///< earliest departure (ns)
        bool stamped;                      ///< has a departure time
        bool usesSocket;                   ///< the rate of its socket counts
        uint32_t band;                     ///< its band
    };

    /// Where a flow is
    enum class Where
    {
        DETACHED,
        NEW,
        OLD,
        THROTTLED
    };

    /// A flow
    struct Flow
    {
        std::list<Packet> fifo;       ///< in order of arrival, send times never decrease
        std::list<Packet> tree;       ///< the others, in order of send time
        int64_t credit{0};            ///< bytes
        int64_t nextTime{0};          ///< earliest next departure (ns)
        uint64_t part{0};             ///< bytes sent of a burst that goes on
        int64_t age{0};               ///< when it was detached (ns)
        uint64_t turn{0};             ///< counts detachments, for equal ages
        uint32_t connection{0};       ///< connection of its socket
        uint32_t band{0};             ///< band of its last packet
        Where where{Where::DETACHED}; ///< where it is

        /**
         * @brief Packets held.
         * @return their number
         */
        std::size_t Length() const
        {
            return fifo.size() + tree.size();
        }

        /**
         * @brief The list whose first packet is next.
         * @return the list; its first packet is the next one
         */
        std::list<Packet>* Next()
        {
            if (fifo.empty() && tree.empty())
            {
                return nullptr;
            }
            if (tree.empty())
            {
                return &fifo;
            }
            if (fifo.empty() || tree.front().sendTime < fifo.front().sendTime)
            {
                return &tree;
            }
            return &fifo;
        }
    };

    /// Result of Dequeue()
    struct Result
    {
        std::optional<Packet> packet;         ///< what leaves
        bool mark{false};                     ///< it is late
        int64_t wakeUp{ns3::linuxtcp::NEVER}; ///< when to ask again (ns)
        int64_t flowKey{-1}; ///< flow it came from, -1 for the one that bypasses all
    };

    /**
     * @brief Constructor
     * @param parameters the parameters
     */
    explicit FairQueueReference(const ns3::linuxtcp::FairQueueParameters& parameters)
        : m_p(parameters)
    {
    }

    /**
     * @brief Take a packet in.
     * @param packet what is known of it
     * @param serial its number
     * @param now the clock (ns)
     * @return what became of it
     */
    ns3::linuxtcp::FairQueue::Verdict Enqueue(const ns3::linuxtcp::FairQueuePacket& packet,
                                              uint64_t serial,
                                              int64_t now)
    {
        using namespace ns3::linuxtcp;
        Packet p{serial, packet, now, false, false, 0};
        const uint32_t priority = packet.priority % 16;
        p.band = Is(FairQueueModel::LINUX_6_7) ? m_p.priomap[priority] : 0;

        // 1. limit
        if (Is(FairQueueModel::LINUX_6_7) ? m_s.bandPackets[p.band] >= m_p.limit
                                          : m_s.packets >= m_p.limit)
        {
            m_s.droppedPackets++;
            m_s.limitDrops++;
            if (Is(FairQueueModel::LINUX_6_7))
            {
                m_s.bandDrops[p.band]++;
            }
            return FairQueue::Verdict::LIMIT;
        }
        // 2. send time
        if (Is(FairQueueModel::LINUX_6_1) && packet.departure > 0)
        {
            p.stamped = true;
            p.sendTime = packet.departure;
            if (p.sendTime > now + m_p.horizon)
            {
                if (m_p.horizonDrop)
                {
                    m_s.droppedPackets++;
                    m_s.horizonDrops++;
                    return FairQueue::Verdict::HORIZON;
                }
                m_s.horizonCaps++;
                p.sendTime = now + m_p.horizon;
            }
        }
        // 3. classification
        Flow* flow = nullptr;
        if (Is(FairQueueModel::LINUX_6_7) && FastPath(p, now))
        {
            m_s.fastPathPackets++;
            flow = &m_internal;
        }
        else if (!Is(FairQueueModel::LINUX_6_7) &&
                 (priority == 7 || (priority == 6 && !Is(FairQueueModel::LINUX_3_13))))
        {
            flow = &m_internal;
        }
        else
        {
            flow = Classify(p, now);
        }
        // 4. flow limit
        if (flow != &m_internal && flow->Length() >= m_p.flowLimit)
        {
            m_s.droppedPackets++;
            m_s.flowLimitDrops++;
            return FairQueue::Verdict::FLOW_LIMIT;
        }
        // 6. list
        if (flow != &m_internal && flow->where == Where::DETACHED)
        {
            flow->where = Where::NEW;
            m_new[flow->band].push_back(flow);
            if (!Is(FairQueueModel::LINUX_3_13) || now > flow->age + m_p.refillDelay)
            {
                flow->credit = std::max<int64_t>(flow->credit, m_p.quantum);
            }
        }
        flow->band = p.band;
        // 7. order
        if (flow->fifo.empty() || !Is(FairQueueModel::LINUX_6_1) ||
            p.sendTime >= flow->fifo.back().sendTime)
        {
            flow->fifo.push_back(p);
        }
        else
        {
            auto place = flow->tree.begin();
            while (place != flow->tree.end() && place->sendTime <= p.sendTime)
            {
                place++;
            }
            flow->tree.insert(place, p);
        }
        if (flow == &m_internal && !Is(FairQueueModel::LINUX_6_7))
        {
            m_s.controlPackets++;
        }
        m_s.packets++;
        m_s.bytes += packet.length;
        m_s.bandPackets[p.band]++;
        return FairQueue::Verdict::QUEUED;
    }

    /**
     * @brief Give out the next packet.
     * @param now the clock (ns)
     * @param rate reads rates
     * @return the packet, or when to ask again
     */
    Result Dequeue(int64_t now, const Rate& rate)
    {
        Result result = Next(now, rate);
        if (result.packet)
        {
            m_s.sentPackets++;
            m_s.sentBytes += result.packet->as.length;
        }
        return result;
    }

    /**
     * @brief Change parameters.
     * @param parameters the parameters
     * @param now the clock (ns)
     * @param rate reads rates
     * @return serial numbers of the packets dropped
     */
    std::vector<uint64_t> Configure(const ns3::linuxtcp::FairQueueParameters& parameters,
                                    int64_t now,
                                    const Rate& rate)
    {
        const bool rehash = parameters.buckets != m_p.buckets;
        m_p = parameters;
        if (rehash)
        {
            Collect(now, m_flows.size());
        }
        std::vector<uint64_t> dropped;
        while (m_s.packets > m_p.limit)
        {
            Result result = Next(now, rate);
            if (!result.packet)
            {
                break;
            }
            dropped.push_back(result.packet->serial);
            m_s.droppedPackets++;
            m_s.trimDrops++;
        }
        return dropped;
    }

    /// Drop all packets and forget all flows.
    void Reset()
    {
        m_s.droppedPackets += m_s.packets;
        m_s.resetDrops += m_s.packets;
        m_s.packets = 0;
        m_s.bytes = 0;
        m_s.bandPackets = {};
        m_flows.clear();
        m_internal = Flow();
        m_delayed.clear();
        for (uint32_t band = 0; band < ns3::linuxtcp::FAIR_QUEUE_BANDS; band++)
        {
            m_new[band].clear();
            m_old[band].clear();
        }
    }

    /**
     * @brief The counters.
     * @return their values
     */
    ns3::linuxtcp::FairQueueStatistics GetStatistics() const
    {
        ns3::linuxtcp::FairQueueStatistics s = m_s;
        s.flows = static_cast<uint32_t>(m_flows.size());
        s.inactiveFlows = CountInactive();
        s.throttledFlows = static_cast<uint32_t>(m_delayed.size());
        s.nextDelayed = m_delayed.empty() ? ns3::linuxtcp::NEVER : m_delayed.begin()->first;
        return s;
    }

    /**
     * @brief Whether a packet is held that might leave now.
     * @param now the clock (ns)
     * @return true if so
     */
    bool HasEligible(int64_t now)
    {
        if (m_internal.Length() > 0)
        {
            return true;
        }
        for (auto& [key, flow] : m_flows)
        {
            const std::list<Packet>* next = flow.Next();
            if (next && flow.where != Where::THROTTLED &&
                (!Is(ns3::linuxtcp::FairQueueModel::LINUX_6_1) ||
                 next->front().sendTime <= now + Ahead()) &&
                flow.nextTime <= now + Ahead())
            {
                return true;
            }
            if (flow.where == Where::THROTTLED && flow.nextTime <= now + Ahead())
            {
                return true;
            }
        }
        return false;
    }

    /**
     * @brief Earliest send time held in a flow.
     * @param key key of the flow, -1 for the one that bypasses all
     * @return the time (ns), NEVER if there is none
     */
    int64_t EarliestOf(int64_t key)
    {
        Flow* flow = &m_internal;
        if (key >= 0)
        {
            auto it = m_flows.find(static_cast<uint64_t>(key));
            if (it == m_flows.end())
            {
                return ns3::linuxtcp::NEVER;
            }
            flow = &it->second;
        }
        int64_t earliest = ns3::linuxtcp::NEVER;
        for (const auto* list : {&flow->fifo, &flow->tree})
        {
            for (const Packet& packet : *list)
            {
                earliest = std::min(earliest, packet.sendTime);
            }
        }
        return earliest;
    }

  private:
    /**
     * @brief Whether the model is that of a kernel or a later one.
     * @param model the kernel
     * @return true if so
     */
    bool Is(ns3::linuxtcp::FairQueueModel model) const
    {
        return m_p.model >= model;
    }

    /**
     * @brief How early packets may leave.
     * @return the time (ns)
     */
    int64_t Ahead() const
    {
        return Is(ns3::linuxtcp::FairQueueModel::LINUX_6_13) ? m_p.offloadHorizon : 0;
    }

    /**
     * @brief Count inactive flows.
     * @return their number
     */
    uint32_t CountInactive() const
    {
        uint32_t count = 0;
        for (const auto& [key, flow] : m_flows)
        {
            count += Is(ns3::linuxtcp::FairQueueModel::LINUX_6_7) ? flow.Length() == 0
                                                                  : flow.where == Where::DETACHED;
        }
        return count;
    }

    /**
     * @brief Whether a packet may bypass the flows.
     * @param p the packet
     * @param now the clock (ns)
     * @return true if so
     */
    bool FastPath(const Packet& p, int64_t now) const
    {
        if (p.sendTime > now + Ahead() || p.as.rateLimitedNotTcp ||
            m_p.maxRate != ns3::linuxtcp::UNLIMITED_RATE)
        {
            return false;
        }
        if (m_s.packets == 0)
        {
            return true;
        }
        for (const auto& [key, flow] : m_flows)
        {
            if (flow.Length() > 0 && flow.where != Where::THROTTLED)
            {
                return false;
            }
        }
        if (m_internal.Length() >= 8)
        {
            return false;
        }
        return !Is(ns3::linuxtcp::FairQueueModel::LINUX_6_13) || m_delayed.empty() ||
               m_delayed.begin()->first > now + Ahead();
    }

    /**
     * @brief Flow of a packet.
     * @param p the packet
     * @param now the clock (ns)
     * @return the flow
     */
    Flow* Classify(Packet& p, int64_t now)
    {
        using namespace ns3::linuxtcp;
        bool orphan = false;
        switch (p.as.owner)
        {
        case PacketOwner::NONE:
        case PacketOwner::REQUEST:
            orphan = true;
            break;
        case PacketOwner::UNCONNECTED:
            orphan = Is(FairQueueModel::LINUX_6_1);
            p.usesSocket = true;
            break;
        case PacketOwner::TIME_WAIT:
            orphan = Is(FairQueueModel::LINUX_6_13);
            break;
        case PacketOwner::CONNECTED:
            p.usesSocket = true;
            break;
        }
        uint64_t key = 2 * p.as.socket;
        if (orphan)
        {
            key = Is(FairQueueModel::LINUX_4_0) ? 2 * uint64_t(p.as.hash & m_p.orphanMask) + 1
                                                : uint64_t(p.as.hash | 1);
        }
        if (Is(FairQueueModel::LINUX_6_7) ||
            (m_flows.size() >= 2 * uint64_t(m_p.buckets) && CountInactive() > m_flows.size() / 2))
        {
            Collect(now, 8);
        }
        auto it = m_flows.find(key);
        if (it == m_flows.end())
        {
            if (m_flows.size() >= m_p.maximumFlows)
            {
                m_s.allocationErrors++;
                return &m_internal;
            }
            Flow& flow = m_flows[key];
            flow.credit = m_p.initialQuantum;
            flow.age = now;
            flow.turn = m_turn++;
            flow.connection = p.as.connection;
            return &flow;
        }
        Flow& flow = it->second;
        if (!orphan && flow.connection != p.as.connection)
        {
            flow.connection = p.as.connection;
            flow.credit = m_p.initialQuantum;
            if (Is(FairQueueModel::LINUX_4_0))
            {
                if (flow.where == Where::THROTTLED)
                {
                    for (auto waiting = m_delayed.begin(); waiting != m_delayed.end(); waiting++)
                    {
                        if (waiting->second == &flow)
                        {
                            m_delayed.erase(waiting);
                            break;
                        }
                    }
                    ToOld(flow);
                }
                flow.nextTime = 0;
            }
        }
        return &flow;
    }

    /**
     * @brief Forget idle flows.
     * @param now the clock (ns)
     * @param maximum how many at most
     */
    void Collect(int64_t now, std::size_t maximum)
    {
        std::vector<std::pair<std::pair<int64_t, uint64_t>, uint64_t>> idle;
        for (const auto& [key, flow] : m_flows)
        {
            if (flow.where == Where::DETACHED && now > flow.age + 3000000000)
            {
                idle.push_back({{flow.age, flow.turn}, key});
            }
        }
        std::sort(idle.begin(), idle.end());
        for (std::size_t i = 0; i < std::min(maximum, idle.size()); i++)
        {
            m_flows.erase(idle[i].second);
            m_s.collectedFlows++;
        }
    }

    /**
     * @brief Append a flow to the old ones.
     * @param flow the flow
     */
    void ToOld(Flow& flow)
    {
        flow.where = Where::OLD;
        m_old[flow.band].push_back(&flow);
    }

    /**
     * @brief Release the flows that are due.
     * @param now the clock (ns)
     */
    void ReleaseDue(int64_t now)
    {
        using namespace ns3::linuxtcp;
        if (m_delayed.empty() || m_delayed.begin()->first > now + Ahead())
        {
            return;
        }
        const int64_t late = now - m_delayed.begin()->first;
        if (Is(FairQueueModel::LINUX_4_9) && (late > 0 || !Is(FairQueueModel::LINUX_6_13)))
        {
            m_s.latencyNs = m_s.latencyNs - m_s.latencyNs / 8 + late / 8;
        }
        while (!m_delayed.empty() && m_delayed.begin()->first <= now + Ahead())
        {
            Flow* flow = m_delayed.begin()->second;
            m_delayed.erase(m_delayed.begin());
            ToOld(*flow);
        }
    }

    /**
     * @brief Whether a band has flows in its lists.
     * @param band the band
     * @return true if so
     */
    bool HasFlows(uint32_t band) const
    {
        return !m_new[band].empty() || !m_old[band].empty();
    }

    /**
     * @brief Move on to a band that may send.
     * @return false if there is none
     */
    bool SelectBand()
    {
        using namespace ns3::linuxtcp;
        if (!Is(FairQueueModel::LINUX_6_7))
        {
            return HasFlows(0);
        }
        int tries = 0;
        while (!(m_bandCredit[m_band] > 0 && HasFlows(m_band)))
        {
            do
            {
                if (++tries > 3)
                {
                    return false;
                }
                m_band = (m_band + 1) % 3;
                const int64_t weight = m_p.weights[m_band];
                m_bandCredit[m_band] = std::min(m_bandCredit[m_band] + weight, weight);
                if (m_bandCredit[m_band] <= 0)
                {
                    tries = 0;
                }
            } while (m_bandCredit[m_band] <= 0);
        }
        return true;
    }

    /**
     * @brief Take out the next packet.
     * @param now the clock (ns)
     * @param rate reads rates
     * @return the packet, or when to ask again
     */
    Result Next(int64_t now, const Rate& rate)
    {
        using namespace ns3::linuxtcp;
        Result result;
        if (m_s.packets == 0 && Is(FairQueueModel::LINUX_6_1))
        {
            return result;
        }
        if (auto* list = m_internal.Next())
        {
            result.packet = list->front();
            list->pop_front();
            Forget(*result.packet);
            return result;
        }
        ReleaseDue(now);
        while (SelectBand())
        {
            const bool isNew = !m_new[m_band].empty();
            std::list<Flow*>& flows = isNew ? m_new[m_band] : m_old[m_band];
            Flow& flow = *flows.front();
            if (flow.credit <= 0)
            {
                flow.credit += m_p.quantum;
                flows.pop_front();
                ToOld(flow);
                continue;
            }
            std::list<Packet>* list = flow.Next();
            if (!list)
            {
                flows.pop_front();
                if (isNew && (Is(FairQueueModel::LINUX_6_7) || !m_old[m_band].empty()))
                {
                    ToOld(flow);
                }
                else
                {
                    flow.where = Where::DETACHED;
                    flow.age = now;
                    flow.turn = m_turn++;
                }
                continue;
            }
            const Packet packet = list->front();
            const bool old = !Is(FairQueueModel::LINUX_6_1);
            const bool exempt = old && Is(FairQueueModel::LINUX_4_0) && packet.as.pureAck;
            const int64_t time = old ? flow.nextTime : std::max(packet.sendTime, flow.nextTime);
            if (now + Ahead() < time && !exempt)
            {
                flows.pop_front();
                flow.nextTime = time;
                flow.where = Where::THROTTLED;
                m_delayed.emplace(time, &flow);
                m_s.throttled++;
                continue;
            }
            if (!old && m_p.ceThreshold != NEVER && now - time > m_p.ceThreshold)
            {
                result.mark = true;
                m_s.ceMarks++;
            }
            list->pop_front();
            Forget(packet);
            m_bandCredit[m_band] -= packet.as.length;
            // A burst counts when its last packet has left, or 1 MiB of it.
            flow.part += packet.as.length;
            if (!packet.as.continues || flow.part > 1048576)
            {
                flow.credit -= static_cast<int64_t>(flow.part);
                Pace(flow, packet, flow.part, now, exempt, rate);
                flow.part = 0;
            }
            result.packet = packet;
            for (const auto& [key, candidate] : m_flows)
            {
                if (&candidate == &flow)
                {
                    result.flowKey = static_cast<int64_t>(key);
                }
            }
            return result;
        }
        result.wakeUp = m_delayed.empty() ? NEVER : m_delayed.begin()->first;
        return result;
    }

    /**
     * @brief Take a packet out of the backlog.
     * @param packet the packet
     */
    void Forget(const Packet& packet)
    {
        m_s.packets--;
        m_s.bytes -= packet.as.length;
        m_s.bandPackets[packet.band]--;
    }

    /**
     * @brief Pacing after a departure.
     * @param flow the flow
     * @param packet what left
     * @param plen its length, or that of the burst that it ends (bytes)
     * @param now the clock (ns)
     * @param exempt whether the packet is exempt
     * @param rate reads rates
     */
    void Pace(Flow& flow,
              const Packet& packet,
              uint64_t plen,
              int64_t now,
              bool exempt,
              const Rate& rate)
    {
        using namespace ns3::linuxtcp;
        if (!Is(FairQueueModel::LINUX_4_0))
        {
            flow.nextTime = now;
        }
        if (!m_p.pacing || exempt)
        {
            return;
        }
        uint64_t r = m_p.maxRate;
        if (!Is(FairQueueModel::LINUX_3_13))
        {
            // First version: sockets only, true length.
            if (!packet.usesSocket || flow.credit > 0)
            {
                return;
            }
            uint64_t s = rate(packet.serial);
            if (s == 0 || s == UNLIMITED_RATE)
            {
                s = m_p.defaultRate > 0 ? m_p.defaultRate : UNLIMITED_RATE;
            }
            r = std::min(r, s);
        }
        else if (!packet.stamped)
        {
            r = std::min(r, packet.usesSocket ? rate(packet.serial) : UNLIMITED_RATE);
            if (Is(FairQueueModel::LINUX_4_9) && r <= m_p.lowRateThreshold)
            {
                flow.credit = 0;
            }
            else
            {
                plen = std::max<uint64_t>(plen, m_p.quantum);
                if (flow.credit > 0)
                {
                    return;
                }
            }
        }
        if (r == UNLIMITED_RATE)
        {
            return;
        }
        int64_t d = static_cast<int64_t>(r == 0 ? plen * 1000000000 : plen * 1000000000 / r);
        const int64_t cap = Is(FairQueueModel::LINUX_4_0) ? 1000000000 : 125000000;
        if (d > cap)
        {
            d = cap;
            m_s.tooLongDelays++;
        }
        if (Is(FairQueueModel::LINUX_4_9) && flow.nextTime != 0)
        {
            d -= std::min(d / 2, std::max<int64_t>(now - flow.nextTime, 0));
        }
        flow.nextTime = now + d;
    }

    ns3::linuxtcp::FairQueueParameters m_p;  ///< the parameters
    ns3::linuxtcp::FairQueueStatistics m_s;  ///< the counters that are counted
    std::map<uint64_t, Flow> m_flows;        ///< the flows by key
    Flow m_internal;                         ///< the flow that bypasses all
    std::list<Flow*> m_new[3];               ///< new flows by band
    std::list<Flow*> m_old[3];               ///< old flows by band
    std::multimap<int64_t, Flow*> m_delayed; ///< flows that wait, by time
    uint32_t m_band{0};                      ///< current band
    int64_t m_bandCredit[3]{0, 0, 0};        ///< credit of the bands (bytes)
    uint64_t m_turn{0};                      ///< counts detachments
};

#endif /* LINUX_TCP_FAIR_QUEUE_REFERENCE_H */
