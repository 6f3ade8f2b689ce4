// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SLOT_TABLE_H
#define RDMA_SLOT_TABLE_H

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief Assigns a few slots on the chip to numbers, and tracks the least recently used slot.
 *
 * Numbers index a table, so they should be small and dense, like the places of queue pairs.  Memory
 * grows with the greatest number and the slots in use, not with the capacity.
 */
class SlotTable
{
  public:
    static constexpr uint32_t NONE{UINT32_MAX};

    /// Makes a table without slots.
    SlotTable() = default;

    /// @param capacity slots at most
    explicit SlotTable(uint32_t capacity)
        : m_capacity(capacity)
    {
    }

    /// @return the slot of a number, or NONE.
    uint32_t Find(uint32_t number) const
    {
        return number < m_slotOf.size() ? m_slotOf[number] : NONE;
    }

    /// @return whether no slot is free.
    bool IsFull() const
    {
        return m_free == NONE && m_slots.size() == m_capacity;
    }

    /// @return the least recently used slot; NONE if no slot is in use.
    uint32_t GetOldest() const
    {
        return m_oldest;
    }

    /// @return the number that has a slot. Only of a slot in use.
    uint32_t GetNumber(uint32_t slot) const
    {
        return m_slots[slot].number;
    }

    /// Assigns a free slot to a number that has none. @return the slot, which becomes the newest
    uint32_t Add(uint32_t number);

    /// Makes a slot in use the newest.
    void Touch(uint32_t slot);

    /// Frees a slot in use.
    void Remove(uint32_t slot);

  private:
    struct Slot
    {
        uint32_t number{NONE};
        uint32_t older{NONE};
        uint32_t newer{NONE}; ///< Of a free slot: the next free one.
    };

    void Link(uint32_t slot);
    void Unlink(uint32_t slot);

    uint32_t m_capacity{0};
    uint32_t m_oldest{NONE};
    uint32_t m_newest{NONE};
    uint32_t m_free{NONE}; ///< First of the slots that were in use.
    std::vector<Slot> m_slots;
    std::vector<uint32_t> m_slotOf; ///< By number.
};

} // namespace ns3::rdma

#endif // RDMA_SLOT_TABLE_H
