// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/hpcc-topology-file.h"

#include "../damaged-text.h"
#include "../test-files.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// A file with one fault, and the message without the path in front of it.
struct BadFile
{
    const char* name;
    const char* text;
    const char* message;
};

const BadFile BAD_FILES[] = {
    {"Empty", "", ":1: expected a line \"nodes switches links\", got an empty file"},
    {"ShortFirstLine",
     "3 1\n",
     ":1: expected 3 numbers (nodes switches links), 4 (nodes switches ToRs links) or 6 (nodes "
     "switches ToRs links rate rate), got 2 fields"},
    {"FiveNumbers",
     "3 1 1 2 100\n",
     ":1: expected 3 numbers (nodes switches links), 4 (nodes switches ToRs links) or 6 (nodes "
     "switches ToRs links rate rate), got 5 fields"},
    {"MoreTorsThanSwitches", "3 1 2 2\n", ":1: expected a number of ToRs from 0 to 1, got \"2\""},
    {"FileOfSimai",
     "3 1 0 1 2 H100\n",
     ":1: expected a rate in bit/s (a file of SimAI, which has the type of a GPU there, is "
     "topology "
     "\"simai-file\"), got \"H100\""},
    {"MoreSwitchesThanNodes",
     "3 4 2\n",
     ":1: expected a number of switches from 0 to 3, got \"4\""},
    {"NegativeNodes", "-3 1 2\n", ":1: expected a number of nodes from 2 to 1000000, got \"-3\""},
    {"NoSwitchLine",
     "3 1 2\n",
     ":1: expected a line with 1 switch ids, got the end of the file (truncated)"},
    {"UnknownSwitch", "3 1 2\n7\n", ":2: expected a node id from 0 to 2, got \"7\""},
    {"SwitchTwice", "4 2 2\n3 3\n", ":2: expected each switch id once, got 3 twice"},
    {"TooFewSwitches",
     "4 2 2\n3\n0 3 1Gbps 1us 0\n",
     ":3: expected 2 switch ids as line 1 says, got 6"},
    {"TooManySwitches", "4 1 2\n3 2\n", ":2: expected 1 switch ids as line 1 says, got 2"},
    {"Truncated",
     "3 1 2\n2\n0 2 1Gbps 1us 0\n",
     ":3: expected 2 links as line 1 says, got the end of the file (truncated) after 1"},
    {"ShortLink",
     "3 1 2\n2\n0 2 1Gbps 1us\n",
     ":3: expected 5 fields (node node rate delay loss), got 4"},
    {"UnknownNode",
     "3 1 2\n2\n0 2 1Gbps 1us 0\n3 2 1Gbps 1us 0\n",
     ":4: expected a node id from 0 to 2, got \"3\""},
    {"LinkToItself",
     "3 1 2\n2\n2 2 1Gbps 1us 0\n",
     ":3: expected a link between two different nodes, got 2 twice"},
    {"BadRate",
     "3 1 2\n2\n0 2 fast 1us 0\n",
     ":3: expected a rate above zero such as 100Gbps, got \"fast\""},
    {"ZeroRate",
     "3 1 2\n2\n0 2 0Gbps 1us 0\n",
     ":3: expected a rate above zero such as 100Gbps, got \"0Gbps\""},
    {"NegativeRate",
     "3 1 2\n2\n0 2 -1Gbps 1us 0\n",
     ":3: expected a rate above zero such as 100Gbps, got \"-1Gbps\""},
    {"BadDelay",
     "3 1 2\n2\n0 2 1Gbps 1000 0\n",
     ":3: expected a delay of zero or more such as 1000ns, got \"1000\""},
    {"NegativeDelay",
     "3 1 2\n2\n0 2 1Gbps -1us 0\n",
     ":3: expected a delay of zero or more such as 1000ns, got \"-1us\""},
    {"LossOfOne",
     "3 1 2\n2\n0 2 1Gbps 1us 1\n",
     ":3: expected a loss probability from 0 to below 1, got \"1\""},
    {"NegativeLoss",
     "3 1 2\n2\n0 2 1Gbps 1us -0.1\n",
     ":3: expected a loss probability from 0 to below 1, got \"-0.1\""},
    {"LossIsNoNumber",
     "3 1 2\n2\n0 2 1Gbps 1us none\n",
     ":3: expected a loss probability from 0 to below 1, got \"none\""},
    {"ServerThatForwards",
     "4 1 4\n3\n0 3 1Gbps 1us 0\n1 3 1Gbps 1us 0\n2 3 1Gbps 1us 0\n0 1 1Gbps 1us 0\n",
     ":6: expected links to switches for server 0, which has several (servers do not forward "
     "frames), got one to server 1"},
    {"ServerWithoutLink",
     "3 1 1\n2\n0 2 1Gbps 1us 0\n",
     ":1: expected exactly one link for server 1, got none (it is disconnected)"},
    {"TwoIslands",
     "4 2 2\n2 3\n0 2 1Gbps 1us 0\n1 3 1Gbps 1us 0\n",
     ":1: expected a path between all servers, got none from server 0 to server 1 (disconnected)"},
};

