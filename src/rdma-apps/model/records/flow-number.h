// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_NUMBER_H
#define RDMA_FLOW_NUMBER_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * Numbers of flows that are unique in a run: the index of the workload above the number of the flow
 * in its workload. They sort by workload, then by number; those of the first workload are the same.
 */
namespace flow_number
{
constexpr uint32_t SHIFT{48};

constexpr uint64_t
Make(uint32_t workload, uint64_t number)
{
    return uint64_t{workload} << SHIFT | number;
}

/// @return the index of a flow's workload.
constexpr uint32_t
GetWorkload(uint64_t flow)
{
    return static_cast<uint32_t>(flow >> SHIFT);
}

/// @return the number of a flow in its workload.
constexpr uint64_t
GetLocal(uint64_t flow)
{
    return flow & ((uint64_t{1} << SHIFT) - 1);
}

/// @return "flow 12", or "flow 12 of background" if workloads have names. @param workloads their
/// names
inline std::string
Describe(uint64_t flow, const std::vector<std::string>& workloads)
{
    const std::string text = "flow " + std::to_string(GetLocal(flow));
    return workloads.empty() ? text : text + " of " + workloads[GetWorkload(flow)];
}
} // namespace flow_number

} // namespace ns3::rdma

#endif // RDMA_FLOW_NUMBER_H
