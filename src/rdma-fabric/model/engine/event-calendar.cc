// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/event-calendar.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/fetch-lines.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t SMALLEST_RING{64};
} // namespace

EventCalendar::EventCalendar(uint32_t slotShift, uint32_t slotCount)
    : m_slotShift(slotShift),
      m_slotMask((uint64_t{1} << slotShift) - 1),
      m_bucketShift(static_cast<uint32_t>(31 - __builtin_clz(slotCount | SMALLEST_RING)) - 3),
      m_mask(slotCount - 1),
      m_openCount(m_mask),
      m_sorted(2 * LOOKAHEAD),
      m_newest(slotCount, NO_BLOCK),
      m_blocks(1),
      m_used(slotCount / 64)
{
    NS_ABORT_MSG_IF(slotCount < SMALLEST_RING || (slotCount & (slotCount - 1)) != 0,
                    "EventCalendar: slot count " << slotCount << " is not a power of two >= 64");
    NS_ABORT_MSG_IF(slotShift > 31,
                    "EventCalendar: a slot of 2^" << slotShift << " ps is too long");
    m_blocks[NO_BLOCK].count = BLOCK_RECORDS;
    m_next = m_sorted.data();
    SetEnd(m_next);
}

bool
EventCalendar::IsEmpty() const
{
    return m_next == m_end && m_far.GetFirstBucket() == FarEvents::NONE && FindNextUsed() < 0;
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
        return m_far.GetFirstBucket() == FarEvents::NONE ? TICK_NEVER : m_far.GetEarliestTime();
    }
    // Far events are later.
    uint32_t earliest = std::numeric_limits<uint32_t>::max();
    for (uint32_t block = m_newest[static_cast<uint32_t>(slot) & m_mask]; block != NO_BLOCK;
         block = m_blocks[block].older)
    {
        for (uint32_t record = 0; record < m_blocks[block].count; ++record)
        {
            earliest = std::min(earliest, m_blocks[block].sinceStart[record]);
        }
    }
    return (slot << m_slotShift) + earliest;
}

