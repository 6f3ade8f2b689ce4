// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fat-tree-topology.h"

#include "../expect-error.h"
#include "../test-files.h"
#include "route-walk.h"

#include "ns3/hpcc-topology-file.h"
#include "ns3/input-error.h"
#include "ns3/topology-check.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <tuple>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

TopologyGraph
Build(uint32_t servers)
{
    return FatTreeTopology::Build(
        {servers, DataRate("100Gbps"), DataRate("400Gbps"), MicroSeconds(1)});
}

using LinkKey = std::tuple<uint32_t, uint32_t, uint64_t, int64_t, double>;

/// @return the links as a sorted multiset, each with its lower node first.
std::vector<LinkKey>
SortLinks(const TopologyGraph& graph)
{
    std::vector<LinkKey> keys;
    for (const GraphLink& link : graph.links)
    {
        keys.emplace_back(std::min(link.a, link.b),
                          std::max(link.a, link.b),
                          link.rate.GetBitRate(),
                          link.delay.GetPicoSeconds(),
                          link.lossRate);
    }
    std::sort(keys.begin(), keys.end());
    return keys;
}

class FatTreeSizes : public testing::TestWithParam<uint32_t>
{
};

/// The tree of a file in HPCC's format.
struct FileCase
{
    uint32_t servers;
    std::string file;
};

class OwnTreeFiles : public testing::TestWithParam<FileCase>
{
};

class SrnicTreeFiles : public testing::TestWithParam<FileCase>
{
};

void
ExpectTreeOfFile(uint32_t servers, const std::string& path)
{
    const TopologyGraph theirs = HpccTopologyFile::Read(path).graph;
    const TopologyGraph ours = Build(servers);
    EXPECT_EQ(ours.isSwitch, theirs.isSwitch);
    EXPECT_EQ(SortLinks(ours), SortLinks(theirs));
}

} // namespace

TEST_P(FatTreeSizes, IsSoundAndHasSoManyServersFirst)
{
    const TopologyGraph graph = Build(GetParam());
    EXPECT_NO_THROW(CheckTopology(graph, "tree"));
    const std::vector<uint32_t> servers = graph.GetServers();
    ASSERT_EQ(servers.size(), GetParam());
    EXPECT_EQ(servers.back(), GetParam() - 1);
}

TEST_P(FatTreeSizes, IsNotOversubscribedAtAnySwitch)
{
    const TopologyGraph graph = Build(GetParam());
    const FatTreeShape& shape = FatTreeTopology::GetShape(GetParam());
    const std::vector<SwitchCapacity> ports = SumCapacities(graph);
    // The top tier has no links upwards: the ToR of 16 servers, aggregates of one pod, or the
    // cores.
    const uint32_t topCount = shape.GetCoreCount() > 0        ? shape.GetCoreCount()
                              : shape.GetAggregateCount() > 0 ? shape.GetAggregateCount()
                                                              : shape.GetTorCount();
    const uint32_t firstTop = graph.isSwitch.size() - topCount;
    uint64_t topBps = 0;
    for (uint32_t node = GetParam(); node < graph.isSwitch.size(); ++node)
    {
        EXPECT_EQ(ports[node].upBps, node < firstTop ? ports[node].downBps : 0) << node;
        topBps += node < firstTop ? 0 : ports[node].downBps;
    }
    EXPECT_EQ(topBps, GetParam() * 100'000'000'000); // Each server's 100 Gb/s arrives at the top.
}

INSTANTIATE_TEST_SUITE_P(FatTreeTopology, FatTreeSizes, testing::Values(16, 64, 256, 1024, 4096));

// The files are written by utils/hpcc_files.py, which shares nothing with FatTreeTopology.
TEST_P(OwnTreeFiles, HaveTheSameGraph)
{
    ExpectTreeOfFile(GetParam().servers, GetCheckout() / "traces/hpcc" / GetParam().file);
}

INSTANTIATE_TEST_SUITE_P(FatTreeTopology,
                         OwnTreeFiles,
                         testing::Values(FileCase{16, "fat-tree-16.txt"},
                                         FileCase{64, "fat-tree-64.txt"},
                                         FileCase{256, "fat-tree-256.txt"},
                                         FileCase{1024, "fat-tree-1024.txt"}));

TEST_P(SrnicTreeFiles, HaveTheSameGraph)
{
    ExpectTreeOfFile(GetParam().servers, GetSharedFile(GetParam().file));
}

INSTANTIATE_TEST_SUITE_P(FatTreeTopology,
                         SrnicTreeFiles,
                         testing::ValuesIn(KeepCasesWithSharedFile<FileCase>(
                             {{16, "reference/hpcc-format/fat_1_16.txt"},
                              {64, "reference/hpcc-format/fat_2_64.txt"},
                              {256, "reference/hpcc-format/fatTree_2_256.txt"},
                              {1024, "reference/hpcc-format/fatTree_3_1024.txt"}},
                             [](const FileCase& tree) { return tree.file; })));
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SrnicTreeFiles);

