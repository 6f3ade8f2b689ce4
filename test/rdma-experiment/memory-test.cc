// SPDX-License-Identifier: GPL-2.0-only

#include "../bench/child-process.h"
#include "scenario-fixture.h"

#include "ns3/scenario-builder.h"
#include "ns3/simulation-run.h"
#include "ns3/simulator.h"

#include <string>

using namespace ns3::rdma;

namespace
{

constexpr uint32_t SERVERS{1024};

constexpr const char* SCENARIO{R"({
  "name": "waiting",
  "fabric": {"topology": "fat-tree", "servers": 1024, "hostRate": "100Gbps", "fabricRate": "400Gbps",
             "linkDelay": "1us"},
  "nics": ["srnic"],
  "workload": {"type": "hpcc-trace", "file": "flows.txt"}
})"};

/// A flow every 100 ns from 2.5 s on, which is half a second after the start of the run.
std::string
MakeTrace(uint32_t flows)
{
    std::string text = std::to_string(flows) + "\n";
    for (uint32_t flow = 0; flow < flows; ++flow)
    {
        const uint32_t src = flow % SERVERS;
        const uint32_t dst = (src + 1 + flow / SERVERS % (SERVERS - 1)) % SERVERS;
        const std::string digits = std::to_string(15'000'000 + flow); // 1 and the time in 100 ns.
        text += std::to_string(src) + " " + std::to_string(dst) + " 3 100 1000000 2." +
                digits.substr(1) + "\n";
    }
    return text;
}

struct FlowCounts
{
    uint64_t all;
    uint64_t started;
};

/// Builds everything and stops a microsecond after the start of the run.
FlowCounts
StartAndStop(const Scenario& scenario)
{
    const uint64_t all = *MakeFlowSource(scenario, MakeTopology(scenario))->GetFlowCount();
    SimulationRun simulation(scenario, scenario.nics.front());
    std::ofstream rows("/dev/null");
    FlowLog log(rows);
    ns3::Simulator::Stop(ns3::MicroSeconds(1));
    return {all, simulation.Run(log, [](const RunProgress&) { return true; }).flowsStarted};
}

} // namespace

class WaitingFlows : public FolderTest
{
  protected:
    /// Loads and checks so many flows of 1024 servers, none of which starts.
    void ExpectBelow(uint32_t flows, uint64_t limitBytes)
    {
        WriteFile("flows.txt", MakeTrace(flows));
        WriteFile("s.json", SCENARIO);
        const auto child = RunInChild<FlowCounts>(
            [this] { return StartAndStop(ReadScenario((m_folder / "s.json").string())); });
        EXPECT_EQ(child.value.all, flows);
        EXPECT_EQ(child.value.started, 0U) << "flows have started: they do not wait";
        EXPECT_LT(child.peakRssBytes, limitBytes);
        RecordProperty("peak_rss_bytes", std::to_string(child.peakRssBytes));
    }
};

class SlowWaitingFlows : public WaitingFlows
{
};

TEST_F(WaitingFlows, AQuarterOfAMillionOn1024ServersFitInHalfAGibibyte)
{
    ExpectBelow(250'000, 512ULL << 20);
}

TEST_F(SlowWaitingFlows, AMillionOn1024ServersFitInTwoGibibytes)
{
    ExpectBelow(1'000'000, 2ULL << 30);
}
