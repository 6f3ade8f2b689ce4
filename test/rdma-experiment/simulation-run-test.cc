// SPDX-License-Identifier: GPL-2.0-only
#include "../rdma-apps/rank-fakes.h"
#include "run-fixture.h"

#include "ns3/host-report.h"
#include "ns3/input-error.h"
#include "ns3/node-list.h"

using namespace ns3;
using namespace ns3::rdma;

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

/// Takes the ports in turn, whatever the frame.
class TurningBalancer : public LoadBalancer
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::TurningBalancer")
                                .SetParent<LoadBalancer>()
                                .AddConstructor<TurningBalancer>();
        return tid;
    }

    void Start(const SwitchView&) override
    {
    }

    uint32_t Choose(Frame& frame, const PortChoice& choice, Tick) override
    {
        asked.push_back(frame);
        return m_turn++ % choice.count;
    }

    static inline std::vector<Frame> asked; ///< About these frames, by any switch.

  private:
    uint32_t m_turn{0};
};

NS_OBJECT_ENSURE_REGISTERED(TurningBalancer);

class SimulationRunTest : public FolderTest
{
  protected:
    /// @return why a scenario cannot be divided between two ranks; empty if it can.
    static std::string FindRefusal(const Scenario& scenario)
    {
        MirrorGroup ranks;
        try
        {
            const SimulationRun run(scenario, scenario.nics[0], ranks);
            return "";
        }
        catch (const InputError& error)
        {
            return error.what();
        }
    }
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

/// Sixteen servers that fill their links for 300 us before the first packet.
constexpr const char* FLUID{R"({
  "name": "fluid",
  "fabric": {"topology": "fat-tree", "servers": 16, "linkDelay": "1us"},
  "nics": ["connectx6", "irn", "srnic"],
  "workload": {"type": "poisson", "sizes": "s.cdf", "load": 0.6, "duration": "2ms"},
  "run": {"fluidStart": "300us", "precision": 0.2, "warmup": "100us"}
})"};

TEST_F(SimulationRunTest, FlowsGoOnWhereTheFluidEnds)
{
    WriteFile("s.cdf", "10000 0\n200000 1\n");
    const Scenario scenario = Read(FLUID);
    for (const NicSpec& nic : scenario.nics)
    {
        const RunOutcome outcome = RunScenario(scenario, nic);
        EXPECT_TRUE(outcome.report.violations.empty()) << outcome.report.violations.front();
        // The first row to end has been a fluid; it tells its whole size and its own start.
        std::istringstream rows(outcome.flows);
        std::string row;
        std::getline(rows, row);
        uint64_t before = 0;
        while (std::getline(rows, row) && row.find("unfinished") == std::string::npos)
        {
            uint64_t flow = 0;
            uint32_t src = 0;
            uint32_t dst = 0;
            uint64_t bytes = 0;
            double startNs = 0;
            double fctNs = 0;
            ASSERT_EQ(std::sscanf(row.c_str(),
                                  "%lu,%u,%u,%lu,%lf,%lf",
                                  &flow,
                                  &src,
                                  &dst,
                                  &bytes,
                                  &startNs,
                                  &fctNs),
                      6);
            EXPECT_GE(bytes, 10'000U);
            EXPECT_GT(startNs + fctNs, 300e3);
            before += startNs < 300e3;
        }
        // About 12 flows per server and millisecond x 0.105 MB: some per server are under way.
        EXPECT_GT(before, 10U);
    }
}

TEST_F(SimulationRunTest, AFlowThatTheFluidSpedUpBreaksNoBound)
{
    // The fluid takes one or two of the 1025 bytes, in 0.1 ns, and with them the second packet's 82
    // bytes of headers and framing, 6.6 ns of the ideal.
    const Scenario scenario = Read(R"({
      "name": "sped-up",
      "fabric": {"topology": "back-to-back", "hostRate": "100Gbps", "linkDelay": "1us", "mtu": 1024},
      "nics": ["connectx6"],
      "workload": {"type": "flows",
                   "flows": [{"src": 0, "dst": 1, "bytes": 1025, "start": "9999.9ns"}]},
      "run": {"fluidStart": "10us"}
    })");
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    EXPECT_EQ(outcome.completed, 1U);
    EXPECT_NE(outcome.flows.find(",0.99"), std::string::npos) << outcome.flows; // Its slowdown.
    EXPECT_TRUE(outcome.report.violations.empty()) << outcome.report.violations.front();
}

