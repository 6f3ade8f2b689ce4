// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WORKLOAD_KEYS_H
#define RDMA_WORKLOAD_KEYS_H

#include "ns3/keys.h"
#include "ns3/scenario.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// @return whether the workloads of a scenario are a list with names, the key "workloads".
bool HasWorkloadList(const Scenario& scenario);

/// @return the names of the list; none if there is none.
std::vector<std::string> GetWorkloadNames(const Scenario& scenario);

/// Declares "workload" and "workloads". @param[in,out] form the one that is there
/// @param scenario whose groups, NICs and kernels are read before
void VisitWorkloads(Keys& keys, std::string& form, Scenario& scenario);

/// @return the time at which a run without drain ends: the last one after which nothing begins, of
/// those workloads that have such a time. Unset: no workload has one.
std::optional<Time> GetLastTime(const Scenario& scenario);

/// @return whether any workload has traffic that is no flows.
bool HasTraffic(const Scenario& scenario);

/// @return the path of the workloads in the scenario, for messages about all of them.
std::string GetWorkloadsPath(const Scenario& scenario);

} // namespace ns3::rdma

#endif // RDMA_WORKLOAD_KEYS_H
