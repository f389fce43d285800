/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_FAIR_QUEUE_FUZZ_H
#define LINUX_TCP_FAIR_QUEUE_FUZZ_H

#include "fair-queue-reference.h"
#include "fair-queue.h"

#include <cstdint>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

/**
 * @ingroup linux-tcp-tests
 * @brief Drives FairQueue and FairQueueReference with the same random operations and compares
 * every result and every counter.
 *
 * Besides, it checks what must hold whatever the description says in detail: packets are neither
 * lost nor doubled, an empty answer leaves no packet that might leave, packets of a flow leave in
 * order of send time, and every packet leaves in the end.
 */
class FairQueueFuzzer : private ns3::linuxtcp::FairQueue::RateSource
{
  public:
    /**
     * @brief Run.
     * @param operations how many operations
     * @param seed seed of the random numbers
     * @return the first difference, empty if there is none
     */
    std::string Run(uint64_t operations, uint64_t seed)
    {
        m_random.seed(seed);
        uint64_t done = 0;
        for (uint64_t episode = 0; done < operations; episode++)
        {
            m_isCrowd = Draw(100) == 0; // seldom, as the model is slow
            const uint64_t length =
                std::min<uint64_t>(operations - done, m_isCrowd ? 40000 : 200 + Draw(3000));
            std::string fault = RunEpisode(length);
            if (!fault.empty())
            {
                std::ostringstream text;
                text << "seed " << seed << " episode " << episode << " (model "
                     << static_cast<int>(m_parameters.model) << ") operation " << m_operation
                     << " at " << m_now << " ns: " << fault;
                return text.str();
            }
            done += length;
        }
        return "";
    }

  private:
    /**
     * @brief A random number.
     * @param below its bound
     * @return a number below it
     */
    uint64_t Draw(uint64_t below)
    {
        return m_random() % below;
    }

    /**
     * @brief A rate of any magnitude.
     * @return rate (bytes/s)
     */
    uint64_t DrawRate()
    {
        switch (Draw(8))
        {
        case 0:
            return ns3::linuxtcp::UNLIMITED_RATE;
        case 1:
            return Draw(3);
        case 2:
            return 68749 + Draw(3);
        default:
            return 1 + Draw(1000) * (1ULL << Draw(40)) / 7;
        }
    }

    /**
     * @brief A length of time of any magnitude.
     * @return the time (ns)
     */
    int64_t DrawTime()
    {
        switch (Draw(10))
        {
        case 0:
            return 0;
        case 1:
            return static_cast<int64_t>(Draw(10000000000));
        case 2:
            return Draw(20) == 0 ? static_cast<int64_t>(Draw(100000000000)) : 0;
        case 3:
            return Draw(10) == 0 ? 3000000000 : 40000000; // idle times that matter
        default:
            return static_cast<int64_t>(Draw(1ULL << Draw(28)));
        }
    }

    /**
     * @brief Random values for the parameters that may change at any time.
     * @param p the parameters to change
     */
    void DrawParameters(ns3::linuxtcp::FairQueueParameters& p)
    {
        using ns3::linuxtcp::NEVER;
        p.limit = Draw(4) == 0 ? static_cast<uint32_t>(Draw(20)) : 10000;
        p.flowLimit = Draw(3) == 0 ? static_cast<uint32_t>(Draw(10)) : 100;
        p.quantum = Draw(3) == 0 ? 200 + static_cast<uint32_t>(Draw(100000)) : 3028;
        p.initialQuantum = Draw(3) == 0 ? static_cast<uint32_t>(Draw(40000)) : 15140;
        p.maxRate = Draw(2) ? ns3::linuxtcp::UNLIMITED_RATE : DrawRate();
        p.defaultRate = Draw(2) ? 0 : Draw(1000000);
        p.buckets = 2U << Draw(4);
        p.orphanMask = Draw(2) ? 1023 : static_cast<uint32_t>(Draw(8));
        p.pacing = Draw(6) != 0;
        p.refillDelay = Draw(2) ? 40000000 : DrawTime();
        p.lowRateThreshold = Draw(2) ? 68750 : Draw(1000000);
        p.ceThreshold = Draw(2) ? NEVER : DrawTime();
        p.timerSlack = DrawTime();
        p.horizon = Draw(2) ? 10000000000 : DrawTime();
        p.horizonDrop = Draw(2) != 0;
        for (uint8_t& band : p.priomap)
        {
            band = static_cast<uint8_t>(Draw(3));
        }
        for (uint32_t& weight : p.weights)
        {
            weight = 16384 + static_cast<uint32_t>(Draw(Draw(2) ? 20000 : 600000));
        }
        p.offloadHorizon = Draw(2) ? 0 : DrawTime();
        p.maximumFlows = Draw(8) == 0 ? 1 + static_cast<uint32_t>(Draw(20)) : 1000000;
    }