TEST_F(SimulationRunTest, ARunEndsWhenItsMeanIsKnownWellEnough)
{
    WriteFile("s.cdf", "10000 0\n200000 1\n");
    const Scenario scenario = Read(FLUID);
    const RunReport report = RunScenario(scenario, scenario.nics[2]).report;
    ASSERT_TRUE(report.precision);
    EXPECT_TRUE(report.precision->isReached);
    EXPECT_GE(report.precision->flows, 1000);
    EXPECT_LE(report.precision->slowdown.halfWidth, 0.2 * report.precision->slowdown.mean);
    EXPECT_EQ(report.precision->fromPs, 400'000'000);
    EXPECT_EQ(report.simulatedPs, report.precision->fromPs + report.precision->measuredPs);
    EXPECT_LT(report.simulatedPs, 2'000'000'000);

    Scenario strict = scenario;
    strict.run.precision = 1e-6;
    const RunReport whole = RunScenario(strict, strict.nics[2]).report;
    EXPECT_FALSE(whole.precision->isReached);
    EXPECT_EQ(whole.simulatedPs, 2'000'000'000);
}

TEST_F(SimulationRunTest, HardwareTakesTimeAndIsReportedPerHost)
{
    const Scenario scenario = Read(R"({
      "name": "hardware",
      "fabric": {"topology": "star", "servers": 3, "linkDelay": "1us"},
      "nics": ["srnic", {"preset": "srnic", "name": "on", "hardware": "on"}],
      "workload": {"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": "100kB"}]}
    })");
    const RunOutcome off = RunScenario(scenario, scenario.nics[0]);
    const RunOutcome on = RunScenario(scenario, scenario.nics[1]);
    EXPECT_TRUE(off.report.parts.empty());
    const std::vector<HostRecord> hosts = GetHosts(on.report.parts);
    ASSERT_EQ(hosts.size(), 3U);
    // All of the payload crosses PCIe at both ends, with headers; the third server is idle.
    EXPECT_GT(hosts[0].pcieDownBytes, 100'000U);
    EXPECT_LT(hosts[0].pcieDownBytes, 120'000U);
    EXPECT_GT(hosts[1].pcieUpBytes, 100'000U);
    EXPECT_LT(hosts[1].pcieUpBytes, 120'000U);
    EXPECT_EQ(hosts[2].pcieUpBytes + hosts[2].pcieDownBytes, 0U);
    // 98 packets in bursts of 16: one work request, fetched seven times, dropped six times.
    EXPECT_GE(hosts[0].wqesFetched, 7U);
    EXPECT_EQ(hosts[0].wqesDropped, hosts[0].wqesFetched - 1);
    EXPECT_EQ(hosts[0].softwarePackets + hosts[1].softwarePackets, 0U);
    EXPECT_GT(hosts[0].cpuCores, 0);
    // The work request and the payload each wait for a round trip of about 1.1 us over PCIe.
    EXPECT_GT(on.report.simulatedPs, off.report.simulatedPs + 2'200'000);
}

TEST_F(SimulationRunTest, HardwareIsDeterministic)
{
    const Scenario scenario = Read(R"({
      "name": "hardware",
      "fabric": {"topology": "fat-tree", "servers": 16, "linkDelay": "1us", "lossRate": 0.001},
      "nics": [{"preset": "connectx6", "hardware": "on"}, {"preset": "irn", "hardware": "on"},
               {"preset": "srnic", "hardware": "on"}, {"preset": "balboa", "hardware": "on"}],
      "workload": {"type": "incast", "senders": 8, "receiver": 0, "bytes": "200kB"}
    })");
    for (const NicSpec& nic : scenario.nics)
    {
        const RunOutcome first = RunScenario(scenario, nic, true);
        const RunOutcome second = RunScenario(scenario, nic, true);
        EXPECT_EQ(first.completed, 8U) << nic.name;
        EXPECT_EQ(first.flows, second.flows) << nic.name;
        EXPECT_EQ(first.fingerprint, second.fingerprint) << nic.name;
    }
}

TEST_F(SimulationRunTest, RefusesRanksThatCannotLookAhead)
{
    const char* const text = R"({
      "name": "near",
      "fabric": {"topology": "dumbbell", "servers": 2, "linkDelay": "1us"},
      "nics": ["srnic"],
      "workload": {"type": "flows", "flows": [{"src": 0, "dst": 2, "bytes": "1kB"}]}
    })";
    EXPECT_EQ(FindRefusal(Read(text)), "");
    ScenarioChanges changes;
    changes.sets = {"fabric.linkDelay=0us"};
    Scenario scenario = Read(text, changes);
    EXPECT_EQ(FindRefusal(scenario), ""); // The smallest frame takes its time.
    scenario.fabric.isEthernetFramed = false;
    scenario.fabric.mtuBytes = 2048;
    EXPECT_NE(FindRefusal(scenario).find("$.fabric: expected links with a delay for 2 ranks"),
              std::string::npos);
    // What was built is gone, for the next NIC in this process.
    EXPECT_EQ(NodeList::GetNNodes(), 0U);
    EXPECT_EQ(CreateObject<RdmaNic>()->GetPathMtu(), 1024U);
    Simulator::Destroy(); // Asking for the list has made one.
}

