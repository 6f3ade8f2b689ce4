// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RUN_KEYS_H
#define RDMA_RUN_KEYS_H

#include "ns3/json-value.h"
#include "ns3/scenario.h"

namespace ns3::rdma
{

/// Reads "run" of a scenario: how the simulation itself is run. @throws InputError
RunSpec ReadRun(const JsonValue& value);

/// What is left of the workload when the fluid and the warm-up are over has to be something.
/// @param value the same object @throws InputError
void CheckRun(const Scenario& scenario, const JsonValue& value);

/// @return whether "precision" is that of a workload's flows: random arrivals between all servers.
bool IsMeasured(const WorkloadKind& workload);

/// @return the object that ReadRun() reads back.
nlohmann::ordered_json WriteRun(const RunSpec& run);

} // namespace ns3::rdma

#endif // RDMA_RUN_KEYS_H
