// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/scenario-writer.h"

#include "scenario-fixture.h"

#include "ns3/run-design.h"

#include <nlohmann/json.hpp>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

class ScenarioWriter : public FolderTest
{
};

TEST_F(ScenarioWriter, WritesAScenarioThatResolvesToItself)
{
    WriteFile("s.cdf", "1000 0\n2000 1\n");
    const std::vector<std::vector<std::string>> variants{
        {},
        {R"(fabric={"topology": "fat-tree", "servers": 16, "ecn": "off", "pfc": false})"},
        {R"(fabric={"topology": "dumbbell", "servers": 2, "bottleneckRate": "10Gbps",
                    "ecn": {"10Gbps": "off"}, "bufferAlpha": {"100Gbps": 0.125},
                    "headroom": {"10Gbps": "40kB"}, "lossRate": 0.001, "framing": "none",
                    "attributes": {"ns3::rdma::FabricSwitch::ResumeMargin": "5000"}})"},
        {R"(workload={"type": "poisson", "sizes": "s.cdf", "load": 0.3, "duration": "1ms"})"},
        {R"(workload={"type": "poisson", "sizes": "s.cdf", "load": 0.3, "duration": "1ms"})",
         R"(run={"fluidStart": "100us", "precision": 0.015, "warmup": "20us"})"},
        {R"(workload={"type": "incast", "senders": 2, "bytes": 7, "repeats": 2, "period": "1us"})"},
        {R"(linkEvents=[{"at": "1ms", "link": [0, 4], "state": "down"}])"},
        {R"(nics=[{"preset": "irn", "name": "x", "congestionControl": "ns3::rdma::Dcqcn",
                   "attributes": {"ns3::rdma::Dcqcn::Gain": "0.5"}}])"},
        {R"(nics=[{"preset": "srnic", "hardware": "on",
                   "attributes": {"ns3::rdma::PcieLink::ReadLatency": "2us"}}])"},
    };
    for (const auto& sets : variants)
    {
        const std::string once = WriteScenario(ReadChanged(sets));
        EXPECT_EQ(WriteScenario(Read(once)), once);
    }
}

TEST_F(ScenarioWriter, ShowsWhatAPresetSetsInTheSwitches)
{
    const Scenario scenario = ReadChanged({R"(nics=["uet", "mrc", "connectx7-ar", "srnic"])"});
    std::vector<nlohmann::json> fabrics;
    for (const NicSpec& nic : scenario.nics)
    {
        const std::string text = WriteRunScenario(scenario, nic, MakeDigest(scenario));
        // The same run again: its scenario is read back as it is.
        auto resolved = nlohmann::ordered_json::parse(text);
        resolved.erase("rocelab");
        const Scenario again = Read(resolved.dump());
        EXPECT_EQ(MakeFabricAttributes(again, again.nics[0]).GetAll(),
                  MakeFabricAttributes(scenario, nic).GetAll());
        fabrics.push_back(nlohmann::json::parse(text)["fabric"]);
    }
    EXPECT_EQ(fabrics[0]["admissionPolicy"], "ns3::rdma::TrimmingAdmission");
    EXPECT_EQ(fabrics[0]["markingPolicy"], "ns3::rdma::RoleMarking");
    EXPECT_EQ(fabrics[0]["attributes"],
              nlohmann::json({{"ns3::rdma::FabricSwitch::TrimPriority", "6"}}));
    EXPECT_FALSE(fabrics[0].contains("ecn")); // RED has no part in it.
    EXPECT_EQ(fabrics[1]["attributes"]["ns3::rdma::RoleMarking::ServerPorts"], "false");
    EXPECT_EQ(fabrics[2]["loadBalancer"], "ns3::rdma::AdaptiveBalancer");
    EXPECT_TRUE(fabrics[2].contains("ecn"));
    EXPECT_FALSE(fabrics[3].contains("attributes"));
    // What the scenario itself has, to compare runs of different presets.
    const auto said = nlohmann::json::parse(
        WriteRunScenario(scenario, scenario.nics[0], MakeDigest(scenario)))["rocelab"]["scenario"];
    EXPECT_TRUE(said["fabric"]["admissionPolicy"].is_null());
    EXPECT_TRUE(said["fabric"]["ecn"].contains("100Gbps"));
}

TEST_F(ScenarioWriter, NamesWhatMadeTheResultsAndOneNic)
{
    ScenarioChanges changes;
    changes.plugins = {"build/scratch/my-cc.so"};
    const Scenario scenario = Read(GOOD_SCENARIO, changes);
    const std::string text = WriteRunScenario(scenario, scenario.nics[1], MakeDigest(scenario));
    const auto json = nlohmann::json::parse(text);
    ASSERT_EQ(json["nics"].size(), 1U);
    EXPECT_EQ(json["nics"][0]["preset"], "srnic");
    EXPECT_EQ(json["rocelab"]["ns3"].get<std::string>().substr(0, 2), "3.");
    EXPECT_EQ(json["rocelab"]["plugins"], nlohmann::json::array({"my-cc.so"}));
    EXPECT_EQ(json["run"]["seed"], 1);
    EXPECT_EQ(json["fabric"]["pfc"], false); // As the preset asks for.
    // Where the scenario lies must not show: two checkouts give the same bytes.
    EXPECT_EQ(text.find(m_folder.string()), std::string::npos);
}
