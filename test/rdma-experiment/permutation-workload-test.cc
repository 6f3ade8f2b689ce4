// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/permutation-workload.h"

#include "../test-files.h"
#include "run-fixture.h"

#include "ns3/simple-topologies.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Servers 0 .. 7 behind switch 8.
const TopologyGraph&
GetStar()
{
    static const TopologyGraph graph = MakeStar(8, DataRate("100Gbps"), MicroSeconds(1));
    return graph;
}

PermutationParameters
MakePermutation(uint64_t seed)
{
    return {GetStar().GetServers(), 64'000, MicroSeconds(10), MicroSeconds(100), 3, seed};
}

/// @return receivers by round.
std::vector<std::vector<uint32_t>>
ListReceivers(PermutationWorkload& workload)
{
    std::vector<std::vector<uint32_t>> rounds;
    while (const auto flow = workload.Next())
    {
        if (flow->src == 0)
        {
            rounds.emplace_back();
        }
        EXPECT_EQ(flow->startPs,
                  10'000'000 + static_cast<int64_t>(rounds.size() - 1) * 100'000'000);
        rounds.back().push_back(flow->dst);
    }
    return rounds;
}

} // namespace

TEST(PermutationWorkload, EachServerSendsToAnotherOneAndReceivesOnce)
{
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        PermutationWorkload workload(GetStar(), MakePermutation(seed));
        EXPECT_EQ(workload.GetFlowCount(), 24);
        const auto rounds = ListReceivers(workload);
        ASSERT_EQ(rounds.size(), 3U);
        for (const auto& receivers : rounds)
        {
            EXPECT_EQ(std::set<uint32_t>(receivers.begin(), receivers.end()).size(), 8U);
            for (uint32_t server = 0; server < 8; ++server)
            {
                EXPECT_NE(receivers[server], server);
            }
        }
        EXPECT_NE(rounds[0], rounds[1]);
    }
}

TEST(PermutationWorkload, DependsOnTheSeedAndRepeatsAfterRewind)
{
    PermutationWorkload workload(GetStar(), MakePermutation(1));
    const auto first = ListReceivers(workload);
    ASSERT_TRUE(workload.Rewind());
    EXPECT_EQ(ListReceivers(workload), first);
    PermutationWorkload other(GetStar(), MakePermutation(2));
    EXPECT_NE(ListReceivers(other), first);
}

TEST(PermutationWorkload, EachDerangementIsEquallyLikely)
{
    // Four servers have 9 derangements.  Of 9000 draws each has 1000 in the mean, with a standard
    // deviation of sqrt(9000 x 1/9 x 8/9) = 30; 5 of these are 150.
    PermutationParameters parameters = MakePermutation(7);
    parameters.servers = {0, 1, 2, 3};
    parameters.repeats = 9000;
    PermutationWorkload workload(GetStar(), parameters);
    std::map<std::vector<uint32_t>, int> counts;
    for (const auto& receivers : ListReceivers(workload))
    {
        ++counts[receivers];
    }
    ASSERT_EQ(counts.size(), 9U);
    for (const auto& [receivers, count] : counts)
    {
        EXPECT_NEAR(count, 1000, 150);
    }
}

TEST(PermutationWorkload, RefusesFewServersAndBadNumbers)
{
    const auto getFault = [](const PermutationParameters& parameters) {
        return GetInputError([&] { PermutationWorkload(GetStar(), parameters); });
    };
    PermutationParameters parameters = MakePermutation(1);
    parameters.servers = {3};
    EXPECT_EQ(getFault(parameters), "permutation: expected at least two servers, got 1");
    parameters = MakePermutation(1);
    parameters.servers.push_back(8);
    EXPECT_EQ(getFault(parameters), "permutation: expected a server as source, got switch 8");
    parameters = MakePermutation(1);
    parameters.period = Time();
    EXPECT_EQ(getFault(parameters),
              "permutation: expected a period above 0 between rounds, got 0 ps");
}

namespace
{
class PermutationRun : public FolderTest
{
};
} // namespace

TEST_F(PermutationRun, OfAGroupUsesItsServersOnly)
{
    const Scenario scenario = Read(R"({
      "name": "p", "nics": ["srnic"],
      "fabric": {"topology": "star", "servers": 6, "hostRate": "100Gbps", "linkDelay": "1us"},
      "groups": {"some": [1, 4]},
      "workload": {"type": "permutation", "bytes": "100kB", "servers": "some", "repeats": 2,
                   "period": "1ms"}})");
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    EXPECT_EQ(outcome.completed, 8U); // Four servers, two rounds.
    EXPECT_TRUE(outcome.report.violations.empty());
}

TEST_F(PermutationRun, WithSeveralRoundsNeedsAPeriod)
{
    const std::string fault = GetInputError([this] {
        ReadChanged({R"(workload={"type": "permutation", "bytes": "1kB", "repeats": 2})"});
    });
    EXPECT_NE(fault.find("$.workload: expected a key \"period\", got none"), std::string::npos)
        << fault;
}