    /**
     * @brief Run one scheduler for a while, then let it send all it holds.
     * @param operations how many operations
     * @return the first difference, empty if there is none
     */
    std::string RunEpisode(uint64_t operations)
    {
        using namespace ns3::linuxtcp;
        m_parameters = FairQueueParameters();
        m_parameters.model = static_cast<FairQueueModel>(Draw(7));
        if (Draw(3) != 0)
        {
            DrawParameters(m_parameters);
        }
        FairQueue queue(m_parameters);
        FairQueueReference reference(m_parameters);
        m_held.clear();
        m_now = Draw(3) == 0 ? 0 : static_cast<int64_t>(Draw(50ULL * 86400 * 1000000000));
        m_sockets = 1 + static_cast<uint32_t>(Draw(m_isCrowd ? 5000 : Draw(2) ? 4 : 60));
        m_rates.assign(m_sockets, 0);
        for (uint64_t& rate : m_rates)
        {
            rate = DrawRate();
        }
        const auto rateOf = [this](uint64_t serial) { return m_rates[m_socketOf.at(serial)]; };
        m_socketOf.clear();
        const uint64_t enqueueShare = 30 + Draw(40);
        uint64_t received = 0;

        for (m_operation = 0; m_operation < operations; m_operation++)
        {
            const uint64_t what = Draw(100);
            std::string fault;
            if (what < enqueueShare)
            {
                const FairQueuePacket packet = DrawPacket();
                const uint64_t serial = m_serial++;
                received++;
                m_socketOf[serial] = static_cast<uint32_t>(packet.socket);
                const FairQueue::EnqueueResult got = queue.Enqueue(packet, m_now);
                if (got.verdict != reference.Enqueue(packet, serial, m_now))
                {
                    return "verdict " + std::to_string(static_cast<int>(got.verdict));
                }
                if (got.packet != FairQueue::NO_PACKET &&
                    !m_held.emplace(got.packet, serial).second)
                {
                    return "number given twice";
                }
                if (got.packet == FairQueue::NO_PACKET)
                {
                    m_socketOf.erase(serial);
                }
            }
            else if (what < 85)
            {
                bool isEmpty;
                fault = Dequeue(queue, reference, isEmpty);
            }
            else if (what < 97)
            {
                m_now += m_isCrowd ? static_cast<int64_t>(Draw(1000000)) : DrawTime();
            }
            else if (what < 98)
            {
                m_rates[Draw(m_sockets)] = DrawRate();
            }
            else if (Draw(10) == 0)
            {
                if (Draw(10) == 0)
                {
                    queue.Reset([this](FairQueue::PacketId id) { m_held.erase(id); });
                    reference.Reset();
                    if (!m_held.empty())
                    {
                        return "packets left after a reset";
                    }
                }
                else
                {
                    DrawParameters(m_parameters);
                    std::vector<uint64_t> dropped;
                    queue.Configure(m_parameters, m_now, *this, [&](FairQueue::PacketId id) {
                        dropped.push_back(m_held.at(id));
                        m_held.erase(id);
                    });
                    if (dropped != reference.Configure(m_parameters, m_now, rateOf))
                    {
                        return "drops at a lower limit";
                    }
                }
            }
            if (fault.empty())
            {
                fault = Compare(queue.GetStatistics(), reference.GetStatistics());
            }
            if (!fault.empty())
            {
                return fault;
            }
            const FairQueueStatistics s = queue.GetStatistics();
            if (received != s.sentPackets + s.droppedPackets + s.packets ||
                s.packets != m_held.size())
            {
                return "packets are not conserved";
            }
        }

        // No flow starves: everything leaves, at the latest a second after the packet before it.
        const int64_t last = m_now + m_parameters.horizon + 1000000000 +
                             static_cast<int64_t>(queue.GetLength()) * 2000000000;
        while (queue.GetLength() > 0)
        {
            bool isEmpty;
            const std::string fault = Dequeue(queue, reference, isEmpty);
            if (!fault.empty())
            {
                return fault;
            }
            if (isEmpty)
            {
                const int64_t wakeUp = queue.GetStatistics().nextDelayed;
                if (queue.GetLength() > 0 && (wakeUp <= m_now || wakeUp == NEVER))
                {
                    return "no wake-up";
                }
                m_now = queue.GetLength() > 0 ? wakeUp : m_now;
            }
            if (m_now > last + 10000000000)
            {
                return "a flow starves";
            }
        }
        return Compare(queue.GetStatistics(), reference.GetStatistics());
    }

