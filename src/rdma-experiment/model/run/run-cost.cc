// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/run-cost.h"

#include "ns3/cost-sum.h"
#include "ns3/flow-graph.h"
#include "ns3/input-error.h"
#include "ns3/link-sharing.h"
#include "ns3/peak-memory.h"
#include "ns3/scenario-builder.h"
#include "ns3/topology-check.h"
#include "ns3/workload-keys.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_FLOWS{1'000'000}; // Some tenths of a second.

/// @return bytes that leave a server between two times.
uint64_t
GetMostBytes(uint64_t bitsPerSecond, int64_t fromPs, int64_t untilPs)
{
    constexpr double BITS_PS_PER_BYTE_SECOND{8e12};
    const auto ps = static_cast<double>(std::max<int64_t>(0, untilPs - fromPs));
    return static_cast<uint64_t>(static_cast<double>(bitsPerSecond) * ps / BITS_PS_PER_BYTE_SECOND);
}

/// How far flows were looked at.
struct FlowSample
{
    uint64_t count{0};  ///< All that were looked at.
    int64_t firstPs{0}; ///< From where on they are the sample: a fluid start, or the start.
    int64_t lastPs{0};  ///< When the last of them starts.
};

/// @param all flows that there are, if that is known; @param size of the sample
/// @param endPs of the arrivals; 0: not known
/// @return what to multiply the cost of the counted ones by
double
GetScale(const FlowSample& sample,
         std::optional<uint64_t> all,
         double size,
         int64_t beginPs,
         int64_t endPs)
{
    const auto open = all ? static_cast<double>(*all - std::min(*all, sample.count)) : 0;
    if (all && sample.lastPs >= beginPs)
    {
        return (size + open) / size; // Those that were not looked at start later than all others.
    }
    const auto wanted = static_cast<double>(endPs - beginPs);
    const auto seen = static_cast<double>(sample.lastPs - sample.firstPs);
    if (wanted > 0 && seen > 0)
    {
        return wanted / seen;
    }
    return all ? open / size : 1; // Some of these may start before a fluid start, too.
}

/// Flows of a run that is cut off, which count with the bytes that they send until then.
class CutFlows
{
  public:
    CutFlows(const TopologyGraph& graph, int64_t endPs)
        : m_rates(GetServerRates(graph)),
          m_endPs(endPs)
    {
        Begin(0);
    }

    /// Leaves out all flows so far.
    void Begin(int64_t beginPs)
    {
        m_links.emplace(m_rates, beginPs, m_endPs);
        m_flows.clear();
    }

    void Add(const FlowArrival& flow, CostSum& sum)
    {
        m_links->Add({flow.src,
                      flow.dst,
                      static_cast<double>(sum.GetWireBytes(flow.src, flow.bytes)),
                      flow.startPs,
                      m_endPs - sum.GetDelayPs(flow.src, flow.dst)});
        m_flows.push_back(flow);
    }

    void AddTo(CostSum& sum)
    {
        const std::vector<double> shares = m_links->Finish();
        for (std::size_t i = 0; i < m_flows.size(); ++i)
        {
            const FlowArrival& flow = m_flows[i];
            const double bytes = shares[i] * static_cast<double>(flow.bytes);
            if (bytes < 1)
            {
                sum.AddUnsent();
                continue;
            }
            sum.Add(flow.src, flow.dst, static_cast<uint64_t>(bytes));
        }
    }

  private:
    std::vector<uint64_t> m_rates;
    int64_t m_endPs;
    std::optional<LinkSharing> m_links;
    std::vector<FlowArrival> m_flows;
};

void
AddFlows(const Scenario& scenario, const TopologyGraph& graph, FlowSource& source, CostSum& sum)
{
    const auto last = GetLastTime(scenario);
    const int64_t beginPs = scenario.run.fluidStart.GetPicoSeconds();
    const int64_t endPs = last ? last->GetPicoSeconds() : 0;
    std::optional<CutFlows> cut; // Unset: all flows are sent to their ends.
    if (last && !scenario.run.drain)
    {
        cut.emplace(graph, endPs);
    }
    FlowSample sample;
    while (sample.count < MAX_FLOWS)
    {
        const auto flow = source.Next();
        if (!flow)
        {
            break;
        }
        if (flow->startPs >= beginPs && sample.firstPs < beginPs)
        {
            // The flows before are no part of the run.
            sum.Reset();
            sample.firstPs = beginPs;
            if (cut)
            {
                cut->Begin(beginPs);
            }
        }
        ++sample.count;
        sample.lastPs = flow->startPs;
        if (cut)
        {
            cut->Add(*flow, sum);
        }
        else
        {
            sum.Add(flow->src, flow->dst, flow->bytes);
        }
    }
    if (cut)
    {
        cut->AddTo(sum);
    }
    if (sample.count == MAX_FLOWS)
    {
        sum.Scale(GetScale(sample, source.GetFlowCount(), sum.GetMessages(), beginPs, endPs));
    }
    else if (sample.firstPs < beginPs)
    {
        sum.Reset(); // All begin before a fluid start.
    }
}

