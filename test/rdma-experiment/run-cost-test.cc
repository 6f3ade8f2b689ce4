// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/run-cost.h"

#include "rpc-fixture.h"
#include "run-fixture.h"

#include "ns3/hop-counts.h"
#include "ns3/scenario-builder.h"

using namespace ns3::rdma;

namespace
{

class RunCosts : public FolderTest
{
  protected:
    /// Estimates the first NIC of a scenario, and runs it.
    struct Both
    {
        RunCost cost;
        RunReport report;

        double GetRatio() const
        {
            return static_cast<double>(cost.packetHops) / static_cast<double>(report.packetHops);
        }
    };

    Both Compare(const std::string& text, const std::vector<std::string>& sets = {}) const
    {
        ScenarioChanges changes;
        changes.sets = sets;
        const Scenario scenario = Read(text, changes);
        const RunCost cost = EstimateCost(scenario, scenario.nics.front(), MakeTopology(scenario));
        return {cost, RunScenario(scenario, scenario.nics.front()).report};
    }
};

constexpr const char* INCAST{R"({
  "name": "incast",
  "fabric": {"topology": "star", "servers": 9, "hostRate": "100Gbps", "linkDelay": "1us"},
  "nics": ["srnic"],
  "workload": {"type": "incast", "senders": 8, "bytes": "64kB"}
})"};

/// Poisson arrivals of three sizes on a fat-tree with paths of two and four links.
constexpr const char* POISSON{R"({
  "name": "poisson",
  "fabric": {"topology": "fat-tree", "servers": 64, "hostRate": "100Gbps", "fabricRate": "400Gbps", "linkDelay": "1us"},
  "nics": ["srnic"],
  "workload": {"type": "poisson", "sizes": "sizes.cdf", "load": 0.3, "duration": "100us"}
})"};

constexpr const char* SIZES{"0 0\n1000 0.5\n20000 0.9\n100000 1\n"};

} // namespace

TEST_F(RunCosts, IncastIsExact)
{
    const Both both = Compare(INCAST);
    EXPECT_EQ(both.cost.flows, 8);
    EXPECT_EQ(both.cost.packets, 8 * 63); // 64,000 / 1024 = 62.5.
    // Two links each way, an acknowledgment per packet; nothing is lost.
    EXPECT_EQ(both.cost.packetHops, 8 * 63 * 2 * 2);
    EXPECT_EQ(both.cost.packetHops, both.report.packetHops);
    EXPECT_FALSE(both.cost.isWithTraffic);
}

TEST_F(RunCosts, PacketsPerAcknowledgmentCount)
{
    // Of 63 packets in fours, 16 acknowledgments: 8 * (63 + 16) * 2.
    const Both both = Compare(INCAST, {R"(attributes={"ns3::rdma::RdmaNic::AckInterval": 4})"});
    EXPECT_EQ(both.cost.packetHops, 8 * (63 + 16) * 2);
    EXPECT_EQ(both.cost.packetHops, both.report.packetHops);
}

TEST_F(RunCosts, MtuCounts)
{
    const Both both = Compare(INCAST, {"fabric.mtu=4096"});
    EXPECT_EQ(both.cost.packets, 8 * 16); // 64,000 / 4096 = 15.6.
    EXPECT_EQ(both.cost.packetHops, both.report.packetHops);
}

TEST_F(RunCosts, OperationsOfAGraphCount)
{
    const Both both =
        Compare(INCAST,
                {R"(workload={"type": "graph", "operations": [)"
                 R"({"id": "a", "src": 0, "dst": 1, "bytes": 2048},)"
                 R"({"id": "b", "src": 1, "dst": 2, "bytes": 1024, "after": ["a"]}]})"});
    EXPECT_EQ(both.cost.flows, 2);
    EXPECT_EQ(both.cost.packetHops, (2 + 1) * 2 * 2);
    EXPECT_EQ(both.cost.packetHops, both.report.packetHops);
}