    /**
     * @brief A random packet.
     * @return the packet
     */
    ns3::linuxtcp::FairQueuePacket DrawPacket()
    {
        using ns3::linuxtcp::PacketOwner;
        ns3::linuxtcp::FairQueuePacket packet;
        packet.socket = Draw(m_sockets);
        packet.connection = Draw(200) == 0 ? 1 : 0;
        packet.hash = static_cast<uint32_t>(m_random());
        if (Draw(2))
        {
            packet.hash %= 16;
        }
        if (m_isCrowd && Draw(3))
        {
            packet.departure = m_now + static_cast<int64_t>(Draw(9000000000));
        }
        else if (Draw(2))
        {
            packet.departure = m_now + DrawTime() - (Draw(4) == 0 ? DrawTime() : 0);
        }
        packet.length = Draw(2) ? 1514 : 40 + static_cast<uint32_t>(Draw(Draw(20) ? 1500 : 65000));
        packet.priority = static_cast<uint8_t>(Draw(3) ? 0 : Draw(256));
        const uint64_t owner = Draw(20);
        packet.owner = owner < 15 ? PacketOwner::CONNECTED : static_cast<PacketOwner>(owner - 15);
        packet.pureAck = Draw(4) == 0;
        packet.rateLimitedNotTcp = Draw(10) == 0;
        packet.continues = Draw(4) == 0;
        return packet;
    }

    /**
     * @brief Dequeue from both and compare.
     * @param queue one
     * @param reference the other
     * @param[out] isEmpty whether there was nothing to send
     * @return the difference, empty if there is none
     */
    std::string Dequeue(ns3::linuxtcp::FairQueue& queue,
                        FairQueueReference& reference,
                        bool& isEmpty)
    {
        using namespace ns3::linuxtcp;
        const FairQueue::Departure got = queue.Dequeue(m_now, *this);
        const FairQueueReference::Result expected =
            reference.Dequeue(m_now,
                              [this](uint64_t serial) { return m_rates[m_socketOf.at(serial)]; });
        isEmpty = got.packet == FairQueue::NO_PACKET;
        if (isEmpty)
        {
            if (expected.packet)
            {
                return "nothing left, expected packet " + std::to_string(expected.packet->serial);
            }
            if (got.wakeUp != expected.wakeUp)
            {
                return "wake-up at " + std::to_string(got.wakeUp) + ", expected " +
                       std::to_string(expected.wakeUp);
            }
            if (reference.HasEligible(m_now))
            {
                return "a packet that might leave is left";
            }
            return "";
        }
        const auto held = m_held.find(got.packet);
        if (held == m_held.end())
        {
            return "a packet that is not there leaves";
        }
        const uint64_t serial = held->second;
        m_held.erase(held);
        if (!expected.packet || expected.packet->serial != serial || expected.mark != got.mark)
        {
            return "packet " + std::to_string(serial) + " leaves, expected " +
                   (expected.packet ? std::to_string(expected.packet->serial) : "none");
        }
        if (m_parameters.model >= FairQueueModel::LINUX_6_1 &&
            expected.packet->sendTime > reference.EarliestOf(expected.flowKey))
        {
            return "a packet overtakes an earlier one of its flow";
        }
        m_socketOf.erase(serial);
        return "";
    }

