// SPDX-License-Identifier: GPL-2.0-only
#include "../test-files.h"
#include "run-fixture.h"

#include "ns3/run-design.h"
#include "ns3/scenario-writer.h"

#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr const char* MIXED{R"({
  "name": "mixed",
  "fabric": {"topology": "star", "servers": 8, "linkDelay": "1us"},
  "groups": {"stores": [0, 1], "clients": [2, 5]},
  "nics": ["connectx6",
           {"name": "mixed", "groups": {"stores": "balboa", "clients": "connectx6"},
            "default": {"preset": "balboa", "attributes": {"ns3::rdma::FixedTimeout::Timeout": "9ms"}}}],
  "workload": {"type": "incast", "senders": 7, "bytes": "100kB"}
})"};

class MixedFabric : public FolderTest
{
  protected:
    Scenario ReadMixed(const std::vector<std::string>& sets) const
    {
        ScenarioChanges changes;
        changes.sets = sets;
        return Read(MIXED, changes);
    }
};

std::string
GetControl(const Scenario& scenario, uint32_t server)
{
    const DesignSpec* design = FindDesign(scenario, scenario.nics[1], server);
    return design->attributes.at("ns3::rdma::RdmaNic::CongestionControl");
}

TEST_F(MixedFabric, GivesEachServerTheNicOfItsGroup)
{
    const Scenario scenario = Read(MIXED);
    EXPECT_EQ(GetControl(scenario, 0), "ns3::rdma::AckClockedCredits");
    EXPECT_EQ(GetControl(scenario, 5), "ns3::rdma::Dcqcn");
    EXPECT_EQ(FindDesign(scenario, scenario.nics[1], 6), &scenario.nics[1]);
    EXPECT_EQ(scenario.nics[1].attributes.at("ns3::rdma::FixedTimeout::Timeout"), "9ms");
    EXPECT_EQ(FindDesign(scenario, scenario.nics[0], 0), &scenario.nics[0]);

    SimulationRun run(scenario, scenario.nics[1]);
    const NodeContainer& nodes = run.GetFabric().GetNodes();
    TypeIdValue control;
    nodes.Get(1)->GetObject<RdmaNic>()->GetAttribute("CongestionControl", control);
    EXPECT_EQ(control.Get().GetName(), "ns3::rdma::AckClockedCredits");
    nodes.Get(2)->GetObject<RdmaNic>()->GetAttribute("CongestionControl", control);
    EXPECT_EQ(control.Get().GetName(), "ns3::rdma::Dcqcn");
}

TEST_F(MixedFabric, AllFlowsCompleteBetweenDifferentNics)
{
    const Scenario scenario = Read(MIXED);
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[1]);
    EXPECT_EQ(outcome.completed, 7U);
    EXPECT_TRUE(outcome.report.violations.empty()) << outcome.report.violations.front();
    EXPECT_NE(outcome.flows, RunScenario(scenario, scenario.nics[0]).flows);
}

TEST_F(MixedFabric, GroupsOfOneDesignAreAsIfThereWereNone)
{
    const Scenario scenario = ReadMixed(
        {R"(nics[1]={"name": "same", "groups": {"stores": "connectx6"}, "default": "connectx6"})"});
    EXPECT_EQ(RunScenario(scenario, scenario.nics[1], true).fingerprint,
              RunScenario(scenario, scenario.nics[0], true).fingerprint);
}

TEST_F(MixedFabric, HasPfcIfAnyDesignNeedsIt)
{
    const Scenario scenario = ReadMixed(
        {R"(nics[0]={"name": "none", "groups": {"stores": "strom10g"}, "default": "balboa"})"});
    EXPECT_FALSE(HasPfc(scenario, scenario.nics[0]));
    EXPECT_TRUE(HasPfc(scenario, scenario.nics[1]));
    const auto json =
        nlohmann::json::parse(WriteRunScenario(scenario, scenario.nics[1], MakeDigest(scenario)));
    EXPECT_EQ(json["fabric"]["pfc"], true);
    EXPECT_EQ(json["nics"][0]["groups"]["stores"]["preset"], "balboa");
    EXPECT_EQ(json["nics"][0]["default"]["preset"], "balboa");
}

TEST_F(MixedFabric, GroupsStandInTheResolvedScenarioAndInItsHash)
{
    const Scenario scenario = Read(MIXED);
    const std::string once = WriteScenario(scenario);
    EXPECT_EQ(WriteScenario(Read(once)), once);
    const Scenario other = ReadMixed({"groups.stores=[0]"});
    EXPECT_NE(MakeDigest(other).hash, MakeDigest(scenario).hash);
}

