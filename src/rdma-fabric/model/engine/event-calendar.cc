// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/event-calendar.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <algorithm>

namespace ns3::rdma
{

EventCalendar::EventCalendar(uint32_t slotShift, uint32_t slotCount)
    : m_slotShift(slotShift),
      m_mask(slotCount - 1),
      m_slots(slotCount),
      m_used(slotCount / 64)
{
    NS_ABORT_MSG_IF(slotCount < 64 || (slotCount & m_mask) != 0,
                    "EventCalendar: slot count " << slotCount << " is not a power of two >= 64");
    m_sorted = &m_slots[0];
}

bool
EventCalendar::IsEmpty() const
{
    return m_read == m_sorted->size() && m_far.empty() && FindNextUsed() < 0;
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
    const auto unread = m_sorted->begin() + static_cast<std::ptrdiff_t>(m_read);
    m_sorted->insert(std::upper_bound(unread, m_sorted->end(), event), event);
}

bool
EventCalendar::Advance()
{
    m_sorted->clear();
    m_read = 0;
    const auto done = static_cast<uint32_t>(m_current) & m_mask;
    m_used[done >> 6] &= ~(uint64_t{1} << (done & 63));

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
    m_sorted = &m_slots[static_cast<uint32_t>(next) & m_mask];
    Sort(*m_sorted);
    return true;
}

int64_t
EventCalendar::FindNextUsed() const
{
    const uint32_t words = static_cast<uint32_t>(m_used.size());
    const uint32_t start = static_cast<uint32_t>(m_current) & m_mask;
    // Slots after the current one first, then the wrapped part up to and including its own word.
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
    const int64_t end = current + static_cast<int64_t>(m_slots.size());
    while (!m_far.empty() && (m_far.front().event.time >> m_slotShift) < end)
    {
        std::pop_heap(m_far.begin(), m_far.end(), IsLater);
        const EventRecord event = m_far.back().event;
        m_far.pop_back();
        PushToSlot(event.time >> m_slotShift, event);
    }
}

void
EventCalendar::Sort(std::vector<EventRecord>& events)
{
    // Slots are tuned to hold a handful of events: insertion sort is then the fastest stable sort.
    constexpr std::size_t SMALL{32};
    if (events.size() > SMALL)
    {
        std::stable_sort(events.begin(), events.end());
        return;
    }
    for (std::size_t next = 1; next < events.size(); ++next)
    {
        const EventRecord moved = events[next];
        std::size_t gap = next;
        while (gap > 0 && moved < events[gap - 1])
        {
            events[gap] = events[gap - 1];
            --gap;
        }
        events[gap] = moved;
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
