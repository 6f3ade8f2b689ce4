// SPDX-License-Identifier: GPL-2.0-only
#include "run-fixture.h"

#include "ns3/nic-presets.h"

#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr Tick MILLISECOND{1'000'000'000};

/// A run of a ring, and what is left of it.
struct RingOutcome
{
    RunReport report;
    Tick lastFrame{0}; ///< When the last frame other than a pause began to be sent.
    Tick end{0};       ///< The last event of the run.
    std::string flows; ///< The text of flows.csv.
};

/// Switches in a ring, with a server each. All servers send to the farthest ones, with little
/// buffer and PFC.
class DeadlockRunTest : public FolderTest
{
  protected:
    /// @param count of switches: 3 to 12
    Scenario MakeRing(uint32_t count, const std::string& nics, const std::string& run = "{}") const
    {
        std::ostringstream links;
        links << 2 * count << ' ' << count << ' ' << 2 * count << '\n';
        std::ostringstream flows;
        for (uint32_t one = 0; one < count; ++one)
        {
            links << count + one << (one + 1 < count ? ' ' : '\n');
        }
        for (uint32_t one = 0; one < count; ++one)
        {
            links << one << ' ' << count + one << " 100Gbps 1us 0\n";
            links << count + one << ' ' << count + (one + 1) % count << " 100Gbps 1us 0\n";
            // Clockwise, if the count is odd; if it is even, half of them by their hash.
            for (uint32_t flow = 0; flow < FLOWS; ++flow)
            {
                flows << (one + flow > 0 ? ", " : "") << R"({"src": )" << one << R"(, "dst": )"
                      << (one + count / 2) % count << R"(, "bytes": "1MB", "start": "0us"})";
            }
        }
        WriteFile("ring.txt", links.str());
        return Read(R"({"name": "ring", "fabric": {"topology": "hpcc-file", "file": "ring.txt",
                        "buffer": "1MiB", "bufferAlpha": {"100Gbps": 0.0625}, "pfc": true},
                        "nics": )" +
                    nics + R"(, "workload": {"type": "flows", "flows": [)" + flows.str() +
                    R"(]}, "run": )" + run + "}");
    }

    static RingOutcome Run(const Scenario& scenario)
    {
        RingOutcome outcome;
        std::ostringstream flows;
        FlowLog log(flows);
        SimulationRun run(scenario, scenario.nics.front());
        Fabric& fabric = run.GetFabric();
        const std::function<void(const Frame&)> tap = [&](const Frame& frame) {
            const bool isPause = (frame.flags & frame_flag::MAC_CONTROL) != 0;
            outcome.lastFrame = isPause ? outcome.lastFrame : fabric.GetCore().engine->Now();
        };
        for (std::size_t link = 0; link < fabric.GetGraph().links.size(); ++link)
        {
            for (const uint32_t end : {0U, 1U})
            {
                fabric.GetLinkPort(link, end).GetTraces().transmit.ConnectWithoutContext(
                    Callback<void, const Frame&>(tap));
            }
        }
        outcome.report = run.Run(log, [](const RunProgress&) { return true; });
        outcome.end = fabric.GetCore().engine->Now();
        outcome.flows = flows.str();
        return outcome;
    }

    /// Expects a cycle of ports: each leads to the switch of the next one.
    static void ExpectCycle(const std::vector<PausedPort>& cycle, uint32_t switches)
    {
        ASSERT_GE(cycle.size(), 2U);
        EXPECT_LE(cycle.size(), switches);
        std::set<uint32_t> nodes;
        for (std::size_t i = 0; i < cycle.size(); ++i)
        {
            EXPECT_EQ(cycle[i].to, cycle[(i + 1) % cycle.size()].node);
            EXPECT_EQ(cycle[i].priority, 3U);
            nodes.insert(cycle[i].node);
        }
        EXPECT_EQ(nodes.size(), cycle.size());
    }

    static constexpr uint32_t FLOWS{4}; ///< Of each server.
};

/// Numbers of switches.
class DeadlockedRings : public DeadlockRunTest, public testing::WithParamInterface<uint32_t>
{
};

TEST_P(DeadlockedRings, EndWithinTheStallLimitOfTheLastProgressAndNameTheCycle)
{
    const uint32_t count = GetParam();
    const Scenario scenario = MakeRing(
        count,
        R"([{"preset": "connectx6", "congestionControl": "ns3::rdma::NoCongestionControl"}])");
    const RingOutcome outcome = Run(scenario);
    if (outcome.report.pauseCycle.empty())
    {
        // Shortest ways around three switches have one link of the ring: no port waits for another.
        EXPECT_LT(count, 4U) << outcome.flows;
        return;
    }
    ExpectCycle(outcome.report.pauseCycle, count);
    // The retries are over after 8 x 67 ms (2^14 x 4.096 us), before the limit of 1 s.
    EXPECT_LE(outcome.end - outcome.lastFrame, 1000 * MILLISECOND);
    EXPECT_NE(outcome.flows.find("failed"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Ring, DeadlockedRings, testing::Range(3U, 13U));

TEST_F(DeadlockRunTest, EveryPresetEndsWithinTheStallLimit)
{
    for (const NicPreset& preset : GetNicPresets())
    {
        for (const char* limit : {"1s", "20ms"})
        {
            SCOPED_TRACE(preset.name + ", stall limit " + limit);
            const Scenario scenario = MakeRing(6,
                                               R"([")" + preset.name + R"("])",
                                               R"({"stallLimit": ")" + std::string(limit) + "\"}");
            const RingOutcome outcome = Run(scenario);
            const Tick most = limit[0] == '1' ? 1000 * MILLISECOND : 20 * MILLISECOND;
            EXPECT_LE(outcome.end - outcome.lastFrame, most);
            const bool areAllDone = outcome.flows.find("failed") == std::string::npos &&
                                    outcome.flows.find("stalled") == std::string::npos;
            if (!areAllDone)
            {
                ExpectCycle(outcome.report.pauseCycle, 6);
            }
        }
    }
}

TEST_F(DeadlockRunTest, OperationsThatDependOnFailedOnesDoNotKeepTheRunGoing)
{
    MakeRing(5, R"(["connectx6"])"); // Writes the topology.
    std::ostringstream operations;
    for (uint32_t one = 0; one < 5; ++one)
    {
        const uint32_t to = (one + 2) % 5;
        operations << (one > 0 ? ", " : "") << R"({"id": "a)" << one << R"(", "src": )" << one
                   << R"(, "dst": )" << to << R"(, "bytes": "4MB"}, {"id": "b)" << one
                   << R"(", "src": )" << to << R"(, "dst": )" << one
                   << R"(, "bytes": "1MB", "after": ["a)" << one << "\"]}";
    }
    const Scenario scenario =
        Read(R"({"name": "ring", "fabric": {"topology": "hpcc-file", "file": "ring.txt",
                        "buffer": "1MiB", "bufferAlpha": {"100Gbps": 0.0625}},
                        "nics": [{"preset": "connectx6",
                                  "congestionControl": "ns3::rdma::NoCongestionControl"}],
                        "workload": {"type": "graph", "operations": [)" +
             operations.str() + "]}}");
    const RingOutcome outcome = Run(scenario);
    ExpectCycle(outcome.report.pauseCycle, 5);
    EXPECT_LE(outcome.end - outcome.lastFrame, 1000 * MILLISECOND);
}

} // namespace
