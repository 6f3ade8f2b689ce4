// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_FABRIC_KEYS_H
#define RDMA_FABRIC_KEYS_H

#include "ns3/fabric.h"
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
 * Checks that each attribute of "fabric" has an effect with at least one of the NICs, whose presets
 * may choose policies of the switches.
 *
 * @param value the same as for ReadFabric()
 * @throws InputError
 */
void CheckFabricAttributes(const JsonValue& value,
                           const Scenario& scenario,
                           const std::vector<NicSpec>& nics);

/**
 * Gives the links of the graph whose rate the scenario does not list the marking thresholds of
 * Fabric::GetDefaultEcn(), unless marking is off altogether.
 *
 * @param value the same as for ReadFabric(), for messages
 * @throws InputError if a rate is listed that no link has
 */
void CompleteEcn(FabricSpec& fabric, const TopologyGraph& graph, const JsonValue& value);

/**
 * Checks that each link rate and each attribute of an entry of "nics" has an effect.
 *
 * @param value its "fabric" @param fabric of its runs @throws InputError
 */
void CheckSwitches(const JsonValue& value,
                   const SwitchChanges& changes,
                   const FabricSpec& fabric,
                   const TopologyGraph& graph);

/// Declares the keys of "fabric" of an entry of "nics".
void VisitSwitchChanges(Keys& keys, SwitchChanges& changes);

/// Declares the keys of a fabric that all topologies have.
void VisitFabric(Keys& keys, FabricSpec& fabric);

/// @return the object that ReadFabric() reads back.
nlohmann::ordered_json WriteFabric(const FabricSpec& fabric);

/// @return bytes of each frame on the wire that are not in it: preamble, FCS, inter-packet gap.
uint32_t GetFramingBytes(const FabricSpec& fabric);

/// Adds the loss rate of all links to what each link has already.
void ApplyLossRate(const FabricSpec& fabric, TopologyGraph& graph);

/// What Fabric::Build() takes beside the graph. @param fabric of the runs of a NIC
/// @param maxFrameBytes of all NICs, FCS excluded
FabricConfig MakeFabricConfig(const FabricSpec& fabric, uint64_t seed, uint32_t maxFrameBytes);

} // namespace ns3::rdma

#endif // RDMA_FABRIC_KEYS_H
