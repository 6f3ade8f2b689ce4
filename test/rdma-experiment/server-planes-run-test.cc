// SPDX-License-Identifier: GPL-2.0-only
#include "../test-files.h"
#include "run-fixture.h"

#include "ns3/host-report.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Four servers on two planes: switch 4, and switch 5, which fails.
constexpr const char* PLANES{R"({
  "name": "planes",
  "fabric": {"topology": "star", "servers": 4, "linkDelay": "1us", "portsPerNic": 2},
  "linkEvents": [{"at": "20us", "switch": 5, "state": "down"}],
  "nics": [{"name": "fixed", "preset": "irn"},
           {"name": "failover", "preset": "irn",
            "attributes": {"ns3::rdma::RdmaNic::PathSelector": "ns3::rdma::FailoverPath"}}],
  "workload": {"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": "1MB"},
                                          {"src": 0, "dst": 2, "bytes": "1MB"},
                                          {"src": 0, "dst": 1, "bytes": 1000, "start": "100us"},
                                          {"src": 0, "dst": 2, "bytes": 1000, "start": "100us"}]}
})"};

class ServerPlanesRun : public FolderTest
{
  protected:
    Scenario ReadPlanes(const std::vector<std::string>& sets = {}) const
    {
        ScenarioChanges changes;
        changes.sets = sets;
        return Read(PLANES, changes);
    }
};

/// @return lines of flows.csv by flow number, of those that ended so.
std::vector<int>
FindFlows(const std::string& flows, const std::string& status)
{
    std::vector<int> found;
    std::istringstream lines(flows);
    for (std::string line; std::getline(lines, line);)
    {
        if (line.size() > status.size() &&
            line.compare(line.size() - status.size(), status.size(), status) == 0)
        {
            found.push_back(std::stoi(line));
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

TEST_F(ServerPlanesRun, FlowsOnAFixedPathFailWithTheirPlane)
{
    const Scenario scenario = ReadPlanes();
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    // Ports are assigned in turn: flow 1 began on plane 1. Later flows take the port that is up.
    EXPECT_EQ(FindFlows(outcome.flows, ",completed"), (std::vector<int>{0, 2, 3})) << outcome.flows;
    EXPECT_EQ(FindFlows(outcome.flows, ",failed"), std::vector<int>{1}) << outcome.flows;
    EXPECT_TRUE(outcome.report.violations.empty()) << outcome.report.violations.front();
}

TEST_F(ServerPlanesRun, FlowsFailOverToTheOtherPlane)
{
    for (const char* hardware : {"off", "on"})
    {
        for (const char* preset : {"connectx6", "irn", "srnic", "balboa"})
        {
            const Scenario scenario = ReadPlanes({std::string("nics[1].hardware=") + hardware,
                                                  std::string("nics[1].preset=") + preset});
            const RunOutcome outcome = RunScenario(scenario, scenario.nics[1]);
            EXPECT_EQ(outcome.completed, 4U) << preset << ' ' << hardware << '\n' << outcome.flows;
            EXPECT_GT(outcome.report.retransmitted, 0U); // What was in flight.
            EXPECT_TRUE(outcome.report.violations.empty()) << outcome.report.violations.front();
        }
    }
}

TEST_F(ServerPlanesRun, APathThatFailsBehindTheFirstSwitchIsLeftAfterExpiries)
{
    // Plane 1's ToRs are 72 to 75, its aggregates 76 to 79: these fail, and all links of servers
    // stay up.
    std::string events;
    for (int aggregate = 76; aggregate < 80; ++aggregate)
    {
        events += (events.empty() ? "" : ", ") + std::string(R"({"at": "20us", "switch": )") +
                  std::to_string(aggregate) + R"(, "state": "down"})";
    }
    const Scenario scenario = ReadPlanes({
        R"(fabric={"topology": "fat-tree", "servers": 64, "portsPerNic": 2})",
        "linkEvents=[" + events + "]",
        R"(workload={"type": "flows", "flows": [{"src": 0, "dst": 63, "bytes": "1MB"},
                                                {"src": 0, "dst": 62, "bytes": "1MB"}]})",
    });
    const RunOutcome fixed = RunScenario(scenario, scenario.nics[0]);
    EXPECT_EQ(FindFlows(fixed.flows, ",failed"), std::vector<int>{1}) << fixed.flows;
    const RunOutcome failover = RunScenario(scenario, scenario.nics[1]);
    EXPECT_EQ(failover.completed, 2U) << failover.flows;
    EXPECT_EQ(failover.report.timeouts, 2U); // FailoverPath::Expiries.
}

TEST_F(ServerPlanesRun, BothPortsCarryAsMuchAsTwoNics)
{
    const Scenario scenario =
        ReadPlanes({"linkEvents=[]",
                    R"(workload={"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": "1MB"},
                                                 {"src": 0, "dst": 1, "bytes": "1MB"}]})"});
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    EXPECT_EQ(outcome.completed, 2U);
    // Slowdown 1: 977 packets each, none of which waits for the other flow.
    EXPECT_NE(outcome.flows.find("\n0,0,1,1000000,0,91763.84,91763.84,1,977,0,0,"),
              std::string::npos)
        << outcome.flows;
    EXPECT_NE(outcome.flows.find("\n1,0,1,1000000,0,91763.84,91763.84,1,977,0,0,"),
              std::string::npos)
        << outcome.flows;
    EXPECT_EQ(outcome.report.retransmitted, 0U);
}

