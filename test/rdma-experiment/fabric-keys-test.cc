// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/fabric-keys.h"

#include "../expect-error.h"

#include "ns3/fat-tree-topology.h"
#include "ns3/input-error.h"

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
    const char* const simai = R"({"topology":"simai-file","file":"x.txt"})";
    EXPECT_EQ(WriteTopology(Read(simai)), simai);
}

TEST(FabricKeys, ReadsEachFormOfAFatTree)
{
    const char* const preset = R"({"topology":"fat-tree","preset":"srnic-256","hostRate":"25Gbps",)"
                               R"("fabricRate":"400Gbps","linkDelay":"1us"})";
    EXPECT_EQ(WriteTopology(Read(preset)), preset);
    // Links between switches are as fast as those of servers unless the key says otherwise.
    EXPECT_EQ(WriteTopology(Read(R"({"topology": "fat-tree", "k": 8, "hostRate": "800Gbps"})")),
              R"({"topology":"fat-tree","k":8,"hostRate":"800Gbps","fabricRate":"800Gbps",)"
              R"("linkDelay":"1us"})");
    const char* const racks =
        R"({"topology":"fat-tree","racks":8,"serversPerRack":12,"pods":2,"aggregation":6,)"
        R"("core":6,"hostRate":"100Gbps","oversubscription":3.0,"linkDelay":"1us","planes":2})";
    EXPECT_EQ(WriteTopology(Read(racks)), racks);
    EXPECT_EQ(Read(racks).ports.portsPerNic, 2);
    EXPECT_EQ(WriteTopology(Read(R"({"topology": "fat-tree", "racks": 1, "serversPerRack": 2})")),
              R"({"topology":"fat-tree","racks":1,"serversPerRack":2,"pods":1,"aggregation":0,)"
              R"("core":0,"hostRate":"100Gbps","fabricRate":"100Gbps","linkDelay":"1us"})");
}

TEST(FabricKeys, ReadsLeafSpineRailAndDragonfly)
{
    EXPECT_EQ(
        WriteTopology(Read(
            R"({"topology": "leaf-spine", "leaves": 4, "spines": 2, "serversPerLeaf": 8, "linkDelay": "2us"})")),
        R"({"topology":"leaf-spine","leaves":4,"spines":2,"serversPerLeaf":8,"linksPerSpine":1,)"
        R"("hostRate":"100Gbps","linkDelay":"2us","spineRate":"100Gbps","spineDelay":"2us"})");
    EXPECT_EQ(
        WriteTopology(Read(
            R"({"topology": "rail", "groups": 2, "serversPerGroup": 4, "rails": 8, "spines": 4})")),
        R"({"topology":"rail","groups":2,"serversPerGroup":4,"rails":8,"spines":4,)"
        R"("linksPerSpine":1,"hostRate":"100Gbps","spineRate":"100Gbps","linkDelay":"1us",)"
        R"("spineDelay":"1us"})");
    // a h + 1 groups.
    EXPECT_EQ(WriteTopology(Read(R"({"topology": "dragonfly", "a": 4, "p": 2, "h": 2})")),
              R"({"topology":"dragonfly","a":4,"p":2,"h":2,"groups":9,"hostRate":"100Gbps",)"
              R"("localRate":"100Gbps","globalRate":"100Gbps","linkDelay":"1us",)"
              R"("globalDelay":"1us"})");
}

TEST(FabricKeys, HasAPresetForEachTreeOfSrnic)
{
    for (const uint32_t servers : FatTreeTopology::GetServerCounts())
    {
        const nlohmann::json json{{"topology", "fat-tree"},
                                  {"preset", "srnic-" + std::to_string(servers)}};
        const TopologyGraph graph = Read(json.dump().c_str()).topology->Make(Scenario());
        EXPECT_EQ(graph.GetServers().size(), servers);
    }
}

TEST(FabricKeys, RefusesShapesWhenTheyAreRead)
{
    const auto expect = [](const char* keys, const char* message) {
        const std::string text = std::string(R"({"topology": "fat-tree", )") + keys + "}";
        ExpectError<InputError>([&text] { Read(text.c_str()); }, message);
    };
    expect(R"("servers": 17)", "f: $.fabric: fat-tree: expected one of 16, 64, 256, 1024, 4096");
    expect(R"("servers": 64, "coreRate": "1Gbps")", "f: $.fabric.coreRate: expected no coreRate");
    expect(R"("k": 4, "racks": 4)", "f: $.fabric.racks: expected no racks beside k, got 4");
    expect(R"("k": 4, "core": 0)", "f: $.fabric.core: expected no core without racks, got 0");
    expect(R"("racks": 4)", "f: $.fabric: expected a key \"serversPerRack\", got none");
    expect(R"("racks": 4, "serversPerRack": 1, "aggregation": 0)",
           "f: $.fabric: expected aggregation switches for several racks or a core, got none");
}

TEST(FabricKeys, ListsTheKeysOfAFatTreeByItsForms)
{
    std::vector<std::string> forms;
    std::vector<std::string> details;
    for (const KeyInfo& key : Read(R"({"topology": "fat-tree", "k": 4})").topology->ListKeys())
    {
        auto& names = key.spec.isForm ? forms : details;
        names.push_back(key.name);
        EXPECT_FALSE(key.spec.isForm && !key.otherwise.empty()) << key.name;
    }
    EXPECT_EQ(forms, (std::vector<std::string>{"servers", "preset", "k", "racks"}));
    EXPECT_EQ(details,
              (std::vector<std::string>{"serversPerRack",
                                        "pods",
                                        "aggregation",
                                        "core",
                                        "hostRate",
                                        "oversubscription",
                                        "fabricRate",
                                        "coreRate",
                                        "linkDelay",
                                        "planes"}));
}

TEST(FabricKeys, FindsEveryTopologyByItsName)
{
    std::vector<std::string> names;
    for (const auto& kind : MakeKinds(TopologyKind::GetTypeId()))
    {
        names.push_back(kind->GetInfo().name);
    }
    EXPECT_EQ(names,
              (std::vector<std::string>{"back-to-back",
                                        "dragonfly",
                                        "dumbbell",
                                        "fat-tree",
                                        "hpcc-file",
                                        "leaf-spine",
                                        "rail",
                                        "simai-file",
                                        "star"}));
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