/// @return the share of the messages of a workload that the links carry before its end, at most.
double
FindShareBeforeEnd(const WorkloadKind& workload,
                   const Scenario& scenario,
                   const TopologyGraph& graph,
                   const CostSum& sum)
{
    const WorkloadPlace& place = workload.GetPlace();
    if (!place.end)
    {
        return 1;
    }
    std::vector<double> sent(graph.isSwitch.size(), 0);
    std::vector<double> received(graph.isSwitch.size(), 0);
    workload.ListMessages(scenario, graph, [&](const TrafficMessages& messages) {
        const auto wire = static_cast<double>(sum.GetWireBytes(messages.src, messages.bytes));
        sent[messages.src] += messages.count * wire;
        received[messages.dst] += messages.count * wire;
    });
    const std::vector<uint64_t> rates = GetServerRates(graph);
    double share = 1;
    for (std::size_t node = 0; node < rates.size(); ++node)
    {
        const auto most = static_cast<double>(
            GetMostBytes(rates[node], place.start.GetPicoSeconds(), place.end->GetPicoSeconds()));
        const double wanted = std::max(sent[node], received[node]);
        share = wanted > most ? std::min(share, most / wanted) : share;
    }
    return share;
}

/// @return whether all traffic has messages that are known before the run.
bool
AddTraffic(const Scenario& scenario, const TopologyGraph& graph, CostSum& sum)
{
    bool isKnown = true;
    for (const auto& workload : scenario.workloads)
    {
        if (!workload->HasTraffic())
        {
            continue;
        }
        const double share = FindShareBeforeEnd(*workload, scenario, graph, sum);
        isKnown &= workload->ListMessages(scenario, graph, [&](const TrafficMessages& messages) {
            sum.Add(messages.src, messages.dst, messages.bytes, share * messages.count);
        });
    }
    return isKnown;
}

uint64_t
Round(double count)
{
    return static_cast<uint64_t>(std::llround(count));
}

} // namespace

uint64_t
EstimateFlowsAtOnce(RunInput& input)
{
    const TopologyGraph& graph = input.GetTopology();
    FlowSource& source = input.StartFlows();
    const auto count = source.GetFlowCount();
    if (!count || !input.GetGraphs().empty())
    {
        return 0;
    }
    std::vector<uint64_t> bytes(graph.isSwitch.size(), 0); // By destination.
    uint64_t longest = 1;
    uint64_t looked = 0;
    int64_t firstPs = 0;
    int64_t lastPs = 0;
    while (looked < MAX_FLOWS)
    {
        const auto flow = source.Next();
        if (!flow)
        {
            break;
        }
        firstPs = looked == 0 ? flow->startPs : firstPs;
        lastPs = flow->startPs;
        bytes[flow->dst] += std::min(flow->bytes, UINT64_MAX - bytes[flow->dst]);
        longest = std::max(longest, flow->bytes);
        ++looked;
    }
    const std::vector<uint64_t> rates = GetServerRates(graph);
    double left = 0;
    for (std::size_t node = 0; node < bytes.size(); ++node)
    {
        const uint64_t received = bytes[node] > 0 ? GetMostBytes(rates[node], firstPs, lastPs) : 0;
        left += static_cast<double>(bytes[node] - std::min(bytes[node], received));
    }
    const double open = std::min(left / static_cast<double>(longest), static_cast<double>(looked));
    const auto all = static_cast<double>(std::max(*count, looked));
    return looked == 0 ? 0 : static_cast<uint64_t>(open * all / static_cast<double>(looked));
}

void
CheckFlowsFit(RunInput& input)
{
    constexpr uint64_t BYTES_PER_FLOW{
        900}; // 0.98 KB of an active flow, docs/validation/performance.md.
    const auto describe = [](uint64_t flows) {
        return DescribeLackOfRoom(flows, BYTES_PER_FLOW, "flows at one time");
    };
    if (describe(input.StartFlows().GetFlowCount().value_or(0)).empty())
    {
        return;
    }
    const std::string lack = describe(EstimateFlowsAtOnce(input));
    if (!lack.empty())
    {
        const Scenario& scenario = input.GetScenario();
        throw InputError(scenario.file + ": " + GetWorkloadsPath(scenario) + ": " + lack);
    }
}

RunCost
EstimateCost(const Scenario& scenario, const NicSpec& nic, const TopologyGraph& graph)
{
    CostSum sum(scenario, nic, graph);
    const auto source = MakeFlowSource(scenario, graph);
    AddFlows(scenario, graph, *source, sum);
    source->VisitOperations(
        [&sum](const FlowOperation& one) { sum.Add(one.src, one.dst, one.bytes); });
    RunCost cost;
    cost.flows = Round(sum.GetMessages());
    cost.flowBytes = Round(sum.GetBytes());
    cost.isWithTraffic = !AddTraffic(scenario, graph, sum);
    cost.hasFlowsOnly = !HasTraffic(scenario);
    cost.packets = Round(sum.GetPackets());
    cost.dataHops = Round(sum.GetDataHops());
    cost.packetHops = Round(sum.GetPacketHops());
    cost.hasReports = sum.HasReports();
    return cost;
}

double
EstimateSeconds(const RunCost& cost, const TopologyGraph& graph)
{
    // Packet-hops per second of a rank, test/bench/README.md.
    constexpr double HOPS_PER_SECOND{5.8e6};
    constexpr double HOPS_PER_SECOND_OF_MANY{3.8e6};
    constexpr std::size_t MANY_SERVERS{2048};
    const bool isLarge = graph.GetServers().size() >= MANY_SERVERS;
    return static_cast<double>(cost.packetHops) /
           (isLarge ? HOPS_PER_SECOND_OF_MANY : HOPS_PER_SECOND);
}

} // namespace ns3::rdma
