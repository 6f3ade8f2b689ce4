// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/fabric-reader.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

FabricSpec
Read(const char* text)
{
    const auto json = nlohmann::json::parse(text);
    return ReadFabric(JsonValue(json, "f", "$.fabric"));
}

} // namespace

TEST(FabricReader, ReadsTheKeysOfEachTopology)
{
    const FabricSpec tree = Read(R"({"topology": "fat-tree", "servers": 1024, "hostRate": "25Gbps",
                                     "fabricRate": "100Gbps", "linkDelay": "500ns"})");
    EXPECT_EQ(tree.servers, 1024U);
    EXPECT_EQ(tree.hostRate, DataRate("25Gbps"));
    EXPECT_EQ(tree.fabricRate, DataRate("100Gbps"));
    EXPECT_EQ(tree.linkDelay, NanoSeconds(500));
    const FabricSpec dumbbell =
        Read(R"({"topology": "dumbbell", "servers": 1, "bottleneckRate": "10Gbps"})");
    EXPECT_EQ(dumbbell.servers, 1U);
    EXPECT_EQ(dumbbell.bottleneckRate, DataRate("10Gbps"));
    EXPECT_EQ(dumbbell.hostRate, DataRate("100Gbps"));
    EXPECT_EQ(Read(R"({"topology": "hpcc-file", "file": "x.txt"})").file, "x.txt");
}

TEST(FabricReader, ReadsTheSwitch)
{
    const FabricSpec fabric = Read(R"({"topology": "back-to-back", "buffer": "16MB", "pfc": true,
        "framing": "none", "mtu": "1000B", "lossRate": 0.01,
        "bufferAlpha": {"100Gbps": 0.125}, "headroom": {"100Gbps": "37500B"}})");
    EXPECT_EQ(fabric.bufferBytes, 16'000'000U);
    EXPECT_EQ(fabric.pfc, true);
    EXPECT_FALSE(fabric.isEthernetFramed);
    EXPECT_EQ(fabric.mtuBytes, 1000U);
    EXPECT_EQ(fabric.lossRate, 0.01);
    EXPECT_EQ(fabric.bufferAlpha.at(100'000'000'000), 0.125);
    EXPECT_EQ(fabric.headroomBytes.at(100'000'000'000), 37'500U);
}
