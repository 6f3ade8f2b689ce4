// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/scenario-builder.h"

#include "scenario-fixture.h"

#include "ns3/scenario-file.h"

using namespace ns3;
using namespace ns3::rdma;

class ScenarioBuilder : public FolderTest
{
};

TEST_F(ScenarioBuilder, MakesEachTopology)
{
    const auto count = [this](const std::string& fabric) {
        return MakeTopology(ReadChanged({"fabric=" + fabric})).GetServerCount();
    };
    const std::string twoServers{R"(workload.flows=[{"src": 0, "dst": 1, "bytes": 1}])"};
    EXPECT_EQ(count(R"({"topology": "star", "servers": 5})"), 5U);
    EXPECT_EQ(count(R"({"topology": "dumbbell", "servers": 3})"), 6U);
    EXPECT_EQ(count(R"({"topology": "fat-tree", "servers": 16})"), 16U);
    const auto pair = ReadChanged({R"(fabric={"topology": "back-to-back"})", twoServers});
    EXPECT_EQ(MakeTopology(pair).GetServerCount(), 2U);
}

TEST_F(ScenarioBuilder, FindsATopologyFileBesideTheScenario)
{
    WriteFile("t.txt",
              "5 1 4\n4\n0 4 25Gbps 1000ns 0\n1 4 25Gbps 1000ns 0.5\n"
              "2 4 25Gbps 1000ns 0\n3 4 25Gbps 1000ns 0\n");
    const auto graph = MakeTopology(
        ReadChanged({R"(fabric={"topology": "hpcc-file", "file": "t.txt", "lossRate": 0.1})"}));
    ASSERT_EQ(graph.links.size(), 4U);
    EXPECT_EQ(graph.links[0].rate, DataRate("25Gbps"));
    EXPECT_DOUBLE_EQ(graph.links[0].lossRate, 0.1);
    EXPECT_DOUBLE_EQ(graph.links[1].lossRate, 0.55); // 1 - (1 - 0.5) x (1 - 0.1).
}

TEST_F(ScenarioBuilder, GivesFlowsInTheOrderOfTheirStart)
{
    const Scenario scenario = ReadChanged({"workload.flows[0].start=5us"});
    const TopologyGraph graph = MakeTopology(scenario); // Outlives the flows.
    const auto flows = MakeFlowSource(scenario, graph);
    EXPECT_EQ(flows->GetFlowCount(), 2U);
    EXPECT_EQ(flows->Next()->startPs, 1'000'000);
    EXPECT_EQ(flows->Next()->startPs, 5'000'000);
    EXPECT_FALSE(flows->Next());
}

TEST_F(ScenarioBuilder, RunsTheSeedIntoPoissonTraffic)
{
    WriteFile("s.cdf", "1000 0\n2000 1\n");
    const auto firstStart = [this](const std::string& seed) {
        const Scenario scenario = ReadChanged(
            {"run.seed=" + seed,
             R"(workload={"type": "poisson", "sizes": "s.cdf", "load": 0.3, "duration": "1ms"})"});
        return MakeFlowSource(scenario, MakeTopology(scenario))->Next()->startPs;
    };
    EXPECT_EQ(firstStart("7"), firstStart("7"));
    EXPECT_NE(firstStart("7"), firstStart("8"));
}

TEST_F(ScenarioBuilder, ResolvesPathsFromTheFolderOfTheScenario)
{
    Scenario scenario;
    scenario.baseDirectory = "examples/compare";
    EXPECT_EQ(ResolvePath(scenario, "../../traces/x.cdf"), "traces/x.cdf");
    EXPECT_EQ(ResolvePath(scenario, "x.cdf"), "examples/compare/x.cdf");
    EXPECT_EQ(ResolvePath(scenario, "/a/x.cdf"), "/a/x.cdf");
    scenario.baseDirectory = "";
    EXPECT_EQ(ResolvePath(scenario, "x.cdf"), "x.cdf");
}
