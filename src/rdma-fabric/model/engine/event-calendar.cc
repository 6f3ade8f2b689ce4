// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/event-calendar.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ns3::rdma
{

EventCalendar::EventCalendar(uint32_t slotShift, uint32_t slotCount)
    : m_slotShift(slotShift),
      m_slotMask((uint64_t{1} << slotShift) - 1),
      m_mask(static_cast<int64_t>(slotCount) - 1),
      m_newest(slotCount, NO_BLOCK),
      m_blocks(1),
      m_used(slotCount / 64)
{
    NS_ABORT_MSG_IF(slotCount < 64 || (slotCount & (slotCount - 1)) != 0,
                    "EventCalendar: slot count " << slotCount << " is not a power of two >= 64");
    NS_ABORT_MSG_IF(slotShift > 31,
                    "EventCalendar: a slot of 2^" << slotShift << " ps is too long");
}

bool
EventCalendar::IsEmpty() const
{
    return m_read == m_count && m_far.empty() && FindNextUsed() < 0;
}

Tick
EventCalendar::GetNextTime() const
{
    if (m_read < m_count)
    {
        return m_sorted[m_read].time;
    }
    const int64_t slot = FindNextUsed();
    if (slot < 0)
    {
        return m_far.empty() ? TICK_NEVER : m_far.front().event.time;
    }
    // The heap holds what comes after the ring.
    uint32_t earliest = std::numeric_limits<uint32_t>::max();
    for (uint32_t block = m_newest[static_cast<uint32_t>(slot & m_mask)]; block != NO_BLOCK;
         block = m_blocks[block].older)
    {
        for (uint32_t record = 0; record < m_blocks[block].count; ++record)
        {
            earliest = std::min(earliest, m_blocks[block].records[record].sinceStart);
        }
    }
    return (slot << m_slotShift) + earliest;
}

uint32_t
EventCalendar::AddBlock(uint32_t place)
{
    if (m_freeBlock == NO_BLOCK)
    {
        m_freeBlock = static_cast<uint32_t>(m_blocks.size());
        m_blocks.emplace_back().older = NO_BLOCK;
    }
    const uint32_t added = m_freeBlock;
    m_freeBlock = m_blocks[added].older;
    m_blocks[added].older = m_newest[place];
    m_blocks[added].count = 0;
    m_newest[place] = added;
    m_used[place >> 6] |= uint64_t{1} << (place & 63);
    return added;
}

void
EventCalendar::PushElsewhere(const EventRecord& event, int64_t ahead)
{
    if (ahead > 0)
    {
        m_far.push_back({event, m_farSequence++});
        std::push_heap(m_far.begin(), m_far.end(), IsLater);
        return;
    }
    MakeRoom(1);
    std::size_t gap = m_count++;
    while (gap > m_read && event < m_sorted[gap - 1])
    {
        m_sorted[gap] = m_sorted[gap - 1];
        --gap;
    }
    NS_ASSERT_MSG(gap > m_read || m_read == 0 || !(event.time < m_sorted[m_read - 1].time),
                  "an event lies in the past: " << event.time << " ps");
    m_sorted[gap] = event;
}

bool
EventCalendar::Advance()
{
    int64_t next = FindNextUsed();
    if (next < 0)
    {
        if (m_far.empty())
        {
            return false;
        }
        next = m_far.front().event.time >> m_slotShift;
    }
    MakeCurrent(next);
    return true;
}

void
EventCalendar::MakeCurrent(int64_t slot)
{
    m_current = slot;
    MoveFarEvents();
    TakeSlot(static_cast<uint32_t>(slot & m_mask));
    m_fetched = m_newest[static_cast<uint32_t>((slot + 1) & m_mask)];
    Fetch();
}

void
EventCalendar::MakeRoom(std::size_t count)
{
    if (m_count + count <= m_sorted.size())
    {
        return;
    }
    // Those handled make room at the front. What is left is short: LOOKAHEAD events, mostly.
    std::copy(m_sorted.begin() + static_cast<std::ptrdiff_t>(m_read),
              m_sorted.begin() + static_cast<std::ptrdiff_t>(m_count),
              m_sorted.begin());
    m_count -= m_read;
    m_read = 0;
    if (m_count + count > m_sorted.size())
    {
        m_sorted.resize(2 * (m_count + count));
    }
}

void
EventCalendar::TakeSlot(uint32_t place)
{
    // Parts of the slot by time: within a part hardly anything is left to sort.
    std::array<uint32_t, SLOT_PARTS> ends{};
    uint32_t last = NO_BLOCK;
    for (uint32_t block = m_newest[place]; block != NO_BLOCK; block = m_blocks[block].older)
    {
        for (uint32_t record = 0; record < m_blocks[block].count; ++record)
        {
            ++ends[GetPart(m_blocks[block].records[record])];
        }
        last = block;
    }
    uint32_t count = 0;
    for (uint32_t& end : ends)
    {
        count += end;
        end = count;
    }
    MakeRoom(count);
    const Tick start = m_current << m_slotShift;
    const std::size_t first = m_count;
    // The list runs from the newest block to the oldest: each part is filled from the back.
    for (uint32_t block = m_newest[place]; block != NO_BLOCK; block = m_blocks[block].older)
    {
        for (uint32_t record = m_blocks[block].count; record > 0; --record)
        {
            const Packed& packed = m_blocks[block].records[record - 1];
            m_sorted[first + --ends[GetPart(packed)]] = {start + packed.sinceStart,
                                                         packed.owner,
                                                         packed.argument};
        }
    }
    m_count += count;
    if (last != NO_BLOCK)
    {
        m_blocks[last].older = m_freeBlock;
        m_freeBlock = m_newest[place];
    }
    m_newest[place] = NO_BLOCK;
    m_used[place >> 6] &= ~(uint64_t{1} << (place & 63));
    Sort(first);
}

int64_t
EventCalendar::FindNextUsed() const
{
    const auto words = static_cast<uint32_t>(m_used.size());
    const auto mask = static_cast<uint32_t>(m_mask);
    const uint32_t start = static_cast<uint32_t>(m_current) & mask;
    // Slots after the current one first, then the wrapped part up to and including its own word.
    uint64_t word = m_used[start >> 6] & ~((uint64_t{2} << (start & 63)) - 1);
    for (uint32_t step = 0; step <= words; ++step)
    {
        if (word != 0)
        {
            const uint32_t wordIndex = ((start >> 6) + step) & (words - 1);
            const uint32_t index = (wordIndex << 6) + static_cast<uint32_t>(__builtin_ctzll(word));
            const uint32_t distance = (index - start) & mask;
            if (distance != 0)
            {
                return m_current + distance;
            }
            return -1;
        }
        word = m_used[((start >> 6) + step + 1) & (words - 1)];
    }
    return -1;
}

void
EventCalendar::MoveFarEvents()
{
    while (!m_far.empty() && (m_far.front().event.time >> m_slotShift) <= m_current + m_mask)
    {
        std::pop_heap(m_far.begin(), m_far.end(), IsLater);
        const EventRecord event = m_far.back().event;
        m_far.pop_back();
        PushToSlot(static_cast<uint32_t>((event.time >> m_slotShift) & m_mask), event);
    }
}

void
EventCalendar::Sort(std::size_t first)
{
    // The parts are in order and hold an event or two: insertion sort is then the fastest stable
    // sort.  A crowd at one instant, as at the start of a burst, would make it quadratic.
    constexpr std::size_t SMALL{256};
    if (m_count - first > SMALL)
    {
        std::stable_sort(m_sorted.begin() + static_cast<std::ptrdiff_t>(first),
                         m_sorted.begin() + static_cast<std::ptrdiff_t>(m_count));
        return;
    }
    for (std::size_t next = first + 1; next < m_count; ++next)
    {
        const EventRecord moved = m_sorted[next];
        std::size_t gap = next;
        while (gap > first && moved < m_sorted[gap - 1])
        {
            m_sorted[gap] = m_sorted[gap - 1];
            --gap;
        }
        m_sorted[gap] = moved;
    }
}

bool
EventCalendar::IsLater(const FarRecord& left, const FarRecord& right)
{
    if (left.event < right.event)
    {
        return false;
    }
    return right.event < left.event || left.sequence > right.sequence;
}

} // namespace ns3::rdma
