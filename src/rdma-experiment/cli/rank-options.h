// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RANK_OPTIONS_H
#define RDMA_RANK_OPTIONS_H

#include "ns3/topology-graph.h"

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/// The value of --ranks that leaves the number to ChooseRanks().
constexpr const char* AUTOMATIC_RANKS{"auto"};

/// @return what is wrong with the value of --ranks, or nothing
std::string CheckRanks(const std::string& text);

/**
 * Chooses how many ranks run each NIC of a scenario.
 *
 * NICs side by side use their cores without waiting for each other: one rank if they fill all
 * cores.
 *
 * @param cores that may be used, at least 1
 * @param nics of the scenario that may run at a time
 * @return 1 if a link has no delay, since ranks would wait for each other at each event
 */
uint32_t ChooseRanks(const TopologyGraph& graph, uint32_t cores, uint32_t nics);

} // namespace ns3::rdma

#endif // RDMA_RANK_OPTIONS_H
