/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_KEY_INDEX_H
#define LINUX_TCP_KEY_INDEX_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{
namespace linuxtcp
{

/**
 * @brief Hash index from 64 bit keys to the numbers of the records that hold the keys.
 *
 * Open addressing with linear probing. A slot holds 32 bits of the hash and the number, 8 bytes in
 * all; the key itself stays in the record, which is read only when the 32 bits agree. Growing and
 * erasing touch no record.
 */
class KeyIndex
{
  public:
    /// Number that says that there is no record
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    /**
     * @brief Hash of a key: every bit of the key changes every bit of the hash evenly.
     * @param key the key
     * @return the hash
     */
    static uint32_t Hash(uint64_t key)
    {
        // The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
        key += 0x9e3779b97f4a7c15;
        key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9;
        key = (key ^ (key >> 27)) * 0x94d049bb133111eb;
        return static_cast<uint32_t>((key ^ (key >> 31)) >> 32);
    }

    /**
     * @brief Find the record of a key.
     * @tparam Match type of match
     * @param hash Hash() of the key
     * @param match called with a number, says whether that record holds the key
     * @return the number of the record, NONE if there is none
     */
    template <typename Match>
    uint32_t Find(uint32_t hash, Match match) const
    {
        if (m_size == 0)
        {
            return NONE;
        }
        for (std::size_t position = hash & m_mask;; position = (position + 1) & m_mask)
        {
            const Slot& slot = m_slots[position];
            if (slot.number == NONE)
            {
                return NONE;
            }
            if (slot.hash == hash && match(slot.number))
            {
                return slot.number;
            }
        }
    }

    /**
     * @brief Insert a key that is not there.
     * @param hash Hash() of the key
     * @param number number of its record
     */
    void Insert(uint32_t hash, uint32_t number)
    {
        if ((m_size + 1) * 4 > m_slots.size() * 3)
        {
            Grow();
        }
        Place(hash, number);
        m_size++;
    }

    /**
     * @brief Erase a record.
     * @param hash Hash() of its key
     * @param number number of the record, which must be there
     */
    void Erase(uint32_t hash, uint32_t number)
    {
        std::size_t hole = hash & m_mask;
        while (m_slots[hole].number != number)
        {
            hole = (hole + 1) & m_mask;
        }
        // Close the gap: move back every follower that may lie in the hole.
        for (std::size_t next = (hole + 1) & m_mask; m_slots[next].number != NONE;
             next = (next + 1) & m_mask)
        {
            const std::size_t home = m_slots[next].hash & m_mask;
            if (((next - home) & m_mask) >= ((next - hole) & m_mask))
            {
                m_slots[hole] = m_slots[next];
                hole = next;
            }
        }
        m_slots[hole].number = NONE;
        m_size--;
    }

    /// Erase everything and give the memory back.
    void Clear()
    {
        m_slots.clear();
        m_slots.shrink_to_fit();
        m_mask = 0;
        m_size = 0;
    }

    /**
     * @brief Memory held by the index.
     * @return bytes
     */
    std::size_t GetAllocatedBytes() const
    {
        return m_slots.capacity() * sizeof(Slot);
    }

  private:
    /// One place of the table
    struct Slot
    {
        uint32_t hash{0};      ///< hash of the key
        uint32_t number{NONE}; ///< number of the record, NONE if the place is free
    };

    /**
     * @brief Put a record in the first free place.
     * @param hash hash of its key
     * @param number its number
     */
    void Place(uint32_t hash, uint32_t number)
    {
        std::size_t position = hash & m_mask;
        while (m_slots[position].number != NONE)
        {
            position = (position + 1) & m_mask;
        }
        m_slots[position] = Slot{hash, number};
    }

    /// Double the number of places.
    void Grow()
    {
        std::vector<Slot> old(m_slots.empty() ? 16 : 2 * m_slots.size());
        old.swap(m_slots);
        m_mask = m_slots.size() - 1;
        for (const Slot& slot : old)
        {
            if (slot.number != NONE)
            {
                Place(slot.hash, slot.number);
            }
        }
    }

    std::vector<Slot> m_slots; ///< the table, a power of two
    std::size_t m_mask{0};     ///< size of the table less one
    std::size_t m_size{0};     ///< number of records
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_KEY_INDEX_H */
