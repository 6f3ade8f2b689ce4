// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/poisson-workload.h"

#include "../test-files.h"

#include "ns3/fat-tree-topology.h"
#include "ns3/simple-topologies.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

const FlowSizeCdf THOUSAND_ON_AVERAGE({{0, 0}, {2000, 1}});

TopologyGraph
MakeHosts(uint32_t servers)
{
    return MakeStar(servers, DataRate("100Gbps"), MicroSeconds(1));
}

std::vector<FlowArrival>
Drain(FlowSource& source)
{
    std::vector<FlowArrival> flows;
    while (const auto flow = source.Next())
    {
        flows.push_back(*flow);
    }
    return flows;
}

std::vector<FlowArrival>
Draw(const TopologyGraph& graph, const PoissonParameters& parameters)
{
    PoissonWorkload workload(graph, THOUSAND_ON_AVERAGE, parameters);
    return Drain(workload);
}

/// @return (start, bytes) of the flows of one server.
std::vector<std::pair<int64_t, uint64_t>>
SelectSource(const std::vector<FlowArrival>& flows, uint32_t src)
{
    std::vector<std::pair<int64_t, uint64_t>> selected;
    for (const FlowArrival& flow : flows)
    {
        if (flow.src == src)
        {
            selected.emplace_back(flow.startPs, flow.bytes);
        }
    }
    return selected;
}

} // namespace

