// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TRAFFIC_LIST_H
#define RDMA_TRAFFIC_LIST_H

#include "ns3/run-report.h"
#include "ns3/run-traffic.h"
#include "ns3/scenario.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// The traffic of a workload besides its flows.
struct WorkloadTraffic
{
    std::string name; ///< Of its workload; empty: the only one.
    std::unique_ptr<RunTraffic> traffic;
};

/// @return the traffic of the workloads that have it, in their order. The queue pairs of each have
/// the numbers after those of the workloads before it, and each has a part of the servers' memory
/// of its own.
/// @param[in,out] context without what depends on the workload; its queue pairs are counted
/// @throws InputError, PolicyError if a workload makes no traffic
std::vector<WorkloadTraffic> MakeTraffic(const Scenario& scenario, TrafficContext& context);

/// Rows are written during the run: those of each workload into its own folder
/// (ResultFolder::GetRowsFolder()). @param isFirst whether this is the first rank, which writes
void StreamTo(const std::filesystem::path& folder,
              bool isFirst,
              const std::vector<WorkloadTraffic>& all);

/// Adds the results of all traffic, which come before the part of the hardware. Collective call.
void AddTrafficParts(RankGroup& ranks, const std::vector<WorkloadTraffic>& all, RunReport& report);

} // namespace ns3::rdma

#endif // RDMA_TRAFFIC_LIST_H
