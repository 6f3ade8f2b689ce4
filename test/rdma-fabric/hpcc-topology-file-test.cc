// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/hpcc-topology-file.h"

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
    {"ShortFirstLine", "3 1\n", ":1: expected 3 fields (nodes switches links), got 2"},
    {"MoreSwitchesThanNodes",
     "3 4 2\n",
     ":1: expected a number of switches from 0 to 3, got \"4\""},
    {"NegativeNodes", "-3 1 2\n", ":1: expected a number of nodes from 2 to 1000000, got \"-3\""},
    {"NoSwitchLine",
     "3 1 2\n",
     ":1: expected a line with 1 switch ids, got the end of the file (truncated)"},
    {"UnknownSwitch", "3 1 2\n7\n", ":2: expected a node id from 0 to 2, got \"7\""},
    {"SwitchTwice", "4 2 2\n3 3\n", ":2: expected each switch id once, got 3 twice"},
    {"TooFewSwitches", "4 2 2\n3\n", ":2: expected 2 switch ids as line 1 says, got 1"},
    {"TooManySwitches", "4 1 2\n3 2\n", ":2: expected 1 switch ids as line 1 says, got 2"},
    {"Truncated",
     "3 1 2\n2\n0 2 1Gbps 1us 0\n",
     ":3: expected 2 links as line 1 says, got the end of the file (truncated) after 1"},
    {"TooLong",
     "3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n\n1 2 1Gbps 1us 0\n",
     ":6: expected the end of the file after 2 links as line 1 says, got another line"},
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
    {"ServerWithTwoLinks",
     "3 1 2\n2\n0 2 1Gbps 1us 0\n0 2 1Gbps 1us 0\n",
     ":4: expected only one link for server 0, got another one"},
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
    const TopologyGraph graph = HpccTopologyFile::Read(file.GetPath());
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
    EXPECT_EQ(HpccTopologyFile::Read(file.GetPath()).GetServerCount(), 2);
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
