// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ROUTE_COMPUTATION_H
#define RDMA_ROUTE_COMPUTATION_H

#include "ns3/route-table.h"
#include "ns3/topology-graph.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @brief Finds all shortest paths, counted in hops, over the links that are up.
 *
 * A node's ports are numbered in the order in which the graph lists its links; parallel links are
 * separate ports of one group.
 *
 * @param graph with at least one link
 * @param isLinkUp by link index; empty means all are up
 */
Routes ComputeRoutes(const TopologyGraph& graph, const std::vector<bool>& isLinkUp = {});

} // namespace ns3::rdma

#endif // RDMA_ROUTE_COMPUTATION_H