TEST(PoissonWorkload, StartsAsManyFlowsAsTheLoadAsksFor)
{
    // 1000 B x 8 / (0.5 x 100 Gb/s) = 160 ns between flows of a server; 8 servers in 4 ms: 200,000
    // flows, standard deviation sqrt(200,000) = 447.
    const auto flows = Draw(MakeHosts(8), {0.5, MilliSeconds(4), 1});
    EXPECT_NEAR(static_cast<double>(flows.size()), 200'000, 4 * 447);
    double bytes = 0;
    for (const FlowArrival& flow : flows)
    {
        bytes += static_cast<double>(flow.bytes);
    }
    // 0.5 x 100 Gb/s x 4 ms / 8 = 25 MB per server. Relative deviation of a compound Poisson sum:
    // sqrt(E[X^2]) / (E[X] sqrt(n)) = sqrt(4/3) / 447 = 0.26 %.
    EXPECT_NEAR(bytes, 8 * 25e6, 4 * 0.0026 * 8 * 25e6);
}

TEST(PoissonWorkload, LeavesExponentialGaps)
{
    const auto flows = SelectSource(Draw(MakeHosts(2), {0.5, MilliSeconds(16), 3}), 0);
    ASSERT_GT(flows.size(), 90'000);
    // Of an exponential distribution, 1 / e = 36.8 % of the gaps exceed the mean (160 ns) and
    // 1 / e^3 = 5.0 % three times the mean; deviations sqrt(p (1 - p) / n) are 0.15 % and 0.07 %.
    double aboveMean = 0;
    double aboveThree = 0;
    for (size_t i = 1; i < flows.size(); ++i)
    {
        const int64_t gap = flows[i].first - flows[i - 1].first;
        aboveMean += gap > 160'000 ? 1 : 0;
        aboveThree += gap > 480'000 ? 1 : 0;
    }
    const auto count = static_cast<double>(flows.size() - 1);
    EXPECT_NEAR(aboveMean / count, std::exp(-1), 4 * 0.0016);
    EXPECT_NEAR(aboveThree / count, std::exp(-3), 4 * 0.0008);
}

TEST(PoissonWorkload, SendsEvenlyToAllOthersAndNeverToItself)
{
    const auto flows = Draw(MakeHosts(5), {0.5, MilliSeconds(2), 7});
    std::map<std::pair<uint32_t, uint32_t>, double> pairs;
    for (const FlowArrival& flow : flows)
    {
        ASSERT_NE(flow.src, flow.dst);
        ++pairs[{flow.src, flow.dst}];
    }
    // 5 servers x 2 ms / 160 ns = 62,500 flows on 20 pairs: 3125 each, deviation sqrt(3125) = 56.
    ASSERT_EQ(pairs.size(), 20);
    for (const auto& [pair, count] : pairs)
    {
        EXPECT_NEAR(count, 3125, 4.5 * 56) << pair.first << " to " << pair.second;
    }
}

TEST(PoissonWorkload, ComesInOrderAndEndsWithTheDuration)
{
    const auto flows = Draw(FatTreeTopology::Build({}), {1.0, MicroSeconds(50), 1});
    ASSERT_FALSE(flows.empty());
    for (size_t i = 1; i < flows.size(); ++i)
    {
        ASSERT_LE(flows[i - 1].startPs, flows[i].startPs);
    }
    EXPECT_GE(flows.front().startPs, 0);
    EXPECT_LT(flows.back().startPs, 50'000'000);
}

TEST(PoissonWorkload, IsTheSameForTheSameSeedOnly)
{
    const TopologyGraph graph = MakeHosts(4);
    const PoissonParameters parameters{0.7, MicroSeconds(100), 1};
    const auto first = Draw(graph, parameters);
    const auto again = Draw(graph, parameters);
    ASSERT_EQ(first.size(), again.size());
    for (size_t i = 0; i < first.size(); ++i)
    {
        EXPECT_EQ(first[i].src, again[i].src);
        EXPECT_EQ(first[i].dst, again[i].dst);
        EXPECT_EQ(first[i].bytes, again[i].bytes);
        EXPECT_EQ(first[i].startPs, again[i].startPs);
    }
    const auto other = Draw(graph, {0.7, MicroSeconds(100), 2});
    EXPECT_NE(SelectSource(other, 0), SelectSource(first, 0));
}

TEST(PoissonWorkload, DoesNotMoveTheFlowsOfAServerWhenOthersJoin)
{
    const PoissonParameters parameters{0.7, MicroSeconds(100), 1};
    const auto few = Draw(MakeHosts(3), parameters);
    const auto many = Draw(MakeHosts(30), parameters);
    ASSERT_FALSE(SelectSource(few, 2).empty());
    EXPECT_EQ(SelectSource(few, 2), SelectSource(many, 2));
    EXPECT_NE(SelectSource(few, 1), SelectSource(few, 2));
}

TEST(PoissonWorkload, LoadsEachServerByItsOwnLinkRate)
{
    TopologyGraph graph = MakeHosts(2);
    graph.links[1].rate = DataRate("25Gbps");
    const auto flows = Draw(graph, {0.5, MilliSeconds(2), 1});
    // 2 ms / 160 ns = 12,500 at 100 Gb/s, a quarter of it at 25 Gb/s.
    EXPECT_NEAR(static_cast<double>(SelectSource(flows, 0).size()), 12'500, 4 * 112);
    EXPECT_NEAR(static_cast<double>(SelectSource(flows, 1).size()), 3125, 4 * 56);
}

TEST(PoissonWorkload, HasItsFlowCountBeforeAndAfter)
{
    PoissonWorkload workload(MakeHosts(6), THOUSAND_ON_AVERAGE, {0.7, MicroSeconds(200), 5});
    const auto count = workload.GetFlowCount();
    EXPECT_EQ(Drain(workload).size(), count);
    EXPECT_EQ(workload.GetFlowCount(), count);
    EXPECT_FALSE(workload.Next().has_value());
}

TEST(PoissonWorkload, MayHaveNoFlowAtAll)
{
    // A million years between flows: the interval does not fit into 64 bits of picoseconds.
    const FlowSizeCdf large({{9e15, 0}, {9e15, 1}});
    const auto graph = MakeStar(3, DataRate(1), MicroSeconds(1));
    PoissonWorkload workload(graph, large, {1e-3, MilliSeconds(1), 1});
    EXPECT_EQ(workload.GetFlowCount(), 0);
    EXPECT_FALSE(workload.Next().has_value());
}

TEST(PoissonWorkload, RefusesLoadAndDurationOutOfRange)
{
    for (const double load : {0.0, -0.5, 1.01, std::nan("")})
    {
        const auto message = GetInputError([&] { Draw(MakeHosts(2), {load, MilliSeconds(1), 1}); });
        EXPECT_EQ(message.find("poisson: expected a load above 0 and at most 1, got "), 0) << load;
    }
    EXPECT_EQ(GetInputError([] {
                  Draw(MakeHosts(2), {0.5, Time(0), 1});
              }),
              "poisson: expected a duration above 0, got 0 ps");
    const FlowSizeCdf tiny({{0, 0}, {0, 0.9}, {1, 1}});
    EXPECT_EQ(GetInputError([&] {
                  PoissonWorkload(MakeHosts(2), tiny, {0.5, MilliSeconds(1), 1});
              }),
              "poisson: expected flow sizes with a mean of at least 1 byte, got 0.050000");
}

TEST(PoissonWorkload, GoesFromSomeServersToOthers)
{
    PoissonParameters parameters{0.5, MilliSeconds(1), 1};
    parameters.sources = {1, 2};
    parameters.destinations = {2, 5, 7};
    std::map<std::pair<uint32_t, uint32_t>, int> counts;
    for (const FlowArrival& flow : Draw(MakeHosts(8), parameters))
    {
        ++counts[{flow.src, flow.dst}];
    }
    // 1 ms / 160 ns = 6250 flows of each source, evenly to 3 and to 2 destinations; the deviation
    // of a count of 2083 is sqrt(2083) = 46 at most, and of 3125 it is 56.
    ASSERT_EQ(counts.size(), 5U);
    for (const uint32_t dst : {2, 5, 7})
    {
        EXPECT_NEAR((counts[{1, dst}]), 2083, 4 * 46);
    }
    EXPECT_NEAR((counts[{2, 5}]), 3125, 4 * 56);
    EXPECT_NEAR((counts[{2, 7}]), 3125, 4 * 56);
}

TEST(PoissonWorkload, AServersFlowsDoNotDependOnOtherSenders)
{
    PoissonParameters parameters{0.5, MicroSeconds(100), 1};
    const auto all = SelectSource(Draw(MakeHosts(8), parameters), 3);
    parameters.sources = {3, 4};
    EXPECT_EQ(SelectSource(Draw(MakeHosts(8), parameters), 3), all);
}

TEST(PoissonWorkload, RefusesASourceWithoutDestination)
{
    PoissonParameters parameters{0.5, MicroSeconds(100), 1};
    parameters.sources = {3, 4};
    parameters.destinations = {3};
    EXPECT_EQ(GetInputError([&parameters] { Draw(MakeHosts(8), parameters); }),
              "poisson: expected a destination other than its source, got server 3 alone");
}
