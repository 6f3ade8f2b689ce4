// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_FABRIC_READER_H
#define RDMA_FABRIC_READER_H

#include "ns3/json-value.h"
#include "ns3/scenario.h"
#include "ns3/topology-graph.h"

namespace ns3::rdma
{

/**
 * Reads the "fabric" of a scenario, defaults filled in except for what depends on the graph.
 * @throws InputError
 */
FabricSpec ReadFabric(const JsonValue& value);

/**
 * Gives the links of the graph whose rate the scenario does not list the marking thresholds of
 * Fabric::GetDefaultEcn(), unless marking is off altogether.
 *
 * @param value the same as for ReadFabric(), for messages
 * @throws InputError if a rate is listed that no link has
 */
void CompleteEcn(FabricSpec& fabric, const TopologyGraph& graph, const JsonValue& value);

} // namespace ns3::rdma

#endif // RDMA_FABRIC_READER_H
