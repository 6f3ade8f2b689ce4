// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/run-estimate.h"

#include "../test-files.h"
#include "run-fixture.h"

#include "ns3/scenario-builder.h"
#include "ns3/server-nics.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

constexpr uint64_t MEGA{1'000'000};

/// The start takes 1 s; then 1 million hops in 0.2 s, and 2 million in the next 0.2 s.
ProbeResult
MakeProbe()
{
    ProbeResult probe;
    probe.begin = {1.0, 0, 0, 0};
    probe.middle = {1.2, 1 * MEGA, 100'000, 10 * MEGA, 100 * MEGA};
    probe.end = {1.4, 3 * MEGA, 300'000, 30 * MEGA, 300 * MEGA};
    probe.wholeSeconds = 1.5;
    probe.pathHops = 5;
    probe.beginRssBytes = 20 * MEGA;
    probe.peakRssBytes = 30 * MEGA;
    return probe;
}

/// 4 million packets of 1,000 B over 5 links with an acknowledgment each.
RunCost
MakeCost()
{
    RunCost cost;
    cost.flowBytes = 4'000 * MEGA;
    cost.packets = 4 * MEGA;
    cost.dataHops = 20 * MEGA;
    cost.packetHops = 40 * MEGA;
    return cost;
}

} // namespace

TEST(RunEstimate, TheRestCostsAsMuchPerHopAsTheSecondHalfOfTheProbe)
{
    // In that half 200 MB took 2 million hops, as all 4 GB will: 40 million hops. 37 million
    // are left, 0.1 s each million.
    const RunEstimate estimate = EstimateRun(MakeCost(), {MakeProbe()}, 0.5, std::nullopt);
    EXPECT_EQ(estimate.basis, RunEstimate::Basis::PACKET_HOPS);
    EXPECT_DOUBLE_EQ(estimate.startSeconds, 0.5 + 1.0);
    EXPECT_NEAR(estimate.seconds, 0.5 + 1.4 + 3.7, 1e-9);
    EXPECT_NEAR(estimate.probedShare, 3.0 / 40, 1e-9);
    EXPECT_EQ(estimate.peakRssBytes, 30 * MEGA);
}

TEST(RunEstimate, ReportsThatTheProbeHasSeenReplaceThoseOfTheReceiversAttributes)
{
    RunCost cost = MakeCost();
    cost.packetHops = 22 * MEGA;
    EXPECT_DOUBLE_EQ(EstimateRun(cost, {MakeProbe()}, 0, std::nullopt).packetHops, 22e6);
    cost.hasReports = true;
    EXPECT_NEAR(EstimateRun(cost, {MakeProbe()}, 0, std::nullopt).packetHops, 40e6, 1);
}

TEST(RunEstimate, RetransmissionsAndPathsOfTheProbeCount)
{
    // Only 160 MB of the 200 MB in the second half were new: 50 million hops for 4 GB. The flows of
    // the probe had paths of 4 links instead of 5: 62.5 million.
    ProbeResult probe = MakeProbe();
    probe.end.ackedBytes = 260 * MEGA;
    probe.pathHops = 4;
    RunCost cost = MakeCost();
    cost.hasReports = true;
    EXPECT_NEAR(EstimateRun(cost, {probe}, 0, std::nullopt).packetHops, 62.5e6, 1);
}

TEST(RunEstimate, AProbeThatIsShorterThanItsRoundTripsSaysNothingAboutPacketHops)
{
    // The second half took 20 us of simulated time, two round trips of 10 us. Of the packets that
    // fill the links in the first round trip only a hundredth is acknowledged: 100 times the
    // packet-hops, if this were the rule.
    ProbeResult probe = MakeProbe();
    probe.end.ackedBytes = probe.middle.ackedBytes + 2 * MEGA;
    probe.roundTripPs = 10 * MEGA;
    EXPECT_NEAR(EstimateRun(MakeCost(), {probe}, 0, std::nullopt).seconds, 1.4 + 399.7, 1e-6);
    probe.roundTripPs = 10 * MEGA + 1;
    // 40 million hops, of which 37 million are left.
    EXPECT_NEAR(EstimateRun(MakeCost(), {probe}, 0, std::nullopt).seconds, 1.4 + 3.7, 1e-6);
}

TEST(RunEstimate, ALaterProbeThatIsShorterThanItsRoundTripsIsNotUsed)
{
    ProbeResult later = MakeProbe();
    later.end.seconds = 9; // Ten times the cost of a packet-hop and more.
    later.roundTripPs = 10 * MEGA + 1;
    const RunEstimate estimate = EstimateRun(MakeCost(), {MakeProbe(), later}, 0, std::nullopt);
    EXPECT_NEAR(estimate.seconds, 1.4 + 3.7, 1e-9); // As without it.
}

TEST(RunEstimate, MessagesOfTrafficCountByDataFrames)
{
    // 10 hops for each of 200,000 frames, of which a fifth was sent again: 5 million frames in all.
    ProbeResult probe = MakeProbe();
    probe.resent = 0.2;
    probe.pathHops = 0;
    RunCost cost = MakeCost();
    cost.hasFlowsOnly = false;
    cost.hasReports = true;
    EXPECT_NEAR(EstimateRun(cost, {probe}, 0, std::nullopt).packetHops, 50e6, 1);
}

TEST(RunEstimate, TrafficWithoutPacketHopsIsExtrapolatedByTime)
{
    // The second half took 20 us, 0.01 s each; 70 us of 100 us are left.
    RunCost cost;
    cost.isWithTraffic = true;
    const RunEstimate estimate = EstimateRun(cost, {MakeProbe()}, 0, 100 * MEGA);
    EXPECT_EQ(estimate.basis, RunEstimate::Basis::SIMULATED_TIME);
    EXPECT_NEAR(estimate.seconds, 1.4 + 0.7, 1e-9);
    EXPECT_EQ(EstimateRun(cost, {MakeProbe()}, 0, std::nullopt).basis, RunEstimate::Basis::NONE);
}

TEST(RunEstimate, EachRankHasTheWholeStartAndAPartOfTheRest)
{
    const RunEstimate one = EstimateRun(MakeCost(), {MakeProbe()}, 0.5, std::nullopt);
    const RunEstimate four = EstimateRun(MakeCost(), {MakeProbe()}, 0.5, std::nullopt, 4);
    // MPI adds 0.11 s and 24 MB to each.
    EXPECT_NEAR(four.seconds, one.seconds + 3 * (0.5 + 1.0) + 4 * 0.11, 1e-9);
    EXPECT_EQ(four.peakRssBytes, 20 * MEGA + 10 * MEGA / 4 + 24 * MEGA);
}

TEST(RunEstimate, ARunThatIsOverWithinTheProbeIsMeasured)
{
    ProbeResult probe = MakeProbe();
    probe.hasEnded = true;
    const RunEstimate estimate = EstimateRun(MakeCost(), {probe}, 0.5, std::nullopt);
    EXPECT_EQ(estimate.basis, RunEstimate::Basis::WHOLE_RUN);
    EXPECT_DOUBLE_EQ(estimate.seconds, 2.0);
}

TEST(RunEstimate, ALaterProbeSaysWhatTheRestCosts)
{
    // Later a million hops takes 0.2 s instead of 0.1 s; 37 million are left. Its memory is larger.
    ProbeResult later = MakeProbe();
    later.end.seconds = 1.6;
    later.peakRssBytes = 50 * MEGA;
    const RunEstimate estimate = EstimateRun(MakeCost(), {MakeProbe(), later}, 0, std::nullopt);
    EXPECT_NEAR(estimate.seconds, 1.4 + 7.4, 1e-9);
    EXPECT_EQ(estimate.peakRssBytes, 50 * MEGA);
}

class RunProbes : public FolderTest
{
  protected:
    static constexpr const char* TEXT{R"({
      "name": "probed",
      "fabric": {"topology": "fat-tree", "servers": 64, "hostRate": "100Gbps", "fabricRate": "400Gbps", "linkDelay": "1us"},
      "nics": ["srnic"],
      "workload": {"type": "incast", "senders": 8, "bytes": "64kB"}
    })"};

    ProbeOutcome Probe(const std::vector<std::string>& sets)
    {
        ScenarioChanges changes;
        changes.sets = sets;
        const std::string file = WriteFile("probed.json", TEXT);
        const auto prepared = PrepareScenario(file, changes);
        return ProbeRun(*prepared, prepared->scenario.nics.front());
    }
};