TEST(FatTreeTopology, Has128TorsIn4096Servers)
{
    const TopologyGraph graph = Build(4096);
    // 16 pods x 8 ToRs, 16 pods x 8 aggregates, 64 cores.
    EXPECT_EQ(graph.isSwitch.size(), 4096 + 128 + 128 + 64);
    // 4096 servers, 128 ToRs x 8 aggregates of their pod, 128 aggregates x 8 cores.
    EXPECT_EQ(graph.links.size(), 4096 + 1024 + 1024);
    const std::vector<SwitchCapacity> ports = SumCapacities(graph);
    for (uint32_t core = 4096 + 256; core < graph.isSwitch.size(); ++core)
    {
        EXPECT_EQ(ports[core].ports, 16) << core; // One to each pod.
    }
    // The last aggregate of the last pod (node 4351) goes to cores 56 .. 63 (nodes 4408 .. 4415).
    EXPECT_EQ(graph.links.back().a, 4351);
    EXPECT_EQ(graph.links.back().b, 4415);
}

TEST(FatTreeTopology, ListsItsSizesWhenAskedForAnother)
{
    EXPECT_EQ(GetInputError([] { Build(100); }),
              "fat-tree: expected one of 16, 64, 256, 1024, 4096 servers (k or racks for others), "
              "got 100");
    EXPECT_EQ(FatTreeTopology::GetServerCounts(), (std::vector<uint32_t>{16, 64, 256, 1024, 4096}));
}

TEST(FatTreeTopology, RefusesARateOfZero)
{
    EXPECT_THROW(FatTreeTopology::Build({64, DataRate("100Gbps"), DataRate(0), MicroSeconds(1)}),
                 InputError);
}

namespace
{

/// k, and what section 2.2 of Al-Fares et al. derives from it: k^3/4 servers, k^2/2 ToRs and as
/// many aggregates, (k/2)^2 cores.
struct ArityCase
{
    uint32_t k;
    uint32_t servers;
    uint32_t tors;
    uint32_t cores;
};

class FatTreeArities : public testing::TestWithParam<ArityCase>
{
};

const DataRate RATE("100Gbps");

} // namespace

TEST_P(FatTreeArities, HaveSwitchesOfThatManyPortsAndACoreForEachWay)
{
    const ArityCase& expected = GetParam();
    const FatTreeShape shape = FatTreeTopology::MakeArity(expected.k);
    const TopologyGraph graph = FatTreeTopology::Build(shape, {RATE, RATE, RATE, MicroSeconds(1)});
    EXPECT_EQ(graph.GetServerCount(), expected.servers);
    EXPECT_EQ(graph.isSwitch.size(), expected.servers + 2 * expected.tors + expected.cores);
    EXPECT_EQ(graph.links.size(), 3 * expected.servers); // As many at each of the three tiers.
    const std::vector<SwitchCapacity> sums = SumCapacities(graph);
    for (uint32_t node = expected.servers; node < graph.isSwitch.size(); ++node)
    {
        EXPECT_EQ(sums[node].ports, expected.k) << node;
        const bool isCore = node >= expected.servers + 2 * expected.tors;
        EXPECT_EQ(sums[node].upBps, isCore ? 0 : sums[node].downBps) << node;
    }
    const Routes routes = ComputeRoutes(graph);
    const RouteWalk walk(graph, routes);
    EXPECT_EQ(walk.CountWays(0, 1), expected.k / 2); // Within a pod: its aggregates.
    EXPECT_EQ(walk.CountWays(0, expected.tors - 1), expected.cores); // Between pods.
    EXPECT_EQ(walk.GetDiameter(), 4); // Aggregate, core, aggregate, ToR.
}

INSTANTIATE_TEST_SUITE_P(FatTreeTopology,
                         FatTreeArities,
                         testing::Values(ArityCase{4, 16, 8, 4}, ArityCase{8, 128, 32, 16}));

TEST(FatTreeTopology, OversubscriptionIsThatOfTheToRsAndAggregatesPassAllOn)
{
    // 2 pods of 4 ToRs with 12 servers each, 3 aggregates per pod, 2 cores per aggregate; 3 to 1:
    // 12 x 100 Gb/s over 3 x R x 3 gives R = 133.3 Gb/s; 4 of these over 2 links give 266.7 Gb/s.
    const FatTreeShape shape{2, 4, 12, 3, 2};
    const FatTreeLinks links = FatTreeTopology::MakeLinks(shape, RATE, 3, MicroSeconds(1));
    EXPECT_EQ(links.aggregateRate.GetBitRate(), 133'333'333'333);
    EXPECT_EQ(links.coreRate.GetBitRate(), 266'666'666'666);
    const TopologyGraph graph = FatTreeTopology::Build(shape, links);
    EXPECT_EQ(graph.GetServerCount(), 96);
    // 96 of servers, 8 ToRs x 3, 6 aggregates x 2.
    EXPECT_EQ(graph.links.size(), 96 + 24 + 12);
    const std::vector<SwitchCapacity> sums = SumCapacities(graph);
    for (uint32_t tor = 96; tor < 96 + 8; ++tor)
    {
        EXPECT_NEAR(sums[tor].GetOversubscription(), 3, 1e-9);
    }
    for (uint32_t aggregate = 104; aggregate < 104 + 6; ++aggregate)
    {
        EXPECT_NEAR(sums[aggregate].GetOversubscription(), 1, 1e-9);
    }
}

TEST(FatTreeTopology, OneSwitchHasNoOversubscription)
{
    ExpectError<InputError>(
        [] {
            FatTreeTopology::MakeLinks({1, 1, 16, 0, 0}, RATE, 2, MicroSeconds(1));
        },
        "expected several ToRs for an oversubscription, got one switch");
}
