// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_NIC_KEYS_H
#define RDMA_NIC_KEYS_H

#include "ns3/keys.h"
#include "ns3/scenario.h"
#include "ns3/topology-graph.h"
#include "ns3/traffic-class.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What a scenario says about a NIC design, before it is completed by its preset.
struct DesignKeys
{
    std::string preset;
    std::string congestionControl; ///< Empty, as the next ones: that of the preset.
    std::string parameters;
    std::string lossDetector;
    std::string retransmissionTimeout;
    bool isHardwareTimed{false};
    std::string machine;                           ///< Name or file (ReadMachine()); empty: none.
    TrafficClass trafficClass;                     ///< Of queue pairs that have none of their own.
    std::map<std::string, std::string> attributes; ///< By full name.
};

/// An entry of "nics".
struct NicKeys : DesignKeys
{
    std::string form; ///< "preset", or "groups" if servers have different designs.
    std::string name; ///< Empty: that of the preset.
    LoadBalancerSpec loadBalancer;
    std::optional<SwitchChanges> fabric;
    std::map<std::string, DesignKeys> groups;
    std::optional<DesignKeys> others; ///< Of servers that are in none of the groups.
};

/// Declares "nics". @param complete called by readers with the list after it is read
void VisitNics(Keys& keys,
               std::vector<NicKeys>& nics,
               std::function<void(const JsonValue&)> complete = {});

/**
 * Completes the entries of "nics": attributes of the preset, then of the scenario, then of the NIC.
 *
 * @param value the list that they were read from, for messages
 * @param attributes the scenario-wide "attributes"
 * @throws InputError
 */
std::vector<NicSpec> ResolveNics(const std::vector<NicKeys>& nics,
                                 const JsonValue& value,
                                 const std::map<std::string, std::string>& attributes);

/// @return the entry that is resolved to this NIC.
NicKeys MakeNicKeys(const NicSpec& nic);

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

/// @param nics the same list @throws InputError if a link rate or an attribute of "fabric" of a NIC
/// has no effect
void CheckSwitchChanges(const JsonValue& nics,
                        const Scenario& scenario,
                        const TopologyGraph& graph);

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
