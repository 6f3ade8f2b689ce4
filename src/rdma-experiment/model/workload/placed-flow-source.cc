// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/placed-flow-source.h"

#include <utility>

namespace ns3::rdma
{

PlacedFlowSource::PlacedFlowSource(std::unique_ptr<FlowSource> source,
                                   uint32_t workload,
                                   int64_t startPs,
                                   std::optional<int64_t> endPs)
    : m_source(std::move(source)),
      m_workload(workload),
      m_startPs(startPs),
      m_endPs(endPs)
{
}

std::optional<FlowArrival>
PlacedFlowSource::Next()
{
    auto flow = m_source->Next();
    if (!flow)
    {
        return std::nullopt;
    }
    flow->startPs += m_startPs;
    flow->workload = m_workload;
    // Starts rise: all flows after this one are too late as well.
    return m_endPs && flow->startPs >= *m_endPs ? std::nullopt : flow;
}

bool
PlacedFlowSource::Rewind()
{
    return m_source->Rewind();
}

std::optional<uint64_t>
PlacedFlowSource::GetFlowCount() const
{
    return m_endPs ? std::nullopt : m_source->GetFlowCount();
}

const FlowGraph*
PlacedFlowSource::GetGraph() const
{
    return m_source->GetGraph();
}

} // namespace ns3::rdma
