// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_SCENARIO_BUILDER_H
#define RDMA_SCENARIO_BUILDER_H

#include "ns3/fabric-partition.h"
#include "ns3/fabric.h"
#include "ns3/merged-flow-source.h"
#include "ns3/scenario.h"
#include "ns3/topology-graph.h"

#include <memory>
#include <string>

namespace ns3::rdma
{

/**
 * Makes the graph that a scenario describes, checked: all servers reach each other. The scenario's
 * loss rate is in the links already.
 * @throws InputError if the graph or its file is unsound.
 */
TopologyGraph MakeTopology(const Scenario& scenario);

/// @return the largest frame of the NICs of a run, FCS excluded.
uint32_t GetMaxFrame(const Scenario& scenario, const NicSpec& nic);

/// Checks that runs with PFC have a lossless priority. @throws InputError
void CheckPfc(const Scenario& scenario);

/// Checks that credits of links suffice for the frames of each run, and meet no PFC. @throws
/// InputError
void CheckCredits(const Scenario& scenario);

/// Sets the buffer of switches to GetDefaultBuffer() unless the scenario has one, which is
/// checked: it must hold what ports set aside. @throws InputError
void CompleteBuffer(Scenario& scenario, const TopologyGraph& graph);

/**
 * Makes the flows of all workloads of a scenario on its graph. Files are checked as a whole before
 * this returns.
 * @throws InputError if a file or a node id is unsound.
 */
std::unique_ptr<MergedFlowSource> MakeFlowSource(const Scenario& scenario,
                                                 const TopologyGraph& graph);

/// Divides a scenario's graph among ranks. @throws InputError if there are too many
/// @param serverLoads as FabricPartition takes them
FabricPartition MakePartition(const Scenario& scenario,
                              const TopologyGraph& graph,
                              uint32_t ranks,
                              const std::vector<double>& serverLoads = {});

} // namespace ns3::rdma

#endif // RDMA_SCENARIO_BUILDER_H
