// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/merged-flow-source.h"

#include <utility>

namespace ns3::rdma
{

MergedFlowSource::MergedFlowSource(std::vector<std::unique_ptr<FlowSource>> sources)
    : m_sources(std::move(sources))
{
}

void
MergedFlowSource::Fill()
{
    for (const auto& source : m_sources)
    {
        m_next.push_back(source->Next());
    }
}

std::optional<FlowArrival>
MergedFlowSource::Next()
{
    if (m_sources.size() == 1)
    {
        return m_sources.front()->Next();
    }
    if (m_next.empty())
    {
        Fill();
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
        m_next[first] = m_sources[first]->Next();
    }
    return flow;
}

bool
MergedFlowSource::Rewind()
{
    m_next.clear();
    for (const auto& source : m_sources)
    {
        if (!source->Rewind())
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
    for (const auto& source : m_sources)
    {
        const auto own = source->GetFlowCount();
        if (!own)
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
    for (std::size_t i = 0; i < m_sources.size(); ++i)
    {
        if (const FlowGraph* graph = m_sources[i]->GetGraph())
        {
            graphs.push_back({static_cast<uint32_t>(i), graph});
        }
    }
    return graphs;
}

} // namespace ns3::rdma
