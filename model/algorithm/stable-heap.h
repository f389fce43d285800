/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_STABLE_HEAP_H
#define LINUX_TCP_STABLE_HEAP_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{
namespace linuxtcp
{

/**
 * @brief Priority queue of numbers ordered by time; equal times leave in the order of insertion.
 *
 * A four-ary heap whose groups of siblings each fill one cache line. The order of insertion is a
 * 32 bit count that is renumbered, at most once in 2^32 insertions, when it is used up.
 */
class StableHeap
{
  public:
    /// What the heap holds
    struct Element
    {
        int64_t time{0};   ///< the key (ns)
        uint32_t order{0}; ///< position among equal keys
        uint32_t value{0}; ///< the number held
    };

    /**
     * @brief Whether nothing is held.
     * @return true if so
     */
    bool IsEmpty() const
    {
        return m_size == 0;
    }

    /**
     * @brief How many elements are held.
     * @return their number
     */
    std::size_t GetSize() const
    {
        return m_size;
    }

    /**
     * @brief The first element. The heap must not be empty.
     * @return the element with the smallest time, of equal ones the oldest
     */
    const Element& GetFirst() const
    {
        return At(0);
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
        const std::size_t position = m_size++;
        if ((position + SHIFT) / ARITY >= m_groups.size())
        {
            m_groups.emplace_back();
        }
        SiftUp(position, element);
    }

    /// Remove the first element. The heap must not be empty.
    void Pop()
    {
        RemoveAt(0);
    }

    /**
     * @brief Remove a number from anywhere in the heap, by a search over the elements not later.
     * @param time its key (ns)
     * @param value the number
     * @return false if it is not there
     */
    bool Remove(int64_t time, uint32_t value)
    {
        std::vector<std::size_t> pending{0};
        while (!pending.empty())
        {
            const std::size_t position = pending.back();
            pending.pop_back();
            if (position >= m_size || At(position).time > time)
            {
                continue;
            }
            if (At(position).value == value)
            {
                RemoveAt(position);
                return true;
            }
            for (std::size_t child = 0; child < ARITY; child++)
            {
                pending.push_back(position * ARITY + 1 + child);
            }
        }
        return false;
    }

    /// Remove everything.
    void Clear()
    {
        m_groups.clear();
        m_groups.shrink_to_fit();
        m_size = 0;
        m_nextOrder = 0;
    }

    /**
     * @brief Memory held by the heap.
     * @return bytes
     */
    std::size_t GetAllocatedBytes() const
    {
        return m_groups.capacity() * sizeof(Group);
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
    /// Number of children of an element
    static constexpr std::size_t ARITY = 4;
    /// The root lies at the end of the first group, so that siblings share a group
    static constexpr std::size_t SHIFT = ARITY - 1;

    /// Siblings, in a cache line of their own
    struct alignas(64) Group
    {
        Element elements[ARITY]; ///< the siblings
    };

    /**
     * @brief Element at a position.
     * @param position the position, 0 for the root
     * @return the element
     */
    Element& At(std::size_t position)
    {
        return m_groups[(position + SHIFT) / ARITY].elements[(position + SHIFT) % ARITY];
    }

    /// @copydoc At(std::size_t)
    const Element& At(std::size_t position) const
    {
        return m_groups[(position + SHIFT) / ARITY].elements[(position + SHIFT) % ARITY];
    }

    /**
     * @brief Order of two elements.
     * @param a one
     * @param b another one
     * @return whether a leaves before b
     */
    static bool IsBefore(const Element& a, const Element& b)
    {
        return a.time < b.time || (a.time == b.time && a.order < b.order);
    }

    /**
     * @brief Place an element at a free position or above it.
     * @param position the free position
     * @param element the element
     */
    void SiftUp(std::size_t position, const Element& element)
    {
        while (position > 0)
        {
            const std::size_t parent = (position - 1) / ARITY;
            if (!IsBefore(element, At(parent)))
            {
                break;
            }
            At(position) = At(parent);
            position = parent;
        }
        At(position) = element;
    }

    /**
     * @brief Remove the element at a position.
     * @param position the position
     */
    void RemoveAt(std::size_t position)
    {
        const Element last = At(--m_size);
        if (position == m_size)
        {
            return;
        }
        // Lead the hole down to a leaf, then let the last element rise from there: it came from
        // a leaf, so it rarely rises far.
        for (;;)
        {
            const std::size_t first = position * ARITY + 1;
            if (first >= m_size)
            {
                break;
            }
            std::size_t best = first;
            const std::size_t end = std::min(first + ARITY, m_size);
            for (std::size_t child = first + 1; child < end; child++)
            {
                if (IsBefore(At(child), At(best)))
                {
                    best = child;
                }
            }
            At(position) = At(best);
            position = best;
        }
        SiftUp(position, last);
    }

    /// Give the elements the orders 0, 1, 2... without changing the order they leave in.
    void Renumber()
    {
        std::vector<Element> sorted;
        sorted.reserve(m_size);
        for (std::size_t position = 0; position < m_size; position++)
        {
            sorted.push_back(At(position));
        }
        std::sort(sorted.begin(), sorted.end(), IsBefore);
        m_nextOrder = 0;
        // A sorted sequence is a heap.
        for (std::size_t position = 0; position < m_size; position++)
        {
            sorted[position].order = m_nextOrder++;
            At(position) = sorted[position];
        }
    }

    std::vector<Group> m_groups; ///< the elements
    std::size_t m_size{0};       ///< number of elements
    uint32_t m_nextOrder{0};     ///< order of the next element inserted
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_STABLE_HEAP_H */
