// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/drill-balancer.h"

#include "ns3/fabric-port.h"
#include "ns3/type-attributes.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(DrillBalancer);

TypeId
DrillBalancer::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<DrillBalancer, LoadBalancer>("ns3::rdma::DrillBalancer", "RdmaFabric")
            .Add("Samples",
                 Member(&DrillBalancer::m_samples, 2, 1, 64),
                 "Random queues that each frame compares (d = 2: DRILL section 3.2)")
            .Add("Memory",
                 Member(&DrillBalancer::m_memory, 1, 0, 64),
                 "Shortest queues that are remembered (m = 1: DRILL section 3.2; 0: the choice of "
                 "d alone)");
    return tid;
}

void
DrillBalancer::Start(const SwitchView& view)
{
    m_random = RandomStream(view.seed, 0);
    m_shortest.clear();
}

void
DrillBalancer::OnRoutes(const SwitchView&)
{
    m_shortest.clear(); // Groups and candidates have new numbers.
}

uint32_t
DrillBalancer::Choose(Frame&, const PortChoice& choice, Tick)
{
    uint32_t best = m_random.NextBelow(choice.count);
    uint32_t fewest = choice.Get(best).GetTotalQueueBytes();
    const auto compare = [&](uint32_t candidate) {
        const uint32_t bytes = choice.Get(candidate).GetTotalQueueBytes();
        best = bytes < fewest ? candidate : best;
        fewest = std::min(bytes, fewest);
    };
    for (uint32_t sample = 1; sample < m_samples; ++sample)
    {
        compare(m_random.NextBelow(choice.count));
    }
    if (m_memory == 0)
    {
        return best;
    }
    if (m_shortest.size() <= choice.group)
    {
        m_shortest.resize(choice.group + 1);
    }
    Memory& shortest = m_shortest[choice.group];
    std::for_each(shortest.begin(), shortest.end(), compare);
    if (shortest.size() < m_memory)
    {
        shortest.push_back(best);
    }
    std::rotate(shortest.begin(), shortest.end() - 1, shortest.end());
    shortest.front() = best;
    return best;
}

} // namespace ns3::rdma