TEST_F(MixedFabric, WorkloadsNameGroups)
{
    WriteFile("s.cdf", "1000 0\n2000 1\n");
    const Scenario poisson = ReadMixed({R"(workload={"type": "poisson", "sizes": "s.cdf",
        "load": 0.3, "duration": "20us", "sources": "clients", "destinations": "stores"})"});
    std::istringstream rows(RunScenario(poisson, poisson.nics[1]).flows);
    std::string row;
    std::getline(rows, row);
    int count = 0;
    for (; std::getline(rows, row); ++count)
    {
        unsigned src = 0;
        unsigned dst = 0;
        ASSERT_EQ(std::sscanf(row.c_str(), "%*u,%u,%u", &src, &dst), 2);
        EXPECT_TRUE(src >= 2 && src <= 5 && dst <= 1) << row;
    }
    EXPECT_GT(count, 100); // 4 x 20 us x 0.3 x 12.5 GB/s / 1500 B = 200 on average.
    EXPECT_EQ(WriteScenario(Read(WriteScenario(poisson))), WriteScenario(poisson));

    // The receiver is a client itself: three others send.
    const Scenario incast = ReadMixed({"workload.senders=clients", "workload.receiver=3"});
    EXPECT_EQ(RunScenario(incast, incast.nics[1]).completed, 3U);
    EXPECT_EQ(WriteScenario(Read(WriteScenario(incast))), WriteScenario(incast));
}

TEST_F(MixedFabric, ServersThatDoNotTalkNeedNotUnderstandEachOther)
{
    const Scenario scenario = ReadMixed(
        {R"(nics[1]={"name": "apart", "groups": {"stores": "srnic"}, "default": "connectx6"})",
         "workload.senders=clients",
         "workload.receiver=3"});
    EXPECT_EQ(RunScenario(scenario, scenario.nics[1]).completed, 3U);
}

TEST_F(MixedFabric, BadGroupsAreOneLine)
{
    const std::string poisson{R"(workload={"type": "poisson", "sizes": "s.cdf", "load": 0.3,
                                 "duration": "1us", "sources": "stroes"})"};
    const std::pair<std::vector<std::string>, const char*> cases[]{
        {{"groups.clients=[1, 5]"},
         "$.groups.stores: expected each server at most once in all groups, got server 1, which is "
         "in \"clients\" already"},
        {{"groups.stores=[[0, 0], [6, 9]]"},
         "$.groups.stores: expected servers of the topology, which has 8, got "},
        {{"nics[1].groups.clint=irn"},
         "$.nics[1].groups.clint: expected a group of $.groups (nearest: clients), got \"clint\""},
        {{R"(nics[1]={"name": "x", "groups": {"stores": "balboa"}})"},
         "$.nics[1]: expected a key \"default\", got none for server 2, which is in none of its "
         "groups"},
        {{R"(nics[1]={"groups": {"stores": "balboa"}, "default": "balboa"})"},
         "$.nics[1]: expected a key \"name\", got none"},
        {{R"(nics[1]={"name": "x", "groups": {}, "default": "balboa"})"},
         "$.nics[1].groups: expected an object of at least 1, got 0"},
        {{R"(nics[1]={"name": "x", "preset": "irn", "groups": {"stores": "balboa"}})"},
         "$.nics[1].groups: expected no groups beside preset"},
        {{R"(nics[1]={"name": "x", "hardware": "on", "groups": {"stores": "balboa"}})"},
         "$.nics[1].hardware: expected no such key beside groups, got \"on\""},
        {{R"(nics[1]={"preset": "irn", "default": "balboa"})"},
         "$.nics[1].default: expected no default without groups, got \"balboa\""},
        {{R"(nics[1].groups.stores={"preset": "balboa", "name": "x"})"},
         "$.nics[1].groups.stores.name: expected a known key"},
        {{"nics[1].groups.stores=srnik"},
         "$.nics[1].groups.stores: expected a NIC preset (nearest: srnic), got \"srnik\""},
        {{"nics[1].groups.stores=srnic"},
         "$.nics: expected NICs in \"mixed\" that understand each other where there are flows, got "
         "ns3::rdma::IbtaFormat and ns3::rdma::SrnicFormat at servers 2 and 0"},
        {{R"(nics[1].groups.stores={"preset": "balboa",
             "attributes": {"ns3::rdma::RdmaNic::Ipv6": true}})"},
         "$.nics: expected NICs in \"mixed\" that understand each other where there are flows, got "
         "IPv4 and IPv6 at servers 2 and 0"},
        {{R"(nics[1].groups.stores={"preset": "balboa",
             "lossDetector": "ns3::rdma::SelectiveRepeat"})"},
         "$.nics: expected NICs in \"mixed\" that understand each other where there are flows, got "
         "a receiver that drops packets out of order and a receiver that keeps packets out of "
         "order at servers 2 and 0"},
        {{"workload.senders=client"},
         "$.workload.senders: expected a group of $.groups (nearest: clients), got \"client\""},
        {{poisson}, "$.workload.sources: expected a group of $.groups (nearest: stores"},
    };
    const std::string file = (m_folder / "s.json").string();
    for (const auto& [sets, message] : cases)
    {
        const std::string found = GetInputError([this, &sets = sets] { ReadMixed(sets); });
        EXPECT_EQ(found.rfind(file + ": " + message, 0), 0U) << found;
        EXPECT_EQ(found.find('\n'), std::string::npos);
    }
}

} // namespace
