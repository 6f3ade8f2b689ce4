// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SIMPLE_TOPOLOGIES_H
#define RDMA_SIMPLE_TOPOLOGIES_H

#include "ns3/topology-graph.h"

namespace ns3::rdma
{

/// Servers 0 and 1 on one link.
/// @throws InputError if the rate is zero or the delay negative, as the functions below
TopologyGraph MakeBackToBack(DataRate rate, Time delay);

/// Servers 0 .. servers - 1, each with a link to the switch with node id servers.
/// @param servers at least 2
TopologyGraph MakeStar(uint32_t servers, DataRate rate, Time delay);

/// User parameters of a dumbbell.
struct DumbbellParameters
{
    uint32_t serversPerSide{2};            ///< At least 1.
    DataRate hostRate{100000000000};       ///< Server to switch.
    DataRate bottleneckRate{100000000000}; ///< Switch to switch.
    Time linkDelay;                        ///< Propagation of every link, one way.
};

/**
 * Servers 0 .. n - 1 behind switch 2n, servers n .. 2n - 1 behind switch 2n + 1, one link between
 * the switches (n = serversPerSide).
 */
TopologyGraph MakeDumbbell(const DumbbellParameters& parameters);

} // namespace ns3::rdma

#endif // RDMA_SIMPLE_TOPOLOGIES_H