namespace
{
/// @return the completion times of two flows, us, in the order of their numbers.
std::vector<double>
GetTimes(const std::string& flows)
{
    std::vector<double> times(2);
    std::istringstream lines(flows);
    std::string line;
    for (std::getline(lines, line); std::getline(lines, line);)
    {
        std::istringstream fields(line);
        std::string field;
        std::getline(fields, field, ',');
        const std::size_t flow = std::stoul(field);
        for (int column = 0; column < 5; ++column)
        {
            std::getline(fields, field, ',');
        }
        times.at(flow) = std::stod(field) / 1000;
    }
    return times;
}
} // namespace

// Two flows of 10 MB, one per port, take T. The second one's link is down from 200 to 400 us.
// With failback both share a port for these 200 us, and lose half of them: T + 100 us. With
// failover they share it to the end: 2 T - 200 us.
TEST_F(ServerPlanesRun, AFlowReturnsToItsPortWhenTheLinkIsUpAgain)
{
    const std::string flows =
        R"(workload={"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": "10MB"},
                                                {"src": 0, "dst": 1, "bytes": "10MB"}]})";
    const std::string flap = R"(linkEvents=[{"at": "200us", "link": [0, 5], "state": "down"},
                                            {"at": "400us", "link": [0, 5], "state": "up"}])";
    const std::string failback =
        R"(nics[1].attributes={"ns3::rdma::RdmaNic::PathSelector": "ns3::rdma::FailbackPath"})";
    for (const char* preset : {"connectx6", "irn", "srnic"})
    {
        const std::string nic = std::string("nics[1].preset=") + preset;
        const auto run = [this, &flows, &nic](const std::vector<std::string>& sets) {
            std::vector<std::string> all{flows, nic};
            all.insert(all.end(), sets.begin(), sets.end());
            const Scenario scenario = ReadPlanes(all);
            const RunOutcome outcome = RunScenario(scenario, scenario.nics[1]);
            EXPECT_EQ(outcome.completed, 2U) << outcome.flows;
            return GetTimes(outcome.flows);
        };
        const double alone = run({"linkEvents=[]"})[0];
        const std::vector<double> returned = run({flap, failback});
        const std::vector<double> stayed = run({flap});
        for (const int flow : {0, 1})
        {
            EXPECT_NEAR(returned[flow], alone + 100, 0.03 * alone) << preset << flow;
            EXPECT_NEAR(stayed[flow], 2 * alone - 200, 0.03 * alone) << preset << flow;
        }
    }
}

TEST_F(ServerPlanesRun, SharedQueuePairsOfAGraphFailOver)
{
    const Scenario scenario = ReadPlanes({R"(workload={"type": "graph", "operations": [
        {"id": "a", "src": 0, "dst": 1, "bytes": "100kB", "queuePair": "x"},
        {"id": "b", "src": 0, "dst": 2, "bytes": "100kB", "queuePair": "y"},
        {"id": "c", "src": 0, "dst": 2, "bytes": "100kB", "after": ["b"], "delay": "30us", "queuePair": "y"}]})"});
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[1]);
    EXPECT_EQ(outcome.completed, 3U) << outcome.flows;
}

TEST_F(ServerPlanesRun, ANicWithTwoPortsHasOneRowAndOneSetOfCounts)
{
    const Scenario scenario = ReadPlanes({"nics[0].hardware=on", "linkEvents=[]"});
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    EXPECT_EQ(outcome.completed, 4U);
    ASSERT_EQ(GetHosts(outcome.report.parts).size(), 4U);
    EXPECT_GT(GetHosts(outcome.report.parts)[0].pcieDownBytes,
              2'000'000U); // Payload of both ports.
}

TEST_F(ServerPlanesRun, TheExampleEndsAsItsPageSays)
{
    const auto file = GetCheckout() / "examples/fabric/two-planes/two-planes.json";
    const Scenario scenario = ReadScenario(file.string());
    const RunOutcome fixed = RunScenario(scenario, scenario.nics[0]);
    EXPECT_EQ(fixed.completed, 80U) << fixed.flows;
    EXPECT_EQ(FindFlows(fixed.flows, ",failed").size(), 16U) << fixed.flows;
    EXPECT_EQ(RunScenario(scenario, scenario.nics[1]).completed, 96U);
}

TEST_F(ServerPlanesRun, AnswersBadInputWithOneLineThatNamesThePlace)
{
    struct BadCase
    {
        std::string set;
        std::string message;
    };

    const std::vector<BadCase> cases{
        {"fabric.portsPerNic=0", "$.fabric.portsPerNic: expected a whole number from 1 to 16"},
        {"fabric.portsPerNic=17", "$.fabric.portsPerNic: expected a whole number from 1 to 16"},
        {"linkEvents[0].switch=6", "$.linkEvents[0].switch: expected the node id of a switch"},
        {R"(linkEvents=[{"at": "1us", "link": [0, 5], "port": 0, "state": "down"}])",
         "$.linkEvents[0].port: expected a port of the server that the link is at, got 0"},
        {R"(nics[0].attributes={"ns3::rdma::RdmaNic::PathSelector": "ns3::rdma::NoPath"})",
         "$.nics[0].attributes"},
        {R"(nics[0].attributes={"ns3::rdma::FailoverPath::Expiries": 3})",
         "$.nics[0].attributes.ns3::rdma::FailoverPath::Expiries: expected an attribute that has "
         "an effect on fixed"},
    };
    for (const BadCase& bad : cases)
    {
        const std::string message = GetInputError([&] { ReadPlanes({bad.set}); });
        EXPECT_EQ(message.find((m_folder / "s.json").string() + ": " + bad.message), 0U)
            << bad.set << '\n'
            << message;
        EXPECT_EQ(message.find('\n'), std::string::npos);
    }
}

} // namespace
