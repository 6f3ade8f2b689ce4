// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rank-placement.h"

#include "ns3/random-stream.h"

#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t RANDOM_STREAM{0x636f6c6c00000000ULL}; ///< Away from those of other parts.
} // namespace

std::vector<std::vector<RankPlace>>
RankPlacement::Place(const std::vector<uint32_t>& servers, uint64_t seed) const
{
    std::vector<uint32_t> order = servers;
    if (rule == PlacementRule::RANDOM)
    {
        RandomStream random(seed, RANDOM_STREAM);
        for (std::size_t left = order.size(); left > 1; --left)
        {
            std::swap(order[left - 1], order[random.NextBelow(static_cast<uint32_t>(left))]);
        }
    }
    const std::size_t ranks = order.size() * ranksPerServer / communicators;
    std::vector<std::vector<RankPlace>> places(communicators);
    for (std::size_t rank = 0; rank < ranks * communicators; ++rank)
    {
        RankPlace place{order[rank / ranksPerServer], std::nullopt};
        if (rule == PlacementRule::RAIL)
        {
            place.nic = static_cast<uint32_t>(rank % ranksPerServer);
        }
        places[rank / ranks].push_back(place);
    }
    return places;
}

} // namespace ns3::rdma
