/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup linux-tcp-tests
 * LadderQueue, against a sorted map.
 */

#include "ladder-queue.h"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <random>

using namespace ns3::linuxtcp;

namespace
{

constexpr int64_t LAST = std::numeric_limits<int64_t>::max(); ///< latest time (ns)

/// The queue, and a multimap, which keeps equal keys in the order of insertion
class Pair
{
  public:
    /**
     * @brief Insert a new number.
     * @param time its time (ns)
     */
    void Push(int64_t time)
    {
        m_queue.Push(time, m_next);
        m_model.emplace(time, m_next);
        m_next++;
    }

    /// Compare the first elements and remove them.
    void Pop()
    {
        BOOST_REQUIRE(!m_queue.IsEmpty());
        BOOST_REQUIRE_EQUAL(m_queue.GetFirst().time, m_model.begin()->first);
        BOOST_REQUIRE_EQUAL(m_queue.GetFirst().value, m_model.begin()->second);
        m_queue.Pop();
        m_model.erase(m_model.begin());
    }

    /**
     * @brief Remove a number from the midst.
     * @param position which
     */
    void Remove(std::size_t position)
    {
        const auto it = std::next(m_model.begin(), position);
        BOOST_REQUIRE(m_queue.Remove(it->first, it->second));
        BOOST_REQUIRE(!m_queue.Remove(it->first, it->second));
        m_model.erase(it);
    }

    /// Empty both.
    void Drain()
    {
        while (!m_model.empty())
        {
            Pop();
        }
        BOOST_REQUIRE(m_queue.IsEmpty());
    }

    LadderQueue m_queue;                      ///< the queue
    std::multimap<int64_t, uint32_t> m_model; ///< what it should hold
    uint32_t m_next{0};                       ///< next number
};

} // namespace

BOOST_AUTO_TEST_SUITE(LadderQueueTests)

BOOST_AUTO_TEST_CASE(AnyTimesLeaveInOrder)
{
    std::mt19937_64 random(1);
    int64_t now = 0;
    const std::function<int64_t()> patterns[] = {
        [&] { return static_cast<int64_t>(random() % 1000000000); }, // unrelated to those before
        [&] { return now + 1 + static_cast<int64_t>(random() % 10000000); }, // what is to come
        [&] { return int64_t{42}; },                                         // all the same
        [&] { return static_cast<int64_t>(random() % 3); },                  // nearly
        [&] { return ++now; },                                               // rising
        [&] { return LAST - ++now; },                                        // falling
        [&] { return random() % 2 == 0 ? LAST : -LAST; },                    // far apart
        [&] { return int64_t{1} << random() % 62; },                         // dense at the begin
    };
    for (const auto& pattern : patterns)
    {
        for (std::size_t size : {1, 100, 5000, 50000})
        {
            now = 0;
            Pair pair;
            for (std::size_t i = 0; i < size; i++)
            {
                pair.Push(pattern());
            }
            for (std::size_t i = 0; i < size; i++)
            {
                now = std::max(now, pair.m_model.begin()->first);
                pair.Pop();
                pair.Push(pattern());
            }
            pair.Drain();
        }
    }
}

BOOST_AUTO_TEST_CASE(CrowdsOfOneTimeAmongOthers)
{
    // Most times are one of a few, the others lie between, or just before the first.
    std::mt19937_64 random(4);
    for (uint64_t others : {2, 3, 10, 30, 100, 1000, 10000})
    {
        for (int64_t distance : {1, 2, 3, 10, 1000, 1000000})
        {
            Pair pair;
            bool grows = true;
            for (int i = 0; i < 100000; i++)
            {
                if (pair.m_model.size() > 4000 || pair.m_model.empty())
                {
                    grows = pair.m_model.empty();
                }
                if (random() % 8 >= (grows ? 6 : 2))
                {
                    if (!pair.m_model.empty())
                    {
                        pair.Pop();
                    }
                }
                else if (random() % others > 0 || pair.m_model.empty())
                {
                    pair.Push(static_cast<int64_t>(random() % 3) * distance);
                }
                else if (random() % 2)
                {
                    pair.Push(static_cast<int64_t>(random() % 3 * distance + random() % distance));
                }
                else
                {
                    pair.Push(pair.m_model.begin()->first -
                              static_cast<int64_t>(random() % (distance / 10 + 2)));
                }
            }
            pair.Drain();
        }
    }
}

BOOST_AUTO_TEST_CASE(NumbersLeaveTheMidst)
{
    std::mt19937_64 random(2);
    Pair pair;
    for (int i = 0; i < 10000; i++)
    {
        pair.Push(static_cast<int64_t>(random() % 5000));
    }
    BOOST_TEST(!pair.m_queue.Remove(1, 1000000));
    BOOST_TEST(!pair.m_queue.Remove(LAST, 1));
    for (int i = 0; i < 500; i++)
    {
        pair.Remove(random() % pair.m_model.size());
        pair.Remove(0);
        pair.Remove(pair.m_model.size() - 1);
        pair.Pop();
    }
    while (pair.m_model.size() > 1)
    {
        pair.Remove(0);
    }
    pair.Drain();
}

BOOST_AUTO_TEST_CASE(EarlierTimesComeBeforeManyEqualOnes)
{
    constexpr int equal = 200000;
    Pair pair;
    for (int i = 0; i < equal; i++)
    {
        pair.Push(equal);
    }
    for (int i = equal; i-- > 0;)
    {
        pair.Push(i);
    }
    BOOST_TEST(pair.m_queue.GetUpcoming(0) == pair.m_model.begin()->second);
    BOOST_TEST(pair.m_queue.GetUpcoming(1) == std::next(pair.m_model.begin())->second);
    BOOST_TEST(pair.m_queue.GetUpcoming(2 * equal) == LadderQueue::NONE);
    pair.Drain();
    BOOST_TEST(pair.m_queue.GetUpcoming(0) == LadderQueue::NONE);
}

BOOST_AUTO_TEST_CASE(ClearLeavesNothing)
{
    Pair pair;
    for (int i = 0; i < 9000; i++)
    {
        pair.Push(i);
    }
    pair.m_queue.Clear();
    BOOST_TEST(pair.m_queue.IsEmpty());
    BOOST_TEST(pair.m_queue.GetAllocatedBytes() == 0);
    pair.m_model.clear();
    pair.Push(7);
    pair.Push(5);
    pair.Drain();
}

BOOST_AUTO_TEST_SUITE_END()
