// SPDX-License-Identifier: GPL-2.0-only
#include "run-fixture.h"

namespace ns3::rdma
{
namespace
{

/// Three servers; the link of server 1 is down from 150 us to 600 us.
constexpr const char* INTERRUPTED{R"({
  "name": "interrupted",
  "fabric": {"topology": "star", "servers": 3, "linkDelay": "1us"},
  "nics": ["srnic"],
  "workload": {"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": "100kB", "start": "200us"}]},
  "linkEvents": [{"at": "150us", "link": [1, 3], "state": "down"},
                 {"at": "600us", "link": [1, 3], "state": "up"}]
})"};

/// Eight senders into one port, lossless, with headroom that cannot hold what PFC is too late for.
constexpr const char* NO_HEADROOM{R"({
  "name": "no-headroom",
  "fabric": {"topology": "star", "servers": 9, "linkDelay": "1us", "buffer": "200kB",
             "headroom": {"100Gbps": "1B"}, "pfc": true, "ecn": "off"},
  "nics": ["connectx6"],
  "workload": {"type": "incast", "senders": 8, "receiver": 0, "bytes": "1MB"},
  "run": {"stallLimit": "10us"}
})"};

class SimulationRunTest : public FolderTest
{
};

TEST_F(SimulationRunTest, AFlowThatStartsWhileItsLinkIsDownHasAnIdealToo)
{
    const Scenario scenario = Read(INTERRUPTED);
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    EXPECT_EQ(outcome.completed, 1U);
    EXPECT_EQ(outcome.flows.find("inf"), std::string::npos) << outcome.flows;
    Scenario whole = scenario;
    whole.linkEvents.clear();
    const RunOutcome undisturbed = RunScenario(whole, whole.nics[0]);
    // Column 7 of the only row: the same path, hence the same ideal.
    const auto getIdeal = [](const std::string& flows) {
        std::istringstream row(flows.substr(flows.find('\n') + 1));
        std::string field;
        for (int column = 0; column < 7; ++column)
        {
            std::getline(row, field, ',');
        }
        return field;
    };
    EXPECT_EQ(getIdeal(outcome.flows), getIdeal(undisturbed.flows));
    EXPECT_NE(getIdeal(outcome.flows), "0");
}

TEST_F(SimulationRunTest, LosslessDropsAreSaidEvenIfTheRunDoesNotComplete)
{
    const Scenario scenario = Read(NO_HEADROOM);
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    ASSERT_EQ(outcome.report.violations.size(), 1U);
    EXPECT_NE(outcome.report.violations[0].find("lossless"), std::string::npos);
}

} // namespace
} // namespace ns3::rdma
