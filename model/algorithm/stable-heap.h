/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_STABLE_HEAP_H
#define LINUX_TCP_STABLE_HEAP_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace linuxtcp
{

/**
 * @brief Heap of numbers ordered by time, and by a position given among equal times.
 *
 * A four-ary heap whose groups of siblings each fill one cache line.
 */
class StableHeap
{
  public:
    /// What the heap holds
    struct Element
    {
        int64_t time{0};   ///< the key (ns)
        uint32_t order{0}; ///< position among equal times
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
     * @return the element with the smallest time, of equal ones that with the smallest position
     */
    const Element& GetFirst() const
    {
        return At(0);
    }

    /**
     * @brief Insert an element.
     * @param element the element
     */
    void Push(const Element& element)
    {
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

    /**
     * @brief Remove everything.
     * @return what was held, in no order
     */
    std::vector<Element> TakeAll()
    {
        std::vector<Element> elements;
        elements.reserve(m_size);
        for (std::size_t position = 0; position < m_size; position++)
        {
            elements.push_back(At(position));
        }
        m_size = 0;
        return elements;
    }

    /// Remove everything, and give the memory back.
    void Clear()
    {
        m_groups.clear();
        m_groups.shrink_to_fit();
        m_size = 0;
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
     * @brief Order of two elements.
     * @param a one
     * @param b another one
     * @return whether a leaves before b
     */
    static bool IsBefore(const Element& a, const Element& b)
    {
        return a.time < b.time || (a.time == b.time && a.order < b.order);
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

    std::vector<Group> m_groups; ///< the elements
    std::size_t m_size{0};       ///< number of elements
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_STABLE_HEAP_H */