TEST_F(RunCosts, RandomArrivalsThatDrainAreExactUntilSomethingIsResent)
{
    WriteFile("sizes.cdf", SIZES);
    const Both both = Compare(POISSON);
    EXPECT_EQ(both.cost.flows, both.report.flowsStarted);
    ASSERT_EQ(both.report.retransmitted, 0);
    EXPECT_EQ(both.cost.packetHops, both.report.packetHops);
}

TEST_F(RunCosts, CnpsAreWhatIsMissingOfDcqcn)
{
    WriteFile("sizes.cdf", SIZES);
    const Both both = Compare(POISSON, {"nics=[\"connectx6\"]", "workload.load=0.8"});
    EXPECT_GT(both.GetRatio(), 0.95);
    EXPECT_LE(both.GetRatio(), 1);
}

TEST_F(RunCosts, ARunThatIsCutOffIsWithinTenPercent)
{
    WriteFile("sizes.cdf", SIZES);
    const Both whole = Compare(POISSON);
    const Both both = Compare(POISSON, {"run.drain=false"});
    EXPECT_LT(both.cost.packetHops, whole.cost.packetHops);
    EXPECT_NEAR(both.GetRatio(), 1, 0.1);
}

TEST_F(RunCosts, FlowsLongerThanARunThatIsCutOffShareTheirLinks)
{
    // 2 MB are 160 us of a link alone, in a run of 500 us.
    WriteFile("sizes.cdf", "0 0\n2000000 1\n");
    const Both both =
        Compare(POISSON, {"run.drain=false", "workload.load=0.7", "workload.duration=500us"});
    EXPECT_NEAR(both.GetRatio(), 1, 0.1);
}

TEST_F(RunCosts, AFluidStartBehindAllFlowsThatAreLookedAtLeavesTheRest)
{
    // 64 servers of 100 Gb/s with frames of 1 kB: a million flows within 2 ms.
    WriteFile("sizes.cdf", "1000 0\n1000 1\n");
    const auto estimate = [this](const char* fluidStart) {
        ScenarioChanges changes;
        changes.sets = {"workload.load=0.7",
                        "workload.duration=5ms",
                        std::string("run.fluidStart=") + fluidStart};
        const Scenario scenario = Read(POISSON, changes);
        return EstimateCost(scenario, scenario.nics.front(), MakeTopology(scenario));
    };
    const RunCost all = estimate("1ps");
    const RunCost half = estimate("2.5ms");
    EXPECT_GT(all.flows, 2'000'000);
    EXPECT_NEAR(static_cast<double>(half.packetHops) / static_cast<double>(all.packetHops),
                0.5,
                0.01);
}

TEST_F(RunCosts, TrafficBesideFlowsIsSaidToBeMissing)
{
    const Scenario scenario = Read(GOOD_RPC_SCENARIO);
    const RunCost cost = EstimateCost(scenario, scenario.nics.front(), MakeTopology(scenario));
    EXPECT_TRUE(cost.isWithTraffic);
    EXPECT_EQ(cost.packetHops, 0);
}

TEST_F(RunCosts, ReceiversThatReportCountByTheirAttributes)
{
    // 64,000 B are 63 packets of 1024 B and headers: 16 of them are more than 16,384 B, so that 15
    // or 16 packets share a report. Reports after the first: 62 / 15 = 4.1 or 62 / 16 = 3.9.
    const Both both = Compare(INCAST, {"nics=[\"uet\"]", "workload.senders=1"});
    EXPECT_EQ(both.cost.packets, 63);
    EXPECT_TRUE(both.cost.hasReports);
    EXPECT_GE(both.cost.packetHops, (63 + 1 + 4) * 2);
    EXPECT_LE(both.cost.packetHops, (63 + 1 + 5) * 2);
    // A flow alone gets no marks; packets that fill the window have requests, too.
    EXPECT_NEAR(both.GetRatio(), 1, 0.05);
}