TEST_F(RunProbes, AShortRunEndsAndHasAllItsHops)
{
    const ProbeOutcome outcome = Probe({});
    ASSERT_EQ(outcome.failure, "");
    EXPECT_TRUE(outcome.result.hasEnded);
    // 8 flows of 63 packets, each packet with an acknowledgment, over 2 to 6 links.
    EXPECT_EQ(outcome.result.end.dataFrames, 8 * 63);
    EXPECT_NEAR(outcome.result.pathHops * 8 * 63 * 2, outcome.result.end.packetHops, 1e-6);
    EXPECT_GT(outcome.result.peakRssBytes, 0);
}

TEST_F(RunProbes, ALongRunIsStoppedAfterItsTime)
{
    // 63 flows of 1 GB: 61 million packets, which no machine sends within the time of the probe.
    const ProbeOutcome outcome = Probe({"workload.senders=63", "workload.bytes=1GB"});
    ASSERT_EQ(outcome.failure, "");
    const ProbeResult& result = outcome.result;
    EXPECT_FALSE(result.hasEnded);
    EXPECT_GE(result.end.seconds - result.begin.seconds, PROBE_SECONDS);
    EXPECT_LT(result.end.seconds - result.begin.seconds, PROBE_SECONDS + 1);
    EXPECT_GT(result.middle.packetHops, 0);
    EXPECT_GT(result.end.packetHops, result.middle.packetHops);
}