class BadTopologyFile : public testing::TestWithParam<BadFile>
{
};

} // namespace

TEST(HpccTopologyFile, ReadsNodesAndLinks)
{
    // Switches need not have the highest ids; the two links between them are parallel.
    const TemporaryFile file("5 2 5\n"
                             "0 3\n"
                             "1 0 100Gbps 1000ns 0.000000\n"
                             "2 0 100Gbps 0.0005ms 0.01\n"
                             "4 3 25Gbps 1us 0\n"
                             "0 3 400Gbps 1us 0\n"
                             "3 0 400Gbps 1us 0\n");
    const HpccTopology topology = HpccTopologyFile::Read(file.GetPath());
    EXPECT_TRUE(topology.notes.empty());
    const TopologyGraph& graph = topology.graph;
    EXPECT_EQ(graph.isSwitch, (std::vector<bool>{true, false, false, true, false}));
    EXPECT_EQ(graph.GetServers(), (std::vector<uint32_t>{1, 2, 4}));
    ASSERT_EQ(graph.links.size(), 5);
    EXPECT_EQ(graph.links[1].a, 2);
    EXPECT_EQ(graph.links[1].b, 0);
    EXPECT_EQ(graph.links[1].rate, DataRate("100Gbps"));
    EXPECT_EQ(graph.links[1].delay, NanoSeconds(500));
    EXPECT_EQ(graph.links[1].lossRate, 0.01);
    EXPECT_EQ(graph.links[2].rate, DataRate("25Gbps"));
    EXPECT_EQ(graph.links[4].a, 3);
}

TEST(HpccTopologyFile, ReadsTwoServersWithoutASwitch)
{
    const TemporaryFile file("2 0 1\n\n0 1 100Gbps 1us 0\n");
    EXPECT_EQ(HpccTopologyFile::Read(file.GetPath()).graph.GetServerCount(), 2);
}

TEST(HpccTopologyFile, ReadsFilesOfPowerTcpAndReverie)
{
    // 4 servers at switches 4 and 5, which are ToRs: the third number. Rates without a unit.
    const std::string rest = "4 5\n"
                             "0 4 25000000000.0 1us 0\n"
                             "1 4 25000000000 1us 0\n"
                             "2 5 25000000000.0 1us 0\n"
                             "3 5 25000000000.0 1us 0\n"
                             "4 5 100000000000.0 1us 0\n";
    for (const std::string first : {"6 2 2 5", "6 2 2 5 25000000000 100000000000"})
    {
        const TemporaryFile file(first + '\n' + rest);
        const TopologyGraph graph = HpccTopologyFile::Read(file.GetPath()).graph;
        EXPECT_EQ(graph.GetServers(), (std::vector<uint32_t>{0, 1, 2, 3}));
        ASSERT_EQ(graph.links.size(), 5);
        EXPECT_EQ(graph.links[0].rate, DataRate("25Gbps"));
        EXPECT_EQ(graph.links[1].rate, DataRate("25Gbps"));
        EXPECT_EQ(graph.links[4].rate, DataRate("100Gbps"));
    }
}

