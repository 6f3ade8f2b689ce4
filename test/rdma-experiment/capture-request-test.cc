// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/capture-request.h"

#include "../test-files.h"

#include "ns3/simple-topologies.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

using Numbers = std::vector<uint32_t>;

TopologyGraph
MakeNetwork(uint32_t servers)
{
    return MakeStar(servers, DataRate("100Gbps"), MicroSeconds(1));
}

/// What is wrong with words about a network of four servers and switch 4.
std::string
FindMistake(CaptureWords words)
{
    words.isWanted = true;
    return GetInputError([&words] { ResolveCapture(words, MakeNetwork(4)); });
}

} // namespace

TEST(CaptureRequest, IsEmptyUnlessItIsWanted)
{
    EXPECT_EQ(ResolveCapture({}, MakeNetwork(4)).servers, Numbers());
}

TEST(CaptureRequest, MeansAllOfEachServer)
{
    CaptureWords words;
    words.isWanted = true;
    const CaptureRequest request = ResolveCapture(words, MakeNetwork(3));
    EXPECT_EQ(request.servers, (Numbers{0, 1, 2}));
    EXPECT_TRUE(request.filter.hosts.empty());
    EXPECT_TRUE(request.filter.queuePairs.empty());
    EXPECT_TRUE(request.filter.opcodes.empty());
    EXPECT_TRUE(request.filter.hasPayload);
}

TEST(CaptureRequest, TakesLists)
{
    CaptureWords words;
    words.isWanted = true;
    words.hosts = "3,0,3";
    words.queuePairs = "2,0xffffff";
    words.opcodes = "0x11,cnp,4,uc-send-last-with-immediate";
    words.hasPayload = false;
    const CaptureRequest request = ResolveCapture(words, MakeNetwork(4));
    EXPECT_EQ(request.servers, (Numbers{0, 3}));
    EXPECT_EQ(request.filter.queuePairs, (std::set<uint32_t>{2, 0xffffff}));
    // UC is 0x20, SEND Last with Immediate 3.
    EXPECT_EQ(request.filter.opcodes, (std::set<uint8_t>{0x04, 0x11, 0x23, 0x81}));
    EXPECT_FALSE(request.filter.hasPayload);
}

TEST(CaptureRequest, ManyServersMustBeNamed)
{
    CaptureWords words;
    words.isWanted = true;
    EXPECT_EQ(ResolveCapture(words, MakeNetwork(64)).servers.size(), 64);
    EXPECT_EQ(GetInputError([&words] { ResolveCapture(words, MakeNetwork(65)); }),
              "--pcap: expected --pcap-hosts as well, because the network has 65 servers, more "
              "than 64; got none");
    words.hosts = "64";
    EXPECT_EQ(ResolveCapture(words, MakeNetwork(65)).servers, Numbers{64});
    for (uint32_t server = 0; server < 512; ++server)
    {
        *words.hosts += "," + std::to_string(server);
    }
    EXPECT_EQ(ResolveCapture(words, MakeNetwork(513)).servers.size(), 512);
    *words.hosts += ",512";
    EXPECT_EQ(GetInputError([&words] { ResolveCapture(words, MakeNetwork(513)); }),
              "--pcap-hosts: expected at most 512 servers, got 513");
}

TEST(CaptureRequest, RefusesWhatIsNoServer)
{
    const std::string begin = "--pcap-hosts: expected node ids of servers (0 to 3), got ";
    CaptureWords words;
    for (const auto& [hosts, end] : {std::pair{"4", "4, which is a switch"},
                                     {"0,5", "5"},
                                     {"-1", "-1"},
                                     {"1,", "nothing"},
                                     {"", "nothing"},
                                     {"0x", "0x"},
                                     {"1 ", "1 "},
                                     {"4294967296", "4294967296"}})
    {
        words.hosts = hosts;
        EXPECT_EQ(FindMistake(words), begin + end);
    }
}

TEST(CaptureRequest, RefusesWhatIsNoQueuePairOrOpcode)
{
    CaptureWords words;
    words.queuePairs = "2,0x1000000";
    EXPECT_EQ(FindMistake(words),
              "--pcap-qps: expected queue pair numbers from 0 to 0xffffff, got 0x1000000");
    words.queuePairs.reset();
    words.opcodes = "rc-aknowledge";
    EXPECT_EQ(FindMistake(words),
              "--pcap-opcodes: expected numbers up to 0xff, or names such as rc-acknowledge "
              "(nearest: rc-acknowledge), got rc-aknowledge");
    words.opcodes = "256";
    EXPECT_NE(FindMistake(words).find(", got 256"), std::string::npos);
}

TEST(CaptureRequest, NamesOpcodesInOneWord)
{
    EXPECT_EQ(GetOpcodeWord(0x00), "rc-send-first");
    EXPECT_EQ(GetOpcodeWord(0x2b), "uc-rdma-write-only-with-immediate");
    EXPECT_EQ(GetOpcodeWord(0x81), "cnp");
}
