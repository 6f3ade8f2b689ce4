// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RUN_KEYS_H
#define RDMA_RUN_KEYS_H

#include "ns3/json-value.h"
#include "ns3/scenario.h"

namespace ns3::rdma
{

/// Declares the keys of "run": how the simulation itself is run.
void VisitRun(Keys& keys, RunSpec& run);

/// What is left of the workload when the fluid and the warm-up are over has to be something.
/// @param value the same object @throws InputError
void CheckRun(const Scenario& scenario, const JsonValue& value);

/// @return whether "precision" is that of a workload's flows: random arrivals between all servers.
bool IsMeasured(const WorkloadKind& workload);

} // namespace ns3::rdma

#endif // RDMA_RUN_KEYS_H
