// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/round-robin-scheduler.h"

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

std::optional<uint32_t>
RoundRobinScheduler::GetLikely() const
{
    return m_line.GetLikely();
}

Tick
RoundRobinScheduler::GetNextReady(Tick now) const
{
    return m_line.GetNextReady(now);
}

} // namespace ns3::rdma
