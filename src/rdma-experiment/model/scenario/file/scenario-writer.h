// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_SCENARIO_WRITER_H
#define RDMA_SCENARIO_WRITER_H

#include "ns3/scenario-digest.h"
#include "ns3/scenario.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Blanks per level of the JSON text of scenarios.
constexpr int SCENARIO_INDENT{2};

/// @return the resolved scenario with these NICs. Keys are in the order in which docs list them.
nlohmann::ordered_json MakeScenarioJson(const Scenario& scenario, const std::vector<NicSpec>& nics);

/**
 * The resolved scenario as JSON text that ReadScenario() accepts and resolves to the same, if it
 * lies in the folder of the original.
 */
std::string WriteScenario(const Scenario& scenario);

/**
 * The scenario.json of one NIC's results: the resolved scenario with this NIC only, PFC as its
 * preset asks for it, and under "rocelab" the versions and plug-ins that made the results, and what
 * tells whether another run was of the same scenario. The same on every run.
 * @param base the folder where the scenario's paths start, as seen from the result folder; written
 * if the scenario names files
 */
std::string WriteRunScenario(const Scenario& scenario,
                             const NicSpec& nic,
                             const ScenarioDigest& digest,
                             const std::string& base = {});

} // namespace ns3::rdma

#endif // RDMA_SCENARIO_WRITER_H