    /**
     * @brief Compare counters.
     * @param got those of the scheduler
     * @param expected those of the reference
     * @return the first difference, empty if there is none
     */
    static std::string Compare(const ns3::linuxtcp::FairQueueStatistics& got,
                               const ns3::linuxtcp::FairQueueStatistics& expected)
    {
        std::string fault;
        const auto check = [&fault](const char* name, auto a, auto b) {
            if (a != b && fault.empty())
            {
                fault = std::string(name) + " is " + std::to_string(a) + ", expected " +
                        std::to_string(b);
            }
        };
        check("sentPackets", got.sentPackets, expected.sentPackets);
        check("sentBytes", got.sentBytes, expected.sentBytes);
        check("droppedPackets", got.droppedPackets, expected.droppedPackets);
        check("limitDrops", got.limitDrops, expected.limitDrops);
        check("flowLimitDrops", got.flowLimitDrops, expected.flowLimitDrops);
        check("horizonDrops", got.horizonDrops, expected.horizonDrops);
        check("trimDrops", got.trimDrops, expected.trimDrops);
        check("resetDrops", got.resetDrops, expected.resetDrops);
        check("horizonCaps", got.horizonCaps, expected.horizonCaps);
        check("collectedFlows", got.collectedFlows, expected.collectedFlows);
        check("controlPackets", got.controlPackets, expected.controlPackets);
        check("fastPathPackets", got.fastPathPackets, expected.fastPathPackets);
        check("throttled", got.throttled, expected.throttled);
        check("latencyNs", got.latencyNs, expected.latencyNs);
        check("ceMarks", got.ceMarks, expected.ceMarks);
        check("tooLongDelays", got.tooLongDelays, expected.tooLongDelays);
        check("allocationErrors", got.allocationErrors, expected.allocationErrors);
        check("packets", got.packets, expected.packets);
        check("bytes", got.bytes, expected.bytes);
        check("flows", got.flows, expected.flows);
        check("inactiveFlows", got.inactiveFlows, expected.inactiveFlows);
        check("throttledFlows", got.throttledFlows, expected.throttledFlows);
        check("nextDelayed", got.nextDelayed, expected.nextDelayed);
        for (uint32_t band = 0; band < ns3::linuxtcp::FAIR_QUEUE_BANDS; band++)
        {
            check("bandDrops", got.bandDrops[band], expected.bandDrops[band]);
            check("bandPackets", got.bandPackets[band], expected.bandPackets[band]);
        }
        return fault;
    }

    uint64_t GetPacingRate(ns3::linuxtcp::FairQueue::PacketId packet) override
    {
        return m_rates[m_socketOf.at(m_held.at(packet))];
    }

    std::mt19937_64 m_random;                        ///< random numbers
    ns3::linuxtcp::FairQueueParameters m_parameters; ///< parameters in force
    int64_t m_now{0};                                ///< the clock (ns)
    uint64_t m_operation{0};                         ///< operation of the episode
    uint64_t m_serial{0};                            ///< number of the next packet
    bool m_isCrowd{false};                           ///< thousands of flows, most of which wait
    uint32_t m_sockets{1};                           ///< number of sockets
    std::vector<uint64_t> m_rates;                   ///< rates of the sockets (bytes/s)
    std::map<ns3::linuxtcp::FairQueue::PacketId, uint64_t> m_held; ///< serial numbers by number
    std::map<uint64_t, uint32_t> m_socketOf;                       ///< sockets of the packets held
};

#endif /* LINUX_TCP_FAIR_QUEUE_FUZZ_H */
