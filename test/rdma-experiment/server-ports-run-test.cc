// SPDX-License-Identifier: GPL-2.0-only
#include "../test-files.h"
#include "run-fixture.h"

#include "ns3/host-report.h"
#include "ns3/scenario-builder.h"
#include "ns3/scenario-writer.h"
#include "ns3/server-nics.h"

#include <sstream>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Ten clients write to one store at once.
constexpr const char* STORE{R"({
  "name": "store",
  "fabric": {"topology": "star", "servers": 11, "linkDelay": "1us", "nicsPerServer": {"store": 10}},
  "groups": {"store": [0], "clients": [1, 10]},
  "nics": ["connectx6"],
  "workload": {"type": "incast", "senders": 10, "receiver": 0, "bytes": "1MB"}
})"};

class ServerPortsRun : public FolderTest
{
  protected:
    Scenario ReadStore(const std::vector<std::string>& sets) const
    {
        ScenarioChanges changes;
        changes.sets = sets;
        return Read(STORE, changes);
    }
};

/// @return a column of flows.csv as numbers. @param column from 0
std::vector<double>
ReadColumn(const std::string& flows, int column)
{
    std::vector<double> values;
    std::istringstream lines(flows);
    std::string line;
    std::getline(lines, line); // Names.
    while (std::getline(lines, line))
    {
        std::istringstream fields(line);
        std::string field;
        for (int i = 0; i <= column; ++i)
        {
            std::getline(fields, field, ',');
        }
        values.push_back(std::stod(field));
    }
    return values;
}

constexpr int SRC{1};
constexpr int DST{2};
constexpr int SLOWDOWN{7};

