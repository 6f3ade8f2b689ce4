// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/packet-ranges.h"

#include <algorithm>

namespace ns3::rdma
{

void
PacketRanges::Add(uint64_t first, uint64_t end)
{
    if (first >= end)
    {
        return;
    }
    // The ranges from "low" to "high" overlap or touch the new one and are merged with it.
    const auto low = std::find_if(m_ranges.begin(), m_ranges.end(), [first](const Range& range) {
        return range.end >= first;
    });
    const auto high =
        std::find_if(low, m_ranges.end(), [end](const Range& range) { return range.first > end; });
    if (low == high)
    {
        m_ranges.insert(low, {first, end});
        return;
    }
    low->first = std::min(low->first, first);
    low->end = std::max((high - 1)->end, end);
    m_ranges.erase(low + 1, high);
}

void
PacketRanges::RemoveBefore(uint64_t number)
{
    const auto kept = std::find_if(m_ranges.begin(), m_ranges.end(), [number](const Range& range) {
        return range.end > number;
    });
    m_ranges.erase(m_ranges.begin(), kept);
    if (!m_ranges.empty())
    {
        m_ranges.front().first = std::max(m_ranges.front().first, number);
    }
}

bool
PacketRanges::Remove(uint64_t number)
{
    const auto range = std::find_if(m_ranges.begin(), m_ranges.end(), [number](const Range& one) {
        return one.first <= number && number < one.end;
    });
    if (range == m_ranges.end())
    {
        return false;
    }
    const Range behind{number + 1, range->end};
    range->end = number;
    const auto next = range->first == range->end ? m_ranges.erase(range) : range + 1;
    if (behind.first < behind.end)
    {
        m_ranges.insert(next, behind);
    }
    return true;
}

bool
PacketRanges::Contains(uint64_t number) const
{
    return std::any_of(m_ranges.begin(), m_ranges.end(), [number](const Range& range) {
        return range.first <= number && number < range.end;
    });
}

uint64_t
PacketRanges::TakeFirst()
{
    const uint64_t number = m_ranges.front().first++;
    if (m_ranges.front().first == m_ranges.front().end)
    {
        m_ranges.erase(m_ranges.begin());
    }
    return number;
}

void
PacketRanges::Clear()
{
    m_ranges.clear();
}

} // namespace ns3::rdma
