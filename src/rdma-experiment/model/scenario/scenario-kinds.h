// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_SCENARIO_KINDS_H
#define RDMA_SCENARIO_KINDS_H

#include <string>
#include <vector>

namespace ns3::rdma
{

/// One kind of topology or workload, as scenarios name it.
struct ScenarioKind
{
    std::string name;
    std::string description;
    std::vector<std::string> keys; ///< Those of this kind, beside the keys that all kinds have.
};

/// What "fabric.topology" may be.
const std::vector<ScenarioKind>& GetTopologyKinds();

/// What "workload.type" may be.
const std::vector<ScenarioKind>& GetWorkloadKinds();

/// The names alone, in the same order.
std::vector<std::string> GetKindNames(const std::vector<ScenarioKind>& kinds);

/// The kind of that name, which must exist.
const ScenarioKind& FindKind(const std::vector<ScenarioKind>& kinds, const std::string& name);

} // namespace ns3::rdma

#endif // RDMA_SCENARIO_KINDS_H