TEST_F(ServerPortsRun, TenNicsOfAServerTakeTenFlowsAtFullRate)
{
    const Scenario scenario = ReadStore({});
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    EXPECT_EQ(outcome.completed, 10U);
    EXPECT_TRUE(outcome.report.violations.empty()) << outcome.report.violations.front();
    // Each flow has a link of its own at either end.
    EXPECT_EQ(ReadColumn(outcome.flows, SLOWDOWN), std::vector<double>(10, 1.0)) << outcome.flows;
    // The results name servers, not NICs.
    EXPECT_EQ(ReadColumn(outcome.flows, SRC), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    EXPECT_EQ(ReadColumn(outcome.flows, DST), std::vector<double>(10, 0.0));

    // With one NIC, ten flows share its link: the last one takes about ten times as long.
    const Scenario one = ReadStore({"fabric.nicsPerServer=1"});
    const std::vector<double> slowdowns = ReadColumn(RunScenario(one, one.nics[0]).flows, SLOWDOWN);
    EXPECT_GT(*std::max_element(slowdowns.begin(), slowdowns.end()), 9);
}

TEST_F(ServerPortsRun, TheLoadOfAServerIsThatOfAllItsLinks)
{
    WriteFile("fixed.cdf", "100000 0\n100000 100\n");
    const std::vector<std::string> poisson{
        R"(workload={"type": "poisson", "sizes": "fixed.cdf", "load": 0.5, "duration": "1ms"})",
        "nics=[\"irn\"]"};
    std::vector<std::string> more = poisson;
    more.push_back("fabric.nicsPerServer=4");
    std::vector<std::string> plain = poisson;
    plain.push_back("fabric.nicsPerServer=1");
    const auto count = [this](const std::vector<std::string>& sets) {
        const Scenario scenario = ReadStore(sets);
        const auto graph = MakeTopology(scenario);
        return static_cast<double>(*MakeFlowSource(scenario, graph)->GetFlowCount());
    };
    // 11 x 0.5 x 100 Gb/s x 1 ms / 800 kb = 688 flows with one NIC; the deviation is 26.
    EXPECT_NEAR(count(plain), 688, 110);
    EXPECT_NEAR(count(more), 4 * 688, 220);
}

TEST_F(ServerPortsRun, EachNicHasARowOfItsOwn)
{
    const Scenario scenario = ReadStore({R"(nics=[{"preset": "connectx6", "hardware": "on"}])"});
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    ASSERT_EQ(GetHosts(outcome.report.parts).size(), 20U); // Ten of the store, one of each client.
    for (uint32_t nic = 0; nic < 10; ++nic)
    {
        EXPECT_EQ(GetHosts(outcome.report.parts)[nic].server, 0U);
        EXPECT_EQ(GetHosts(outcome.report.parts)[nic].nic, nic);
        EXPECT_GT(GetHosts(outcome.report.parts)[nic].pcieUpBytes, 1'000'000U); // One flow each.
    }
    EXPECT_EQ(GetHosts(outcome.report.parts)[10].server, 1U);
}

TEST_F(ServerPortsRun, SeveralNicsInEachServerOfAFatTree)
{
    const Scenario scenario = ReadStore(
        {R"(fabric={"topology": "fat-tree", "servers": 16, "nicsPerServer": 3})",
         R"(groups={"store": [0]})",
         R"(workload={"type": "incast", "senders": 15, "receiver": 0, "bytes": "50kB", "repeats": 2, "period": "5us"})"});
    SimulationRun run(scenario, scenario.nics[0]);
    EXPECT_EQ(GetNics(run.GetFabric().GetNode(5)).size(), 3U);
    std::ostringstream flows;
    FlowLog log(flows);
    run.Run(log, [](const RunProgress&) { return true; });
    EXPECT_EQ(log.GetCount(FlowStatus::COMPLETED), 30U);
}

TEST_F(ServerPortsRun, TheExampleGivesEachFlowANicOfItsOwn)
{
    const auto file = GetCheckout() / "examples/start/ten-nics/ten-nics.json";
    const Scenario scenario = ReadScenario(file.string());
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    EXPECT_EQ(outcome.completed, 10U);
    EXPECT_EQ(GetHosts(outcome.report.parts).size(), 20U);
    for (const double slowdown : ReadColumn(outcome.flows, SLOWDOWN))
    {
        EXPECT_LT(slowdown, 1.1);
    }
}

TEST_F(ServerPortsRun, KeysAreWrittenBackOnlyIfTheySaySomething)
{
    const std::string with = WriteScenario(ReadStore({}));
    EXPECT_NE(with.find(R"("nicsPerServer": {)"), std::string::npos) << with;
    const std::string three = WriteScenario(ReadStore({"fabric.nicsPerServer=3"}));
    EXPECT_NE(three.find(R"("nicsPerServer": 3)"), std::string::npos) << three;
    const std::string plain = WriteScenario(ReadStore({"fabric.nicsPerServer=1"}));
    EXPECT_EQ(plain.find("nicsPerServer"), std::string::npos) << plain;
}

struct BadCase
{
    std::string set;
    std::string message;
};

TEST_F(ServerPortsRun, AnswersBadInputWithOneLineThatNamesThePlace)
{
    const std::vector<BadCase> cases{
        {"fabric.nicsPerServer=0", "$.fabric.nicsPerServer: expected a whole number from 1 to 64"},
        {"fabric.nicsPerServer=65", "$.fabric.nicsPerServer: expected a whole number from 1 to 64"},
        {"fabric.nicsPerServer=\"two\"", "$.fabric.nicsPerServer: expected a whole number"},
        {R"(fabric.nicsPerServer={"stores": 2})",
         "$.fabric.nicsPerServer.stores: expected a group of $.groups (nearest: store"},
        {R"(fabric.nicsPerServer={"store": 0})",
         "$.fabric.nicsPerServer.store: expected a whole number from 1 to 64"},
        {R"(fabric={"topology": "back-to-back", "nicsPerServer": 2})",
         "$.fabric: expected a topology with switches for more than one NIC or port"},
        {R"(linkEvents=[{"at": "1us", "link": [0, 11], "nic": 10, "state": "down"}])",
         "$.linkEvents[0].nic: expected a nic of the server that the link is at, got 10, which is "
         "not there"},
        {R"(linkEvents=[{"at": "1us", "link": [0, 11], "port": 1, "state": "down"}])",
         "$.linkEvents[0].port: expected a port of the server that the link is at, got 1, which is "
         "not there"},
        {R"(linkEvents=[{"at": "1us", "switch": 3, "state": "down"}])",
         "$.linkEvents[0].switch: expected the node id of a switch, got 3"},
        {R"(linkEvents=[{"at": "1us", "switch": 11, "link": [0, 11], "state": "down"}])",
         "$.linkEvents[0].link: expected no link beside switch or server, got a list"},
        {R"(fabric.losses=[{"link": [0, 11], "nic": 11, "model": "ns3::rdma::UniformLoss"}])",
         "$.fabric.losses[0].nic: expected a nic of the server that the link is at, got 11"},
        {R"(workload={"type": "flows", "flows": [{"src": 12, "dst": 1, "bytes": 1}]})",
         "$.workload.flows[0]: expected a server as source (0 to 10), got 12"},
    };
    for (const BadCase& bad : cases)
    {
        const std::string message = GetInputError([&] { ReadStore({bad.set}); });
        EXPECT_EQ(message.find((m_folder / "s.json").string() + ": " + bad.message), 0U)
            << bad.set << '\n'
            << message;
        EXPECT_EQ(message.find('\n'), std::string::npos);
    }
}

TEST_F(ServerPortsRun, LinkEventsNameTheLinksOfANicOrASwitch)
{
    const auto countMeant = [this](const std::string& event) {
        const Scenario scenario = ReadStore({"linkEvents=[" + event + "]"});
        const TopologyGraph graph = MakeTopology(scenario);
        uint32_t count = 0;
        for (const GraphLink& link : graph.links)
        {
            count += scenario.linkEvents[0].Matches(graph, link);
        }
        return count;
    };
    EXPECT_EQ(countMeant(R"({"at": "1us", "link": [11, 0], "state": "down"})"), 10U);
    EXPECT_EQ(countMeant(R"({"at": "1us", "link": [0, 11], "nic": 9, "state": "down"})"), 1U);
    EXPECT_EQ(countMeant(R"({"at": "1us", "link": [1, 11], "state": "down"})"), 1U);
    EXPECT_EQ(countMeant(R"({"at": "1us", "switch": 11, "state": "down"})"), 20U);
}

} // namespace