bool
EventCalendar::HasAny(const std::function<bool(uint32_t owner, uint32_t argument)>& isMatch) const
{
    const auto isRecordMatch = [&isMatch](const EventRecord& event) {
        return isMatch(event.owner, event.argument);
    };
    const auto hasSlotAny = [this, &isMatch](uint32_t newest) {
        for (uint32_t block = newest; block != NO_BLOCK; block = m_blocks[block].older)
        {
            const Subject* const first = m_blocks[block].subjects;
            if (std::any_of(first, first + m_blocks[block].count, [&isMatch](const Subject& one) {
                    return isMatch(one.owner, one.argument);
                }))
            {
                return true;
            }
        }
        return false;
    };
    return std::any_of(m_next, m_end, isRecordMatch) ||
           std::any_of(m_newest.begin(), m_newest.end(), hasSlotAny) || m_far.HasAny(isRecordMatch);
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
EventCalendar::PushElsewhere(const EventRecord& event)
{
    const int64_t slot = event.time >> m_slotShift;
    if (slot < m_firstOpen)
    {
        PushInOrder(event);
    }
    else if (static_cast<uint64_t>(slot - m_firstOpen) < m_openCount)
    {
        AddBlock(static_cast<uint32_t>(slot) & m_mask);
        TryPush(event.time, event.owner, event.argument);
    }
    else
    {
        m_far.Push(slot >> m_bucketShift, event);
    }
}

void
EventCalendar::PushInOrder(const EventRecord& event)
{
    MakeRoom(1);
    EventRecord* gap = m_end;
    SetEnd(m_end + 1);
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
EventCalendar::HasBefore(Tick limit)
{
    return m_next == m_end && Advance(limit) && m_next->time < limit;
}

bool
EventCalendar::Advance(Tick limit)
{
    int64_t next = FindNextUsed();
    if (next < 0)
    {
        if (m_far.GetFirstBucket() == FarEvents::NONE)
        {
            return false;
        }
        next = m_far.GetEarliestTime() >> m_slotShift;
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
    m_firstOpen = slot + 1;
    const int64_t endBucket = (m_firstOpen + m_mask) >> m_bucketShift;
    if (m_far.GetFirstBucket() < endBucket)
    {
        // Into this slot, too.
        m_firstOpen = slot;
        m_openCount = static_cast<uint64_t>((endBucket << m_bucketShift) - slot);
        MoveFarEvents(endBucket);
        m_firstOpen = slot + 1;
    }
    m_openCount = static_cast<uint64_t>((endBucket << m_bucketShift) - m_firstOpen);
    TakeSlot(static_cast<uint32_t>(slot) & m_mask);
    FetchLines<USUAL_LINES>(&m_blocks[m_newest[static_cast<uint32_t>(m_firstOpen) & m_mask]]);
}

void
EventCalendar::MoveToFront(std::size_t count)
{
    std::copy(m_next, m_end, m_sorted.data());
    const auto left = static_cast<std::size_t>(m_end - m_next);
    if (left + count + LOOKAHEAD > m_sorted.size())
    {
        m_sorted.resize(2 * (left + count + LOOKAHEAD));
    }
    m_next = m_sorted.data();
    SetEnd(m_next + left);
}

/// @param forEachBlock calls a function with each block and the position of its first record in the
/// order of pushing
template <typename ForEachBlock>
[[gnu::always_inline]] inline void
EventCalendar::RankRecords(uint32_t count, ForEachBlock forEachBlock)
{
    const Tick start = (m_firstOpen - 1) << m_slotShift;
    if (count == 1)
    {
        forEachBlock([&](const Block& block, uint32_t) {
            *m_end = {start + block.sinceStart[0],
                      block.subjects[0].owner,
                      block.subjects[0].argument};
        });
        SetEnd(m_end + 1);
        return;
    }
    // A key is made of 23 bits of time and 8 bits of position.
    constexpr uint32_t POSITION_BITS{8};
    constexpr uint32_t LANES{KeyRanks::LANES};
    constexpr KeyRanks::Vector POSITIONS{0, 1, 2, 3};
    KeyRanks ranks;
    forEachBlock([&](const Block& block, uint32_t position) {
        for (uint32_t record = 0; record < block.count; record += LANES)
        {
            KeyRanks::Vector times;
            std::memcpy(&times, &block.sinceStart[record], sizeof times);
            const auto first = static_cast<int32_t>(position + record);
            ranks.SetKeys(position + record, (times << POSITION_BITS) | (POSITIONS + first));
        }
    });
    ranks.Compute(count);
    forEachBlock([&](const Block& block, uint32_t position) {
        for (uint32_t record = 0; record < block.count; ++record)
        {
            // Assigned field by field: an aggregate would be written in parts and read back as a
            // whole.
            EventRecord& sorted = m_end[ranks.GetRank(position + record)];
            sorted.time = start + block.sinceStart[record];
            sorted.owner = block.subjects[record].owner;
            sorted.argument = block.subjects[record].argument;
        }
    });
    SortOwners(m_end, m_end + count);
    SetEnd(m_end + count);
}

void
EventCalendar::TakeSlot(uint32_t place)
{
    const uint32_t newest = m_newest[place];
    Block& block = m_blocks[newest];
    if (block.older == NO_BLOCK && m_slotShift <= RANKED_SHIFT)
    {
        MakeRoom(block.count);
        RankRecords(block.count, [&block](auto function) { function(block, 0); });
        block.older = m_freeBlock;
    }
    else
    {
        m_blocks[TakeBlocks(newest)].older = m_freeBlock;
    }
    m_freeBlock = newest;
    m_newest[place] = NO_BLOCK;
    m_used[place >> 6] &= ~(uint64_t{1} << (place & 63));
}

uint32_t
EventCalendar::TakeBlocks(uint32_t newest)
{
    // All blocks but the newest are full.
    uint32_t oldest = newest;
    uint32_t count = m_blocks[newest].count;
    for (; m_blocks[oldest].older != NO_BLOCK; oldest = m_blocks[oldest].older)
    {
        count += BLOCK_RECORDS;
    }
    MakeRoom(count);
    const auto forEachBlock = [&](auto function) {
        uint32_t position = count;
        for (uint32_t number = newest; number != NO_BLOCK; number = m_blocks[number].older)
        {
            const Block& block = m_blocks[number];
            position -= block.count;
            function(block, position);
        }
    };
    if (count <= KeyRanks::MAX_KEYS && m_slotShift <= RANKED_SHIFT)
    {
        RankRecords(count, forEachBlock);
        return oldest;
    }
    const Tick start = (m_firstOpen - 1) << m_slotShift;
    forEachBlock([&](const Block& block, uint32_t position) {
        for (uint32_t record = 0; record < block.count; ++record)
        {
            const Subject& subject = block.subjects[record];
            m_end[position + record] = {start + block.sinceStart[record],
                                        subject.owner,
                                        subject.argument};
        }
    });
    std::stable_sort(m_end, m_end + count);
    SetEnd(m_end + count);
    return oldest;
}

int64_t
EventCalendar::FindNextUsed() const
{
    const auto words = static_cast<uint32_t>(m_used.size());
    const int64_t current = m_firstOpen - 1;
    const uint32_t start = static_cast<uint32_t>(current) & m_mask;
    // First the slots after the current one, then the wrapped part, which ends with the current
    // slot's word.
    uint64_t word = m_used[start >> 6] & ~((uint64_t{2} << (start & 63)) - 1);
    for (uint32_t step = 0; step <= words; ++step)
    {
        if (word != 0)
        {
            const uint32_t wordIndex = ((start >> 6) + step) & (words - 1);
            const uint32_t index = (wordIndex << 6) + static_cast<uint32_t>(__builtin_ctzll(word));
            const uint32_t distance = (index - start) & m_mask;
            if (distance != 0)
            {
                return current + distance;
            }
            return -1;
        }
        word = m_used[((start >> 6) + step + 1) & (words - 1)];
    }
    return -1;
}

void
EventCalendar::MoveFarEvents(int64_t endBucket)
{
    while (m_far.GetFirstBucket() < endBucket)
    {
        for (const EventRecord& event : m_far.TakeFirst())
        {
            Push(event);
        }
    }
}

void
EventCalendar::SortOwners(EventRecord* first, EventRecord* last)
{
    last->time = last[-1].time; // Ends the search.
    for (EventRecord* next = first + 1;; ++next)
    {
        while (next->time != next[-1].time)
        {
            ++next;
        }
        if (next == last)
        {
            return;
        }
        Insert(first, next);
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

} // namespace ns3::rdma
