// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-times.h"

#include "ns3/ideal-fct.h"

namespace ns3::rdma
{

namespace
{
constexpr uint32_t RANK_BITS{32};
} // namespace

LinkTimes::LinkTimes(const CollectivePlan& plan,
                     const CommunicatorLinks& links,
                     uint32_t group,
                     const TrafficContext& context)
    : m_plan(plan),
      m_context(context)
{
    uint32_t number = 0;
    for (const CollectiveStage& stage : plan.stages)
    {
        for (const CollectiveGroup& one : stage)
        {
            if (number++ == group)
            {
                m_ranks = one.members;
            }
        }
    }
    for (std::size_t place = links.GetFirst(group);
         place < links.GetCount() && links.Get(place).group == group;
         ++place)
    {
        const CommunicatorLink& link = links.Get(place);
        m_links.emplace(uint64_t{link.src} << RANK_BITS | link.dst, &link);
        if (!link.isLocal && m_headers.count(link.srcEndpoint) == 0)
        {
            m_headers.emplace(link.srcEndpoint,
                              (*context.nics)[link.srcEndpoint]->GetHeaderSizes());
        }
    }
}

const CommunicatorLink&
LinkTimes::Find(uint32_t src, uint32_t dst) const
{
    return *m_links.at(uint64_t{m_ranks[src]} << RANK_BITS | m_ranks[dst]);
}

Tick
LinkTimes::GetLocalDuration(const LocalLink& local, uint64_t bytes)
{
    return local.rate.CalculateBytesTxTime(static_cast<uint32_t>(bytes)).GetPicoSeconds();
}

Tick
LinkTimes::Measure(const CommunicatorLink& link, const PortPath& path, uint64_t bytes) const
{
    return ComputeIdealFct(path,
                           {},
                           m_headers.at(link.srcEndpoint),
                           (*m_context.nics)[link.srcEndpoint]->GetPathMtu(),
                           bytes,
                           WrOpcode::RDMA_WRITE_WITH_IMM);
}

Tick
LinkTimes::GetArrival(uint32_t src, uint32_t dst, uint64_t bytes) const
{
    const CommunicatorLink& link = Find(src, dst);
    if (link.isLocal)
    {
        return GetLocalDuration(*m_plan.local, bytes) + m_plan.local->latency.GetPicoSeconds() +
               m_plan.processing.GetPicoSeconds();
    }
    const PortPath path =
        m_context.fabric->FindPath(link.srcEndpoint, link.dstEndpoint, link.entropy);
    return path.empty() ? 0 : Measure(link, path, bytes) + m_plan.processing.GetPicoSeconds();
}

Tick
LinkTimes::GetDuration(uint32_t src, uint32_t dst, uint64_t bytes) const
{
    const CommunicatorLink& link = Find(src, dst);
    if (link.isLocal)
    {
        return GetLocalDuration(*m_plan.local, bytes);
    }
    const FabricPort& port = m_context.fabric->GetServerDevice(link.srcEndpoint).GetPort();
    return Measure(link, {&port}, bytes) - port.GetDelay();
}

bool
LinkTimes::IsLocal(uint32_t src, uint32_t dst) const
{
    return Find(src, dst).isLocal;
}

} // namespace ns3::rdma
