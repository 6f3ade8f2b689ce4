// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/round-robin-balancer.h"

#include "ns3/type-attributes.h"

#include <numeric>
#include <utility>

namespace ns3::rdma
{

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

} // namespace ns3::rdma
