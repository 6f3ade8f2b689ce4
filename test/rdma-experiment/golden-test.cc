// SPDX-License-Identifier: GPL-2.0-only
#include "../test-files.h"
#include "run-fixture.h"

#include "ns3/fabric-keys.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/scenario-builder.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Sixteen servers, lossy links now and then: data, ACK, NAK, CNP and timeouts all occur.
constexpr const char* GOLDEN_SCENARIO{R"({
  "name": "golden",
  "fabric": {"topology": "fat-tree", "servers": 16, "linkDelay": "1us", "lossRate": 0.0005,
             "ecn": {"100Gbps": {"kmin": "40kB", "kmax": "160kB", "pmax": 0.2}}},
  "nics": ["connectx6", "irn", "srnic", "balboa"],
  "workload": {"type": "poisson", "sizes": "SIZES", "load": 0.6, "duration": "100us"},
  "run": {"seed": 7}
})"};

uint64_t
Hash(const std::string& text)
{
    uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char letter : text)
    {
        hash = (hash ^ static_cast<uint8_t>(letter)) * 0x100000001b3ULL;
    }
    return hash;
}

/// @return the events in which ns-3 initializes nodes, devices and, in later versions, channels.
uint64_t
CountInitialEvents(const Scenario& scenario)
{
    UseFabricSimulator();
    auto fabric = CreateObject<Fabric>();
    fabric->Build(MakeTopology(scenario),
                  MakeFabricConfig(scenario.fabric, scenario.run.seed, scenario.fabric.mtuBytes));
    Simulator::Run();
    const uint64_t count = Simulator::GetEventCount();
    fabric->Dispose();
    Simulator::Destroy();
    return count;
}

/// @return the numbers of a run in the form of the files. Without flows those of flows are 0 or the
/// hash of an empty log.
nlohmann::ordered_json
Describe(const RunOutcome& outcome)
{
    return {{"completed", outcome.completed},
            {"packet_hops", outcome.report.packetHops},
            {"ecn_marks", outcome.report.ecnMarks},
            {"retransmitted", outcome.report.retransmitted},
            {"timeouts", outcome.report.timeouts},
            {"end_ps", outcome.report.simulatedPs},
            {"flows_hash", Hash(outcome.flows)},
            {"fingerprint", outcome.fingerprint}};
}

class Golden : public FolderTest
{
  protected:
    Scenario ReadGolden() const
    {
        std::string text = GOLDEN_SCENARIO;
        text.replace(text.find("SIZES"), 5, (GetCheckout() / "traces/cache-follower.cdf").string());
        return Read(text);
    }
};

/// The numbers stand in test/golden/runs.json and change only with a stated reason;
/// ROCELAB_WRITE_GOLDEN=1 writes them anew.
TEST_F(Golden, EachDesignRepeatsItsKnownRunExactly)
{
    const auto path = GetCheckout() / "test/golden/runs.json";
    const bool isWriting = std::getenv("ROCELAB_WRITE_GOLDEN") != nullptr;
    const Scenario scenario = ReadGolden();
    const uint64_t initial = CountInitialEvents(scenario);
    nlohmann::ordered_json found;
    for (const NicSpec& nic : scenario.nics)
    {
        const RunOutcome outcome = RunScenario(scenario, nic, true);
        EXPECT_TRUE(outcome.report.violations.empty()) << outcome.report.violations.front();
        found[nic.name] = Describe(outcome);
        found[nic.name]["events"] = outcome.report.events - initial;
    }
    if (isWriting)
    {
        std::ofstream(path) << found.dump(2) << '\n';
        GTEST_SKIP() << "wrote " << path;
    }
    const auto known = nlohmann::ordered_json::parse(ReadText(path));
    for (const NicSpec& nic : scenario.nics)
    {
        EXPECT_EQ(found[nic.name].dump(2), known[nic.name].dump(2)) << nic.name;
    }
}

TEST_F(Golden, TheSameScenarioTwiceGivesTheSameBytes)
{
    const Scenario scenario = ReadGolden();
    const RunOutcome first = RunScenario(scenario, scenario.nics[2], true);
    const RunOutcome second = RunScenario(scenario, scenario.nics[2], true);
    EXPECT_EQ(first.flows, second.flows);
    EXPECT_EQ(first.fingerprint, second.fingerprint);
}

TEST_F(Golden, AnotherSeedGivesAnotherRun)
{
    Scenario scenario = ReadGolden();
    const RunOutcome first = RunScenario(scenario, scenario.nics[2]);
    scenario.run.seed = 8;
    EXPECT_NE(RunScenario(scenario, scenario.nics[2]).flows, first.flows);
}

/// Collectives, key-value stores, remote calls, streams, planes, trimming and hardware: a file of
/// test/golden/scenarios each.
class GoldenScenario : public Golden, public testing::WithParamInterface<const char*>
{
};

constexpr const char* SCENARIOS[]{"all-reduce",
                                  "all-to-all",
                                  "double-tree",
                                  "four-planes-without-a-plane",
                                  "get-kernel",
                                  "graph",
                                  "hardware",
                                  "kv",
                                  "kv-on-cores",
                                  "lossless",
                                  "planes",
                                  "rpc",
                                  "sprayed",
                                  "streams-rc",
                                  "streams-uc"};

/// Known numbers: test/golden/scenarios/known; written as those above.
TEST_P(GoldenScenario, RepeatsItsKnownRunsExactly)
{
    const auto folder = GetCheckout() / "test/golden/scenarios";
    const auto path = folder / "known" / (GetParam() + std::string(".json"));
    const Scenario scenario = Read(ReadText(folder / (GetParam() + std::string(".json"))));
    nlohmann::ordered_json found;
    for (const NicSpec& nic : scenario.nics)
    {
        const RunOutcome outcome = RunScenario(scenario, nic, true);
        EXPECT_TRUE(outcome.report.violations.empty()) << outcome.report.violations.front();
        found[nic.name] = Describe(outcome);
    }
    if (std::getenv("ROCELAB_WRITE_GOLDEN"))
    {
        std::ofstream(path) << found.dump(2) << '\n';
        GTEST_SKIP() << "wrote " << path;
    }
    const auto known = nlohmann::ordered_json::parse(ReadText(path));
    for (const NicSpec& nic : scenario.nics)
    {
        EXPECT_EQ(found[nic.name].dump(2), known[nic.name].dump(2)) << nic.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenScenario, testing::ValuesIn(SCENARIOS), [](const auto& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(GoldenScenarios, AreAllListed)
{
    std::set<std::string> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(GetCheckout() / "test/golden/scenarios"))
    {
        if (entry.path().extension() == ".json")
        {
            files.insert(entry.path().stem().string());
        }
    }
    EXPECT_EQ(files, std::set<std::string>(std::begin(SCENARIOS), std::end(SCENARIOS)));
}

} // namespace
