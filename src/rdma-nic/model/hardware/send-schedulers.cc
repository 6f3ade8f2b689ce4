// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/send-schedulers.h"

#include "ns3/register-type.h"

#include <algorithm>

namespace ns3::rdma
{

RDMA_REGISTER_BASE(SendScheduler, Object, "RdmaNic");

RDMA_REGISTER_CLASS(RoundRobinScheduler, SendScheduler, "RdmaNic");

void
RoundRobinScheduler::Add(uint32_t queuePair, Tick readyAt, Tick now)
{
    m_line.Add(queuePair, readyAt, now);
}

void
RoundRobinScheduler::Advance(uint32_t queuePair, Tick readyAt)
{
    m_line.Advance(queuePair, readyAt);
}

std::optional<uint32_t>
RoundRobinScheduler::Pick(Tick now)
{
    return m_line.Pick(now);
}

Tick
RoundRobinScheduler::GetNextReady(Tick now) const
{
    return m_line.GetNextReady(now);
}

RDMA_REGISTER_CLASS(RingScheduler, SendScheduler, "RdmaNic");

bool
RingScheduler::IsLater(const Paced& left, const Paced& right)
{
    return left.readyAt != right.readyAt ? left.readyAt > right.readyAt
                                         : left.queuePair > right.queuePair;
}

void
RingScheduler::AddReady(uint32_t queuePair)
{
    m_ready.insert(std::lower_bound(m_ready.begin(), m_ready.end(), queuePair), queuePair);
}

void
RingScheduler::Add(uint32_t queuePair, Tick readyAt, Tick now)
{
    if (readyAt <= now)
    {
        AddReady(queuePair);
        return;
    }
    m_paced.push_back({readyAt, queuePair});
    std::push_heap(m_paced.begin(), m_paced.end(), IsLater);
}

void
RingScheduler::Advance(uint32_t queuePair, Tick readyAt)
{
    const auto found = std::find_if(m_paced.begin(), m_paced.end(), [&](const Paced& paced) {
        return paced.queuePair == queuePair;
    });
    if (found != m_paced.end() && readyAt < found->readyAt)
    {
        found->readyAt = readyAt;
        std::push_heap(m_paced.begin(), found + 1, IsLater);
    }
}

std::optional<uint32_t>
RingScheduler::Pick(Tick now)
{
    while (!m_paced.empty() && m_paced.front().readyAt <= now)
    {
        AddReady(m_paced.front().queuePair);
        std::pop_heap(m_paced.begin(), m_paced.end(), IsLater);
        m_paced.pop_back();
    }
    if (m_ready.empty())
    {
        return std::nullopt;
    }
    auto next = std::upper_bound(m_ready.begin(), m_ready.end(), m_last);
    if (next == m_ready.end())
    {
        next = m_ready.begin();
    }
    m_last = *next;
    m_ready.erase(next);
    return m_last;
}

Tick
RingScheduler::GetNextReady(Tick now) const
{
    if (!m_ready.empty())
    {
        return now;
    }
    return m_paced.empty() ? TICK_NEVER : std::max(now, m_paced.front().readyAt);
}

} // namespace ns3::rdma
