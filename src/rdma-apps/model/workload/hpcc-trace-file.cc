// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/hpcc-trace-file.h"

#include "ns3/flow-check.h"
#include "ns3/input-error.h"

#include <limits>
#include <stdexcept>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr int64_t PS_PER_SECOND{1'000'000'000'000};

constexpr size_t PORT_FIELDS{6};    ///< Of a flow with a destination port.
constexpr size_t NO_PORT_FIELDS{5}; ///< Of a flow of ConWeave.
constexpr size_t PRIORITY{2};       ///< Field.
constexpr uint64_t MAX_PRIORITY{7};

/// @throws InputError unless the line has the fields of a flow
void
CheckForm(const FieldReader& reader)
{
    const auto& fields = reader.GetFields();
    if (fields.size() != PORT_FIELDS && fields.size() != NO_PORT_FIELDS)
    {
        reader.Fail("5 or 6 fields (source destination priority [port] bytes start)",
                    std::to_string(fields.size()));
    }
    if (fields.size() == PORT_FIELDS && fields[4].find('.') != std::string_view::npos)
    {
        reader.Fail("source destination priority port bytes start",
                    "a start and an end in fields 5 and 6, as in the files of ns3-rdma, which "
                    "count packets");
    }
}

/// Reads the fields of one flow line, each within what its type can hold.
FlowArrival
ReadFlow(const FieldReader& reader)
{
    constexpr uint64_t MAX_NODE{std::numeric_limits<uint32_t>::max()};
    CheckForm(reader);
    size_t field = 3;
    FlowArrival flow;
    flow.src = static_cast<uint32_t>(reader.GetUnsigned(0, "a source node id", 0, MAX_NODE));
    flow.dst = static_cast<uint32_t>(reader.GetUnsigned(1, "a destination node id", 0, MAX_NODE));
    flow.priority =
        static_cast<uint8_t>(reader.GetUnsigned(PRIORITY, "a priority", 0, MAX_PRIORITY));
    if (reader.GetFields().size() == PORT_FIELDS)
    {
        reader.GetUnsigned(field++, "a destination port", 0, 65535);
    }
    flow.bytes =
        reader.GetUnsigned(field++, "a size in bytes", 0, std::numeric_limits<int64_t>::max());
    flow.startPs = reader.GetSecondsAsPs(field, "a start of 0 or later");
    return flow;
}

} // namespace

HpccTraceFile::Pass::Pass(const std::string& path, const TopologyGraph& graph)
    : m_reader(path),
      m_graph{graph.isSwitch, {}}
{
    if (!m_reader.Next())
    {
        m_reader.Fail("a line with the number of flows", "an empty file");
    }
    m_reader.ExpectFieldCount(1, "number of flows");
    const uint64_t count =
        m_reader.GetUnsigned(0, "a number of flows", 1, std::numeric_limits<int64_t>::max());
    m_lines.emplace(m_reader, m_reader.GetLineNumber(), count, "flows");
}

std::optional<FlowArrival>
HpccTraceFile::Pass::Next()
{
    if (!m_lines->Next())
    {
        return std::nullopt;
    }
    const FlowArrival flow = ReadFlow(m_reader);
    if (const auto fault = FindFlowFault(m_graph, flow))
    {
        m_reader.Fail(fault->expected, fault->got);
    }
    if (flow.startPs < m_lastStartPs)
    {
        m_reader.Fail("flows in order of their start",
                      FieldReader::Quote(m_reader.GetFields().back()) + " after a later one");
    }
    m_lastStartPs = flow.startPs;
    m_priorities |= uint8_t{1} << *flow.priority;
    return flow;
}

uint64_t
HpccTraceFile::Pass::GetFlowCount() const
{
    return m_lines->GetCount();
}

std::vector<std::string>
HpccTraceFile::Pass::GetNotes() const
{
    return m_lines->GetNotes();
}

int64_t
HpccTraceFile::CheckAll(const TopologyGraph& graph)
{
    Pass pass(m_path, graph);
    const auto first = pass.Next();
    while (pass.Next())
    {
    }
    m_notes = pass.GetNotes();
    m_usesPriorities = pass.HasSeveralPriorities();
    return first->startPs; // Line 1 announces at least one flow, or the pass would have failed.
}

HpccTraceFile::HpccTraceFile(const std::string& path,
                             const TopologyGraph& graph,
                             std::optional<int64_t> originPs)
    : m_path(path),
      m_pass(std::in_place, path, graph)
{
    const int64_t firstStartPs = CheckAll(graph);
    m_originPs = originPs.value_or(firstStartPs - firstStartPs % PS_PER_SECOND);
    if (m_originPs < 0 || m_originPs > firstStartPs)
    {
        throw InputError(path + ": expected an origin from 0 to the first start at " +
                         std::to_string(firstStartPs) + " ps, got " + std::to_string(m_originPs) +
                         " ps");
    }
}

std::optional<FlowArrival>
HpccTraceFile::Next()
{
    try
    {
        auto flow = m_pass->Next();
        if (flow)
        {
            flow->startPs -= m_originPs;
            flow->priority = m_usesPriorities ? flow->priority : std::nullopt;
        }
        return flow;
    }
    catch (const InputError& error)
    {
        throw std::runtime_error(m_path + ": changed while it was replayed: " + error.what());
    }
}

bool
HpccTraceFile::Rewind()
{
    const TopologyGraph nodes = m_pass->GetNodes();
    m_pass.emplace(m_path, nodes);
    return true;
}

std::optional<uint64_t>
HpccTraceFile::GetFlowCount() const
{
    return m_pass->GetFlowCount();
}

} // namespace ns3::rdma
