// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-services.h"

#include "rpc-fixture.h"

#include <sstream>

namespace ns3::rdma
{
namespace
{

/// Servers 2 and 3 write to server 0, server 2 to server 1 too; what 2 and 3 send may pass a
/// service that takes 40 us (10,000 cycles of 4 ns).
constexpr const char* SERVED{R"({
  "name": "served",
  "fabric": {"topology": "star", "servers": 4, "hostRate": "100Gbps", "linkDelay": "1us"},
  "groups": {"sinks": [0, 0], "senders": [2, 3]},
  "nics": [{"preset": "balboa", "hardware": "on"}],
  "workload": {"type": "flows", "flows": [{"src": 2, "dst": 0, "bytes": "64kB", "start": "0us"},
                                          {"src": 3, "dst": 0, "bytes": "64kB", "start": "500us"},
                                          {"src": 2, "dst": 1, "bytes": "64kB", "start": "900us"}]}
})"};

class FlowServicesRun : public ChangedScenarioTest
{
  protected:
    FlowServicesRun()
        : ChangedScenarioTest(SERVED)
    {
    }

    /// @return completion times in us, by flow.
    std::vector<double> Run(const std::string& kernels) const
    {
        const Scenario scenario = ReadWith(kernels.empty() ? std::vector<std::string>{}
                                                           : std::vector<std::string>{kernels});
        const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
        EXPECT_EQ(outcome.completed, 3U);
        std::vector<double> times(3);
        std::istringstream lines(outcome.flows);
        for (std::string line; std::getline(lines, line);)
        {
            std::istringstream cells(line);
            std::vector<std::string> words;
            for (std::string word; std::getline(cells, word, ',');)
            {
                words.push_back(word);
            }
            if (!words.empty() && words[0] != "flow") // flow, src, dst, bytes, start_ns, fct_ns.
            {
                times.at(std::stoul(words.at(0))) = std::stod(words.at(5)) / 1000;
            }
        }
        return times;
    }
};

TEST_F(FlowServicesRun, ServicesAreForTheFlowsThatTheScenarioNames)
{
    const auto plain = Run("");
    const auto all = Run(R"(kernels={"senders": [{"type": "ns3::rdma::PassThroughService",
        "attributes": {"ns3::rdma::PassThroughService::Latency": 10000},
        "slots": ["transmit"]}]})");
    const auto some = Run(R"(kernels={"senders": [{"type": "ns3::rdma::PassThroughService",
        "attributes": {"ns3::rdma::PassThroughService::Latency": 10000},
        "slots": ["transmit"], "peers": "sinks"}]})");
    for (uint32_t flow = 0; flow < 3; ++flow)
    {
        EXPECT_GT(all[flow], plain[flow] + 39) << flow;
    }
    EXPECT_GT(some[0], plain[0] + 39);
    EXPECT_GT(some[1], plain[1] + 39);
    EXPECT_DOUBLE_EQ(some[2], plain[2]);
}

TEST_F(FlowServicesRun, AParallelSlotHidesWhatThePipelineTakes)
{
    const auto plain = Run("");
    const auto hidden = Run(R"(kernels={"senders": [{"type": "ns3::rdma::PassThroughService",
        "slots": ["transmit-parallel", "receive-parallel"]}]})");
    EXPECT_EQ(hidden, plain);
}

TEST_F(FlowServicesRun, FlowsAreEncryptedAtOneEndAndDecryptedAtTheOther)
{
    const std::string aes = R"([{"type": "ns3::rdma::AesService", "slots": ["transmit", "receive"],
        "attributes": {"ns3::rdma::AesService::Key": "000102030405060708090a0b0c0d0e0f"}}])";
    const auto plain = Run("");
    const auto served = Run(R"(kernels={"senders": )" + aes + R"(, "sinks": )" + aes + "}");
    for (uint32_t flow = 0; flow < 3; ++flow)
    {
        EXPECT_GT(served[flow], plain[flow] + 0.039); // 40 ns on transmit.
        EXPECT_LT(served[flow], plain[flow] + 0.5);
    }
}

TEST_F(FlowServicesRun, AFlowWithoutAKeyFails)
{
    Scenario scenario = ReadWith({R"(kernels={"senders": [{"type": "ns3::rdma::AesService",
        "slots": ["transmit"],
        "attributes": {"ns3::rdma::AesService::Key": "000102030405060708090a0b0c0d0e0f"}}]})"});
    // As a program might leave it: no scenario file can.
    scenario.kernels.at("senders").front().attributes.clear();
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    EXPECT_EQ(outcome.completed, 0U);
    EXPECT_NE(outcome.flows.find(",failed"), std::string::npos);
}

/// A second of run time and more.
class SlowFlowServicesRun : public FlowServicesRun
{
};

TEST_F(SlowFlowServicesRun, AFlowLongerThan32BitsOfALengthPassesBothKindsOfSlots)
{
    for (const std::string slot : {"transmit", "receive"})
    {
        Scenario scenario = ReadWith({
            R"(workload={"type": "flows",
                "flows": [{"src": 2, "dst": 0, "bytes": 4294967297, "start": "0us"}]})",
            R"(fabric={"topology": "star", "servers": 4, "hostRate": "100Gbps",
                "linkDelay": "1us", "mtu": 4096})",
            R"(kernels={")" + std::string(slot == "transmit" ? "senders" : "sinks") +
                R"(": [{"type": "ns3::rdma::PassThroughService", "slots": [")" + slot + R"("]}]})",
        });
        const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
        EXPECT_EQ(outcome.completed, 1U) << outcome.flows;
        EXPECT_TRUE(outcome.report.violations.empty()) << outcome.report.violations.front();
        // 2^32 + 1 bytes at less than 100 Gb/s.
        EXPECT_GT(outcome.report.simulatedPs, Tick{8} * ((1LL << 32) + 1) * 10);
    }
}

TEST_F(FlowServicesRun, GraphsHaveNone)
{
    const Scenario scenario =
        ReadWith({R"(workload={"type": "graph", "operations": [{"id": "a", "src": 2, "dst": 0,
            "bytes": "1kB"}]})",
                  R"(kernels={"senders": [{"type": "ns3::rdma::PassThroughService",
            "slots": ["transmit"]}]})"});
    EXPECT_NE(GetInputError([&] {
                  RunScenario(scenario, scenario.nics[0]);
              }).find("$.kernels: expected no \"slots\" with flows that depend on others"),
              std::string::npos);
}

} // namespace
} // namespace ns3::rdma
