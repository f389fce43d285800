/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup linux-tcp-tests
 * Tests of the fair queue scheduler: departures worked out by hand or by a model of the published
 * description of fq, parameters and their rules, memory.
 */

#include "fair-queue-fuzz.h"
#include "fair-queue-text.h"
#include "fair-queue.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3::linuxtcp;

namespace
{

constexpr int64_t MS = 1000000;      ///< nanoseconds in a millisecond
constexpr uint32_t FRAME = 1514;     ///< full Ethernet frame (bytes)
constexpr uint64_t MBIT10 = 1250000; ///< 10 Mbit/s in bytes/s

/// A packet of a test
struct TestPacket
{
    int64_t arrival{0};            ///< time of its arrival (ns)
    FairQueuePacket packet;        ///< what the scheduler sees
    uint64_t rate{UNLIMITED_RATE}; ///< rate of its socket (bytes/s)
};

/// A departure in a test
struct TestDeparture
{
    int64_t time;      ///< when (ns)
    std::size_t index; ///< which packet, in order of arrival
    bool mark;         ///< whether it was to be marked
};

/// A host with the scheduler, an exact or late timer and a link
class TestHost : public FairQueue::RateSource
{
  public:
    /**
     * @brief Constructor
     * @param parameters parameters of the scheduler
     */
    explicit TestHost(const FairQueueParameters& parameters)
        : m_queue(parameters)
    {
    }

    uint64_t GetPacingRate(FairQueue::PacketId packet) override
    {
        return m_packets.at(m_held.at(packet)).rate;
    }

    /**
     * @brief Run until nothing happens any more.
     * @param packets what arrives, in order of time
     * @param nsPerByte time a byte takes on the link (ns), 0 for a link without limit
     * @param lateness how late the timer is (ns)
     */
    void Run(const std::vector<TestPacket>& packets, int64_t nsPerByte = 0, int64_t lateness = 0)
    {
        const std::size_t first = m_packets.size();
        m_packets.insert(m_packets.end(), packets.begin(), packets.end());
        std::size_t next = first;
        while (next < m_packets.size() || m_linkFree > m_now || m_timer != NEVER)
        {
            int64_t time = m_timer;
            if (m_linkFree > m_now)
            {
                time = std::min(time, m_linkFree);
            }
            bool arrives = false;
            if (next < m_packets.size() && m_packets[next].arrival <= time)
            {
                time = m_packets[next].arrival;
                arrives = true;
            }
            m_now = std::max(m_now, time);
            if (arrives)
            {
                // Everything that comes at one time is there before the link is served.
                do
                {
                    Enqueue(next++);
                } while (next < m_packets.size() && m_packets[next].arrival <= m_now && m_burst);
            }
            if (m_timer <= m_now)
            {
                m_timer = NEVER;
            }
            if (m_linkFree <= m_now)
            {
                Serve(nsPerByte, lateness);
            }
        }
    }

    /**
     * @brief Whether packets of one time are enqueued before the link is served.
     * @param burst true if so (default)
     */
    void SetBurst(bool burst)
    {
        m_burst = burst;
    }

    /**
     * @brief Departure times.
     * @return the times (ns)
     */
    std::vector<int64_t> GetTimes() const
    {
        std::vector<int64_t> times;
        for (const TestDeparture& departure : m_departures)
        {
            times.push_back(departure.time);
        }
        return times;
    }

    FairQueue m_queue;                       ///< the scheduler
    std::vector<TestDeparture> m_departures; ///< what left
    int64_t m_now{0};                        ///< the clock (ns)

  private:
    /**
     * @brief Hand a packet over.
     * @param index which
     */
    void Enqueue(std::size_t index)
    {
        const FairQueue::EnqueueResult result = m_queue.Enqueue(m_packets[index].packet, m_now);
        BOOST_TEST((result.verdict == FairQueue::Verdict::QUEUED) ==
                   (result.packet != FairQueue::NO_PACKET));
        if (result.packet != FairQueue::NO_PACKET)
        {
            const bool isNew = m_held.emplace(result.packet, index).second;
            BOOST_REQUIRE(isNew);
        }
    }

    /**
     * @brief Take packets while the link is free.
     * @param nsPerByte time a byte takes on the link (ns)
     * @param lateness how late the timer is (ns)
     */
    void Serve(int64_t nsPerByte, int64_t lateness)
    {
        for (;;)
        {
            const FairQueue::Departure departure = m_queue.Dequeue(m_now, *this);
            if (departure.packet == FairQueue::NO_PACKET)
            {
                if (departure.wakeUp != NEVER)
                {
                    m_timer = std::max(departure.wakeUp, m_now) + lateness;
                }
                return;
            }
            const std::size_t index = m_held.at(departure.packet);
            m_held.erase(departure.packet);
            m_departures.push_back({m_now, index, departure.mark});
            if (nsPerByte > 0)
            {
                m_linkFree = m_now + nsPerByte * m_packets[index].packet.length;
                return;
            }
        }
    }

