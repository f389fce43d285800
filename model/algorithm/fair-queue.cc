/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fair-queue.h"

#include <algorithm>
#include <new>
#include <stdexcept>

namespace ns3
{
namespace linuxtcp
{

namespace
{

constexpr int64_t NS_PER_SECOND = 1000000000;      ///< nanoseconds in a second
constexpr int64_t COLLECT_AGE = 3 * NS_PER_SECOND; ///< idle time of a flow to forget (ns)
constexpr uint32_t COLLECT_MAXIMUM = 8;            ///< flows forgotten per look-up
constexpr uint32_t MAXIMUM_QUANTUM = 1U << 20;     ///< largest quantum (bytes)
constexpr uint32_t MAXIMUM_INITIAL = 0x7fffffff;   ///< largest initial quantum (bytes)
constexpr uint32_t MAXIMUM_BUCKETS = 1U << 18;     ///< largest number of buckets
constexpr uint32_t MINIMUM_WEIGHT = 1U << 14;      ///< smallest weight of a band (bytes)
constexpr uint32_t FAST_PATH_MAXIMUM = 8;          ///< packets that may wait in the fast path
constexpr uint32_t LOOK_AHEAD = 4;                 ///< flows ahead whose records are fetched
constexpr uint16_t PRIORITY_6 = 1U << 6;           ///< bit of priority 6 (interactive traffic)
constexpr uint16_t PRIORITY_7 = 1U << 7;           ///< bit of priority 7 (control traffic)

/**
 * @brief Sentence about a parameter that breaks its rule.
 * @param name the parameter
 * @param value its value
 * @param allowed what is allowed
 * @return the sentence
 */
std::string
Complain(const std::string& name, const std::string& value, const std::string& allowed)
{
    return name + " " + value + " is not allowed: it must be " + allowed;
}

} // namespace

std::string
FairQueueParameters::Validate() const
{
    if (quantum == 0 || quantum > MAXIMUM_QUANTUM)
    {
        return Complain("quantum", std::to_string(quantum), "1 to 1048576 bytes");
    }
    if (initialQuantum > MAXIMUM_INITIAL)
    {
        return Complain("initial_quantum", std::to_string(initialQuantum), "0 to 2147483647 bytes");
    }
    if (buckets < 2 || buckets > MAXIMUM_BUCKETS || (buckets & (buckets - 1)) != 0)
    {
        return Complain("buckets", std::to_string(buckets), "a power of two from 2 to 262144");
    }
    for (std::size_t priority = 0; priority < priomap.size(); priority++)
    {
        if (priomap[priority] >= FAIR_QUEUE_BANDS)
        {
            return Complain("priomap",
                            std::to_string(priomap[priority]) + " for priority " +
                                std::to_string(priority),
                            "a band from 0 to 2");
        }
    }
    for (uint32_t weight : weights)
    {
        if (weight < MINIMUM_WEIGHT || weight > MAXIMUM_INITIAL)
        {
            return Complain("weights", std::to_string(weight), "16384 to 2147483647 bytes");
        }
    }
    const std::pair<const char*, int64_t> times[] = {{"refill_delay", refillDelay},
                                                     {"ce_threshold", ceThreshold},
                                                     {"timer_slack", timerSlack},
                                                     {"horizon", horizon},
                                                     {"offload_horizon", offloadHorizon}};
    for (const auto& [name, time] : times)
    {
        if (time < 0)
        {
            return Complain(name, std::to_string(time) + "ns", "0 or more");
        }
    }
    return "";
}

FairQueue::FairQueue(const FairQueueParameters& parameters)
    : m_parameters(parameters),
      m_rules(GetRules(parameters.model))
{
    const std::string fault = parameters.Validate();
    if (!fault.empty())
    {
        throw std::invalid_argument(fault);
    }
    m_chunks.push_back(std::make_unique<Flow[]>(CHUNK));
}

FairQueue::Rules
FairQueue::GetRules(FairQueueModel model)
{
    const auto since = [model](FairQueueModel first) { return model >= first; };
    Rules rules;
    rules.controlPriorities = since(FairQueueModel::LINUX_6_7)    ? 0
                              : since(FairQueueModel::LINUX_3_13) ? PRIORITY_7
                                                                  : PRIORITY_6 | PRIORITY_7;
    rules.masksOrphans = since(FairQueueModel::LINUX_4_0);
    rules.hashesUnconnected = since(FairQueueModel::LINUX_6_1);
    rules.timeWaitIsOrphan = since(FairQueueModel::LINUX_6_13);
    rules.reuseResetsPacing = since(FairQueueModel::LINUX_4_0);
    rules.usesDepartureTimes = since(FairQueueModel::LINUX_6_1);
    rules.skipsEmpty = since(FairQueueModel::LINUX_6_1);
    rules.exemptsPureAcks = since(FairQueueModel::LINUX_4_0) && !since(FairQueueModel::LINUX_6_1);
    rules.refillsAlways = !since(FairQueueModel::LINUX_3_13);
    rules.pacesSocketsOnly = !since(FairQueueModel::LINUX_3_13);
    rules.resetsTimeAtDeparture = !since(FairQueueModel::LINUX_4_0);
    rules.pacesLowRates = since(FairQueueModel::LINUX_4_9);
    rules.hasBands = since(FairQueueModel::LINUX_6_7);
    rules.hasOffload = since(FairQueueModel::LINUX_6_13);
    rules.maximumDelay = since(FairQueueModel::LINUX_4_0) ? NS_PER_SECOND : NS_PER_SECOND / 8;
    return rules;
}

const FairQueueParameters&
FairQueue::GetParameters() const
{
    return m_parameters;
}

void
FairQueue::Configure(const FairQueueParameters& parameters,
                     int64_t now,
                     RateSource& rates,
                     const std::function<void(PacketId)>& drop)
{
    const std::string fault = parameters.Validate();
    if (!fault.empty())
    {
        throw std::invalid_argument(fault);
    }
    if (parameters.model != m_parameters.model)
    {
        if (m_statistics.packets > 0)
        {
            throw std::invalid_argument("the model can change only while the queue is empty");
        }
        Reset(drop);
        m_rules = GetRules(parameters.model);
        m_bands = {};
        m_currentBand = 0;
    }
    const bool rehash = parameters.buckets != m_parameters.buckets;
    m_parameters = parameters;
    if (rehash)
    {
        Collect(now, std::numeric_limits<uint32_t>::max());
    }
    while (m_statistics.packets > m_parameters.limit)
    {
        const Departure departure = TakeNext(now, rates);
        if (departure.packet == NO_PACKET)
        {
            break;
        }
        m_statistics.droppedPackets++;
        m_statistics.trimDrops++;
        drop(departure.packet);
        Release(departure.packet);
    }
}

FairQueue::EnqueueResult
FairQueue::Enqueue(const FairQueuePacket& packet, int64_t now)
{
    const uint8_t band = m_rules.hasBands ? m_parameters.priomap[packet.priority & 15] : 0;
    const uint64_t present =
        m_rules.hasBands ? m_statistics.bandPackets[band] : m_statistics.packets;
    if (present >= m_parameters.limit)
    {
        m_statistics.droppedPackets++;
        m_statistics.limitDrops++;
        if (m_rules.hasBands)
        {
            m_statistics.bandDrops[band]++;
        }
        return {Verdict::LIMIT, NO_PACKET};
    }

    int64_t sendTime = now;
    const bool stamped = m_rules.usesDepartureTimes && packet.departure > 0;
    if (stamped)
    {
        sendTime = packet.departure;
        if (sendTime > now && sendTime - now > m_parameters.horizon)
        {
            if (m_parameters.horizonDrop)
            {
                m_statistics.droppedPackets++;
                m_statistics.horizonDrops++;
                return {Verdict::HORIZON, NO_PACKET};
            }
            m_statistics.horizonCaps++;
            sendTime = now + m_parameters.horizon;
        }
    }

    bool usesSocket = false;
    uint32_t flowId = INTERNAL;
    if (m_rules.hasBands && IsFastPath(packet, sendTime, now))
    {
        m_statistics.fastPathPackets++;
    }
    else if (((m_rules.controlPriorities >> (packet.priority & 15)) & 1) == 0)
    {
        flowId = Classify(packet, now, usesSocket);
    }
    Flow& flow = GetFlow(flowId);

    if (flowId != INTERNAL)
    {
        if (flow.length >= m_parameters.flowLimit)
        {
            m_statistics.droppedPackets++;
            m_statistics.flowLimitDrops++;
            return {Verdict::FLOW_LIMIT, NO_PACKET};
        }
    }

    // The record of the packet.
    PacketId id = m_freePacket;
    if (id == NO_PACKET)
    {
        id = static_cast<PacketId>(m_store.size());
        m_store.emplace_back();
    }
    else
    {
        m_freePacket = m_store[id].next;
    }
    Packet& record = m_store[id];
    record.sendTime = sendTime;
    record.length = packet.length;
    record.next = NONE;
    record.child = NONE;
    record.band = band;
    record.flags = (stamped ? STAMPED : 0) | (usesSocket ? SOCKET : 0) |
                   (packet.pureAck ? PURE_ACK : 0) | (packet.continues ? CONTINUES : 0);

    if (flowId != INTERNAL)
    {
        if (m_rules.hasBands && flow.length == 0)
        {
            m_statistics.inactiveFlows--;
        }
        if (flow.state == FlowState::DETACHED)
        {
            if (!m_rules.hasBands)
            {
                m_statistics.inactiveFlows--;
            }
            // From 6.7 on, the band of the packet before this one decides.
            Append(m_bands[flow.band].newFlows, flowId, FlowState::NEW);
            if (m_rules.refillsAlways || now - flow.age > m_parameters.refillDelay)
            {
                flow.credit = std::max(flow.credit, static_cast<int32_t>(m_parameters.quantum));
            }
        }
        flow.band = band;
    }
    else if (!m_rules.hasBands)
    {
        m_statistics.controlPackets++;
    }
    Insert(flow, id);
    flow.length++;
    m_statistics.packets++;
    m_statistics.bytes += packet.length;
    m_statistics.bandPackets[band]++;
    return {Verdict::QUEUED, id};
}

bool
FairQueue::IsFastPath(const FairQueuePacket& packet, int64_t sendTime, int64_t now) const
{
    const int64_t ahead = m_rules.hasOffload ? m_parameters.offloadHorizon : 0;
    if (sendTime > now && sendTime - now > ahead)
    {
        return false;
    }
    if (m_statistics.packets > 0)
    {
        if (m_statistics.flows != m_statistics.inactiveFlows + m_statistics.throttledFlows ||
            GetFlow(INTERNAL).length >= FAST_PATH_MAXIMUM)
        {
            return false;
        }
        if (m_rules.hasOffload && !m_delayed.IsEmpty() && m_delayed.GetFirst().time - now <= ahead)
        {
            return false;
        }
    }
    return !packet.rateLimitedNotTcp && m_parameters.maxRate == UNLIMITED_RATE;
}

uint32_t
FairQueue::Classify(const FairQueuePacket& packet, int64_t now, bool& usesSocket)
{
    PacketOwner owner = packet.owner;
    usesSocket = owner == PacketOwner::CONNECTED || owner == PacketOwner::UNCONNECTED;
    bool isOrphan = owner == PacketOwner::NONE || owner == PacketOwner::REQUEST;
    if (owner == PacketOwner::TIME_WAIT)
    {
        isOrphan = m_rules.timeWaitIsOrphan;
    }
    else if (owner == PacketOwner::UNCONNECTED)
    {
        isOrphan = m_rules.hashesUnconnected;
    }

    // Keys of sockets are even, those of orphans odd.
    uint64_t key = packet.socket << 1;
    if (isOrphan)
    {
        key = m_rules.masksOrphans
                  ? (static_cast<uint64_t>(packet.hash & m_parameters.orphanMask) << 1) | 1
                  : packet.hash | 1;
    }

    if (m_rules.hasBands || (m_statistics.flows >= 2 * m_parameters.buckets &&
                             m_statistics.inactiveFlows > m_statistics.flows / 2))
    {
        Collect(now, COLLECT_MAXIMUM);
    }

    const uint32_t hash = KeyIndex::Hash(key);
    uint32_t flow =
        m_index.Find(hash, [this, key](uint32_t number) { return GetFlow(number).key == key; });
    if (flow != NONE)
    {
        if (!isOrphan && GetFlow(flow).connection != packet.connection)
        {
            Reassign(flow, packet.connection);
        }
        return flow;
    }
    flow = CreateFlow(key, hash, now);
    if (flow == NONE)
    {
        m_statistics.allocationErrors++;
        return INTERNAL;
    }
    GetFlow(flow).connection = isOrphan ? 0 : packet.connection;
    return flow;
}

uint32_t
FairQueue::CreateFlow(uint64_t key, uint32_t hash, int64_t now)
{
    if (m_statistics.flows >= m_parameters.maximumFlows)
    {
        return NONE;
    }
    try
    {
        if (m_freeFlow == NONE && m_usedFlows / CHUNK >= m_chunks.size())
        {
            m_chunks.push_back(std::make_unique<Flow[]>(CHUNK));
        }
        const uint32_t number = m_freeFlow != NONE ? m_freeFlow : m_usedFlows;
        m_index.Insert(hash, number);
    }
    catch (const std::bad_alloc&)
    {
        return NONE;
    }
    uint32_t number;
    if (m_freeFlow != NONE)
    {
        number = m_freeFlow;
        m_freeFlow = GetFlow(number).next;
    }
    else
    {
        number = m_usedFlows++;
    }
    Flow& flow = GetFlow(number);
    flow = Flow();
    flow.key = key;
    Detach(number, now);
    flow.credit = static_cast<int32_t>(m_parameters.initialQuantum);
    m_statistics.flows++;
    m_statistics.inactiveFlows++;
    return number;
}

void
FairQueue::Collect(int64_t now, uint32_t maximum)
{
    while (maximum > 0 && !m_detached.empty())
    {
        const Detached oldest = m_detached.front();
        if (now - oldest.age <= COLLECT_AGE)
        {
            break; // all others are younger
        }
        m_detached.pop_front();
        if (!IsCurrent(oldest))
        {
            continue;
        }
        Flow& flow = GetFlow(oldest.flow);
        m_index.Erase(KeyIndex::Hash(flow.key), oldest.flow);
        flow.detachment = 0;
        flow.next = m_freeFlow;
        m_freeFlow = oldest.flow;
        m_statistics.flows--;
        m_statistics.inactiveFlows--;
        m_statistics.collectedFlows++;
        maximum--;
    }
}

void
FairQueue::Reassign(uint32_t number, uint32_t connection)
{
    Flow& flow = GetFlow(number);
    flow.credit = static_cast<int32_t>(m_parameters.initialQuantum);
    flow.connection = connection;
    if (m_rules.reuseResetsPacing)
    {
        if (flow.state == FlowState::THROTTLED)
        {
            m_delayed.Remove(flow.nextTime, number);
            m_statistics.throttledFlows--;
            AppendOld(number);
        }
        flow.nextTime = 0;
    }
}

void
FairQueue::Append(FlowList& list, uint32_t number, FlowState state)
{
    Flow& flow = GetFlow(number);
    flow.state = state;
    flow.next = NONE;
    if (list.head == NONE)
    {
        list.head = number;
    }
    else
    {
        GetFlow(list.tail).next = number;
    }
    list.tail = number;
}

void
FairQueue::AppendOld(uint32_t number)
{
    Append(m_bands[GetFlow(number).band].oldFlows, number, FlowState::OLD);
}

void
FairQueue::RemoveHead(FlowList& list)
{
    list.head = GetFlow(list.head).next;
}

void
FairQueue::Detach(uint32_t number, int64_t now)
{
    // Entries that are not true any more are cleared away once they are the most.
    if (m_detached.size() > 2 * static_cast<std::size_t>(m_statistics.flows) + CHUNK)
    {
        m_detached.erase(
            std::remove_if(m_detached.begin(),
                           m_detached.end(),
                           [this](const Detached& detached) { return !IsCurrent(detached); }),
            m_detached.end());
    }
    Flow& flow = GetFlow(number);
    flow.state = FlowState::DETACHED;
    flow.age = now;
    flow.detachment = ++m_detachments;
    m_detached.push_back({now, number, flow.detachment});
}

bool
FairQueue::IsCurrent(const Detached& detached) const
{
    const Flow& flow = GetFlow(detached.flow);
    return flow.state == FlowState::DETACHED && flow.detachment == detached.detachment;
}

void
FairQueue::Insert(Flow& flow, PacketId id)
{
    if (flow.fifoHead == NONE)
    {
        flow.fifoHead = id;
        flow.fifoTail = id;
        return;
    }
    Packet& record = m_store[id];
    Packet& last = m_store[flow.fifoTail];
    if (!m_rules.usesDepartureTimes || record.sendTime >= last.sendTime)
    {
        last.next = id;
        flow.fifoTail = id;
        return;
    }
    record.order = m_nextOrder++;
    flow.tree = Meld(id, flow.tree);
}

FairQueue::PacketId
FairQueue::Peek(const Flow& flow) const
{
    if (flow.tree == NONE)
    {
        return flow.fifoHead;
    }
    if (flow.fifoHead == NONE || m_store[flow.tree].sendTime < m_store[flow.fifoHead].sendTime)
    {
        return flow.tree;
    }
    return flow.fifoHead;
}

FairQueue::PacketId
FairQueue::Meld(PacketId a, PacketId b)
{
    if (b == NONE)
    {
        return a;
    }
    const Packet& first = m_store[a];
    const Packet& second = m_store[b];
    if (second.sendTime < first.sendTime ||
        (second.sendTime == first.sendTime && second.order < first.order))
    {
        std::swap(a, b);
    }
    m_store[b].next = m_store[a].child;
    m_store[a].child = b;
    return a;
}

void
FairQueue::Take(Flow& flow, PacketId id)
{
    Packet& record = m_store[id];
    if (id == flow.fifoHead)
    {
        flow.fifoHead = record.next;
    }
    else
    {
        // The first of a pairing heap: join its children two by two, then all of these.
        PacketId pairs = NONE;
        PacketId child = record.child;
        while (child != NONE)
        {
            const PacketId partner = m_store[child].next;
            const PacketId following = partner == NONE ? NONE : m_store[partner].next;
            m_store[child].next = NONE;
            if (partner != NONE)
            {
                m_store[partner].next = NONE;
            }
            const PacketId pair = Meld(child, partner);
            m_store[pair].next = pairs;
            pairs = pair;
            child = following;
        }
        PacketId root = NONE;
        while (pairs != NONE)
        {
            const PacketId following = m_store[pairs].next;
            m_store[pairs].next = NONE;
            root = Meld(pairs, root);
            pairs = following;
        }
        flow.tree = root;
    }
    flow.length--;
    m_statistics.packets--;
    m_statistics.bytes -= record.length;
    m_statistics.bandPackets[record.band]--;
}

void
FairQueue::Release(PacketId id)
{
    m_store[id].next = m_freePacket;
    m_freePacket = id;
}

void
FairQueue::ReleaseDue(int64_t now)
{
    if (m_delayed.IsEmpty())
    {
        return;
    }
    const int64_t ahead = m_rules.hasOffload ? m_parameters.offloadHorizon : 0;
    const auto isDue = [now, ahead](int64_t time) { return time <= now || time - now <= ahead; };
    const int64_t first = m_delayed.GetFirst().time;
    if (!isDue(first))
    {
        return;
    }
    const int64_t lateness = std::max<int64_t>(now - first, 0);
    if (m_rules.pacesLowRates && (lateness > 0 || !m_rules.hasOffload))
    {
        uint64_t& average = m_statistics.latencyNs;
        average = average - average / 8 + static_cast<uint64_t>(lateness) / 8;
    }
    while (!m_delayed.IsEmpty() && isDue(m_delayed.GetFirst().time))
    {
        const uint32_t number = m_delayed.GetFirst().value;
        m_delayed.Pop();
        m_statistics.throttledFlows--;
        AppendOld(number);
    }
}

FairQueue::FlowList*
FairQueue::SelectList(bool& isNew)
{
    const auto select = [&isNew](Band& band) -> FlowList* {
        isNew = band.newFlows.head != NONE;
        return isNew ? &band.newFlows : band.oldFlows.head != NONE ? &band.oldFlows : nullptr;
    };
    if (!m_rules.hasBands)
    {
        return select(m_bands[0]);
    }
    uint32_t tries = 0;
    for (;;)
    {
        Band& current = m_bands[m_currentBand];
        if (current.credit > 0)
        {
            if (FlowList* list = select(current))
            {
                return list;
            }
        }
        // Go on to the next band whose round brings its credit above 0.
        for (;;)
        {
            if (++tries > FAIR_QUEUE_BANDS)
            {
                return nullptr;
            }
            m_currentBand = (m_currentBand + 1) % FAIR_QUEUE_BANDS;
            Band& band = m_bands[m_currentBand];
            const int64_t weight = m_parameters.weights[m_currentBand];
            band.credit = std::min(band.credit + weight, weight);
            if (band.credit > 0)
            {
                break;
            }
            tries = 0;
        }
    }
}

FairQueue::Departure
FairQueue::TakeNext(int64_t now, RateSource& rates)
{
    Departure departure;
    if (m_statistics.packets == 0 && m_rules.skipsEmpty)
    {
        return departure;
    }
    Flow& internal = GetFlow(INTERNAL);
    if (internal.length > 0)
    {
        departure.packet = Peek(internal);
        Take(internal, departure.packet);
        return departure;
    }
    ReleaseDue(now);
    const int64_t ahead = m_rules.hasOffload ? m_parameters.offloadHorizon : 0;
    for (;;)
    {
        bool isNew;
        FlowList* list = SelectList(isNew);
        if (list == nullptr)
        {
            departure.wakeUp = GetNextDelayed();
            return departure;
        }
        const uint32_t number = list->head;
        Flow& flow = GetFlow(number);
        if (flow.credit <= 0)
        {
            flow.credit += static_cast<int32_t>(m_parameters.quantum);
            RemoveHead(*list);
            AppendOld(number);
            continue;
        }
        const PacketId id = Peek(flow);
        if (id == NO_PACKET)
        {
            RemoveHead(*list);
            // A flow must not stay new by sending sparse packets.
            if (isNew && (m_rules.hasBands || m_bands[0].oldFlows.head != NONE))
            {
                AppendOld(number);
            }
            else
            {
                Detach(number, now);
                if (!m_rules.hasBands)
                {
                    m_statistics.inactiveFlows++;
                }
            }
            continue;
        }
        const Packet& record = m_store[id];
        const bool isExempt = m_rules.exemptsPureAcks && (record.flags & PURE_ACK) != 0;
        const int64_t time =
            m_rules.usesDepartureTimes ? std::max(record.sendTime, flow.nextTime) : flow.nextTime;
        if (time > now && time - now > ahead && !isExempt)
        {
            RemoveHead(*list);
            flow.nextTime = time;
            flow.state = FlowState::THROTTLED;
            m_delayed.Push(time, number);
            m_statistics.throttledFlows++;
            m_statistics.throttled++;
            continue;
        }
        if (m_rules.usesDepartureTimes && now > time && now - time > m_parameters.ceThreshold)
        {
            departure.mark = true;
            m_statistics.ceMarks++;
        }
        Take(flow, id);
        if (m_rules.hasBands)
        {
            if (flow.length == 0)
            {
                m_statistics.inactiveFlows++;
            }
            m_bands[m_currentBand].credit -= record.length;
        }
        departure.packet = id;
        flow.part += record.length;
        if ((record.flags & CONTINUES) == 0 || flow.part > MAXIMUM_PART)
        {
            const uint32_t length = flow.part;
            flow.part = 0;
            flow.credit -= static_cast<int32_t>(length);
            Pace(flow, id, length, now, rates);
        }
        departure.likelyNext = PrefetchAfter(flow);
        return departure;
    }
}

FairQueue::PacketId
FairQueue::PrefetchAfter(const Flow& flow) const
{
    // While the owner deals with this packet, the records of flows that follow and of their first
    // packets travel to the cache. What is read here was fetched some departures ago.
    uint32_t number = flow.next;
    uint32_t packet = NONE;
    for (uint32_t i = 0; i < LOOK_AHEAD && number != NONE; i++)
    {
        const Flow& following = GetFlow(number);
        packet = following.fifoHead;
        number = following.next;
    }
    if (number == NONE)
    {
        return PrefetchDelayed();
    }
    const Flow& last = GetFlow(number);
    if (last.next != NONE)
    {
        Prefetch(&GetFlow(last.next));
    }
    if (last.fifoHead != NONE)
    {
        Prefetch(&m_store[last.fifoHead]);
    }
    return packet;
}

FairQueue::PacketId
FairQueue::PrefetchDelayed() const
{
    const uint32_t far = m_delayed.GetUpcoming(2 * LOOK_AHEAD);
    if (far != LadderQueue::NONE)
    {
        Prefetch(&GetFlow(far));
    }
    const uint32_t near = m_delayed.GetUpcoming(LOOK_AHEAD);
    if (near == LadderQueue::NONE)
    {
        return NO_PACKET;
    }
    const PacketId packet = GetFlow(near).fifoHead;
    if (packet != NO_PACKET)
    {
        Prefetch(&m_store[packet]);
    }
    return packet;
}

void
FairQueue::Pace(Flow& flow, PacketId id, uint64_t length, int64_t now, RateSource& rates)
{
    const Packet& record = m_store[id];
    if (m_rules.resetsTimeAtDeparture)
    {
        flow.nextTime = now;
    }
    if (!m_parameters.pacing || (m_rules.exemptsPureAcks && (record.flags & PURE_ACK) != 0))
    {
        return;
    }
    uint64_t rate = m_parameters.maxRate;
    if ((record.flags & STAMPED) == 0)
    {
        // Where no low rates are paced, the rate need not be known while there is credit.
        if (flow.credit > 0 && !m_rules.pacesLowRates)
        {
            return;
        }
        const bool hasSocket = (record.flags & SOCKET) != 0;
        if (hasSocket)
        {
            uint64_t socketRate = rates.GetPacingRate(id);
            if (m_rules.pacesSocketsOnly && (socketRate == 0 || socketRate == UNLIMITED_RATE))
            {
                socketRate =
                    m_parameters.defaultRate == 0 ? UNLIMITED_RATE : m_parameters.defaultRate;
            }
            rate = std::min(rate, socketRate);
        }
        else if (m_rules.pacesSocketsOnly)
        {
            return;
        }
        if (m_rules.pacesLowRates && rate <= m_parameters.lowRateThreshold)
        {
            flow.credit = 0;
        }
        else
        {
            if (flow.credit > 0)
            {
                return;
            }
            if (!m_rules.pacesSocketsOnly)
            {
                length = std::max<uint64_t>(length, m_parameters.quantum);
            }
        }
    }
    if (rate == UNLIMITED_RATE)
    {
        return;
    }
    uint64_t delay = length * NS_PER_SECOND;
    if (rate > 0)
    {
        delay /= rate;
    }
    if (delay > static_cast<uint64_t>(m_rules.maximumDelay))
    {
        delay = m_rules.maximumDelay;
        m_statistics.tooLongDelays++;
    }
    if (m_rules.pacesLowRates && flow.nextTime != 0 && now > flow.nextTime)
    {
        delay -= std::min(delay / 2, static_cast<uint64_t>(now - flow.nextTime));
    }
    flow.nextTime = now + static_cast<int64_t>(delay);
}

FairQueue::Departure
FairQueue::Dequeue(int64_t now, RateSource& rates)
{
    const Departure departure = TakeNext(now, rates);
    if (departure.packet != NO_PACKET)
    {
        m_statistics.sentPackets++;
        m_statistics.sentBytes += m_store[departure.packet].length;
        Release(departure.packet);
    }
    return departure;
}

void
FairQueue::Reset(const std::function<void(PacketId)>& drop)
{
    const auto dropAll = [this, &drop](Flow& flow) {
        while (flow.length > 0)
        {
            const PacketId id = Peek(flow);
            Take(flow, id);
            m_statistics.droppedPackets++;
            m_statistics.resetDrops++;
            drop(id);
        }
    };
    for (uint32_t number = 0; number < m_usedFlows; number++)
    {
        dropAll(GetFlow(number));
    }
    m_chunks.resize(1);
    GetFlow(INTERNAL) = Flow();
    m_usedFlows = 1;
    m_freeFlow = NONE;
    m_index.Clear();
    m_store.clear();
    m_store.shrink_to_fit();
    m_freePacket = NO_PACKET;
    for (Band& band : m_bands)
    {
        band.newFlows = FlowList();
        band.oldFlows = FlowList();
    }
    m_detached.clear();
    m_detached.shrink_to_fit();
    m_delayed.Clear();
    m_statistics.flows = 0;
    m_statistics.inactiveFlows = 0;
    m_statistics.throttledFlows = 0;
}

uint64_t
FairQueue::GetLength() const
{
    return m_statistics.packets;
}

int64_t
FairQueue::GetNextDelayed() const
{
    return m_delayed.IsEmpty() ? NEVER : m_delayed.GetFirst().time;
}

FairQueueStatistics
FairQueue::GetStatistics() const
{
    FairQueueStatistics statistics = m_statistics;
    statistics.nextDelayed = GetNextDelayed();
    return statistics;
}

std::size_t
FairQueue::GetFlowMemory() const
{
    return m_chunks.size() * CHUNK * sizeof(Flow) +
           m_chunks.capacity() * sizeof(std::unique_ptr<Flow[]>) + m_index.GetAllocatedBytes() +
           m_detached.size() * sizeof(Detached);
}

std::size_t
FairQueue::GetPacketMemory() const
{
    return m_store.capacity() * sizeof(Packet) + m_delayed.GetAllocatedBytes();
}

bool
FairQueue::GetFlowState(uint64_t socket, int32_t& credit, int64_t& nextTime) const
{
    const uint64_t key = socket << 1;
    const uint32_t number = m_index.Find(KeyIndex::Hash(key), [this, key](uint32_t candidate) {
        return GetFlow(candidate).key == key;
    });
    if (number == NONE)
    {
        return false;
    }
    credit = GetFlow(number).credit;
    nextTime = GetFlow(number).nextTime;
    return true;
}

} // namespace linuxtcp
} // namespace ns3
