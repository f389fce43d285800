/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_LADDER_QUEUE_H
#define LINUX_TCP_LADDER_QUEUE_H

#include "stable-heap.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace ns3
{
namespace linuxtcp
{

/**
 * @brief Priority queue of numbers ordered by time; equal times leave in the order of insertion.
 *
 * The cost hardly grows with the number held: only the earliest numbers lie in a heap, small enough
 * for the processor's cache; the others lie unsorted in rungs, each for a range of times, and come
 * into the heap a rung at a time (after W. T. Tang, R. S. M. Goh and I. L.-J. Thng, "Ladder queue:
 * An O(1) priority queue structure for large-scale discrete event simulation", ACM TOMACS 15(3),
 * 2005). The order of insertion is a 32 bit count that is renumbered, at most once in 2^31
 * insertions, when it is used up.
 */
class LadderQueue
{
  public:
    /// What the queue holds
    using Element = StableHeap::Element;

    /**
     * @brief Whether nothing is held.
     * @return true if so
     */
    bool IsEmpty() const
    {
        return m_near.IsEmpty();
    }

    /**
     * @brief The first element. The queue must not be empty.
     * @return the element with the smallest time, of equal ones the oldest
     */
    const Element& GetFirst() const
    {
        return m_near.GetFirst();
    }

    /**
     * @brief Insert a number behind all those of the same time.
     * @param time the key (ns)
     * @param value the number
     */
    void Push(int64_t time, uint32_t value)
    {
        if (m_nextOrder == std::numeric_limits<uint32_t>::max())
        {
            Renumber();
        }
        const Element element{time, m_nextOrder++, value};
        if (IsNear(time))
        {
            m_near.Push(element);
            if (m_near.GetSize() > m_nearMaximum)
            {
                Split();
            }
        }
        else
        {
            RungOf(time).elements.push_back(element);
        }
    }

    /// Remove the first element. The queue must not be empty.
    void Pop()
    {
        m_near.Pop();
        Refill();
    }

    /**
     * @brief Remove a number from anywhere in the queue, by a search.
     * @param time its key (ns)
     * @param value the number
     * @return false if it is not there
     */
    bool Remove(int64_t time, uint32_t value)
    {
        if (IsNear(time))
        {
            const bool isRemoved = m_near.Remove(time, value);
            Refill();
            return isRemoved;
        }
        std::vector<Element>& elements = RungOf(time).elements;
        const auto found =
            std::find_if(elements.begin(), elements.end(), [time, value](const Element& element) {
                return element.time == time && element.value == value;
            });
        if (found == elements.end())
        {
            return false;
        }
        *found = elements.back();
        elements.pop_back();
        return true;
    }

    /// Remove everything.
    void Clear()
    {
        m_near.Clear();
        m_nearMaximum = NEAR_MAXIMUM;
        m_rungs.clear();
        m_rungs.shrink_to_fit();
        m_nextOrder = 0;
    }

    /**
     * @brief Memory held by the queue.
     * @return bytes
     */
    std::size_t GetAllocatedBytes() const
    {
        std::size_t bytes = m_near.GetAllocatedBytes() + m_rungs.capacity() * sizeof(Rung);
        for (const Rung& rung : m_rungs)
        {
            bytes += rung.elements.capacity() * sizeof(Element);
        }
        return bytes;
    }

    /**
     * @brief Set the count of insertions, so that a test can reach its end.
     * @param order order of the next element, not below that of any element held
     */
    void SetNextOrder(uint32_t order)
    {
        m_nextOrder = order;
    }

  private:
    /// Elements in the heap from which on the later half becomes a rung; 32 KB
    static constexpr std::size_t NEAR_MAXIMUM = 2048;
    /// Elements of a rung that come into the heap at once
    static constexpr std::size_t REFILL_MAXIMUM = NEAR_MAXIMUM / 2;
    /// Rungs that a larger one is spread over, at most
    static constexpr std::size_t SPREAD_MAXIMUM = 64;

    /// Elements from a time up to the begin of the next later rung, in no order
    struct Rung
    {
        int64_t begin{0};              ///< smallest time (ns)
        std::vector<Element> elements; ///< the elements
    };

    /**
     * @brief Whether a time belongs into the heap.
     * @param time the time (ns)
     * @return true if so
     */
    bool IsNear(int64_t time) const
    {
        return m_rungs.empty() || time < m_rungs.back().begin;
    }

    /**
     * @brief The rung that a time, which does not belong into the heap, belongs into.
     * @param time the time (ns)
     * @return the rung
     */
    Rung& RungOf(int64_t time)
    {
        return *std::partition_point(m_rungs.begin(), m_rungs.end(), [time](const Rung& rung) {
            return rung.begin > time;
        });
    }

    /**
     * @brief Put elements into the heap.
     * @param elements the elements
     */
    void PutNear(const std::vector<Element>& elements)
    {
        for (const Element& element : elements)
        {
            m_near.Push(element);
        }
        m_nearMaximum = std::max(NEAR_MAXIMUM, 2 * m_near.GetSize());
    }

    /// Move the later half of the heap to a rung of its own, unless all are of one time.
    void Split()
    {
        std::vector<Element> elements = m_near.TakeAll();
        const auto isEarlier = [](const Element& a, const Element& b) { return a.time < b.time; };
        const auto middle = elements.begin() + elements.size() / 2;
        std::nth_element(elements.begin(), middle, elements.end(), isEarlier);
        const int64_t first = std::min_element(elements.begin(), middle + 1, isEarlier)->time;
        const int64_t last = middle->time > first ? middle->time - 1 : first;
        const auto later =
            std::partition(elements.begin(), elements.end(), [last](const Element& element) {
                return element.time <= last;
            });
        if (later != elements.end())
        {
            m_rungs.push_back({last + 1, std::vector<Element>(later, elements.end())});
            elements.erase(later, elements.end());
        }
        PutNear(elements);
    }

    /// Let the earliest rung come into the heap if that is empty.
    void Refill()
    {
        while (m_near.IsEmpty() && !m_rungs.empty())
        {
            const Rung rung = std::move(m_rungs.back());
            m_rungs.pop_back();
            if (rung.elements.size() <= REFILL_MAXIMUM || !Spread(rung.elements))
            {
                PutNear(rung.elements);
            }
        }
    }

    /**
     * @brief Make rungs, each for an equal part of the range of times, of the elements of one.
     * @param elements the elements, earlier than all others
     * @return false if all are of one time
     */
    bool Spread(const std::vector<Element>& elements)
    {
        const auto isEarlier = [](const Element& a, const Element& b) { return a.time < b.time; };
        const auto ends = std::minmax_element(elements.begin(), elements.end(), isEarlier);
        const uint64_t first = static_cast<uint64_t>(ends.first->time);
        const uint64_t range = static_cast<uint64_t>(ends.second->time) - first;
        if (range == 0)
        {
            return false;
        }
        const std::size_t count =
            std::min(SPREAD_MAXIMUM, 1 + elements.size() / (REFILL_MAXIMUM / 2));
        const uint64_t width = range / count + 1;
        std::vector<Rung> rungs(count);
        for (const Element& element : elements)
        {
            const uint64_t part = (static_cast<uint64_t>(element.time) - first) / width;
            rungs[part].elements.push_back(element);
        }
        for (std::size_t part = count; part-- > 0;)
        {
            if (!rungs[part].elements.empty())
            {
                rungs[part].begin = static_cast<int64_t>(first + part * width);
                m_rungs.push_back(std::move(rungs[part]));
            }
        }
        return true;
    }

    /// Give the elements small orders without changing the order they leave in.
    void Renumber()
    {
        // Equal times lie together, so that each part can be numbered by itself.
        std::vector<Element> elements = m_near.TakeAll();
        m_nextOrder = Number(elements);
        PutNear(elements);
        for (Rung& rung : m_rungs)
        {
            m_nextOrder = std::max(m_nextOrder, Number(rung.elements));
        }
    }

    /**
     * @brief Give elements the orders 0, 1, 2...
     * @param[in,out] elements the elements
     * @return the next order
     */
    static uint32_t Number(std::vector<Element>& elements)
    {
        std::sort(elements.begin(), elements.end(), StableHeap::IsBefore);
        uint32_t order = 0;
        for (Element& element : elements)
        {
            element.order = order++;
        }
        return order;
    }

    StableHeap m_near;                       ///< the earliest elements
    std::size_t m_nearMaximum{NEAR_MAXIMUM}; ///< elements in the heap that make it split
    std::vector<Rung> m_rungs;               ///< the later elements, the latest rung first
    uint32_t m_nextOrder{0};                 ///< order of the next element inserted
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_LADDER_QUEUE_H */
