// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RUN_COST_H
#define RDMA_RUN_COST_H

#include "ns3/run-input.h"
#include "ns3/scenario.h"
#include "ns3/topology-graph.h"

#include <cstdint>

namespace ns3::rdma
{

/// The work of a run, as far as it is known before.
struct RunCost
{
    uint64_t flows{0};
    uint64_t flowBytes{0};     ///< Their payload.
    uint64_t packets{0};       ///< Of data, each once; those of known traffic, too.
    uint64_t dataHops{0};      ///< Link traversals of these.
    uint64_t packetHops{0};    ///< Link traversals of these and of their acknowledgments.
    bool isWithTraffic{false}; ///< There is traffic beside the flows that is not counted.
    bool hasFlowsOnly{true};   ///< No traffic, counted or not.
    bool hasReports{false};    ///< Receivers report marked packets at once: more acknowledgments.
};

/**
 * @brief Estimates the packet-hops of a run of one NIC without running it.
 *
 * CostSum has the rule for a message.  Of flows that a run without drain cuts off, the bytes count
 * that LinkSharing sends until the end; flows that begin before a fluid start do not count.  Of
 * traffic that lists its messages (collectives), all count; if its workload has an end, the share
 * that the links of its servers carry until then, at most.
 *
 * Not modeled: packets sent again, CNPs, drops and marks; a stop by precision; other traffic.
 * Beyond MAX_FLOWS the rest is extrapolated by number or, of random arrivals, by time; if a fluid
 * start comes later than all of these, from flows before it.
 *
 * @throws InputError if a file that the scenario names has become unreadable
 */
RunCost EstimateCost(const Scenario& scenario, const NicSpec& nic, const TopologyGraph& graph);

/**
 * @return processor time of a run without what it starts with, within a factor of two on a machine
 * like the one of test/bench/README.md. Of a run with traffic that is not counted, that of
 * the counted one.
 *
 * A packet-hop costs what was measured there: more, if the state of the servers exceeds the caches.
 */
double EstimateSeconds(const RunCost& cost, const TopologyGraph& graph);

/**
 * @return flows that are under way at one time at least, of a workload that says how many it has: a
 * destination receives no faster than its links carry. 0: not known, or few.
 *
 * Of a very long workload the first flows are looked at, and the rest taken to be as they are.
 */
uint64_t EstimateFlowsAtOnce(RunInput& input);

/// @throws InputError if a run's flows do not fit into the memory of this machine
void CheckFlowsFit(RunInput& input);

} // namespace ns3::rdma

#endif // RDMA_RUN_COST_H
