// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-bench.h"

#include "ns3/fat-tree-topology.h"
#include "ns3/simple-balancers.h"

#include <cmath>
#include <map>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr uint32_t FLOWS{10'000};

/// Five standard deviations of how many of the flows take one of so many equal ways.
double
GetTolerance(double ways)
{
    return 5 * std::sqrt(FLOWS / ways * (1 - 1 / ways));
}

/// @return how many of FLOWS flows a balancer sends each of four ways.
std::vector<uint32_t>
CountChoices(EcmpBalancer& balancer, uint32_t firstEntropy, uint32_t step)
{
    std::vector<uint32_t> counts(4, 0);
    for (uint32_t flow = 0; flow < FLOWS; ++flow)
    {
        Frame frame{};
        frame.entropy = firstEntropy + flow * step;
        ++counts.at(balancer.Choose(frame, {nullptr, 4}, 0));
    }
    return counts;
}

class EcmpInFatTree : public FabricBench
{
  protected:
    void BuildTree(uint32_t servers, uint64_t seed = 1)
    {
        FabricConfig config;
        config.seed = seed;
        Build(FatTreeTopology::Build(
                  {servers, DataRate("100Gbps"), DataRate("400Gbps"), MicroSeconds(1)}),
              config);
    }

    /// @return how many flows from server 0 to the last one leave by each (first, last) of the
    /// ports at these places of their paths.
    std::map<std::pair<const FabricPort*, const FabricPort*>, uint32_t> CountPairs(
        std::size_t first,
        std::size_t last)
    {
        std::map<std::pair<const FabricPort*, const FabricPort*>, uint32_t> counts;
        const uint32_t target = m_fabric->GetGraph().GetServerCount() - 1;
        for (uint32_t entropy = 0; entropy < FLOWS; ++entropy)
        {
            const auto path = m_fabric->FindPath(0, target, entropy);
            ++counts[{path.at(first), path.at(last)}];
        }
        return counts;
    }
};

} // namespace

TEST(EcmpBalancer, SpreadsFlowsEvenly)
{
    EcmpBalancer balancer;
    balancer.Start({12345, 0, {}, nullptr});
    // Entropies in a row, and far apart with their low bits equal.
    for (const uint32_t step : {1U, 1U << 16, 0x9e3779b9U})
    {
        for (const uint32_t count : CountChoices(balancer, 7, step))
        {
            EXPECT_NEAR(count, FLOWS / 4, GetTolerance(4)) << step;
        }
    }
}

TEST(EcmpBalancer, ChoosesTheSameWayForTheSameFlow)
{
    EcmpBalancer balancer;
    balancer.Start({1, 0, {}, nullptr});
    Frame frame{};
    for (frame.entropy = 0; frame.entropy < 100; ++frame.entropy)
    {
        frame.psn = 0;
        const uint32_t choice = balancer.Choose(frame, {nullptr, 16}, 0);
        frame.psn = 1;
        EXPECT_EQ(balancer.Choose(frame, {nullptr, 16}, 1'000'000), choice);
    }
}

TEST(EcmpBalancer, ChoosesAnewWithAnotherSeed)
{
    EcmpBalancer first;
    EcmpBalancer second;
    first.Start({1, 0, {}, nullptr});
    second.Start({2, 0, {}, nullptr});
    uint32_t equal = 0;
    for (uint32_t entropy = 0; entropy < FLOWS; ++entropy)
    {
        Frame frame{};
        frame.entropy = entropy;
        equal += first.Choose(frame, {nullptr, 4}, 0) == second.Choose(frame, {nullptr, 4}, 0);
    }
    // Two independent choices among four agree in a quarter of all cases.
    EXPECT_NEAR(equal, FLOWS / 4, GetTolerance(4));
}

TEST_F(EcmpInFatTree, UsesAllUplinksOfATorEvenly)
{
    BuildTree(64);
    const auto counts = CountPairs(1, 1); // Port 0 of a path is the server's, port 1 the ToR's.
    EXPECT_EQ(counts.size(), 4);
    for (const auto& [ports, count] : counts)
    {
        EXPECT_NEAR(count, FLOWS / 4, GetTolerance(4));
    }
}

TEST_F(EcmpInFatTree, DoesNotRepeatTheChoiceOfTheTierBelow)
{
    // With one seed for all, the second choice would follow from the first: 4 of 16 ways.
    BuildTree(1024);
    const auto counts = CountPairs(1, 2);
    EXPECT_EQ(counts.size(), 16);
    for (const auto& [ports, count] : counts)
    {
        EXPECT_NEAR(count, FLOWS / 16, GetTolerance(16));
    }
}

TEST_F(EcmpInFatTree, FollowsTheSeedOfTheRun)
{
    const auto choose = [this](uint64_t seed) {
        BuildTree(64, seed);
        std::vector<uint16_t> uplinks;
        for (uint32_t entropy = 0; entropy < 100; ++entropy)
        {
            uplinks.push_back(m_fabric->FindPath(0, 63, entropy)[1]->GetNumber());
        }
        Clear();
        return uplinks;
    };
    const auto first = choose(1);
    EXPECT_EQ(choose(1), first);
    EXPECT_NE(choose(2), first);
}
