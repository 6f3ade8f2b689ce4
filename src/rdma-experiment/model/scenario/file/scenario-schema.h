// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SCENARIO_SCHEMA_H
#define RDMA_SCENARIO_SCHEMA_H

#include "ns3/key-list.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Keys of an object of a scenario.
struct KeySection
{
    std::string name;    ///< As "fabric", "run", or that of a kind of topology or workload.
    std::string meaning; ///< What the object is.
    std::vector<KeyInfo> keys;
};

/// @return the objects of scenarios, topologies and workloads among them.
std::vector<KeySection> ListScenarioKeys();

/**
 * @return JSON Schema (draft 7) of scenario files, for editors that complete and check them.
 *
 * It accepts each scenario that the program reads.  It does not know conditions between keys,
 * files, names of groups and classes, nor the topologies and workloads of plug-ins: of a scenario
 * with "plugins" it does not check these two.
 */
nlohmann::ordered_json MakeScenarioSchema();

} // namespace ns3::rdma

#endif // RDMA_SCENARIO_SCHEMA_H
