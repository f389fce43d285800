/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_LADDER_QUEUE_H
#define LINUX_TCP_LADDER_QUEUE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
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
 * The cost hardly grows with the number held: only the earliest numbers are kept sorted; the others
 * lie in rungs, each for a range of times, and are sorted a rung at a time (after W. T. Tang, R. S.
 * M. Goh and I. L.-J. Thng, "Ladder queue: An O(1) priority queue structure for large-scale
 * discrete event simulation", ACM TOMACS 15(3), 2005).
 */
class LadderQueue
{
  public:
    /// Number that says that there is none
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    /// What the queue holds
    struct Element
    {
        int64_t time{0};   ///< the key (ns)
        uint32_t value{0}; ///< the number held
    };

    /**
     * @brief Whether nothing is held.
     * @return true if so
     */
    bool IsEmpty() const
    {
        return m_near.GetSize() == 0;
    }

    /**
     * @brief The first element. The queue must not be empty.
     * @return the element with the smallest time, of equal ones the oldest
     */
    const Element& GetFirst() const
    {
        return m_near.elements[m_near.first];
    }

    /**
     * @brief Look at what will soon be the first.
     * @param ahead how many elements leave before
     * @return its number, NONE if that is not known
     */
    uint32_t GetUpcoming(std::size_t ahead) const
    {
        return ahead < m_near.GetSize() ? m_near.elements[m_near.first + ahead].value : NONE;
    }

    /**
     * @brief Insert a number behind all those of the same time.
     * @param time the key (ns)
     * @param value the number
     */
    void Push(int64_t time, uint32_t value)
    {
        const auto rung = RungOf(time);
        if (rung != m_rungs.end())
        {
            rung->elements.push_back({time, value});
            return;
        }
        const auto isNotLater = [time](const Element& element) { return element.time <= time; };
        m_near.elements.insert(
            std::partition_point(m_near.GetBegin(), m_near.elements.end(), isNotLater),
            {time, value});
        if (m_near.GetSize() > NEAR_MAXIMUM)
        {
            Split();
        }
    }

    /// Remove the first element. The queue must not be empty.
    void Pop()
    {
        m_near.first++;
        if (m_near.first > NEAR_MAXIMUM)
        {
            m_near.elements.erase(m_near.elements.begin(), m_near.GetBegin());
            m_near.first = 0;
        }
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
        // The newest elements of a time lie in the rung for the next one, older ones perhaps
        // before.
        for (auto rung = RungOf(time); rung != m_rungs.end(); rung++)
        {
            if (rung->Erase(time, value))
            {
                return true;
            }
            if (rung->begin < time)
            {
                return false;
            }
        }
        const bool isRemoved = m_near.Erase(time, value);
        Refill();
        return isRemoved;
    }

    /// Remove everything.
    void Clear()
    {
        *this = LadderQueue();
    }

    /**
     * @brief Memory held by the queue.
     * @return bytes
     */
    std::size_t GetAllocatedBytes() const
    {
        std::size_t bytes =
            m_near.elements.capacity() * sizeof(Element) + m_rungs.capacity() * sizeof(Rung);
        for (const Rung& rung : m_rungs)
        {
            bytes += rung.elements.capacity() * sizeof(Element);
        }
        return bytes;
    }

  private:
    /// Sorted elements from which on the later half becomes a rung
    static constexpr std::size_t NEAR_MAXIMUM = 512;
    /// Elements that are sorted at once
    static constexpr std::size_t REFILL_MAXIMUM = NEAR_MAXIMUM / 2;
    /// Rungs that a larger one is spread over, at most
    static constexpr std::size_t SPREAD_MAXIMUM = 64;

    /// Elements from a time on, equal times by age. New elements go to the last rung that begins
    /// at their time or before it.
    struct Rung
    {
        int64_t begin{0};              ///< smallest time (ns)
        std::vector<Element> elements; ///< the elements, behind those that left
        std::size_t first{0};          ///< position of the first element
        bool isUniform{false};         ///< all its elements are, and will be, of one time

        /**
         * @brief How many elements are held.
         * @return their number
         */
        std::size_t GetSize() const
        {
            return elements.size() - first;
        }

        /**
         * @brief Where the elements begin.
         * @return the place of the first
         */
        std::vector<Element>::iterator GetBegin()
        {
            return elements.begin() + static_cast<std::ptrdiff_t>(first);
        }

        /**
         * @brief Remove a number, by a search.
         * @param time its key (ns)
         * @param value the number
         * @return false if it is not there
         */
        bool Erase(int64_t time, uint32_t value)
        {
            const auto found =
                std::find_if(GetBegin(), elements.end(), [time, value](const Element& element) {
                    return element.time == time && element.value == value;
                });
            if (found == elements.end())
            {
                return false;
            }
            elements.erase(found);
            return true;
        }
    };

    /**
     * @brief Order of two elements.
     * @param a one
     * @param b another one
     * @return whether the time of a is before that of b
     */
    static bool IsEarlier(const Element& a, const Element& b)
    {
        return a.time < b.time;
    }

    /**
     * @brief The rung that a new element goes to.
     * @param time its time (ns)
     * @return the rung, the end if it goes to the sorted elements
     */
    std::vector<Rung>::iterator RungOf(int64_t time)
    {
        if (m_rungs.empty() || time < m_rungs.back().begin)
        {
            return m_rungs.end();
        }
        return std::partition_point(m_rungs.begin(), m_rungs.end(), [time](const Rung& rung) {
            return rung.begin > time;
        });
    }

    /// Move the later half of the sorted elements to a rung.
    void Split()
    {
        const auto later = m_near.GetBegin() + static_cast<std::ptrdiff_t>(m_near.GetSize() / 2);
        m_rungs.push_back({later->time, std::vector<Element>(later, m_near.elements.end())});
        m_near.elements.erase(later, m_near.elements.end());
    }

    /// Sort elements of the earliest rung if there are no sorted ones any more.
    void Refill()
    {
        if (m_near.GetSize() > 0)
        {
            return;
        }
        m_near.elements.clear();
        m_near.first = 0;
        while (m_near.elements.empty() && !m_rungs.empty())
        {
            Rung& rung = m_rungs.back();
            if (rung.GetSize() <= REFILL_MAXIMUM)
            {
                m_near.elements.assign(rung.GetBegin(), rung.elements.end());
                m_rungs.pop_back();
                std::stable_sort(m_near.elements.begin(), m_near.elements.end(), IsEarlier);
            }
            else if (rung.isUniform)
            {
                const auto begin = rung.GetBegin();
                m_near.elements.assign(begin, begin + REFILL_MAXIMUM);
                rung.first += REFILL_MAXIMUM;
            }
            else
            {
                Spread();
            }
        }
    }

    /// Make rungs, each for an equal part of the range of times, of the earliest one.
    void Spread()
    {
        Rung& earliest = m_rungs.back();
        const auto ends =
            std::minmax_element(earliest.GetBegin(), earliest.elements.end(), IsEarlier);
        const uint64_t first = static_cast<uint64_t>(ends.first->time);
        const uint64_t range = static_cast<uint64_t>(ends.second->time) - first;
        if (range == 0)
        {
            MakeUniform(ends.first->time);
            return;
        }
        const std::size_t count =
            std::min(SPREAD_MAXIMUM, 1 + earliest.GetSize() / (REFILL_MAXIMUM / 2));
        const uint64_t width = range / count + 1;
        std::vector<Rung> parts(count);
        for (auto element = earliest.GetBegin(); element != earliest.elements.end(); element++)
        {
            const uint64_t part = (static_cast<uint64_t>(element->time) - first) / width;
            parts[part].elements.push_back(*element);
        }
        m_rungs.pop_back();
        for (std::size_t part = count; part-- > 0;)
        {
            if (!parts[part].elements.empty())
            {
                parts[part].begin = static_cast<int64_t>(first + part * width);
                m_rungs.push_back(std::move(parts[part]));
            }
        }
    }

    /**
     * @brief Have the earliest rung, whose elements are all of one time, take no others.
     * @param time the time (ns)
     */
    void MakeUniform(int64_t time)
    {
        Rung& earliest = m_rungs.back();
        earliest.begin = time;
        earliest.isUniform = true;
        const bool isLast = m_rungs.size() == 1;
        if (time < std::numeric_limits<int64_t>::max() &&
            (isLast || m_rungs[m_rungs.size() - 2].begin > time + 1))
        {
            m_rungs.insert(std::prev(m_rungs.end()), {time + 1, {}});
        }
    }

    Rung m_near;               ///< the earliest elements, sorted
    std::vector<Rung> m_rungs; ///< the later elements, the latest rung first
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_LADDER_QUEUE_H */
