// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/simai-topology-file.h"

#include "../test-files.h"
#include "route-walk.h"

#include "ns3/input-error.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Two servers of two GPUs with an NVSwitch each (4, 5), two rail switches (6, 7), one spine (8):
/// the form of SimAI's Rail_Opti_SingleToR, whose generator ends its line of ids with a blank.
const char* const GOOD{"9 2 2 3 10 H100\n"
                       "4 5 6 7 8 \n"
                       "0 4 2880Gbps 0.000025ms 0\n"
                       "0 6 200Gbps 0.0005ms 0\n"
                       "1 4 2880Gbps 0.000025ms 0\n"
                       "1 7 200Gbps 0.0005ms 0\n"
                       "2 5 2880Gbps 0.000025ms 0\n"
                       "2 6 200Gbps 0.0005ms 0\n"
                       "3 5 2880Gbps 0.000025ms 0\n"
                       "3 7 200Gbps 0.0005ms 0\n"
                       "6 8 400Gbps 0.0005ms 0.25\n"
                       "7 8 400Gbps 0.0005ms 0\n"};

/// A file with one fault, and the message without the path in front of it.
struct BadFile
{
    const char* name;
    const char* text;
    const char* message;
};

const BadFile BAD_FILES[] = {
    {"Empty",
     "",
     ":1: expected a line \"nodes gpus-per-server nvswitches switches links gpu-type\", got an "
     "empty file"},
    {"HpccHeader",
     "3 1 2\n",
     ":1: expected 6 fields (nodes gpus-per-server nvswitches switches links gpu-type), got 3"},
    {"OneNode", "1 1 0 0 1 A100\n", ":1: expected a number of nodes from 2 to 1000000, got \"1\""},
    {"NoGpusPerServer",
     "4 0 0 1 2 A100\n",
     ":1: expected a number of GPUs per server from 1 to 64, got \"0\""},
    {"ManyGpusPerServer",
     "400 65 0 1 2 A100\n",
     ":1: expected a number of GPUs per server from 1 to 64, got \"65\""},
    {"ManyNvSwitches",
     "4 1 5 0 2 A100\n",
     ":1: expected a number of NVSwitches from 0 to 4, got \"5\""},
    {"ManySwitches",
     "4 1 2 3 2 A100\n",
     ":1: expected a number of switches from 0 to 2, got \"3\""},
    {"NoLinks", "4 1 0 1 0 A100\n", ":1: expected a number of links from 1 to 4294967295"},
    {"NoIds",
     "4 1 0 1 3 A100\n",
     ":1: expected 1 ids of NVSwitches and switches, got the end of the file (truncated) after 0"},
    {"ManyIds",
     "4 1 0 1 3 A100\n3 2\n",
     ":2: expected 1 ids of NVSwitches and switches as line 1 says, got 2"},
    {"IdTwice", "5 1 1 1 3 A100\n4 4\n", ":2: expected each id once, got 4 twice"},
    {"UnknownId", "4 1 0 1 3 A100\n4\n", ":2: expected a node id from 0 to 3, got \"4\""},
    {"SwitchBelowGpus", "4 1 0 1 3 A100\n1\n", ":2: expected GPUs as nodes 0 to 2, got switch 1"},
    {"GpusLinked",
     "3 1 0 1 3 A100\n2\n0 1 1Gbps 1us 0\n",
     ":3: expected a link to a switch or an NVSwitch, got one between GPUs 0 and 1"},
    {"NvSwitchesLinked",
     "5 1 2 1 3 A100\n2 3 4\n2 3 1Gbps 1us 0\n",
     ":3: expected links of NVSwitches to GPUs, got one between 2 and 3"},
    {"NvSwitchAtSwitch",
     "4 1 1 1 3 A100\n2 3\n3 2 1Gbps 1us 0\n",
     ":3: expected links of NVSwitches to GPUs, got one between 3 and 2"},
    {"ShortLink",
     "3 1 0 1 2 A100\n2\n0 2 1Gbps 1us\n",
     ":3: expected 5 fields (node node rate delay loss), got 4"},
    {"Truncated",
     "3 1 0 1 2 A100\n2\n0 2 1Gbps 1us 0\n",
     ":3: expected 2 links as line 1 says, got the end of the file (truncated) after 1"},
    {"TooLong",
     "3 1 0 1 2 A100\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n",
     ":5: expected the end of the file after 2 links as line 1 says, got another line"},
    {"UnequalPorts",
     "3 1 0 1 3 A100\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n",
     ":1: expected the same number of links to switches for each GPU, from 1 to 16, got 2 for GPU "
     "1 and 1 for GPU 0"},
    {"OnlyNvSwitch",
     "3 1 1 0 2 A100\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n",
     ":1: expected the same number of links to switches for each GPU, from 1 to 16, got 0 for GPU "
     "0 and 0 for GPU 0"},
    {"OneServer",
     "3 2 0 1 2 A100\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n",
     ":1: expected at least two servers, got 1"},
    {"Disconnected",
     "4 1 0 2 2 A100\n2 3\n0 2 1Gbps 1us 0\n1 3 1Gbps 1us 0\n",
     ":1: expected a path between all servers, got none from server 0 to server 1 (disconnected)"},
};