TEST_F(RunCosts, MessagesOfACollectiveCount)
{
    // A ring of 8: 2 * 7 steps, in each of which all 8 send an eighth of 1 MiB: 128 packets of 1024
    // B, each with an acknowledgment, over two links. Twice.
    const Both both = Compare(INCAST,
                              {R"(workload={"type": "collective", "operation": "all-reduce",)"
                               R"( "algorithm": "ring", "size": "1MiB", "group": "ranks",)"
                               R"( "iterations": 2})",
                               R"(groups={"ranks": [0, 1, 2, 3, 4, 5, 6, 7]})"});
    EXPECT_FALSE(both.cost.isWithTraffic);
    EXPECT_EQ(both.cost.packets, 2 * 14 * 8 * 128);
    EXPECT_EQ(both.cost.packetHops, 2 * 14 * 8 * 128 * 2 * 2);
    EXPECT_EQ(both.cost.packetHops, both.report.packetHops);
}

TEST_F(RunCosts, ManyMessagesOfAConnectionAreSampled)
{
    // 4 MiB in 512 slices of each of 8 parts of a ring: 14 * 512 messages of 1 KiB per connection.
    const Both both = Compare(INCAST,
                              {R"(workload={"type": "collective", "operation": "all-reduce",)"
                               R"( "algorithm": "ring", "size": "4MiB", "group": "ranks",)"
                               R"( "slices": 512})",
                               R"(groups={"ranks": [0, 1, 2, 3, 4, 5, 6, 7]})"});
    EXPECT_EQ(both.cost.packets, 14 * 8 * 512);
    EXPECT_EQ(both.cost.packetHops, both.report.packetHops);
}

TEST_F(RunCosts, ACollectiveWithAnEndCountsWhatLinksCarryUntilThen)
{
    const std::string ring = R"("type": "collective", "operation": "all-reduce", "size": "8MiB",)"
                             R"( "algorithm": "ring", "group": "ranks", "iterations": 10)";
    const std::string fabric = R"({"name": "ring", "nics": ["srnic"],)"
                               R"( "groups": {"ranks": [0, 1, 2, 3, 4, 5, 6, 7]},)"
                               R"( "fabric": {"topology": "star", "servers": 9,)"
                               R"( "hostRate": "100Gbps", "linkDelay": "1us"}, )";
    const auto compare = [&](const std::string& end) {
        return Compare(fabric + R"("workloads": [{"name": "ring", )" + end + ring + "}]}");
    };
    const Both whole = compare("");
    // 10 * 2 * 7 / 8 * 8 MiB at 100 Gb/s take 11.7 ms.
    const Both both = compare(R"("end": "3ms", )");
    EXPECT_EQ(whole.cost.packetHops, whole.report.packetHops);
    EXPECT_LT(both.cost.packetHops, whole.cost.packetHops / 3);
    EXPECT_GE(both.GetRatio(), 0.95);
    EXPECT_LT(both.GetRatio(), 1.3);
}

TEST(HopCountsTest, LinksBetweenServersOfAFatTree)
{
    // Switches 4 and 5 with two servers each, both below switch 6.
    TopologyGraph graph;
    graph.isSwitch = {false, false, false, false, true, true, true};
    for (const auto& [a, b] : {std::pair(0U, 4U), {1U, 4U}, {2U, 5U}, {3U, 5U}, {4U, 6U}, {5U, 6U}})
    {
        graph.links.push_back({a, b, ns3::DataRate("100Gbps"), ns3::MicroSeconds(1)});
    }
    HopCounts hops(graph);
    EXPECT_EQ(hops.Get(0, 1), 2);
    EXPECT_EQ(hops.Get(0, 3), 4);
    EXPECT_EQ(hops.Get(3, 0), 4);
}

TEST(HopCountsTest, BackToBackIsOneLinkAndServersForwardNothing)
{
    TopologyGraph graph;
    graph.isSwitch = {false, false, false};
    graph.links.push_back({0, 1, ns3::DataRate("100Gbps"), ns3::MicroSeconds(1)});
    graph.links.push_back({1, 2, ns3::DataRate("100Gbps"), ns3::MicroSeconds(1)});
    HopCounts hops(graph);
    EXPECT_EQ(hops.Get(0, 1), 1);
    EXPECT_EQ(hops.Get(1, 0), 1);
    EXPECT_EQ(hops.Get(0, 2), 0); // Through server 1 only.
}
