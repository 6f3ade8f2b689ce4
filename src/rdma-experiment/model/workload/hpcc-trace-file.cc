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

/// Reads the fields of one flow line, each within what its type can hold.
FlowArrival
ReadFlow(const FieldReader& reader)
{
    constexpr uint64_t MAX_NODE{std::numeric_limits<uint32_t>::max()};
    reader.ExpectFieldCount(6, "source destination priority port bytes start");
    FlowArrival flow;
    flow.src = static_cast<uint32_t>(reader.GetUnsigned(0, "a source node id", 0, MAX_NODE));
    flow.dst = static_cast<uint32_t>(reader.GetUnsigned(1, "a destination node id", 0, MAX_NODE));
    reader.GetUnsigned(2, "a priority", 0, 7);
    reader.GetUnsigned(3, "a destination port", 0, 65535);
    flow.bytes = reader.GetUnsigned(4, "a size in bytes", 1, std::numeric_limits<int64_t>::max());
    flow.startPs = reader.GetSecondsAsPs(5, "a start of 0 or later");
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
    m_count = m_reader.GetUnsigned(0, "a number of flows", 1, std::numeric_limits<int64_t>::max());
}

std::optional<FlowArrival>
HpccTraceFile::Pass::Next()
{
    if (!m_reader.Next() || m_read == m_count)
    {
        CheckEnd();
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
    ++m_read;
    return flow;
}

void
HpccTraceFile::Pass::CheckEnd()
{
    const std::string expected = std::to_string(m_count) + " flows as line 1 says";
    if (m_read < m_count)
    {
        m_reader.Fail(expected, "the end of the file (truncated) after " + std::to_string(m_read));
    }
    if (!m_reader.GetFields().empty())
    {
        m_reader.Fail("the end of the file after " + expected, "another line");
    }
}

uint64_t
HpccTraceFile::Pass::GetFlowCount() const
{
    return m_count;
}

int64_t
HpccTraceFile::CheckAll(const std::string& path, const TopologyGraph& graph)
{
    Pass pass(path, graph);
    const auto first = pass.Next();
    while (pass.Next())
    {
    }
    return first->startPs; // Line 1 announces at least one flow, or the pass would have failed.
}

HpccTraceFile::HpccTraceFile(const std::string& path,
                             const TopologyGraph& graph,
                             std::optional<int64_t> originPs)
    : m_path(path),
      m_pass(std::in_place, path, graph)
{
    const int64_t firstStartPs = CheckAll(path, graph);
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