TEST_F(RunProbes, OnlyPayloadOfPacketsIsAcknowledged)
{
    // @return most acknowledged bytes, bytes of all data packets
    const auto run = [this](const std::vector<std::string>& sets) {
        ScenarioChanges changes;
        changes.sets = sets;
        const auto prepared = PrepareScenario(WriteFile("run.json", TEXT), changes);
        std::ostringstream flows;
        FlowLog log(flows);
        SimulationRun simulation(*prepared, prepared->scenario.nics.front());
        simulation.Watch(std::chrono::milliseconds(0));
        uint64_t acked = 0;
        simulation.Run(log, [&](const RunProgress& progress) {
            acked = std::max(acked, progress.view.ackedBytes);
            return true;
        });
        uint64_t frames = 0;
        for (const uint32_t server : simulation.GetFabric().GetGraph().GetServers())
        {
            for (const auto& nic : GetNics(simulation.GetFabric().GetNode(server)))
            {
                frames += nic->GetStats().dataFrames;
            }
        }
        constexpr uint64_t MTU{1024};
        return std::pair(acked, frames * MTU);
    };
    // Bytes of flows that began in a fluid counted at their ends: 1.7 times those of all packets.
    const std::string sizes = (GetCheckout() / "traces/cache-follower.cdf").string();
    const auto [ackedAfterFluid, sentAfterFluid] =
        run({R"(workload={"type": "poisson", "load": 0.5, "duration": "1100us", "sizes": ")" +
                 sizes + R"("})",
             "run.fluidStart=1ms"});
    EXPECT_GT(ackedAfterFluid, 0);
    EXPECT_LE(ackedAfterFluid, sentAfterFluid);
    // Flows on one queue pair counted twice at their ends.
    const auto [acked, sent] = run({R"(workload={"type": "graph", "operations": [
        {"id": "a", "src": 0, "dst": 1, "bytes": 80000000, "queuePair": "q"},
        {"id": "b", "src": 0, "dst": 1, "bytes": 80000000, "queuePair": "q"}]})"});
    EXPECT_GT(acked, 80'000'000);
    EXPECT_LE(acked, sent);
}

TEST_F(RunProbes, ARunThatCannotBeBuiltHasItsReason)
{
    // More flows at once than a NIC has queue pairs.
    const ProbeOutcome outcome = Probe(
        {R"(nics=[{"preset": "balboa", "attributes": {"ns3::rdma::RdmaNic::MaxQueuePairs": 2}}])"});
    EXPECT_NE(outcome.failure, "");
}
