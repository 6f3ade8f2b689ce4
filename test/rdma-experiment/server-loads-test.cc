// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/server-loads.h"

#include "run-fixture.h"

#include <algorithm>
#include <numeric>

using namespace ns3::rdma;

namespace
{

class ServerLoadsOfScenarios : public FolderTest
{
  protected:
    ServerLoads Estimate(const std::string& text, const std::vector<std::string>& sets = {}) const
    {
        ScenarioChanges changes;
        changes.sets = sets;
        const Scenario scenario = Read(text, changes);
        RunInput input(scenario);
        return EstimateServerLoads(input);
    }
};

constexpr const char* INCAST{R"({
  "name": "incast",
  "fabric": {"topology": "star", "servers": 9, "hostRate": "100Gbps", "linkDelay": "1us"},
  "nics": ["srnic"],
  "workload": {"type": "incast", "senders": 8, "bytes": "64kB"}
})"};

constexpr const char* POISSON{R"({
  "name": "poisson",
  "fabric": {"topology": "star", "servers": 64, "hostRate": "100Gbps", "linkDelay": "1us"},
  "nics": ["srnic"],
  "workload": {"type": "poisson", "sizes": "sizes.cdf", "load": 1, "duration": "100us"},
  "run": {"drain": false}
})"};

} // namespace

TEST_F(ServerLoadsOfScenarios, EachByteCountsAtItsSenderAndAtItsReceiver)
{
    const ServerLoads loads = Estimate(INCAST);
    std::vector<double> servers(loads.bytes.begin(), loads.bytes.begin() + 9);
    std::sort(servers.begin(), servers.end());
    for (int sender = 0; sender < 8; ++sender)
    {
        EXPECT_EQ(servers[sender], 64000);
    }
    EXPECT_EQ(servers[8], 8 * 64000);
    // The receiver's link is counted in both directions: 512,000 bytes at 2 * 100 Gb/s.
    EXPECT_EQ(loads.spanPs, 20'480'000);
}

TEST_F(ServerLoadsOfScenarios, OperationsOfAGraphCount)
{
    const ServerLoads loads = Estimate(
        INCAST,
        {R"(workload={"type": "graph", "operations": [{"id": "a", "src": 1, "dst": 2, "bytes": 3000}, {"id": "b", "src": 2, "dst": 0, "bytes": 5000, "after": ["a"]}]})"});
    EXPECT_EQ(loads.bytes[0], 5000);
    EXPECT_EQ(loads.bytes[1], 3000);
    EXPECT_EQ(loads.bytes[2], 8000);
}

TEST_F(ServerLoadsOfScenarios, AFlowThatTheEndCutsOffCountsWithWhatItsLinksCarry)
{
    // Flows of 10 MB take 800 us at 100 Gb/s; the 100 us of the run carry at most 1.25 MB of each.
    WriteFile("sizes.cdf", "9999999 0\n10000000 1\n");
    const std::vector<double> cut = Estimate(POISSON).bytes;
    const std::vector<double> whole = Estimate(POISSON, {"run.drain=true"}).bytes;
    const double cutSum = std::accumulate(cut.begin(), cut.end(), 0.0);
    const double wholeSum = std::accumulate(whole.begin(), whole.end(), 0.0);
    EXPECT_GT(cutSum, 0);
    EXPECT_LE(cutSum, wholeSum / 8); // 1.25 of 10 MB.
}
