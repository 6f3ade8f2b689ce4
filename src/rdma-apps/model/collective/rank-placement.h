// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RANK_PLACEMENT_H
#define RDMA_RANK_PLACEMENT_H

#include "ns3/collective-plan.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// The order in which servers get ranks.
enum class PlacementRule : uint8_t
{
    RANK_ORDER, ///< By node id.
    RANDOM,     ///< Every order with the same probability (Fisher and Yates, Durstenfeld 1964).
    RAIL,       ///< By node id; rank i of a server uses the server's NIC i.
};

/// Which ranks are where.
struct RankPlacement
{
    PlacementRule rule{PlacementRule::RANK_ORDER};
    uint32_t ranksPerServer{1}; ///< Adjacent ranks.
    uint32_t communicators{1};  ///< Each with the next part of all ranks.

    /**
     * @param servers node ids, rising
     * @param seed of the run; of the random order
     * @return places by communicator and rank; all communicators have the same number of ranks, and
     * the last ranks are left out if it does not divide
     */
    std::vector<std::vector<RankPlace>> Place(const std::vector<uint32_t>& servers,
                                              uint64_t seed) const;
};

} // namespace ns3::rdma

#endif // RDMA_RANK_PLACEMENT_H
