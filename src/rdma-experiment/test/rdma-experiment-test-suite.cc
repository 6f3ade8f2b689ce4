// SPDX-License-Identifier: GPL-2.0-only

// For ns-3's test.py: a small scenario runs with four NICs to its end, twice with the same bytes.
// The module's own tests are in test/rdma-experiment/.

#include "ns3/scenario-reader.h"
#include "ns3/simulation-run.h"
#include "ns3/test.h"

#include <fstream>
#include <sstream>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Fifteen servers write to the sixteenth, over links that lose a packet in two thousand.
constexpr const char* SCENARIO{R"({
  "name": "incast",
  "fabric": {"topology": "fat-tree", "servers": 16, "lossRate": 0.0005},
  "nics": ["connectx6", "irn", "srnic", "balboa"],
  "workload": {"type": "incast", "senders": 15, "receiver": 15, "bytes": "64KiB"}
})"};

class ScenarioRunsTwice : public TestCase
{
  public:
    ScenarioRunsTwice()
        : TestCase("all flows of a scenario complete, and a second run gives the same flows.csv")
    {
    }

  private:
    void DoRun() override
    {
        const std::string file = CreateTempDirFilename("incast.json");
        std::ofstream(file) << SCENARIO;
        const Scenario scenario = ReadScenario(file);
        for (const NicSpec& nic : scenario.nics)
        {
            const std::string first = Run(scenario, nic);
            NS_TEST_EXPECT_MSG_EQ((Run(scenario, nic) == first), true, "bytes of " << nic.name);
        }
    }

    std::string Run(const Scenario& scenario, const NicSpec& nic)
    {
        std::ostringstream flows;
        FlowLog log(flows);
        SimulationRun(scenario, nic).Run(log, [](const RunProgress&) { return true; });
        NS_TEST_EXPECT_MSG_EQ(log.GetCount(FlowStatus::COMPLETED), 15, "flows of " << nic.name);
        return flows.str();
    }
};

class RdmaExperimentTestSuite : public TestSuite
{
  public:
    RdmaExperimentTestSuite()
        : TestSuite("rdma-experiment")
    {
        AddTestCase(new ScenarioRunsTwice);
    }
};

const RdmaExperimentTestSuite g_rdmaExperimentTestSuite;

} // namespace
