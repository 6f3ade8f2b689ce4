// SPDX-License-Identifier: GPL-2.0-only
#include "../test-files.h"
#include "run-fixture.h"

#include "ns3/scenario-writer.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{

class LinkLossKeys : public FolderTest
{
  protected:
    /// One flow of 100 packets from server 0 to 1 over switch 4.
    RunReport Run(const std::string& losses) const
    {
        const Scenario scenario = ReadChanged(
            {R"(workload={"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": 102400}]})",
             "fabric.losses=" + losses});
        return RunScenario(scenario, scenario.nics[0]).report;
    }

    std::string FindFault(const std::string& losses) const
    {
        const std::string file = (m_folder / "s.json").string();
        return GetInputError([&] { ReadChanged({"fabric.losses=" + losses}); })
            .substr(file.size() + 2);
    }
};

TEST_F(LinkLossKeys, AListOfFramesIsLostOnOneDirectionOfOneLink)
{
    // Three data packets of the sender; its link's other direction carries acknowledgments.
    const char* const frames = R"("attributes": {"ns3::rdma::ScriptedLoss::Frames": "3,50-51"}}])";
    const RunReport forward = Run(std::string(R"([{"link": [0, 4], "direction": "forward",
                             "model": "ns3::rdma::ScriptedLoss", )") +
                                  frames);
    EXPECT_EQ(forward.drops.at("link-loss"), 3U);
    EXPECT_EQ(forward.retransmitted, 3U);
    // Frames 3, 50 and 51 of each direction.
    const RunReport both =
        Run(std::string(R"([{"link": [4, 0], "model": "ns3::rdma::ScriptedLoss", )") + frames);
    EXPECT_EQ(both.drops.at("link-loss"), 6U);
    // No flow passes there.
    const RunReport elsewhere =
        Run(std::string(R"([{"link": [2, 4], "model": "ns3::rdma::ScriptedLoss", )") + frames);
    EXPECT_EQ(elsewhere.drops.at("link-loss"), 0U);
}

TEST_F(LinkLossKeys, EveryModelCanBeChosen)
{
    const std::string models[]{
        R"("ns3::rdma::UniformLoss", "attributes": {"ns3::rdma::UniformLoss::LossRate": 0.05})",
        R"("ns3::rdma::GilbertElliottLoss", "attributes": {
             "ns3::rdma::GilbertElliottLoss::ToBad": 0.05,
             "ns3::rdma::GilbertElliottLoss::ToGood": 0.5})",
        R"("ns3::rdma::LinkImpairment", "attributes": {
             "ns3::rdma::LinkImpairment::LossRate": 0.05,
             "ns3::rdma::LinkImpairment::DuplicateRate": 0.05,
             "ns3::rdma::LinkImpairment::ReorderRate": 0.05,
             "ns3::rdma::LinkImpairment::MaxExtraDelay": "3us"})",
    };
    for (const std::string& model : models)
    {
        const RunReport report = Run("[{\"model\": " + model + "}]");
        EXPECT_GT(report.drops.at("link-loss"), 0U) << model;
        EXPECT_TRUE(report.violations.empty()) << model;
    }
}

TEST_F(LinkLossKeys, ALaterEntryReplacesAnEarlierOneAndTheLossRate)
{
    const char* const none = R"({"model": "ns3::rdma::UniformLoss"})";
    const char* const half = R"({"model": "ns3::rdma::UniformLoss",
                                 "attributes": {"ns3::rdma::UniformLoss::LossRate": 0.5}})";
    EXPECT_GT(Run(std::string("[") + none + "," + half + "]").drops.at("link-loss"), 0U);
    EXPECT_EQ(Run(std::string("[") + half + "," + none + "]").drops.at("link-loss"), 0U);
    const Scenario scenario =
        ReadChanged({"fabric.lossRate=0.5", std::string("fabric.losses=[") + none + "]"});
    EXPECT_EQ(RunScenario(scenario, scenario.nics[0]).report.drops.at("link-loss"), 0U);
    const std::string once = WriteScenario(scenario);
    EXPECT_EQ(WriteScenario(Read(once)), once);
}

TEST_F(LinkLossKeys, BadInputIsOneLine)
{
    const std::pair<const char*, const char*> cases[]{
        {R"([{"link": [0, 1], "model": "ns3::rdma::UniformLoss"}])",
         "$.fabric.losses[0].link: expected two nodes with a link between them, got [0,1]"},
        {R"([{"link": [0], "model": "ns3::rdma::UniformLoss"}])",
         "$.fabric.losses[0].link: expected two node ids, got 1"},
        {R"([{"link": [0, 4]}])", "$.fabric.losses[0]: expected a key \"model\", got none"},
        {R"([{"model": "ns3::rdma::UnifromLoss"}])",
         "$.fabric.losses[0].model: expected a type below ns3::rdma::LossModel (nearest: "
         "ns3::rdma::UniformLoss"},
        {R"([{"model": "ns3::rdma::UniformLoss", "direction": "forward"}])",
         "$.fabric.losses[0].direction: expected \"both\" without a link"},
        {R"([{"model": "ns3::rdma::UniformLoss",
              "attributes": {"ns3::rdma::GilbertElliottLoss::ToBad": 0.1}}])",
         "$.fabric.losses[0].attributes.ns3::rdma::GilbertElliottLoss::ToBad: expected an "
         "attribute of ns3::rdma::UniformLoss"},
        {R"([{"model": "ns3::rdma::UniformLoss",
              "attributes": {"ns3::rdma::UniformLoss::LossRate": 1.5}}])",
         "$.fabric.losses[0].attributes.ns3::rdma::UniformLoss::LossRate: expected a "},
        {R"([{"model": "ns3::rdma::ScriptedLoss",
              "attributes": {"ns3::rdma::ScriptedLoss::Frames": "5-3"}}])",
         "$.fabric.losses[0].attributes: expected a loss model that can be made, got "
         "ns3::rdma::ScriptedLoss::Frames: expected numbers and ranges such as 0,5,7-9, got "
         "\"5-3\""},
    };
    for (const auto& [losses, message] : cases)
    {
        const std::string found = FindFault(losses);
        EXPECT_EQ(found.rfind(message, 0), 0U) << found;
    }
}

} // namespace
