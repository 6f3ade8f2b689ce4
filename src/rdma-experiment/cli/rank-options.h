// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RANK_OPTIONS_H
#define RDMA_RANK_OPTIONS_H

#include "ns3/run-input.h"

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/// The value of --ranks that leaves the number to ChooseRanks().
constexpr const char* AUTOMATIC_RANKS{"auto"};

/// The largest number of ranks that a command starts.
constexpr uint32_t MAX_STARTED_RANKS{1024};

/// @param most the largest number
/// @return what is wrong with the value of --ranks, or nothing
std::string CheckRanks(const std::string& text, uint32_t most);

/// What limits the number of ranks.
struct RankLimits
{
    uint32_t cores; ///< That may be used, at least 1.
    uint32_t nics;  ///< Of the scenario, that may run at a time.
};

/**
 * Chooses how many ranks run each NIC of a scenario.
 *
 * One rank is chosen if
 * - NICs side by side fill all cores: they do not wait for each other;
 * - a link has no delay: ranks would wait for each other at each event;
 * - the expected packet-hops, divided among ranks, save less time than the windows and the start of
 *   the ranks cost. Traffic that is no flow has no estimate: it is taken to be enough.
 *
 * @throws InputError as the flows of the input
 */
uint32_t ChooseRanks(RunInput& input, const RankLimits& limits);

} // namespace ns3::rdma

#endif // RDMA_RANK_OPTIONS_H
