// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/round-robin-scheduler.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(RoundRobinScheduler);

TypeId
RoundRobinScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::RoundRobinScheduler")
                            .SetParent<SendScheduler>()
                            .SetGroupName("RdmaNic")
                            .AddConstructor<RoundRobinScheduler>();
    return tid;
}

bool
RoundRobinScheduler::IsLater(const Paced& left, const Paced& right)
{
    return left.readyAt != right.readyAt ? left.readyAt > right.readyAt
                                         : left.sequence > right.sequence;
}

void
RoundRobinScheduler::Grow()
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
RoundRobinScheduler::Line(uint32_t queuePair)
{
    if (m_count == m_size)
    {
        Grow();
    }
    const uint32_t place = m_first + m_count++;
    (m_longLine ? m_longLine[place & (m_size - 1)] : m_shortLine[place & (SHORT - 1)]) = queuePair;
}

void
RoundRobinScheduler::AppendDue(Tick now)
{
    if (!m_paced)
    {
        return;
    }
    std::vector<Paced>& heap = m_paced->heap;
    while (!heap.empty() && heap.front().readyAt <= now)
    {
        std::pop_heap(heap.begin(), heap.end(), IsLater);
        Line(heap.back().queuePair);
        heap.pop_back();
    }
}

void
RoundRobinScheduler::Add(uint32_t queuePair, Tick readyAt, Tick now)
{
    AppendDue(now);
    if (readyAt <= now)
    {
        Line(queuePair);
        return;
    }
    if (!m_paced)
    {
        m_paced = std::make_unique<Waiting>();
    }
    m_paced->heap.push_back({readyAt, m_paced->sequence++, queuePair});
    std::push_heap(m_paced->heap.begin(), m_paced->heap.end(), IsLater);
}

void
RoundRobinScheduler::Advance(uint32_t queuePair, Tick readyAt)
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
RoundRobinScheduler::Pick(Tick now)
{
    AppendDue(now);
    if (m_count == 0)
    {
        return std::nullopt;
    }
    --m_count;
    return GetAt(m_first++);
}

std::optional<uint32_t>
RoundRobinScheduler::GetLikely() const
{
    if (m_count > 0)
    {
        return GetAt(m_first);
    }
    return m_paced && !m_paced->heap.empty() ? std::optional(m_paced->heap.front().queuePair)
                                             : std::nullopt;
}

Tick
RoundRobinScheduler::GetNextReady(Tick now) const
{
    if (m_count > 0)
    {
        return now;
    }
    return !m_paced || m_paced->heap.empty() ? TICK_NEVER
                                             : std::max(now, m_paced->heap.front().readyAt);
}

} // namespace ns3::rdma
