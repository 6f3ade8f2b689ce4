// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/merged-flow-source.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

MergedFlowSource::MergedFlowSource(std::vector<WorkloadFlows> workloads)
    : m_workloads(std::move(workloads))
{
}

bool
MergedFlowSource::HasAny() const
{
    return std::any_of(m_workloads.begin(), m_workloads.end(), [](const WorkloadFlows& one) {
        return one.source != nullptr;
    });
}

std::optional<FlowArrival>
MergedFlowSource::TakeNext(std::size_t workload)
{
    const WorkloadFlows& one = m_workloads[workload];
    auto flow = one.source ? one.source->Next() : std::nullopt;
    if (!flow)
    {
        return std::nullopt;
    }
    flow->startPs += one.startPs;
    flow->workload = static_cast<uint32_t>(workload);
    // Starts rise: all flows after this one are too late as well.
    return one.endPs && flow->startPs >= *one.endPs ? std::nullopt : flow;
}

std::optional<FlowArrival>
MergedFlowSource::Next()
{
    if (m_workloads.size() == 1)
    {
        return TakeNext(0);
    }
    for (std::size_t i = m_next.size(); i < m_workloads.size(); ++i)
    {
        m_next.push_back(TakeNext(i));
    }
    std::size_t first = 0;
    for (std::size_t i = 1; i < m_next.size(); ++i)
    {
        const bool isEarlier =
            m_next[i] && (!m_next[first] || m_next[i]->startPs < m_next[first]->startPs);
        first = isEarlier ? i : first;
    }
    const auto flow = m_next[first];
    if (flow)
    {
        m_next[first] = TakeNext(first);
    }
    return flow;
}

bool
MergedFlowSource::Rewind()
{
    m_next.clear();
    for (const WorkloadFlows& one : m_workloads)
    {
        if (one.source && !one.source->Rewind())
        {
            return false;
        }
    }
    return true;
}

std::optional<uint64_t>
MergedFlowSource::GetFlowCount() const
{
    uint64_t count = 0;
    for (const WorkloadFlows& one : m_workloads)
    {
        const auto own = one.source ? one.source->GetFlowCount() : 0;
        if (!own || (one.source && one.endPs))
        {
            return std::nullopt;
        }
        count += *own;
    }
    return count;
}

std::vector<WorkloadGraph>
MergedFlowSource::GetGraphs() const
{
    std::vector<WorkloadGraph> graphs;
    for (std::size_t i = 0; i < m_workloads.size(); ++i)
    {
        const auto& source = m_workloads[i].source;
        if (const FlowGraph* graph = source ? source->GetGraph() : nullptr)
        {
            graphs.push_back({static_cast<uint32_t>(i), graph});
        }
    }
    return graphs;
}

} // namespace ns3::rdma
