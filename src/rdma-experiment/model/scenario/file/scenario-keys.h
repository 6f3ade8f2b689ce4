// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SCENARIO_KEYS_H
#define RDMA_SCENARIO_KEYS_H

#include "ns3/nic-keys.h"
#include "ns3/scenario.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What a scenario file has. NICs are as in the file; the other keys are in the scenario.
struct ScenarioKeys
{
    ScenarioKeys();

    std::string schema; ///< For editors.
    std::string form;   ///< "workload" or "workloads".
    Scenario scenario;
    std::vector<NicKeys> nics;
    /// Completes the NICs of the scenario as soon as they are read, as workloads depend on them.
    /// @param value the list
    std::function<void(const JsonValue& value)> resolveNics;
};

/// Declares the keys of a scenario file, in the order in which the resolved scenario has them.
void VisitScenario(Keys& keys, ScenarioKeys& file);

} // namespace ns3::rdma

#endif // RDMA_SCENARIO_KEYS_H