TEST(HpccTopologyFile, IgnoresALegendBehindTheLastLinkWithANote)
{
    const TemporaryFile file("3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n\nnode node rate\n...");
    const HpccTopology topology = HpccTopologyFile::Read(file.GetPath());
    EXPECT_EQ(topology.graph.links.size(), 2);
    EXPECT_EQ(topology.notes,
              std::vector<std::string>{file.GetPath() +
                                       ":6: this line and all lines behind it are ignored, since "
                                       "line 1 announces 2 links"});
}

TEST(HpccTopologyFile, NotesALastLinkThatMayBeTruncated)
{
    const TemporaryFile file("3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0");
    EXPECT_EQ(HpccTopologyFile::Read(file.GetPath()).notes,
              std::vector<std::string>{file.GetPath() + ":4: the line has no end of line; its last "
                                                        "number may be truncated"});
}

TEST(HpccTopologyFile, ReadsIdsOfSwitchesOnSeveralLines)
{
    const TemporaryFile file("4 2 3\n2\n3\n0 2 1Gbps 1us 0\n1 3 1Gbps 1us 0\n2 3 1Gbps 1us 0\n");
    EXPECT_EQ(HpccTopologyFile::Read(file.GetPath()).graph.GetServers(),
              (std::vector<uint32_t>{0, 1}));
}

TEST(HpccTopologyFile, GivesServersPortsIfAllHaveTheSameNumberOfLinks)
{
    // Two planes without a link between them: switches 2 and 3.
    const TemporaryFile file("4 2 4\n2 3\n0 2 1Gbps 1us 0\n0 3 1Gbps 1us 0\n1 2 1Gbps 1us 0\n"
                             "1 3 1Gbps 1us 0\n");
    const TopologyGraph graph = HpccTopologyFile::Read(file.GetPath()).graph;
    ASSERT_EQ(graph.endpoints.size(), 2);
    for (const uint32_t server : {0, 1})
    {
        EXPECT_EQ(graph.endpoints[server].server, server);
        EXPECT_EQ(graph.endpoints[server].nic, 0);
        EXPECT_EQ(graph.endpoints[server].port, 1);
    }
    EXPECT_EQ(graph.links[1].a, 4);
    EXPECT_EQ(graph.links[3].a, 5);
}

TEST(HpccTopologyFile, GivesAServerANicForEachOfItsLinksIfOthersHaveFewer)
{
    // Server 0 is linked to switches 2 and 3, with its end first and last; server 1 to switch 3.
    const TemporaryFile file("4 2 4\n2 3\n0 2 1Gbps 1us 0\n3 0 2Gbps 1us 0\n1 3 1Gbps 1us 0\n"
                             "2 3 1Gbps 1us 0\n");
    const TopologyGraph graph = HpccTopologyFile::Read(file.GetPath()).graph;
    ASSERT_EQ(graph.endpoints.size(), 1);
    EXPECT_EQ(graph.endpoints[0].server, 0);
    EXPECT_EQ(graph.endpoints[0].nic, 1);
    EXPECT_EQ(graph.endpoints[0].port, 0);
    EXPECT_EQ(graph.links[0].a, 0);
    EXPECT_EQ(graph.links[1].a, 3);
    EXPECT_EQ(graph.links[1].b, 4); // The first id above the nodes.
    EXPECT_EQ(graph.links[2].a, 1);
}

TEST(HpccTopologyFile, ReadsOrRefusesDamagedFilesWithOneLine)
{
    const std::string good = "6 2 2 6\n4 5\n0 4 25000000000.0 1us 0\n1 4 100Gbps 0.5ms 0.1\n"
                             "2 5 25Gbps 1us 0\n3 5 25Gbps 1us 0\n4 5 1Gbps 1us 0\n"
                             "0 5 25Gbps 1us 0\n\nlegend\n";
    ExpectReadOrRefused(good, 1000, [](const std::string& path) { HpccTopologyFile::Read(path); });
}

TEST_P(BadTopologyFile, IsOneLineWithFileAndLine)
{
    const std::string text = GetParam().text;
    const TemporaryFile file(text.empty() || text.back() == '\n' ? text : text + '\n');
    EXPECT_EQ(GetInputError([&] { HpccTopologyFile::Read(file.GetPath()); }),
              file.GetPath() + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(HpccTopologyFile,
                         BadTopologyFile,
                         testing::ValuesIn(BAD_FILES),
                         [](const auto& info) { return std::string(info.param.name); });
