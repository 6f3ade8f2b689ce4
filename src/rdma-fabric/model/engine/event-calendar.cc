// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/event-calendar.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <algorithm>

namespace ns3::rdma
{

EventCalendar::EventCalendar(uint32_t slotShift, uint32_t slotCount)
    : m_slotShift(slotShift),
      m_slotMask((uint64_t{1} << slotShift) - 1),
      m_mask(static_cast<int64_t>(slotCount) - 1),
      m_newest(slotCount, NO_LINE),
      m_lines(1),
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

void
EventCalendar::AddLine(uint32_t place)
{
    if (m_freeLine == NO_LINE)
    {
        m_freeLine = static_cast<uint32_t>(m_lines.size());
        m_lines.emplace_back().older = NO_LINE;
    }
    const uint32_t added = m_freeLine;
    m_freeLine = m_lines[added].older;
    m_lines[added].older = m_newest[place];
    m_lines[added].count = 0;
    m_newest[place] = added;
    m_used[place >> 6] |= uint64_t{1} << (place & 63);
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
    NS_ASSERT_MSG(ahead == 0, "an event lies in the past: " << event.time << " ps");
    const Packed packed = Pack(event);
    if (m_sorted.size() == m_count)
    {
        m_sorted.emplace_back();
    }
    std::size_t gap = m_count++;
    while (gap > m_read && packed.key < m_sorted[gap - 1].key)
    {
        m_sorted[gap] = m_sorted[gap - 1];
        --gap;
    }
    m_sorted[gap] = packed;
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
    MoveFarEventsInto(next);
    TakeSlot(static_cast<uint32_t>(next & m_mask));
    Sort();
    return true;
}

void
EventCalendar::TakeSlot(uint32_t place)
{
    // Parts of the slot by time: within a part hardly anything is left to sort.
    std::array<uint32_t, SLOT_PARTS> ends{};
    uint32_t last = NO_LINE;
    for (uint32_t line = m_newest[place]; line != NO_LINE; line = m_lines[line].older)
    {
        for (uint32_t record = 0; record < m_lines[line].count; ++record)
        {
            ++ends[GetPart(m_lines[line].records[record])];
        }
        last = line;
    }
    uint32_t count = 0;
    for (uint32_t& end : ends)
    {
        count += end;
        end = count;
    }
    if (m_sorted.size() < count)
    {
        m_sorted.resize(count);
    }
    m_read = 0;
    m_count = count;
    // The list runs from the newest line to the oldest: each part is filled from the back.
    for (uint32_t line = m_newest[place]; line != NO_LINE; line = m_lines[line].older)
    {
        for (uint32_t record = m_lines[line].count; record > 0; --record)
        {
            const Packed& packed = m_lines[line].records[record - 1];
            m_sorted[--ends[GetPart(packed)]] = packed;
        }
    }
    if (last != NO_LINE)
    {
        m_lines[last].older = m_freeLine;
        m_freeLine = m_newest[place];
    }
    m_newest[place] = NO_LINE;
    m_used[place >> 6] &= ~(uint64_t{1} << (place & 63));
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
EventCalendar::MoveFarEventsInto(int64_t current)
{
    m_current = current;
    m_slotStart = current << m_slotShift;
    while (!m_far.empty() && (m_far.front().event.time >> m_slotShift) <= current + m_mask)
    {
        std::pop_heap(m_far.begin(), m_far.end(), IsLater);
        const EventRecord event = m_far.back().event;
        m_far.pop_back();
        PushToSlot(static_cast<uint32_t>((event.time >> m_slotShift) & m_mask), event);
    }
}

void
EventCalendar::Sort()
{
    // The parts are in order and hold an event or two: insertion sort is then the fastest stable
    // sort.  A crowd at one instant, as at the start of a burst, would make it quadratic.
    constexpr std::size_t SMALL{256};
    if (m_count > SMALL)
    {
        std::stable_sort(
            m_sorted.begin(),
            m_sorted.begin() + static_cast<std::ptrdiff_t>(m_count),
            [](const Packed& left, const Packed& right) { return left.key < right.key; });
        return;
    }
    for (std::size_t next = 1; next < m_count; ++next)
    {
        const Packed moved = m_sorted[next];
        std::size_t gap = next;
        while (gap > 0 && moved.key < m_sorted[gap - 1].key)
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
