// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SLOT_TABLE_H
#define RDMA_SLOT_TABLE_H

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief Which of many numbered things have one of a few slots on the chip, and which slot was used
 * longest ago.
 *
 * Numbers index a table, so they should be small and dense, as those of queue pairs are.  Memory
 * grows with the greatest number and the slots in use, not with the capacity.
 */
class SlotTable
{
  public:
    static constexpr uint32_t NONE{UINT32_MAX};

    /// Of no slots.
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

    /// @return the slot used longest ago; NONE if none is in use.
    uint32_t GetOldest() const
    {
        return m_oldest;
    }

    /// @return whose slot it is. Only of a slot in use.
    uint32_t GetNumber(uint32_t slot) const
    {
        return m_slots[slot].number;
    }

    /// Gives a free slot to a number that has none. @return the slot; it is the newest
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
