// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/list-workload.h"

#include "ns3/flow-check.h"
#include "ns3/input-error.h"

#include <algorithm>

namespace ns3::rdma
{

ListWorkload::ListWorkload(const TopologyGraph& graph, std::vector<FlowArrival> flows)
    : m_flows(std::move(flows))
{
    for (size_t i = 0; i < m_flows.size(); ++i)
    {
        if (const auto fault = FindFlowFault(graph, m_flows[i]))
        {
            throw InputError("flows[" + std::to_string(i) + "]: expected " + fault->expected +
                             ", got " + fault->got);
        }
    }
    std::stable_sort(
        m_flows.begin(),
        m_flows.end(),
        [](const FlowArrival& a, const FlowArrival& b) { return a.startPs < b.startPs; });
}

std::optional<FlowArrival>
ListWorkload::Next()
{
    return m_next < m_flows.size() ? std::optional<FlowArrival>(m_flows[m_next++]) : std::nullopt;
}

bool
ListWorkload::Rewind()
{
    m_next = 0;
    return true;
}

std::optional<uint64_t>
ListWorkload::GetFlowCount() const
{
    return m_flows.size();
}

} // namespace ns3::rdma
