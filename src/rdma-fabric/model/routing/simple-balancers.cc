// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/simple-balancers.h"

#include "ns3/fabric-port.h"
#include "ns3/register-type.h"
#include "ns3/type-attributes.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3::rdma
{

RDMA_REGISTER_CLASS(EcmpBalancer, LoadBalancer, "RdmaFabric");

void
EcmpBalancer::Start(const SwitchView& view)
{
    m_hash.seed = static_cast<uint32_t>(view.seed ^ (view.seed >> 32));
}

uint32_t
EcmpBalancer::Choose(Frame& frame, const PortChoice& choice, Tick)
{
    return m_hash.Choose(frame.entropy, choice.count);
}

std::optional<uint32_t>
EcmpBalancer::ChooseForFlow(uint32_t entropy, uint32_t count) const
{
    return m_hash.Choose(entropy, count);
}

RDMA_REGISTER_CLASS(SprayBalancer, LoadBalancer, "RdmaFabric");

void
SprayBalancer::Start(const SwitchView& view)
{
    m_random = RandomStream(view.seed, 0);
}

uint32_t
SprayBalancer::Choose(Frame&, const PortChoice& choice, Tick)
{
    return m_random.NextBelow(choice.count);
}

NS_OBJECT_ENSURE_REGISTERED(RoundRobinBalancer);

TypeId
RoundRobinBalancer::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<RoundRobinBalancer, LoadBalancer>("ns3::rdma::RoundRobinBalancer",
                                                             "RdmaFabric")
            .Add("ShufflesAgain",
                 Member(&RoundRobinBalancer::m_shufflesAgain, true),
                 "Whether each round has another order (true: ours; with false the first order "
                 "stays)");
    return tid;
}

void
RoundRobinBalancer::Start(const SwitchView& view)
{
    m_random = RandomStream(view.seed, 0);
    m_rounds.clear();
}

void
RoundRobinBalancer::OnRoutes(const SwitchView&)
{
    m_rounds.clear(); // Groups and candidates have new numbers.
}

uint32_t
RoundRobinBalancer::Choose(Frame&, const PortChoice& choice, Tick)
{
    if (m_rounds.size() <= choice.group)
    {
        m_rounds.resize(choice.group + 1);
    }
    Round& round = m_rounds[choice.group];
    if (round.order.empty())
    {
        round.order.resize(choice.count);
        std::iota(round.order.begin(), round.order.end(), 0);
        Shuffle(round.order);
    }
    if (round.taken == round.order.size())
    {
        round.taken = 0;
        if (m_shufflesAgain)
        {
            Shuffle(round.order);
        }
    }
    return round.order[round.taken++];
}

void
RoundRobinBalancer::Shuffle(std::vector<uint32_t>& order)
{
    for (auto left = static_cast<uint32_t>(order.size()); left > 1; --left)
    {
        std::swap(order[left - 1], order[m_random.NextBelow(left)]); // Fisher-Yates shuffle.
    }
}

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
