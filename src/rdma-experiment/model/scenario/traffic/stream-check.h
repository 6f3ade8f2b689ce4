// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STREAM_CHECK_H
#define RDMA_STREAM_CHECK_H

#include "ns3/scenario.h"
#include "ns3/stream-group.h"
#include "ns3/topology-graph.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * Checks that the NICs of all runs have room for the queue pairs of streams.
 * @param path of the workload @throws InputError that names a server
 */
void CheckStreamRoom(const Scenario& scenario,
                     const TopologyGraph& topology,
                     const std::vector<StreamGroup>& groups,
                     const std::string& path);

/// Checks that the NICs of all receivers have a GPU beside them. Likewise.
void CheckStreamGpus(const Scenario& scenario,
                     const std::vector<StreamGroup>& groups,
                     const std::string& path);

} // namespace ns3::rdma

#endif // RDMA_STREAM_CHECK_H
