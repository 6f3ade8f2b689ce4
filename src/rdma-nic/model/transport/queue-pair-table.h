// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_QUEUE_PAIR_TABLE_H
#define RDMA_QUEUE_PAIR_TABLE_H

#include "ns3/queue-pair.h"

#include <memory>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief Owner of a NIC's queue pairs, found by their 24-bit number.
 *
 * A hash table with open addressing whose hash is the low bits of the number: queue pairs made one
 * after the other are in adjacent slots, and a lookup is one array access unless an older queue
 * pair occupies the slot.  Numbers rise and start again only at 2^24, so that a late frame for a
 * destroyed queue pair does not reach another.  A caller chooses the numbers if it connects
 * processes that cannot exchange them.  Numbers 0 and 1 are reserved for management (IBTA Vol. 1,
 * Section 3.5.8), and Wireshark decodes packets to them as such.
 *
 * Other classes index their data of a queue pair by its place, which is small and dense.
 */
class QueuePairTable
{
  public:
    static constexpr uint32_t RESERVED{2}; ///< The first number, and the first place.
    static constexpr uint32_t NUMBERS{(1U << 24) - RESERVED};
    static constexpr uint32_t NO_PLACE{UINT32_MAX};

    /// @return a new queue pair with the next free number. Throws a VerbsError beyond NUMBERS.
    QueuePair& Create();

    /// @param number from RESERVED to 2^24 - 1; throws a VerbsError if it is in use
    QueuePair& Create(uint32_t number);

    void Destroy(uint32_t number);

    /// @return the numbers of all queue pairs, rising.
    std::vector<uint32_t> GetNumbers() const;

    /// @return the number of a NIC's k-th queue pair, for all k: the first 2^24 - 2 differ.
    static constexpr uint32_t GetNumber(uint32_t k)
    {
        return RESERVED + k % NUMBERS;
    }

    /// @return null if no queue pair has that number.
    QueuePair* Find(uint32_t number) const
    {
        const Slot* slot = FindSlot(number);
        return slot ? slot->queuePair.get() : nullptr;
    }

    /// @return a number from RESERVED on that is unique until the queue pair is destroyed; NO_PLACE
    /// if no queue pair has that number.
    uint32_t GetPlace(uint32_t number) const
    {
        const Slot* slot = FindSlot(number);
        return slot ? slot->place : NO_PLACE;
    }

    uint32_t GetCount() const
    {
        return m_count;
    }

  private:
    struct Slot
    {
        uint32_t number{0}; ///< 0: free.
        uint32_t place{0};
        std::unique_ptr<QueuePair> queuePair;
    };

    const Slot* FindSlot(uint32_t number) const
    {
        if (!m_slots || number < RESERVED)
        {
            return nullptr;
        }
        // A free slot ends the search; there is always one.
        const Slot* slot = &m_slots[number & m_mask];
        while (slot->number != number)
        {
            if (slot->number == 0)
            {
                return nullptr;
            }
            slot = &m_slots[static_cast<uint32_t>(slot - m_slots.get() + 1) & m_mask];
        }
        return slot;
    }

    /// @return whether a slot is another than that of the number's hash.
    bool IsDisplaced(uint32_t index, uint32_t number) const
    {
        return index != (number & m_mask);
    }

    void Grow();
    uint32_t FindFreeSlot(uint32_t number) const;

    uint32_t GetSlots() const
    {
        return m_slots ? m_mask + 1 : 0;
    }

    std::unique_ptr<Slot[]> m_slots; ///< A power of two, at most half in use; none at first.
    uint32_t m_mask{0};              ///< Slots - 1.
    uint32_t m_count{0};
    uint32_t m_displaced{
        0};             ///< Queue pairs whose slot is displaced; a destroyed one moves only these.
    uint32_t m_made{0}; ///< Queue pairs that Create() has numbered.
    uint32_t m_places{RESERVED}; ///< The next place that was never used.
    /// The place freed last is used next. Null: none has been freed.
    std::unique_ptr<std::vector<uint32_t>> m_freePlaces;
};

} // namespace ns3::rdma

#endif // RDMA_QUEUE_PAIR_TABLE_H