    std::vector<TestPacket> m_packets;                 ///< all packets
    std::map<FairQueue::PacketId, std::size_t> m_held; ///< packets in the scheduler
    int64_t m_timer{NEVER};                            ///< when the timer fires (ns)
    int64_t m_linkFree{0};                             ///< when the link is free (ns)
    bool m_burst{true};                                ///< see SetBurst()
};

/// Sockets without limits
class NoRates : public FairQueue::RateSource
{
  public:
    uint64_t GetPacingRate(FairQueue::PacketId) override
    {
        return UNLIMITED_RATE;
    }
};

/**
 * @brief Packets of one socket.
 * @param count how many
 * @param rate rate of the socket (bytes/s)
 * @param socket the socket
 * @param length length of each (bytes)
 * @param arrival time of arrival (ns)
 * @return the packets
 */
std::vector<TestPacket>
Packets(std::size_t count,
        uint64_t rate,
        uint64_t socket = 1,
        uint32_t length = FRAME,
        int64_t arrival = 0)
{
    TestPacket packet;
    packet.arrival = arrival;
    packet.rate = rate;
    packet.packet.socket = socket;
    packet.packet.owner = PacketOwner::CONNECTED;
    packet.packet.length = length;
    return std::vector<TestPacket>(count, packet);
}

/**
 * @brief Packets of one socket with departure times.
 * @param times the times (ns)
 * @param socket the socket
 * @param arrival time of arrival (ns)
 * @return the packets
 */
std::vector<TestPacket>
Stamped(const std::vector<int64_t>& times, uint64_t socket = 1, int64_t arrival = 0)
{
    std::vector<TestPacket> packets;
    for (int64_t time : times)
    {
        packets.push_back(Packets(1, UNLIMITED_RATE, socket, FRAME, arrival)[0]);
        packets.back().packet.departure = time;
    }
    return packets;
}

/**
 * @brief Join lists of packets.
 * @param a first list
 * @param b second list
 * @return both
 */
std::vector<TestPacket>
operator+(std::vector<TestPacket> a, const std::vector<TestPacket>& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/**
 * @brief Check departure times.
 * @param host the host
 * @param expected the times (ns)
 */
void
CheckTimes(const TestHost& host, const std::vector<int64_t>& expected)
{
    BOOST_TEST(host.GetTimes() == expected, boost::test_tools::per_element());
}

/**
 * @brief Repeat a time.
 * @param count how often
 * @param time the time (ns)
 * @return the times
 */
std::vector<int64_t>
Times(std::size_t count, int64_t time)
{
    return std::vector<int64_t>(count, time);
}

/**
 * @brief Join lists of times.
 * @param a first list
 * @param b second list
 * @return both
 */
std::vector<int64_t>
operator+(std::vector<int64_t> a, const std::vector<int64_t>& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

} // namespace

BOOST_AUTO_TEST_SUITE(FairQueueVectors)

BOOST_AUTO_TEST_CASE(V1PacedSocket)
{
    TestHost host{FairQueueParameters()};
    host.Run(Packets(20, MBIT10));
    CheckTimes(host,
               Times(10, 0) + Times(2, 2422400) + Times(2, 4844800) + Times(2, 7267200) +
                   Times(2, 9689600) + Times(2, 12112000));
    BOOST_TEST(host.m_queue.GetStatistics().throttled == 5);
}

BOOST_AUTO_TEST_CASE(V2LowRate)
{
    TestHost slow{FairQueueParameters()};
    slow.Run(Packets(5, 50000));
    CheckTimes(slow, {0, 30280000, 60560000, 90840000, 121120000});

    TestHost threshold{FairQueueParameters()};
    threshold.Run(Packets(4, 68750));
    CheckTimes(threshold, {0, 22021818, 44043636, 66065454});

    TestHost above{FairQueueParameters()};
    above.Run(Packets(14, 68751));
    CheckTimes(above, Times(10, 0) + Times(2, 44042995) + Times(2, 88085990));
}

BOOST_AUTO_TEST_CASE(V3LateTimer)
{
    TestHost late{FairQueueParameters()};
    late.Run(Packets(20, MBIT10), 0, 100000);
    CheckTimes(late,
               Times(10, 0) + Times(2, 2522400) + Times(2, 4944800) + Times(2, 7367200) +
                   Times(2, 9789600) + Times(2, 12212000));

    TestHost later{FairQueueParameters()};
    later.Run(Packets(16, MBIT10), 0, 5 * MS);
    CheckTimes(later, Times(10, 0) + Times(2, 7422400) + Times(2, 13633600) + Times(2, 19844800));
}

BOOST_AUTO_TEST_CASE(V4DepartureTimes)
{
    TestHost host{FairQueueParameters()};
    host.Run(Stamped({1, 1 * MS, 2 * MS, 1500000, 3 * MS}));
    CheckTimes(host, {1, 1 * MS, 1500000, 2 * MS, 3 * MS});
    BOOST_TEST(host.m_departures[2].index == 3);
}

BOOST_AUTO_TEST_CASE(V5MaximumRate)
{
    FairQueueParameters parameters;
    parameters.maxRate = MBIT10;
    TestHost host{parameters};
    host.Run(Stamped({1, 1, 1, 1, 1, 1}));
    CheckTimes(host, {1, 1211201, 2422401, 3633601, 4844801, 6056001});
}

BOOST_AUTO_TEST_CASE(V6TooLong)
{
    TestHost slow{FairQueueParameters()};
    slow.Run(Packets(4, 1000));
    CheckTimes(slow, {0, 1000 * MS, 2000 * MS, 3000 * MS});
    BOOST_TEST(slow.m_queue.GetStatistics().tooLongDelays == 4);

    TestHost stopped{FairQueueParameters()};
    stopped.Run(Packets(3, 0));
    CheckTimes(stopped, {0, 1000 * MS, 2000 * MS});
    BOOST_TEST(stopped.m_queue.GetStatistics().tooLongDelays == 3);
}

BOOST_AUTO_TEST_CASE(V7DeficitRoundRobin)
{
    FairQueueParameters parameters;
    parameters.initialQuantum = 3028;
    TestHost host{parameters};
    host.Run(Packets(8, UNLIMITED_RATE, 1) + Packets(24, UNLIMITED_RATE, 2, 500), 80);
    std::string order;
    for (const TestDeparture& departure : host.m_departures)
    {
        order += departure.index < 8 ? 'A' : 'B';
    }
    BOOST_TEST(order == "AABBBBBBBAABBBBBBAABBBBBBAABBBBB");
}

BOOST_AUTO_TEST_CASE(V8CreditAfterIdleTime)
{
    TestHost soon{FairQueueParameters()};
    soon.Run(Packets(11, MBIT10) + Packets(2, MBIT10, 1, FRAME, 30 * MS));
    CheckTimes(soon, Times(10, 0) + std::vector<int64_t>{2422400, 30 * MS, 31211200});

    TestHost later{FairQueueParameters()};
    later.Run(Packets(11, MBIT10) + Packets(2, MBIT10, 1, FRAME, 60 * MS));
    CheckTimes(later, Times(10, 0) + std::vector<int64_t>{2422400, 60 * MS, 61211200});

    // Older kernels visit an empty queue, so that the flow is detached and its credit refilled.
    FairQueueParameters old;
    old.model = FairQueueModel::LINUX_4_9;
    TestHost refilled{old};
    refilled.Run(Packets(11, MBIT10) + Packets(2, MBIT10, 1, FRAME, 60 * MS));
    CheckTimes(refilled, Times(10, 0) + std::vector<int64_t>{2422400, 60 * MS, 60 * MS});
}

BOOST_AUTO_TEST_CASE(V9Limits)
{
    FairQueueParameters flowLimit;
    flowLimit.flowLimit = 3;
    TestHost a{flowLimit};
    a.Run(Stamped(std::vector<int64_t>(5, 1000 * MS)));
    BOOST_TEST(a.m_departures.size() == 3);
    BOOST_TEST(a.m_queue.GetStatistics().flowLimitDrops == 2);

    FairQueueParameters limit;
    limit.limit = 4;
    TestHost b{limit};
    std::vector<TestPacket> flows;
    for (uint64_t socket = 1; socket <= 6; socket++)
    {
        flows = flows + Stamped({1000 * MS}, socket);
    }
    b.Run(flows);
    BOOST_TEST(b.m_departures.size() == 4);
    BOOST_TEST(b.m_queue.GetStatistics().droppedPackets == 2);
    BOOST_TEST(b.m_queue.GetStatistics().limitDrops == 2);

    TestHost c{FairQueueParameters()};
    c.Run(Stamped({10000000001, 10000000000}));
    CheckTimes(c, {10000000000});
    BOOST_TEST(c.m_queue.GetStatistics().horizonDrops == 1);

    FairQueueParameters cap;
    cap.horizonDrop = false;
    TestHost d{cap};
    d.Run(Stamped({15000 * MS}));
    CheckTimes(d, {10000 * MS});
    BOOST_TEST(d.m_queue.GetStatistics().horizonCaps == 1);

    FairQueueParameters threshold;
    threshold.ceThreshold = 1 * MS;
    TestHost e{threshold};
    e.Run(Stamped(std::vector<int64_t>(20, 1)), 80);
    BOOST_REQUIRE(e.m_departures.size() == 20);
    for (std::size_t i = 0; i < 20; i++)
    {
        BOOST_TEST(e.m_departures[i].mark == (i >= 9));
    }
    BOOST_TEST(e.m_queue.GetStatistics().ceMarks == 11);
}

BOOST_AUTO_TEST_CASE(V10ControlPackets)
{
    TestHost host{FairQueueParameters()};
    std::vector<TestPacket> control = Packets(1, UNLIMITED_RATE, 2, FRAME, 1);
    control[0].packet.priority = 7;
    host.Run(Packets(3, UNLIMITED_RATE) + control, 80);
    BOOST_REQUIRE(host.m_departures.size() == 4);
    BOOST_TEST(host.m_departures[0].index == 0);
    BOOST_TEST(host.m_departures[1].index == 3);
    BOOST_TEST(host.m_departures[2].index == 1);
    BOOST_TEST(host.m_departures[3].index == 2);
    BOOST_TEST(host.m_queue.GetStatistics().controlPackets == 1);
}

BOOST_AUTO_TEST_CASE(V11Bands)
{
    for (const FairQueueModel model : {FairQueueModel::LINUX_6_7, FairQueueModel::LINUX_6_13})
    {
        FairQueueParameters parameters;
        parameters.model = model;
        // The published vector has packets of 1000 bytes and weights of 9000, 3000 and 1000, which
        // are below the smallest weight allowed; everything is multiplied alike.
        const uint32_t length = 16384;
        parameters.quantum = length;
        parameters.initialQuantum = length;
        parameters.maxRate = 1000000000000; // keeps packets off the fast path
        parameters.weights = {9 * length, 3 * length, length};
        TestHost host{parameters};
        std::vector<TestPacket> packets;
        for (uint8_t priority : {6, 0, 2})
        {
            std::vector<TestPacket> flow = Packets(40, UNLIMITED_RATE, priority + 1, length);
            for (TestPacket& packet : flow)
            {
                packet.packet.priority = priority;
            }
            packets = packets + flow;
        }
        host.Run(packets, 80);
        std::string bands;
        for (const TestDeparture& departure : host.m_departures)
        {
            bands += static_cast<char>('0' + departure.index / 40);
        }
        BOOST_TEST(bands.substr(0, 40) == "0120000001112000000000111200000000011120");
    }
}

BOOST_AUTO_TEST_CASE(V14FastPath)
{
    FairQueueParameters parameters;
    parameters.model = FairQueueModel::LINUX_6_7;
    TestHost host{parameters};
    host.SetBurst(false);
    host.Run(Stamped({1}, 1) + Stamped({5 * MS}, 2) + Stamped({1}, 3, 1000), 80);
    CheckTimes(host, {1, 121121, 5 * MS});
    BOOST_TEST(host.m_departures[1].index == 2);
    BOOST_TEST(host.m_queue.GetStatistics().fastPathPackets == 1);
    BOOST_TEST(host.m_queue.GetStatistics().throttled == 2);
}

BOOST_AUTO_TEST_CASE(V15TwoRates)
{
    FairQueueParameters parameters;
    parameters.initialQuantum = FRAME;
    TestHost host{parameters};
    host.Run(Packets(6, MBIT10, 1) + Packets(10, 2 * MBIT10, 2));
    CheckTimes(host,
               Times(2, 0) + Times(2, 1211200) + Times(4, 2422400) + Times(2, 3633600) +
                   Times(4, 4844800) + Times(1, 6056000) + Times(1, 7267200));
    std::string order;
    for (const TestDeparture& departure : host.m_departures)
    {
        order += departure.index < 6 ? 'A' : 'B';
    }
    BOOST_TEST(order == "ABBBAABBBBAABBBA");
}

BOOST_AUTO_TEST_CASE(V16MaximumRateLow)
{
    FairQueueParameters parameters;
    parameters.maxRate = 50000;
    TestHost host{parameters};
    host.Run(Stamped({1, 1, 1, 1}));
    CheckTimes(host, {1, 30280001, 60560001, 90840001});
}

BOOST_AUTO_TEST_CASE(V17NoSocket)
{
    FairQueueParameters parameters;
    parameters.maxRate = MBIT10;
    TestHost host{parameters};
    std::vector<TestPacket> packets = Packets(14, UNLIMITED_RATE);
    for (TestPacket& packet : packets)
    {
        packet.packet.owner = PacketOwner::NONE;
    }
    host.Run(packets);
    CheckTimes(host, Times(10, 0) + Times(2, 2422400) + Times(2, 4844800));
}

BOOST_AUTO_TEST_CASE(V18NoPacing)
{
    FairQueueParameters parameters;
    parameters.pacing = false;
    TestHost host{parameters};
    host.Run(Packets(3, 1000));
    CheckTimes(host, Times(3, 0));
}

BOOST_AUTO_TEST_CASE(VectorsAtEveryModel)
{
    // The scenarios above, at every model. Where a model has no departure times, low rates or
    // drift, its times follow from the description by hand.
    for (FairQueueModel model : {FairQueueModel::LINUX_3_12,
                                 FairQueueModel::LINUX_3_13,
                                 FairQueueModel::LINUX_4_0,
                                 FairQueueModel::LINUX_4_9,
                                 FairQueueModel::LINUX_6_1,
                                 FairQueueModel::LINUX_6_7,
                                 FairQueueModel::LINUX_6_13})
    {
        BOOST_TEST_CONTEXT("model " << static_cast<int>(model))
        {
            const bool isFirst = model == FairQueueModel::LINUX_3_12;
            const bool hasDrift = model >= FairQueueModel::LINUX_4_9;
            const bool hasTimes = model >= FairQueueModel::LINUX_6_1;
            const bool hasBands = model >= FairQueueModel::LINUX_6_7;
            FairQueueParameters base;
            base.model = model;
            if (hasBands)
            {
                base.maxRate = 1000000000000; // keeps packets off the fast path
            }

            // V1: the first version charges the true length, all others a quantum.
            const int64_t gap = isFirst ? 1211200 : 2422400;
            TestHost v1{base};
            v1.Run(Packets(20, MBIT10));
            std::vector<int64_t> pairs = Times(10, 0);
            for (int64_t i = 1; i <= 5; i++)
            {
                pairs = pairs + Times(2, i * gap);
            }
            CheckTimes(v1, pairs);
            BOOST_TEST(v1.m_queue.GetStatistics().throttled == 5);

            // V2: below 4.9, low rates are like others, and the first credit lasts.
            TestHost v2{base};
            v2.Run(Packets(5, 50000));
            CheckTimes(v2,
                       hasDrift ? std::vector<int64_t>{0, 30280000, 60560000, 90840000, 121120000}
                                : Times(5, 0));
            TestHost v2b{base};
            v2b.Run(Packets(4, 68750));
            CheckTimes(v2b,
                       hasDrift ? std::vector<int64_t>{0, 22021818, 44043636, 66065454}
                                : Times(4, 0));
            TestHost v2c{base};
            v2c.Run(Packets(14, 68751));
            CheckTimes(v2c,
                       isFirst ? Times(10, 0) + Times(2, 22021497) + Times(2, 44042994)
                               : Times(10, 0) + Times(2, 44042995) + Times(2, 88085990));

            // V3: without drift compensation, lateness adds up.
            TestHost v3{base};
            v3.Run(Packets(14, MBIT10), 0, 100000);
            CheckTimes(v3,
                       Times(10, 0) + Times(2, gap + 100000) +
                           Times(2, hasDrift ? 2 * gap + 100000 : 2 * gap + 200000));
            TestHost v3b{base};
            v3b.Run(Packets(14, MBIT10), 0, 5 * MS);
            CheckTimes(v3b,
                       Times(10, 0) + Times(2, gap + 5 * MS) +
                           Times(2, hasDrift ? 13633600 : 2 * (gap + 5 * MS)));

            // V4, V5, V16: older models do not look at departure times.
            TestHost v4{base};
            v4.Run(Stamped({1, 1 * MS, 2 * MS, 1500000, 3 * MS}));
            CheckTimes(v4,
                       hasTimes ? std::vector<int64_t>{1, 1 * MS, 1500000, 2 * MS, 3 * MS}
                                : Times(5, 0));
            FairQueueParameters limited = base;
            limited.maxRate = MBIT10;
            TestHost v5{limited};
            v5.Run(Stamped({1, 1, 1, 1, 1, 1}));
            CheckTimes(v5,
                       hasTimes
                           ? std::vector<int64_t>{1, 1211201, 2422401, 3633601, 4844801, 6056001}
                           : Times(6, 0));
            limited.maxRate = 50000;
            TestHost v16{limited};
            v16.Run(Stamped({1, 1, 1, 1}));
            CheckTimes(v16,
                       hasTimes   ? std::vector<int64_t>{1, 30280001, 60560001, 90840001}
                       : hasDrift ? std::vector<int64_t>{0, 30280000, 60560000, 90840000}
                                  : Times(4, 0));

            // V6: delays are cut to a second, up to 3.13 to 125 ms; below 4.9 after the credit.
            TestHost v6{base};
            v6.Run(Packets(12, 1000));
            const int64_t cut = model >= FairQueueModel::LINUX_4_0 ? 1000 * MS : 125 * MS;
            std::vector<int64_t> slow = Times(10, 0) + Times(2, cut);
            if (hasDrift)
            {
                slow.clear();
                for (int64_t i = 0; i < 12; i++)
                {
                    slow.push_back(i * cut);
                }
            }
            CheckTimes(v6, slow);
            BOOST_TEST(v6.m_queue.GetStatistics().tooLongDelays == (hasDrift ? 12 : 2));

            // V7: the same order everywhere.
            FairQueueParameters robin = base;
            robin.initialQuantum = 3028;
            TestHost v7{robin};
            v7.Run(Packets(8, UNLIMITED_RATE, 1) + Packets(24, UNLIMITED_RATE, 2, 500), 80);
            std::string order;
            for (const TestDeparture& departure : v7.m_departures)
            {
                order += departure.index < 8 ? 'A' : 'B';
            }
            BOOST_TEST(order == "AABBBBBBBAABBBBBBAABBBBBBAABBBBB");

            // V8: credit is refilled at each return, after 40 ms, or not at all because an empty
            // queue is left alone; the gap after an idle time is halved where there is drift.
            TestHost v8a{base};
            v8a.Run(Packets(11, MBIT10) + Packets(2, MBIT10, 1, FRAME, 30 * MS));
            const int64_t after = hasDrift ? 1211200 : gap;
            CheckTimes(v8a,
                       Times(10, 0) +
                           std::vector<int64_t>{gap, 30 * MS, isFirst ? 30 * MS : 30 * MS + after});
            TestHost v8b{base};
            v8b.Run(Packets(11, MBIT10) + Packets(2, MBIT10, 1, FRAME, 60 * MS));
            CheckTimes(v8b,
                       Times(10, 0) +
                           std::vector<int64_t>{gap, 60 * MS, hasTimes ? 61211200 : 60 * MS});

            // V9: limits are the same; horizon and CE threshold belong to departure times.
            FairQueueParameters flowLimit = base;
            flowLimit.flowLimit = 3;
            TestHost v9a{flowLimit};
            v9a.Run(Stamped(std::vector<int64_t>(5, 1000 * MS)));
            BOOST_TEST(v9a.m_departures.size() == 3);
            BOOST_TEST(v9a.m_queue.GetStatistics().flowLimitDrops == 2);
            FairQueueParameters limit = base;
            limit.limit = 4;
            TestHost v9b{limit};
            std::vector<TestPacket> flows;
            for (uint64_t socket = 1; socket <= 6; socket++)
            {
                flows = flows + Stamped({1000 * MS}, socket);
            }
            v9b.Run(flows);
            BOOST_TEST(v9b.m_departures.size() == 4);
            BOOST_TEST(v9b.m_queue.GetStatistics().limitDrops == 2);
            TestHost v9c{base};
            v9c.Run(Stamped({10000000001, 10000000000}));
            CheckTimes(v9c, hasTimes ? Times(1, 10000000000) : Times(2, 0));
            BOOST_TEST(v9c.m_queue.GetStatistics().horizonDrops == (hasTimes ? 1 : 0));
            FairQueueParameters cap = base;
            cap.horizonDrop = false;
            TestHost v9d{cap};
            v9d.Run(Stamped({15000 * MS}));
            CheckTimes(v9d, Times(1, hasTimes ? 10000 * MS : 0));
            BOOST_TEST(v9d.m_queue.GetStatistics().horizonCaps == (hasTimes ? 1 : 0));
            FairQueueParameters threshold = base;
            threshold.ceThreshold = 1 * MS;
            threshold.maxRate = UNLIMITED_RATE; // a rate would count lateness anew
            TestHost v9e{threshold};
            v9e.Run(Stamped(std::vector<int64_t>(20, 1)), 80);
            BOOST_TEST(v9e.m_queue.GetStatistics().ceMarks == (hasTimes ? 11 : 0));

            // V10: priority 7 goes first up to 6.1, priority 6 in the first version; with bands,
            // the first visit of both flows is in the same band.
            for (uint8_t priority : {6, 7})
            {
                TestHost v10{base};
                std::vector<TestPacket> control = Packets(1, UNLIMITED_RATE, 2, FRAME, 1);
                control[0].packet.priority = priority;
                v10.Run(Packets(3, UNLIMITED_RATE) + control, 80);
                const bool bypasses = !hasBands && (priority == 7 || isFirst);
                BOOST_REQUIRE(v10.m_departures.size() == 4);
                BOOST_TEST(v10.m_departures[bypasses ? 1 : 3].index == 3);
                BOOST_TEST(v10.m_queue.GetStatistics().controlPackets == (bypasses ? 1 : 0));
            }

            // V14: a packet that is due passes by flows that wait, where there is a fast path.
            FairQueueParameters fast;
            fast.model = model;
            TestHost v14{fast};
            v14.SetBurst(false);
            v14.Run(Stamped({1}, 1) + Stamped({5 * MS}, 2) + Stamped({1}, 3, 1000), 80);
            CheckTimes(v14,
                       hasTimes ? std::vector<int64_t>{1, 121121, 5 * MS}
                                : std::vector<int64_t>{0, 121120, 242240});
            BOOST_TEST(v14.m_queue.GetStatistics().fastPathPackets == (hasBands ? 1 : 0));

            // V17 and V18: packets without socket are not paced by the first version.
            limited.maxRate = MBIT10;
            TestHost v17{limited};
            std::vector<TestPacket> orphans = Packets(14, UNLIMITED_RATE);
            for (TestPacket& packet : orphans)
            {
                packet.packet.owner = PacketOwner::NONE;
            }
            v17.Run(orphans);
            CheckTimes(v17,
                       isFirst ? Times(14, 0)
                               : Times(10, 0) + Times(2, 2422400) + Times(2, 4844800));
            FairQueueParameters unpaced = base;
            unpaced.pacing = false;
            TestHost v18{unpaced};
            v18.Run(Packets(3, 1000));
            CheckTimes(v18, Times(3, 0));
        }
    }
}

BOOST_AUTO_TEST_CASE(V15AtEveryModelThatChargesQuanta)
{
    for (FairQueueModel model : {FairQueueModel::LINUX_3_13,
                                 FairQueueModel::LINUX_4_0,
                                 FairQueueModel::LINUX_4_9,
                                 FairQueueModel::LINUX_6_7,
                                 FairQueueModel::LINUX_6_13})
    {
        FairQueueParameters parameters;
        parameters.model = model;
        parameters.initialQuantum = FRAME;
        parameters.maxRate = 1000000000000; // keeps packets off the fast path
        TestHost host{parameters};
        host.Run(Packets(6, MBIT10, 1) + Packets(10, 2 * MBIT10, 2));
        CheckTimes(host,
                   Times(2, 0) + Times(2, 1211200) + Times(4, 2422400) + Times(2, 3633600) +
                       Times(4, 4844800) + Times(1, 6056000) + Times(1, 7267200));
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(FairQueueProperties)

BOOST_AUTO_TEST_CASE(AgreesWithPlainModel)
{
    FairQueueFuzzer fuzzer;
    BOOST_TEST(fuzzer.Run(300000, 20240601) == "");
}

BOOST_AUTO_TEST_CASE(LongRunRates)
{
    // From 15 kbit/s to 100 Gbit/s, packets of 1500 bytes, within 0.1 %.
    for (uint64_t bitRate : {15000ULL,
                             100000ULL,
                             549000ULL,
                             550000ULL,
                             551000ULL,
                             9999999ULL,
                             100000000ULL,
                             2500000000ULL,
                             40000000000ULL,
                             100000000000ULL})
    {
        for (bool bySocket : {false, true})
        {
            FairQueueParameters parameters;
            parameters.flowLimit = 5000;
            parameters.maxRate = bySocket ? UNLIMITED_RATE : bitRate / 8;
            TestHost host{parameters};
            host.Run(Packets(4012, bySocket ? bitRate / 8 : UNLIMITED_RATE, 1, 1500));
            BOOST_REQUIRE(host.m_departures.size() == 4012);
            // From the first burst on, which is 11 packets unless each is paced. Whole quanta are
            // counted: the credit that is left at either end is at most one quantum.
            const bool isLow = bitRate / 8 <= parameters.lowRateThreshold;
            const std::size_t first = isLow ? 0 : 10;
            std::size_t last = 4011;
            while (!isLow && host.m_departures[last].time == host.m_departures[last - 1].time)
            {
                last--;
            }
            const double bytes = static_cast<double>(last - 1 - first + (isLow ? 1 : 0)) * 1500;
            const double seconds =
                static_cast<double>(host.m_departures[last].time - host.m_departures[first].time) /
                1e9;
            BOOST_TEST(bytes * 8 / seconds == static_cast<double>(bitRate),
                       boost::test_tools::tolerance(0.001));
        }
    }
}

BOOST_AUTO_TEST_CASE(LongDelaysAreCut)
{
    // 10 kbit/s and 1340 bytes: 1.072 s become 1 s.
    FairQueueParameters parameters;
    parameters.maxRate = 1250;
    TestHost host{parameters};
    host.Run(Packets(4, UNLIMITED_RATE, 1, 1340));
    CheckTimes(host, {0, 1000 * MS, 2000 * MS, 3000 * MS});

    // Up to Linux 3.13 at an eighth of a second.
    parameters.model = FairQueueModel::LINUX_3_13;
    parameters.initialQuantum = 0;
    parameters.quantum = 1340;
    TestHost old{parameters};
    old.Run(Packets(3, UNLIMITED_RATE, 1, 1340));
    CheckTimes(old, {0, 125 * MS, 250 * MS});
}

BOOST_AUTO_TEST_CASE(FirstVersionPacesSocketsByTrueLength)
{
    FairQueueParameters parameters;
    parameters.model = FairQueueModel::LINUX_3_12;
    parameters.initialQuantum = 0;
    parameters.quantum = 1000;
    parameters.defaultRate = 500000;
    TestHost host{parameters};
    // 500 bytes use no credit up, so two leave at a time; the second costs 500 bytes at the rate.
    host.Run(Packets(4, 1000000, 1, 500));
    CheckTimes(host, {0, 0, 500000, 500000});

    // A socket without a rate has the default one.
    TestHost fallback{parameters};
    fallback.Run(Packets(4, UNLIMITED_RATE, 1, 500));
    CheckTimes(fallback, {0, 0, 1 * MS, 1 * MS});

    // A packet without socket is not paced, whatever the maximum rate.
    parameters.maxRate = 1000;
    TestHost forwarded{parameters};
    std::vector<TestPacket> packets = Packets(4, UNLIMITED_RATE, 1, 500);
    for (TestPacket& packet : packets)
    {
        packet.packet.owner = PacketOwner::NONE;
    }
    forwarded.Run(packets);
    CheckTimes(forwarded, Times(4, 0));
}

BOOST_AUTO_TEST_CASE(PureAcksDidNotWait)
{
    for (FairQueueModel model : {FairQueueModel::LINUX_3_13, FairQueueModel::LINUX_4_0})
    {
        FairQueueParameters parameters;
        parameters.model = model;
        parameters.initialQuantum = 0;
        TestHost host{parameters};
        // The two data packets use the credit up; the rest waits 3.028 ms, acknowledgements too or
        // not.
        std::vector<TestPacket> packets = Packets(2, 1000000) + Packets(2, 1000000, 1, 66);
        packets[2].packet.pureAck = true;
        packets[3].packet.pureAck = true;
        host.Run(packets);
        const int64_t expected = model == FairQueueModel::LINUX_3_13 ? 3028000 : 0;
        CheckTimes(host, Times(2, 0) + Times(2, expected));
    }
}

BOOST_AUTO_TEST_CASE(OffloadHorizon)
{
    FairQueueParameters parameters;
    parameters.model = FairQueueModel::LINUX_6_13;
    parameters.offloadHorizon = 2 * MS;
    NoRates rates;
    FairQueue queue{parameters};
    std::vector<TestPacket> packets = Stamped({2 * MS, 2 * MS + 1, 5 * MS});
    // The first takes the fast path; the second is a nanosecond too early for the device.
    const FairQueue::EnqueueResult first = queue.Enqueue(packets[0].packet, 0);
    BOOST_TEST(queue.GetStatistics().fastPathPackets == 1);
    queue.Enqueue(packets[1].packet, 0);
    BOOST_TEST(queue.GetStatistics().fastPathPackets == 1);
    BOOST_TEST(queue.Dequeue(0, rates).packet == first.packet);
    const FairQueue::Departure none = queue.Dequeue(0, rates);
    BOOST_TEST(none.packet == FairQueue::NO_PACKET);
    BOOST_TEST(none.wakeUp == 2 * MS + 1);
    BOOST_TEST(queue.Dequeue(1, rates).packet != FairQueue::NO_PACKET);
}

BOOST_AUTO_TEST_CASE(NewConnectionOfASocket)
{
    FairQueueParameters parameters;
    parameters.initialQuantum = 3028;
    TestHost host{parameters};
    std::vector<TestPacket> packets = Packets(3, 1000, 1) + Packets(1, 1000, 1, FRAME, MS);
    packets[3].packet.connection = 1;
    host.Run(packets);
    // The second waits for a second, until the new connection frees the flow.
    CheckTimes(host, {0, 1 * MS, 1001 * MS, 2001 * MS});
    parameters.lowRateThreshold = 0;
    TestHost bursts{parameters};
    bursts.Run(packets);
    CheckTimes(bursts, {0, 0, 1 * MS, 1 * MS});
    int32_t credit;
    int64_t nextTime;
    BOOST_TEST(bursts.m_queue.GetFlowState(1, credit, nextTime));
    BOOST_TEST(credit == 0);
    BOOST_TEST(!bursts.m_queue.GetFlowState(2, credit, nextTime));
}

BOOST_AUTO_TEST_CASE(BurstsCountAsOnePacket)
{
    FairQueueParameters parameters;
    parameters.initialQuantum = 3028;
    TestHost host{parameters};
    std::vector<TestPacket> packets = Packets(12, MBIT10);
    for (std::size_t i = 0; i < packets.size(); ++i)
    {
        packets[i].packet.continues = i % 4 != 3;
    }
    host.Run(packets);
    // Four frames are 6056 bytes, which take 4844.8 us at 1.25 MB/s.
    CheckTimes(host, Times(4, 0) + Times(4, 4844800) + Times(4, 9689600));

    // A burst whose frames leave one by one is followed by the same gap.
    TestHost single{parameters};
    single.SetBurst(false);
    single.Run(packets);
    CheckTimes(single, Times(4, 0) + Times(4, 4844800) + Times(4, 9689600));

    // The other flow waits until a burst has left, and not longer.
    TestHost two{parameters};
    two.Run(packets + Packets(4, MBIT10, 2));
    std::string order;
    for (const TestDeparture& departure : two.m_departures)
    {
        order += departure.index < 12 ? 'A' : 'B';
    }
    BOOST_TEST(order.substr(0, 6) == "AAAABB");
}

BOOST_AUTO_TEST_CASE(OrphansShareFlows)
{
    FairQueueParameters parameters;
    parameters.orphanMask = 7;
    FairQueue queue(parameters);
    for (uint32_t hash = 0; hash < 1000; hash++)
    {
        FairQueuePacket packet;
        packet.hash = hash * 2654435761U;
        packet.length = 100;
        queue.Enqueue(packet, 0);
    }
    BOOST_TEST(queue.GetStatistics().flows == 8);
}

BOOST_AUTO_TEST_CASE(IdleFlowsAreForgotten)
{
    FairQueueParameters parameters;
    parameters.buckets = 2;
    NoRates rates;
    FairQueue queue{parameters};
    for (uint64_t socket = 1; socket <= 20; socket++)
    {
        queue.Enqueue(Packets(1, UNLIMITED_RATE, socket)[0].packet, 0);
    }
    // A packet that is not due keeps the queue from being empty, so that the flows are visited.
    queue.Enqueue(Stamped({9000 * MS}, 21)[0].packet, 0);
    for (int i = 0; i < 21; i++)
    {
        queue.Dequeue(0, rates);
    }
    BOOST_TEST(queue.GetStatistics().inactiveFlows == 20);
    queue.Enqueue(Packets(1, UNLIMITED_RATE, 1)[0].packet, 3000 * MS);
    BOOST_TEST(queue.GetStatistics().collectedFlows == 0);
    queue.Enqueue(Packets(1, UNLIMITED_RATE, 1)[0].packet, 3000 * MS + 1);
    BOOST_TEST(queue.GetStatistics().collectedFlows == 8);
    BOOST_TEST(queue.GetStatistics().flows == 13);
    // A new number of buckets forgets all that are idle.
    parameters.buckets = 4;
    queue.Configure(parameters, 3000 * MS + 1, rates, [](FairQueue::PacketId) {});
    BOOST_TEST(queue.GetStatistics().flows == 2);
}

BOOST_AUTO_TEST_CASE(NoMemoryForAFlow)
{
    FairQueueParameters parameters;
    parameters.maximumFlows = 1;
    TestHost host{parameters};
    host.Run(Packets(1, 1000, 1) + Packets(3, 1000, 2));
    CheckTimes(host, Times(4, 0));
    BOOST_TEST(host.m_queue.GetStatistics().allocationErrors == 3);
    BOOST_TEST(host.m_queue.GetStatistics().controlPackets == 3);
}

BOOST_AUTO_TEST_CASE(ParametersAreChecked)
{
    const auto fault = [](auto change) {
        FairQueueParameters parameters;
        change(parameters);
        BOOST_CHECK_THROW(FairQueue queue(parameters), std::invalid_argument);
        return parameters.Validate();
    };
    BOOST_TEST(FairQueueParameters().Validate() == "");
    BOOST_TEST(fault([](auto& p) { p.quantum = 0; }) ==
               "quantum 0 is not allowed: it must be 1 to 1048576 bytes");
    BOOST_TEST(fault([](auto& p) { p.quantum = 1048577; }).find("1048577") != std::string::npos);
    BOOST_TEST(fault([](auto& p) { p.initialQuantum = 1U << 31; }) != "");
    BOOST_TEST(fault([](auto& p) { p.buckets = 1; }) != "");
    BOOST_TEST(fault([](auto& p) { p.buckets = 1000; }) != "");
    BOOST_TEST(fault([](auto& p) { p.buckets = 1U << 19; }) != "");
    BOOST_TEST(fault([](auto& p) { p.priomap[3] = 3; }) ==
               "priomap 3 for priority 3 is not allowed: it must be a band from 0 to 2");
    BOOST_TEST(fault([](auto& p) { p.weights[1] = 16383; }) != "");
    BOOST_TEST(fault([](auto& p) { p.horizon = -1; }) ==
               "horizon -1ns is not allowed: it must be 0 or more");

    // A refused change leaves the parameters alone.
    FairQueueParameters parameters;
    TestHost host{parameters};
    parameters.quantum = 0;
    BOOST_CHECK_THROW(host.m_queue.Configure(parameters, 0, host, [](FairQueue::PacketId) {}),
                      std::invalid_argument);
    BOOST_TEST(host.m_queue.GetParameters().quantum == 3028);
    // So does a change of the model while packets are held.
    host.m_queue.Enqueue(Packets(1, 0)[0].packet, 0);
    parameters.quantum = 3028;
    parameters.model = FairQueueModel::LINUX_6_7;
    BOOST_CHECK_THROW(host.m_queue.Configure(parameters, 0, host, [](FairQueue::PacketId) {}),
                      std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(MemoryOfIdleFlows)
{
    // Not more than 200 bytes for each flow.
    FairQueueParameters parameters;
    parameters.limit = 2000000;
    NoRates rates;
    FairQueue queue{parameters};
    constexpr uint32_t flows = 1000000;
    FairQueuePacket packet;
    packet.owner = PacketOwner::CONNECTED;
    packet.length = 100;
    packet.departure = 1;
    for (uint32_t i = 0; i < flows; i++)
    {
        packet.socket = i * 7919ULL;
        queue.Enqueue(packet, 1);
        BOOST_REQUIRE(queue.Dequeue(1, rates).packet != FairQueue::NO_PACKET);
    }
    BOOST_TEST(queue.GetStatistics().flows == flows);
    BOOST_TEST((queue.GetFlowMemory() + queue.GetPacketMemory()) / flows <= 200);
}

BOOST_AUTO_TEST_CASE(Texts)
{
    BOOST_TEST(FormatTcRate(68750) == "550Kbit");
    BOOST_TEST(FormatTcRate(12500000) == "100Mbit");
    BOOST_TEST(FormatTcRate(125) == "1Kbit");
    BOOST_TEST(FormatTcRate(1) == "8bit");
    BOOST_TEST(FormatTcRate(68751) == "550008bit");
    BOOST_TEST(FormatTcRate(1250000000000) == "10Tbit");
    BOOST_TEST(FormatTcTime(0) == "0ns");
    BOOST_TEST(FormatTcTime(999) == "999ns");
    BOOST_TEST(FormatTcTime(10000) == "10us");
    BOOST_TEST(FormatTcTime(12345) == "12.3us");
    BOOST_TEST(FormatTcTime(40000000) == "40ms");
    BOOST_TEST(FormatTcTime(999999999) == "1000ms");
    BOOST_TEST(FormatTcTime(10000000000) == "10s");

    FairQueueParameters parameters;
    BOOST_TEST(FormatTcOptions(parameters) ==
               "limit 10000p flow_limit 100p buckets 1024 orphan_mask 1023 quantum 3028b "
               "initial_quantum 15140b low_rate_threshold 550Kbit refill_delay 40ms timer_slack "
               "10us horizon 10s horizon_drop");
    parameters.model = FairQueueModel::LINUX_6_7;
    parameters.pacing = false;
    parameters.maxRate = 12500000;
    parameters.horizonDrop = false;
    parameters.ceThreshold = 1 * MS;
    BOOST_TEST(FormatTcOptions(parameters) ==
               "limit 10000p flow_limit 100p buckets 1024 orphan_mask 1023 nopacing bands 3 "
               "priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1 weights 589824 196608 65536 quantum 3028b "
               "initial_quantum 15140b maxrate 100Mbit low_rate_threshold 550Kbit refill_delay "
               "40ms ce_threshold 1ms timer_slack 10us horizon 10s horizon_cap");

    FairQueueStatistics statistics;
    statistics.sentBytes = 10;
    statistics.sentPackets = 1;
    statistics.droppedPackets = 3;
    statistics.bytes = 20;
    statistics.packets = 2;
    statistics.flows = 5;
    statistics.inactiveFlows = 3;
    statistics.throttledFlows = 1;
    statistics.bandPackets = {0, 2, 0};
    statistics.nextDelayed = 30000;
    statistics.collectedFlows = 7;
    statistics.fastPathPackets = 9;
    statistics.throttled = 4;
    statistics.latencyNs = 1500;
    statistics.ceMarks = 6;
    statistics.flowLimitDrops = 1;
    statistics.tooLongDelays = 8;
    statistics.bandDrops = {0, 0, 2};
    FairQueueTextContext context;
    context.now = 10000;
    context.requeues = 2;
    const std::string text = FormatTcStatistics(parameters, statistics, context);
    BOOST_TEST(text.substr(text.find('\n') + 1) ==
               " Sent 10 bytes 1 pkt (dropped 3, overlimits 0 requeues 2)\n"
               " backlog 20b 2p requeues 2\n"
               "  flows 5 (inactive 3 throttled 1) band0_pkts 0 band1_pkts 2 band2_pkts 0 "
               "next_packet_delay 30us\n"
               "  gc 7 highprio 0 fastpath 9 throttled 4 latency 1.5us ce_mark 6 flows_plimit 1\n"
               "  pkts_too_long 8 band2_drops 2\n");

    FairQueueParameters old;
    old.model = FairQueueModel::LINUX_3_12;
    statistics.nextDelayed = NEVER;
    statistics.tooLongDelays = 0;
    const std::string oldText = FormatTcStatistics(old, statistics, context);
    BOOST_TEST(oldText.substr(oldText.find("  5 flows")) ==
               "  5 flows (3 inactive, 1 throttled)\n"
               "  7 gc, 0 highprio, 0 retrans, 4 throttled, 1 flows_plimit\n");
}

BOOST_AUTO_TEST_SUITE_END()
