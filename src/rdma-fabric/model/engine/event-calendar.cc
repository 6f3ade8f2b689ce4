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
    return m_next == m_end && m_far.empty() && FindNextUsed() < 0;
}

Tick
EventCalendar::GetNextTime() const
{
    if (m_next < m_end)
    {
        return m_next->time;
    }
    const int64_t slot = FindNextUsed();
    if (slot < 0)
    {
        return m_far.empty() ? TICK_NEVER : m_far.front().event.time;
    }
    // The heap holds later events only.
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
    EventRecord* gap = m_end++;
    while (gap > m_next && event < gap[-1])
    {
        *gap = gap[-1];
        --gap;
    }
    NS_ASSERT_MSG(gap > m_next || gap == m_sorted.data() || gap[-1].time <= event.time,
                  "an event lies in the past: " << event.time << " ps");
    *gap = event;
}

bool
EventCalendar::Advance(Tick limit)
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
    if ((next << m_slotShift) >= limit)
    {
        return false; // Events before the limit may still be pushed into earlier slots.
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
    if (static_cast<std::size_t>(m_sorted.data() + m_sorted.size() - m_end) >= count)
    {
        return;
    }
    MoveToFront();
    const auto left = static_cast<std::size_t>(m_end - m_next);
    if (left + count > m_sorted.size())
    {
        m_sorted.resize(2 * (left + count));
        m_next = m_sorted.data();
        m_end = m_next + left;
    }
}

void
EventCalendar::MoveToFront()
{
    m_end = std::copy(m_next, m_end, m_sorted.data());
    m_next = m_sorted.data();
}

void
EventCalendar::TakeSlot(uint32_t place)
{
    const uint32_t newest = m_newest[place];
    const uint32_t count = CountRecords(newest);
    if (count == 0)
    {
        return;
    }
    if (m_next - m_sorted.data() > REUSED)
    {
        MoveToFront();
    }
    MakeRoom(count);
    // A sort key has 23 bits of time and 8 bits of position.
    constexpr uint32_t RANKED_SHIFT{23};
    if (count <= RANKED && m_slotShift <= RANKED_SHIFT)
    {
        RankRecords(newest, m_end, count);
        SortOwners(m_end, m_end + count);
    }
    else
    {
        CopyRecords(newest, m_end, count);
        Sort(m_end, m_end + count);
    }
    m_end += count;
    uint32_t oldest = newest;
    while (m_blocks[oldest].older != NO_BLOCK)
    {
        oldest = m_blocks[oldest].older;
    }
    m_blocks[oldest].older = m_freeBlock;
    m_freeBlock = newest;
    m_newest[place] = NO_BLOCK;
    m_used[place >> 6] &= ~(uint64_t{1} << (place & 63));
}

uint32_t
EventCalendar::CountRecords(uint32_t newest) const
{
    uint32_t count = 0;
    for (uint32_t block = newest; block != NO_BLOCK; block = m_blocks[block].older)
    {
        count += m_blocks[block].count;
    }
    return count;
}

void
EventCalendar::CopyRecords(uint32_t newest, EventRecord* to, uint32_t count) const
{
    const Tick start = m_current << m_slotShift;
    // The list runs from the newest block to the oldest.
    EventRecord* end = to + count;
    for (uint32_t number = newest; number != NO_BLOCK; number = m_blocks[number].older)
    {
        const Block& block = m_blocks[number];
        end -= block.count;
        for (uint32_t record = 0; record < block.count; ++record)
        {
            const Packed& packed = block.records[record];
            end[record] = {start + packed.sinceStart, packed.owner, packed.argument};
        }
    }
}

void
EventCalendar::RankRecords(uint32_t newest, EventRecord* to, uint32_t count) const
{
    // The rank of a record is the number of records with a smaller key. These loops have no branch
    // that could be mispredicted, and the compiler vectorizes them.
    constexpr uint32_t PLACE_BITS{8};
    constexpr uint32_t LANES{4};
    std::array<int32_t, RANKED + LANES> keys;
    uint32_t end = count;
    for (uint32_t number = newest; number != NO_BLOCK; number = m_blocks[number].older)
    {
        const Block& block = m_blocks[number];
        end -= block.count;
        for (uint32_t record = 0; record < block.count; ++record)
        {
            keys[end + record] = static_cast<int32_t>(
                (block.records[record].sinceStart << PLACE_BITS) | (end + record));
        }
    }
    const uint32_t padded = (count + LANES - 1) / LANES * LANES;
    std::fill(keys.begin() + count, keys.begin() + padded, std::numeric_limits<int32_t>::max());
    const Tick start = m_current << m_slotShift;
    end = count;
    for (uint32_t number = newest; number != NO_BLOCK; number = m_blocks[number].older)
    {
        const Block& block = m_blocks[number];
        end -= block.count;
        for (uint32_t record = 0; record < block.count; ++record)
        {
            const int32_t key = keys[end + record];
            int32_t rank = 0;
            for (uint32_t other = 0; other < padded; ++other)
            {
                rank += keys[other] < key;
            }
            // Assigned field by field: an aggregate would be written in parts and read back as a
            // whole.
            EventRecord& sorted = to[rank];
            sorted.time = start + block.records[record].sinceStart;
            sorted.owner = block.records[record].owner;
            sorted.argument = block.records[record].argument;
        }
    }
}

int64_t
EventCalendar::FindNextUsed() const
{
    const auto words = static_cast<uint32_t>(m_used.size());
    const auto mask = static_cast<uint32_t>(m_mask);
    const uint32_t start = static_cast<uint32_t>(m_current) & mask;
    // First the slots after the current one, then the wrapped part, which ends with the current
    // slot's word.
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
EventCalendar::Sort(EventRecord* first, EventRecord* last)
{
    // Insertion sort of more events, as at the start of a burst, would take quadratic time.
    constexpr std::ptrdiff_t SMALL{256};
    if (last - first > SMALL)
    {
        std::stable_sort(first, last);
        return;
    }
    for (EventRecord* next = first + 1; next < last; ++next)
    {
        Insert(first, next);
    }
}

void
EventCalendar::SortOwners(EventRecord* first, EventRecord* last)
{
    for (EventRecord* next = first + 1; next < last; ++next)
    {
        if (next->time == next[-1].time)
        {
            Insert(first, next);
        }
    }
}

void
EventCalendar::Insert(EventRecord* first, EventRecord* next)
{
    const EventRecord moved = *next;
    EventRecord* gap = next;
    while (gap > first && moved < gap[-1])
    {
        *gap = gap[-1];
        --gap;
    }
    *gap = moved;
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
