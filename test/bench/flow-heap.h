// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_HEAP_H
#define RDMA_FLOW_HEAP_H

#include "heap-measurement.h"

#include "ns3/flow-log.h"

#include <fstream>

namespace ns3::rdma
{

/// The heap bytes of an active flow of a scenario: both ends, and what the flow driver keeps of it.
/// Frames are apart.
class FlowHeap
{
  public:
    /// @param scenario on SERVERS servers, whose workload does not matter
    /// @param flowsPerServer of one run; the other one has twice as many
    FlowHeap(const Scenario& scenario, uint32_t flowsPerServer)
        : m_scenario(scenario),
          m_flowsPerServer(flowsPerServer)
    {
    }

    static constexpr uint32_t SERVERS{64};

    /// Twice as many flows, otherwise the same: the difference is theirs.
    double Measure()
    {
        const double once = MeasureRun(m_flowsPerServer);
        const double twice = MeasureRun(2 * m_flowsPerServer);
        return (twice - once) / (SERVERS * m_flowsPerServer);
    }

  private:
    static constexpr int64_t RUN_US{100}; ///< By then each flow has sent and has been acknowledged.

    /// From each server so many flows, to the servers behind it in turn, too long to end.
    Ptr<const WorkloadKind> MakeFlows(uint32_t perServer) const
    {
        constexpr uint64_t ENDLESS{1ULL << 33};
        nlohmann::json workload{{"type", "flows"}};
        for (uint32_t turn = 0; turn < perServer; ++turn)
        {
            const uint32_t distance = 1 + turn % (SERVERS - 1);
            for (uint32_t src = 0; src < SERVERS; ++src)
            {
                workload["flows"].push_back({{"src", src},
                                             {"dst", (src + distance) % SERVERS},
                                             {"bytes", ENDLESS},
                                             {"start", std::to_string(1 + turn) + "ns"}});
            }
        }
        return ReadWorkload(JsonValue(workload, "bench", "$.workload"), m_scenario);
    }

    /// @return what the heap has grown by since before the first flow, when flows have run a while.
    /// In a process of its own: flows that have ended leave memory for the next ones.
    double MeasureRun(uint32_t perServer)
    {
        m_scenario.workloads = {MakeFlows(perServer)};
        return RunInChild<double>([this] {
                   DrainSlabs();
                   SimulationRun run(m_scenario, m_scenario.nics.front());
                   std::ofstream rows("/dev/null");
                   FlowLog log(rows);
                   uint64_t before = 0;
                   uint64_t after = 0;
                   Simulator::Schedule(Time(0), [&before] { before = CountHeapBytes(); });
                   Simulator::Schedule(MicroSeconds(RUN_US), [&after] {
                       after = CountHeapBytes();
                       Simulator::Stop();
                   });
                   run.Run(log, [](const RunProgress&) { return true; });
                   return static_cast<double>(after - before);
               })
            .value;
    }

    Scenario m_scenario;
    uint32_t m_flowsPerServer;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_HEAP_H
