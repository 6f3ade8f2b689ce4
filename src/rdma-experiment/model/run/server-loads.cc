// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/server-loads.h"

#include "ns3/flow-graph.h"
#include "ns3/topology-check.h"
#include "ns3/workload-keys.h"

#include <algorithm>
#include <limits>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_FLOWS{200'000}; // Less than a tenth of a second.
constexpr double BIT_PS_PER_BYTE_SECOND{8e12};

/// Adds up flows.
class LoadSum
{
  public:
    /// @param endPs when a run is cut off
    LoadSum(const TopologyGraph& graph, int64_t endPs)
        : m_rates(GetServerRates(graph)),
          m_endPs(endPs)
    {
        m_loads.bytes.assign(m_rates.size(), 0);
    }

    void Add(const FlowArrival& flow)
    {
        const auto rate = static_cast<double>(std::min(m_rates[flow.src], m_rates[flow.dst]));
        const auto leftPs = static_cast<double>(m_endPs - std::min(flow.startPs, m_endPs));
        const double bytes =
            std::min(static_cast<double>(flow.bytes), rate * leftPs / BIT_PS_PER_BYTE_SECOND);
        m_loads.bytes[flow.src] += bytes;
        m_loads.bytes[flow.dst] += bytes;
        m_loads.spanPs = std::max(m_loads.spanPs, flow.startPs);
    }

    /// A server sends and receives at the rate of its links at the same time.
    ServerLoads Finish()
    {
        for (std::size_t node = 0; node < m_rates.size(); ++node)
        {
            const double rate = 2 * static_cast<double>(m_rates[node]);
            const double ps = rate > 0 ? m_loads.bytes[node] * BIT_PS_PER_BYTE_SECOND / rate : 0;
            m_loads.spanPs = std::max(m_loads.spanPs, static_cast<int64_t>(ps));
        }
        return std::move(m_loads);
    }

  private:
    std::vector<uint64_t> m_rates; ///< By node, bit/s.
    int64_t m_endPs;
    ServerLoads m_loads;
};

} // namespace

ServerLoads
EstimateServerLoads(RunInput& input)
{
    const Scenario& scenario = input.GetScenario();
    const auto last = GetLastTime(scenario);
    const bool isCut = last && !scenario.run.drain;
    LoadSum sum(input.GetTopology(),
                isCut ? last->GetPicoSeconds() : std::numeric_limits<int64_t>::max());
    MergedFlowSource& source = input.StartFlows();
    const int64_t beginPs = scenario.run.fluidStart.GetPicoSeconds();
    for (uint64_t count = 0; count < MAX_FLOWS; ++count)
    {
        const auto flow = source.Next();
        if (!flow)
        {
            break;
        }
        if (flow->startPs >= beginPs)
        {
            sum.Add(*flow);
        }
    }
    source.VisitOperations([&sum](const FlowOperation& one) {
        sum.Add({one.src, one.dst, one.bytes, 0});
    });
    return sum.Finish();
}

} // namespace ns3::rdma