TEST_F(SimulationRunTest, CallsALoadBalancerOnceForEachFrameAndChoice)
{
    // Two packets and their acknowledgments pass from leaf to leaf: one choice each.
    const Scenario scenario = Read(R"({
      "name": "turns",
      "fabric": {"topology": "fat-tree", "servers": 64, "loadBalancer": "ns3::rdma::TurningBalancer"},
      "nics": ["srnic"],
      "workload": {"type": "flows", "flows": [{"src": 0, "dst": 63, "bytes": 2000}]}
    })");
    TurningBalancer::asked.clear();
    EXPECT_EQ(RunScenario(scenario, scenario.nics[0]).completed, 1U);
    ASSERT_EQ(TurningBalancer::asked.size(), 4U);
    for (const Frame& frame : TurningBalancer::asked)
    {
        EXPECT_GE(frame.wireBytes, 58U); // Headers that every packet has.
        EXPECT_EQ(frame.src + frame.dst, 63U);
    }
}

TEST_F(SimulationRunTest, CallsNoLoadBalancerForPfcFrames)
{
    const Scenario scenario = Read(R"({
      "name": "pauses",
      "fabric": {"topology": "fat-tree", "servers": 64, "buffer": "4MB", "ecn": "off",
                 "loadBalancer": "ns3::rdma::TurningBalancer"},
      "nics": ["connectx6"],
      "workload": {"type": "incast", "senders": 40, "receiver": 63, "bytes": "200kB"}
    })");
    TurningBalancer::asked.clear();
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    EXPECT_GT(outcome.report.pfcPauses, 0U);
    EXPECT_FALSE(TurningBalancer::asked.empty());
    for (const Frame& frame : TurningBalancer::asked)
    {
        EXPECT_EQ(frame.flags & frame_flag::MAC_CONTROL, 0);
    }
}

TEST_F(SimulationRunTest, LosslessDropsAreSaidEvenIfTheRunDoesNotComplete)
{
    const Scenario scenario = Read(NO_HEADROOM);
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    ASSERT_EQ(outcome.report.violations.size(), 1U);
    EXPECT_NE(outcome.report.violations[0].find("lossless"), std::string::npos);
}

TEST_F(SimulationRunTest, CongestionControlThatGotNoMarkIsSaid)
{
    // Four senders fill the buffer of one receiver, where PFC stops them long before kmin.
    const auto run = [this](const std::string& ecn, const std::string& nic) {
        const Scenario scenario = Read(R"({"name": "never", "fabric": {"topology": "star",
            "servers": 5, "hostRate": "100Gbps", "linkDelay": "1us", "mtu": 1024, "buffer": "2MiB",
            "ecn": {"100Gbps": {"kmin": ")" +
                                       ecn + R"(", "kmax": "65MB", "pmax": 0.2}}},
            "nics": [)" + nic + R"(], "workload": {"type": "incast", "senders": 4, "receiver": 4,
            "bytes": "1MB"}})");
        return RunScenario(scenario, scenario.nics[0]).report;
    };
    const RunReport never = run("64MB", R"("connectx6")");
    ASSERT_EQ(never.notes.size(), 1U);
    EXPECT_EQ(never.notes[0],
              "ns3::rdma::Dcqcn never acted: no packet was marked (fabric.ecn), with " +
                  std::to_string(never.pfcPauses) +
                  " PFC pauses and 0 packets dropped by full buffers");
    EXPECT_GT(never.pfcPauses, 0U);
    EXPECT_TRUE(run("10kB", R"("connectx6")").notes.empty());
    const std::string none =
        R"({"preset": "connectx6", "congestionControl": "ns3::rdma::NoCongestionControl"})";
    EXPECT_TRUE(run("64MB", none).notes.empty());
}

TEST_F(SimulationRunTest, ALossOfAFrameThatNeverCameIsSaid)
{
    const Scenario scenario = Read(R"({"name": "tail", "fabric": {"topology": "back-to-back",
        "hostRate": "100Gbps", "linkDelay": "1us", "mtu": 1024, "losses": [{"link": [1, 0],
        "direction": "forward", "model": "ns3::rdma::ScriptedLoss",
        "attributes": {"ns3::rdma::ScriptedLoss::Frames": "10"}}]}, "nics": ["irn"], "workload":
        {"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": 10240, "start": "0us"}]}})");
    // Ten packets, ten acknowledgments from node 1: numbers 0 to 9.
    const RunReport report = RunScenario(scenario, scenario.nics[0]).report;
    ASSERT_EQ(report.notes.size(), 1U);
    EXPECT_EQ(report.notes[0],
              "link from node 1 to node 0: ns3::rdma::ScriptedLoss::Frames: frame 10 never came, "
              "10 frames were sent");
}

} // namespace
