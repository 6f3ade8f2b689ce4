// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/slot-table.h"

#include "ns3/assert.h"

namespace ns3::rdma
{

uint32_t
SlotTable::Add(uint32_t number)
{
    NS_ASSERT_MSG(!IsFull(), "no slot is free");
    NS_ASSERT_MSG(Find(number) == NONE, "number " << number << " has a slot already");
    NS_ASSERT_MSG(number < (1U << 24), "numbers of queues have 24 bits");
    uint32_t slot = m_free;
    if (slot != NONE)
    {
        m_free = m_slots[slot].newer;
    }
    else
    {
        slot = static_cast<uint32_t>(m_slots.size());
        m_slots.emplace_back();
    }
    if (number >= m_slotOf.size())
    {
        m_slotOf.resize(number + 1, NONE);
    }
    m_slotOf[number] = slot;
    m_slots[slot].number = number;
    Link(slot);
    return slot;
}

void
SlotTable::Touch(uint32_t slot)
{
    if (slot != m_newest)
    {
        Unlink(slot);
        Link(slot);
    }
}

void
SlotTable::Remove(uint32_t slot)
{
    Unlink(slot);
    m_slotOf[m_slots[slot].number] = NONE;
    m_slots[slot] = {NONE, NONE, m_free};
    m_free = slot;
}

void
SlotTable::Link(uint32_t slot)
{
    m_slots[slot].older = m_newest;
    m_slots[slot].newer = NONE;
    (m_newest == NONE ? m_oldest : m_slots[m_newest].newer) = slot;
    m_newest = slot;
}

void
SlotTable::Unlink(uint32_t slot)
{
    const Slot& entry = m_slots[slot];
    (entry.older == NONE ? m_oldest : m_slots[entry.older].newer) = entry.newer;
    (entry.newer == NONE ? m_newest : m_slots[entry.newer].older) = entry.older;
}

} // namespace ns3::rdma
