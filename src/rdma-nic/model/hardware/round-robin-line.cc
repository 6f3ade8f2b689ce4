// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/round-robin-line.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

bool
RoundRobinLine::IsLater(const Paced& left, const Paced& right)
{
    return left.readyAt != right.readyAt ? left.readyAt > right.readyAt
                                         : left.sequence > right.sequence;
}

void
RoundRobinLine::Grow()
{
    auto line = std::make_unique<uint32_t[]>(2 * m_size);
    for (uint32_t place = 0; place < m_count; ++place)
    {
        line[place] = GetAt(m_first + place);
    }
    m_longLine = std::move(line);
    m_size *= 2;
    m_first = 0;
}

void
RoundRobinLine::AppendDuePaced(Tick now)
{
    std::vector<Paced>& heap = m_paced->heap;
    while (!heap.empty() && heap.front().readyAt <= now)
    {
        std::pop_heap(heap.begin(), heap.end(), IsLater);
        Append(heap.back().queuePair);
        heap.pop_back();
    }
}

void
RoundRobinLine::AddPaced(uint32_t queuePair, Tick readyAt)
{
    if (!m_paced)
    {
        m_paced = std::make_unique<Waiting>();
    }
    m_paced->heap.push_back({readyAt, m_paced->sequence++, queuePair});
    std::push_heap(m_paced->heap.begin(), m_paced->heap.end(), IsLater);
}

void
RoundRobinLine::Advance(uint32_t queuePair, Tick readyAt)
{
    if (!m_paced)
    {
        return;
    }
    // Linear search: a rate increases only once per many packets.
    std::vector<Paced>& heap = m_paced->heap;
    const auto found = std::find_if(heap.begin(), heap.end(), [queuePair](const Paced& paced) {
        return paced.queuePair == queuePair;
    });
    if (found != heap.end() && readyAt < found->readyAt)
    {
        found->readyAt = readyAt;
        std::push_heap(heap.begin(), found + 1, IsLater);
    }
}

std::optional<uint32_t>
RoundRobinLine::GetFirstPaced() const
{
    return m_paced && !m_paced->heap.empty() ? std::optional(m_paced->heap.front().queuePair)
                                             : std::nullopt;
}

Tick
RoundRobinLine::GetNextPaced(Tick now) const
{
    return !m_paced || m_paced->heap.empty() ? TICK_NEVER
                                             : std::max(now, m_paced->heap.front().readyAt);
}

} // namespace ns3::rdma
