// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/checked-flow-source.h"

#include "ns3/flow-check.h"

#include <limits>
#include <utility>

namespace ns3::rdma
{

CheckedFlowSource::CheckedFlowSource(Ptr<const WorkloadKind> kind,
                                     const TopologyGraph& graph,
                                     std::unique_ptr<FlowSource> source)
    : m_kind(std::move(kind)),
      m_graph(graph),
      m_source(std::move(source)),
      m_flowCount(CallKind(*m_kind, "GetFlowCount()", [this] { return m_source->GetFlowCount(); }))
{
}

std::unique_ptr<FlowSource>
CheckedFlowSource::Make(const Ptr<const WorkloadKind>& kind,
                        const Scenario& scenario,
                        const TopologyGraph& graph)
{
    auto source = CallKind(*kind, "Make()", [&] { return kind->Make(scenario, graph); });
    if (!source && !kind->HasTraffic())
    {
        FailPolicy(*kind, "Make()", "flows", "null");
    }
    return source ? std::make_unique<CheckedFlowSource>(kind, graph, std::move(source)) : nullptr;
}

void
CheckedFlowSource::Fail(const std::string& expected, const std::string& got) const
{
    FailPolicy(*m_kind, "Next()", expected, got);
}

std::optional<FlowArrival>
CheckedFlowSource::Next()
{
    const auto flow = CallKind(*m_kind, "Next()", [&] { return m_source->Next(); });
    if (flow)
    {
        Check(*flow);
    }
    return flow;
}

bool
CheckedFlowSource::Rewind()
{
    m_given = 0;
    m_atOneTime = 0;
    m_lastStart = 0;
    return CallKind(*m_kind, "Rewind()", [&] { return m_source->Rewind(); });
}

void
CheckedFlowSource::Check(const FlowArrival& flow)
{
    constexpr uint64_t MAX_BYTES{std::numeric_limits<int64_t>::max()};
    if (const auto fault = FindFlowFault(m_graph, flow))
    {
        Fail(fault->expected, fault->got);
    }
    if (flow.bytes > MAX_BYTES || flow.fluidBytes > 0)
    {
        Fail("at most " + std::to_string(MAX_BYTES) + " bytes, none of them sent before",
             std::to_string(flow.bytes) + " bytes, " + std::to_string(flow.fluidBytes) +
                 " of them sent");
    }
    if (flow.startPs < m_lastStart)
    {
        Fail("a start not before that of the flow before, " + DescribeTick(m_lastStart),
             DescribeTick(flow.startPs));
    }
    if (m_flowCount && m_given == *m_flowCount)
    {
        Fail(std::to_string(*m_flowCount) + " flows, as GetFlowCount() has it", "one more");
    }
    m_atOneTime = flow.startPs == m_lastStart ? m_atOneTime + 1 : 1;
    if (!m_flowCount && m_atOneTime > MAX_AT_ONE_TIME)
    {
        Fail("at most " + std::to_string(MAX_AT_ONE_TIME) +
                 " flows at one time without GetFlowCount()",
             "more at " + DescribeTick(flow.startPs));
    }
    m_lastStart = flow.startPs;
    ++m_given;
}

std::optional<uint64_t>
CheckedFlowSource::GetFlowCount() const
{
    return m_flowCount;
}

const FlowGraph*
CheckedFlowSource::GetGraph() const
{
    return CallKind(*m_kind, "GetGraph()", [&] { return m_source->GetGraph(); });
}

} // namespace ns3::rdma
