// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/run-cost.h"

#include "ns3/flow-graph.h"
#include "ns3/hop-counts.h"
#include "ns3/rdma-nic.h"
#include "ns3/run-design.h"
#include "ns3/scenario-builder.h"
#include "ns3/topology-check.h"

#include <algorithm>
#include <map>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_FLOWS{1'000'000}; // Some tenths of a second.

uint64_t
DivideUp(uint64_t value, uint64_t by)
{
    return (value + by - 1) / by;
}

/// What a flow's packets depend on.
struct PacketRule
{
    uint32_t mtuBytes;
    uint32_t ackInterval;
};

/// Adds up flows.
class CostSum
{
  public:
    CostSum(const Scenario& scenario, const NicSpec& nic, const TopologyGraph& graph)
        : m_hops(graph)
    {
        std::map<const DesignSpec*, PacketRule> rules;
        for (const DesignSpec* design : GetDesigns(nic))
        {
            const auto prototype = MakeNicDesign(scenario, *design).Create<RdmaNic>();
            rules[design] = {prototype->GetPathMtu(), prototype->GetAckInterval()};
        }
        m_rules.resize(graph.isSwitch.size());
        for (const uint32_t server : graph.GetServers())
        {
            const DesignSpec* design = FindDesign(scenario, nic, server);
            m_rules[server] = design ? rules.at(design) : PacketRule{1, 1};
        }
    }

    void Add(uint32_t src, uint32_t dst, uint64_t bytes)
    {
        const uint64_t packets = DivideUp(bytes, m_rules[src].mtuBytes);
        ++m_cost.flows;
        m_cost.packets += packets;
        // The receiver acknowledges.
        m_cost.packetHops +=
            (packets + DivideUp(packets, m_rules[dst].ackInterval)) * m_hops.Get(src, dst);
    }

    /// Counts what was added so many times.
    void Scale(double factor)
    {
        for (uint64_t* count : {&m_cost.flows, &m_cost.packets, &m_cost.packetHops})
        {
            *count = static_cast<uint64_t>(static_cast<double>(*count) * factor);
        }
    }

    const RunCost& Get() const
    {
        return m_cost;
    }

  private:
    HopCounts m_hops;
    std::vector<PacketRule> m_rules; ///< By node id.
    RunCost m_cost;
};

/// @return bytes that leave a server between two times.
uint64_t
GetMostBytes(uint64_t bitsPerSecond, int64_t fromPs, int64_t untilPs)
{
    constexpr double BITS_PS_PER_BYTE_SECOND{8e12};
    const auto ps = static_cast<double>(std::max<int64_t>(0, untilPs - fromPs));
    return static_cast<uint64_t>(static_cast<double>(bitsPerSecond) * ps / BITS_PS_PER_BYTE_SECOND);
}

void
AddFlows(const Scenario& scenario, const TopologyGraph& graph, FlowSource& source, CostSum& sum)
{
    const auto duration = scenario.workload->GetDuration();
    const bool isCut = duration && !scenario.run.drain;
    const int64_t beginPs = scenario.run.fluidStart.GetPicoSeconds();
    const int64_t endPs = duration ? duration->GetPicoSeconds() : 0;
    const std::vector<uint64_t> rates = isCut ? GetServerRates(graph) : std::vector<uint64_t>();
    uint64_t count = 0;
    int64_t lastPs = 0;
    while (const auto flow = source.Next())
    {
        ++count;
        lastPs = flow->startPs;
        if (flow->startPs >= beginPs)
        {
            const uint64_t most =
                isCut ? GetMostBytes(rates[flow->src], flow->startPs, endPs) : flow->bytes;
            sum.Add(flow->src, flow->dst, std::min(flow->bytes, most));
        }
        if (count == MAX_FLOWS)
        {
            const auto all = source.GetFlowCount();
            const double share = all        ? static_cast<double>(count) / static_cast<double>(*all)
                                 : duration ? static_cast<double>(lastPs - beginPs) /
                                                  static_cast<double>(endPs - beginPs)
                                            : 1;
            sum.Scale(share > 0 && share < 1 ? 1 / share : 1);
            return;
        }
    }
}

} // namespace

RunCost
EstimateCost(const Scenario& scenario, const NicSpec& nic, const TopologyGraph& graph)
{
    CostSum sum(scenario, nic, graph);
    const auto source = MakeFlowSource(scenario, graph);
    if (const FlowGraph* operations = source->GetGraph())
    {
        for (uint32_t i = 0; i < operations->GetCount(); ++i)
        {
            const FlowOperation& operation = operations->Get(i);
            sum.Add(operation.src, operation.dst, operation.bytes);
        }
    }
    else
    {
        AddFlows(scenario, graph, *source, sum);
    }
    RunCost cost = sum.Get();
    cost.isWithTraffic = scenario.workload->HasTraffic();
    return cost;
}

} // namespace ns3::rdma
