// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fat-tree-topology.h"

#include "../test-files.h"

#include "ns3/hpcc-topology-file.h"
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

/// What a switch is attached to.
struct SwitchPorts
{
    uint64_t downBps{0}; ///< To nodes with lower ids: servers, or the tier below.
    uint64_t upBps{0};   ///< To nodes with higher ids: the tier above.
    uint32_t downLinks{0};
};

std::vector<SwitchPorts>
CountPorts(const TopologyGraph& graph)
{
    std::vector<SwitchPorts> ports(graph.isSwitch.size());
    for (const GraphLink& link : graph.links)
    {
        ports[std::min(link.a, link.b)].upBps += link.rate.GetBitRate();
        ports[std::max(link.a, link.b)].downBps += link.rate.GetBitRate();
        ++ports[std::max(link.a, link.b)].downLinks;
    }
    return ports;
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
    const TopologyGraph theirs = HpccTopologyFile::Read(path);
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
    const std::vector<SwitchPorts> ports = CountPorts(graph);
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
    const std::vector<SwitchPorts> ports = CountPorts(graph);
    for (uint32_t core = 4096 + 256; core < graph.isSwitch.size(); ++core)
    {
        EXPECT_EQ(ports[core].downLinks, 16) << core; // One to each pod.
    }
    // The last aggregate of the last pod (node 4351) goes to cores 56 .. 63 (nodes 4408 .. 4415).
    EXPECT_EQ(graph.links.back().a, 4351);
    EXPECT_EQ(graph.links.back().b, 4415);
}

TEST(FatTreeTopology, ListsItsSizesWhenAskedForAnother)
{
    EXPECT_EQ(GetInputError([] { Build(100); }),
              "fat-tree: expected one of 16, 64, 256, 1024, 4096 servers, got 100");
    EXPECT_EQ(FatTreeTopology::GetServerCounts(), (std::vector<uint32_t>{16, 64, 256, 1024, 4096}));
}

TEST(FatTreeTopology, RefusesARateOfZero)
{
    EXPECT_THROW(FatTreeTopology::Build({64, DataRate("100Gbps"), DataRate(0), MicroSeconds(1)}),
                 InputError);
}
