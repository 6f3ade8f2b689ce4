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

RoundRobinScheduler::RoundRobinScheduler()
    : m_line(8)
{
}

bool
RoundRobinScheduler::IsLater(const Paced& left, const Paced& right)
{
    return left.readyAt != right.readyAt ? left.readyAt > right.readyAt
                                         : left.sequence > right.sequence;
}

void
RoundRobinScheduler::Line(uint32_t queuePair)
{
    if (m_line.full())
    {
        m_line.set_capacity(m_line.capacity() * 2);
    }
    m_line.push_back(queuePair);
}

void
RoundRobinScheduler::LineUpDue(Tick now)
{
    while (!m_paced.empty() && m_paced.front().readyAt <= now)
    {
        std::pop_heap(m_paced.begin(), m_paced.end(), IsLater);
        Line(m_paced.back().queuePair);
        m_paced.pop_back();
    }
}

void
RoundRobinScheduler::Add(uint32_t queuePair, Tick readyAt, Tick now)
{
    LineUpDue(now);
    if (readyAt <= now)
    {
        Line(queuePair);
        return;
    }
    m_paced.push_back({readyAt, m_sequence++, queuePair});
    std::push_heap(m_paced.begin(), m_paced.end(), IsLater);
}

std::optional<uint32_t>
RoundRobinScheduler::Pick(Tick now)
{
    LineUpDue(now);
    if (m_line.empty())
    {
        return std::nullopt;
    }
    const uint32_t queuePair = m_line.front();
    m_line.pop_front();
    return queuePair;
}

Tick
RoundRobinScheduler::GetNextReady(Tick now) const
{
    if (!m_line.empty())
    {
        return now;
    }
    return m_paced.empty() ? TICK_NEVER : std::max(now, m_paced.front().readyAt);
}

} // namespace ns3::rdma
