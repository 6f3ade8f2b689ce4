// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/fabric-keys.h"

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

/// @return the keys of the topology, as they are written.
std::string
WriteTopology(const FabricSpec& fabric)
{
    nlohmann::ordered_json json{{"topology", fabric.topology->GetInfo().name}};
    fabric.topology->Write(json);
    return json.dump();
}

} // namespace

TEST(FabricKeys, ReadsTheKeysOfEachTopology)
{
    const char* const tree = R"({"topology":"fat-tree","servers":1024,"hostRate":"25Gbps",)"
                             R"("fabricRate":"100Gbps","linkDelay":"500ns"})";
    EXPECT_EQ(WriteTopology(Read(tree)), tree);
    EXPECT_EQ(WriteTopology(
                  Read(R"({"topology": "dumbbell", "servers": 1, "bottleneckRate": "10Gbps"})")),
              R"({"topology":"dumbbell","servers":1,"hostRate":"100Gbps",)"
              R"("bottleneckRate":"10Gbps","linkDelay":"1us"})");
    const char* const file = R"({"topology":"hpcc-file","file":"x.txt"})";
    EXPECT_EQ(WriteTopology(Read(file)), file);
}

TEST(FabricKeys, FindsEveryTopologyByItsName)
{
    std::vector<std::string> names;
    for (const auto& kind : MakeKinds(TopologyKind::GetTypeId()))
    {
        names.push_back(kind->GetInfo().name);
    }
    EXPECT_EQ(
        names,
        (std::vector<std::string>{"back-to-back", "dumbbell", "fat-tree", "hpcc-file", "star"}));
}

TEST(FabricKeys, ReadsTheSwitch)
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
