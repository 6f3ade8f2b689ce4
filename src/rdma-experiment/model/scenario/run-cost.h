// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RUN_COST_H
#define RDMA_RUN_COST_H

#include "ns3/scenario.h"
#include "ns3/topology-graph.h"

#include <cstdint>

namespace ns3::rdma
{

/// What a run will have to do, as far as its flows tell.
struct RunCost
{
    uint64_t flows{0};
    uint64_t packets{0};       ///< Of data, each once.
    uint64_t packetHops{0};    ///< Link traversals of these and of their acknowledgments.
    bool isWithTraffic{false}; ///< There is traffic beside the flows, which is not counted.
};

/**
 * @brief Estimates the packet-hops of a run of one NIC without running it.
 *
 * A flow of b bytes has p = ceil(b / MTU) packets and ceil(p / AckInterval) acknowledgments, each
 * of which crosses the links of the shortest path once. Of flows that a run without drain cuts off,
 * at most the bytes that fit through the server's link until the end count; flows that begin before
 * a fluid start do not count.
 *
 * Not modeled: packets sent again, CNPs and drops; a stop by precision; traffic that is no flow.
 * Beyond MAX_FLOWS the rest is extrapolated by number or, of random arrivals, by time; if a fluid
 * start comes later than all of these, from flows before it.
 *
 * @throws InputError if a file that the scenario names has become unreadable
 */
RunCost EstimateCost(const Scenario& scenario, const NicSpec& nic, const TopologyGraph& graph);

} // namespace ns3::rdma

#endif // RDMA_RUN_COST_H
