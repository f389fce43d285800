/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup linux-tcp-tests
 * Tests of the fair queue scheduler: departures worked out by hand or by a model of the published
 * description of fq, parameters and their rules, memory.
 */

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
    FairQueueParameters parameters;
    parameters.model = FairQueueModel::LINUX_6_7;
    // The published vector has packets of 1000 bytes and weights of 9000, 3000 and 1000, which are
    // below the smallest weight allowed; everything is multiplied alike.
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

BOOST_AUTO_TEST_SUITE_END()
