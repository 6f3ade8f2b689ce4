// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_NIC_KEYS_H
#define RDMA_NIC_KEYS_H

#include "ns3/key-list.h"
#include "ns3/scenario.h"
#include "ns3/topology-graph.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * Reads the "nics" of a scenario and merges their attributes: preset, then scenario, then NIC.
 *
 * @param nics a list of preset names or objects
 * @param attributes the scenario-wide "attributes"
 * @param groups that an entry may name
 * @throws InputError
 */
std::vector<NicSpec> ReadNics(const JsonValue& nics,
                              const std::map<std::string, std::string>& attributes,
                              const ServerGroups& groups = {});

/// @return the keys of a design: an entry of "nics", of its "groups", or "default".
std::vector<KeyInfo> ListDesignKeys();

/// @return the keys of "loadBalancer" of an entry if it is an object.
std::vector<KeyInfo> ListLoadBalancerKeys();

/// @return the entry that ReadNics() reads back.
nlohmann::ordered_json WriteNic(const NicSpec& nic);

/// @param nics the same list @throws InputError if a server has no design in one of the NICs
void CheckDefaults(const JsonValue& nics, const Scenario& scenario, const TopologyGraph& graph);

/// @param value the object that the attributes come from @throws InputError if one has an effect on
/// none of the NICs
void CheckSharedAttributes(const JsonValue& value,
                           const std::map<std::string, std::string>& attributes,
                           const std::vector<NicSpec>& nics);

/**
 * Reads the name of a folder below the output folder: letters, digits and ". _ - + = , @", not
 * beginning with a dot.
 * @throws InputError
 */
std::string ReadFolderName(const JsonValue& value);

} // namespace ns3::rdma

#endif // RDMA_NIC_KEYS_H