class BadSimaiFile : public testing::TestWithParam<BadFile>
{
};

} // namespace

TEST(SimaiTopologyFile, AServerHasANicForEachGpu)
{
    const TemporaryFile file(GOOD);
    const TopologyGraph graph = SimaiTopologyFile::Read(file.GetPath());
    // Servers 0 and 1; switches 6, 7, 8 of the file are 2, 3, 4; NIC 1 of each server follows.
    EXPECT_EQ(graph.isSwitch, (std::vector<bool>{false, false, true, true, true}));
    ASSERT_EQ(graph.endpoints.size(), 2);
    EXPECT_EQ(graph.GetNodeName(6), "server 1 (NIC 1, port 0)");
    // 4 links of GPUs and 2 of switches; the 4 of NVSwitches are left out.
    ASSERT_EQ(graph.links.size(), 6);
    const std::vector<std::pair<uint32_t, uint32_t>> expected{{0, 2},
                                                              {5, 3},
                                                              {1, 2},
                                                              {6, 3},
                                                              {2, 4},
                                                              {3, 4}};
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        EXPECT_EQ(std::pair(graph.links[i].a, graph.links[i].b), expected[i]) << i;
    }
    EXPECT_EQ(graph.links[0].rate, DataRate("200Gbps"));
    EXPECT_EQ(graph.links[0].delay, NanoSeconds(500)); // 0.0005 ms.
    EXPECT_EQ(graph.links[4].lossRate, 0.25);
    const Routes routes = ComputeRoutes(graph);
    EXPECT_EQ(RouteWalk(graph, routes).GetDiameter(), 2);
}

TEST(SimaiTopologyFile, IdsMayBeOnSeveralLines)
{
    std::string text(GOOD);
    text.replace(text.find("6 7 8"), 1, "\n6");
    const TemporaryFile file(text);
    EXPECT_EQ(SimaiTopologyFile::Read(file.GetPath()).links.size(), 6);
}

TEST(SimaiTopologyFile, AGpuWithTwoLinksHasANicOfTwoPorts)
{
    // One GPU per server, each at both switches, which are joined: SimAI's dual-ToR form.
    const TemporaryFile file("4 1 0 2 5 A100\n2 3\n0 2 1Gbps 1us 0\n0 3 1Gbps 1us 0\n"
                             "1 2 1Gbps 1us 0\n1 3 1Gbps 1us 0\n2 3 1Gbps 1us 0\n");
    const TopologyGraph graph = SimaiTopologyFile::Read(file.GetPath());
    ASSERT_EQ(graph.endpoints.size(), 2);
    EXPECT_EQ(graph.GetNodeName(4), "server 0 (NIC 0, port 1)");
    EXPECT_EQ(graph.GetNodeName(5), "server 1 (NIC 0, port 1)");
    EXPECT_EQ(graph.links[1].a, 4);
    EXPECT_EQ(graph.links[1].b, 3);
}

TEST_P(BadSimaiFile, NamesTheLineAndTheFault)
{
    const TemporaryFile file(GetParam().text);
    try
    {
        SimaiTopologyFile::Read(file.GetPath());
        ADD_FAILURE() << "no error";
    }
    catch (const InputError& error)
    {
        const std::string message = error.what();
        EXPECT_EQ(message.rfind(file.GetPath() + GetParam().message, 0), 0) << message;
    }
}

INSTANTIATE_TEST_SUITE_P(SimaiTopologyFile,
                         BadSimaiFile,
                         testing::ValuesIn(BAD_FILES),
                         [](const auto& info) { return std::string(info.param.name); });
