// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair-table.h"

#include "ns3/verbs-error.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

QueuePair&
QueuePairTable::Create()
{
    if (m_count == NUMBERS)
    {
        throw VerbsError("a NIC holds at most " + std::to_string(NUMBERS) +
                         " queue pairs at a time");
    }
    while (FindSlot(GetNumber(m_made)))
    {
        ++m_made;
    }
    return Create(GetNumber(m_made++));
}

QueuePair&
QueuePairTable::Create(uint32_t number)
{
    if (2 * (m_count + 1) > GetSlots())
    {
        Grow();
    }
    uint32_t index = number & m_mask;
    while (m_slots[index].number != 0 && m_slots[index].number != number)
    {
        index = (index + 1) & m_mask;
    }
    if (number < RESERVED || number >= RESERVED + NUMBERS || m_slots[index].number == number)
    {
        throw VerbsError("queue pair number " + std::to_string(number) +
                         " cannot be given, or is in use");
    }
    ++m_count;
    m_displaced += IsDisplaced(index, number) ? 1 : 0;
    Slot& slot = m_slots[index];
    slot.number = number;
    if (m_freePlaces && !m_freePlaces->empty())
    {
        slot.place = m_freePlaces->back();
        m_freePlaces->pop_back();
    }
    else
    {
        slot.place = m_places++;
    }
    slot.queuePair = std::make_unique<QueuePair>(number);
    return *slot.queuePair;
}

std::vector<uint32_t>
QueuePairTable::GetNumbers() const
{
    std::vector<uint32_t> numbers;
    for (uint32_t slot = 0; slot < GetSlots(); ++slot)
    {
        if (m_slots[slot].number != 0)
        {
            numbers.push_back(m_slots[slot].number);
        }
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

uint32_t
QueuePairTable::FindFreeSlot(uint32_t number) const
{
    uint32_t index = number & m_mask;
    while (m_slots[index].number != 0)
    {
        index = (index + 1) & m_mask;
    }
    return index;
}

void
QueuePairTable::Grow()
{
    constexpr uint32_t SMALLEST{32};
    const uint32_t before = GetSlots();
    const uint32_t after = std::max(2 * before, SMALLEST);
    const auto old = std::exchange(m_slots, std::make_unique<Slot[]>(after));
    m_mask = after - 1;
    m_displaced = 0;
    for (uint32_t index = 0; index < before; ++index)
    {
        if (old[index].number != 0)
        {
            const uint32_t free = FindFreeSlot(old[index].number);
            m_displaced += IsDisplaced(free, old[index].number) ? 1 : 0;
            m_slots[free] = std::move(old[index]);
        }
    }
}

void
QueuePairTable::Destroy(uint32_t number)
{
    const Slot* const found = FindSlot(number);
    if (!found)
    {
        return;
    }
    auto gap = static_cast<uint32_t>(found - m_slots.get());
    if (!m_freePlaces)
    {
        m_freePlaces = std::make_unique<std::vector<uint32_t>>();
    }
    m_freePlaces->push_back(found->place);
    --m_count;
    m_displaced -= IsDisplaced(gap, number) ? 1 : 0;
    m_slots[gap] = Slot{};
    if (m_displaced == 0)
    {
        return;
    }
    // Displaced entries move up.
    for (uint32_t index = (gap + 1) & m_mask; m_slots[index].number != 0;
         index = (index + 1) & m_mask)
    {
        const uint32_t moved = m_slots[index].number;
        const uint32_t fromHome = (index - moved) & m_mask;
        if (fromHome >= ((index - gap) & m_mask))
        {
            m_displaced -= IsDisplaced(gap, moved) ? 0 : 1;
            m_slots[gap] = std::exchange(m_slots[index], Slot{});
            gap = index;
        }
    }
}

} // namespace ns3::rdma
