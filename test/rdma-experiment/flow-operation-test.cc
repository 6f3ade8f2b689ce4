// SPDX-License-Identifier: GPL-2.0-only

// Flows that are READs and SENDs.

#include "../test-files.h"
#include "run-fixture.h"

#include "ns3/nic-presets.h"
#include "ns3/scenario-writer.h"

#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

class FlowOperationRun : public FolderTest
{
  protected:
    /// @param flows list of the workload "flows"
    Scenario ReadFlows(const std::string& preset,
                       const std::string& operation,
                       const std::string& flows,
                       const std::vector<std::string>& sets = {}) const
    {
        ScenarioChanges changes;
        changes.sets = sets;
        return Read(R"({"name": "o",
            "fabric": {"topology": "star", "servers": 4, "hostRate": "100Gbps", "linkDelay": "1us"},
            "nics": [")" +
                        preset + R"("],
            "workload": {"type": "flows", "operation": ")" +
                        operation + R"(", "flows": )" + flows + "}}",
                    changes);
    }
};

const char* const ONE_PACKET{R"([{"src": 0, "dst": 1, "bytes": 1000}])"};
const char* const MANY_PACKETS{R"([{"src": 0, "dst": 1, "bytes": 102400}])"};
const char* const INCAST{R"([{"src": 0, "dst": 3, "bytes": 200000},
                             {"src": 1, "dst": 3, "bytes": 200000},
                             {"src": 2, "dst": 3, "bytes": 200000},
                             {"src": 3, "dst": 0, "bytes": 1, "start": "1us"}])"};

/// @return the value of a column of the first row.
double
GetColumn(const std::string& flows, const std::string& name)
{
    std::istringstream lines(flows);
    std::string header;
    std::string row;
    std::getline(lines, header);
    std::getline(lines, row);
    std::istringstream names(header);
    std::istringstream values(row);
    std::string value;
    for (std::string one; std::getline(names, one, ',') && std::getline(values, value, ',');)
    {
        if (one == name)
        {
            return std::stod(value);
        }
    }
    ADD_FAILURE() << "no column " << name << " in " << header;
    return 0;
}

} // namespace

TEST_F(FlowOperationRun, AReadAloneTakesItsRequestAndItsResponse)
{
    const Scenario scenario = ReadFlows("connectx6", "read", ONE_PACKET);
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    EXPECT_EQ(outcome.completed, 1U);
    // Two links of 1 us each way at 80 ps per byte. Request: 58 + 16 + 24 = 98 B; response:
    // 58 + 4 + 1000 + 24 = 1086 B: 2 x (98 + 1086) x 80 ps + 4 us = 4,189.44 ns.
    EXPECT_EQ(GetColumn(outcome.flows, "fct_ns"), 4189.44);
    EXPECT_EQ(GetColumn(outcome.flows, "ideal_ns"), 4189.44);
}

TEST_F(FlowOperationRun, ASendAloneHasNoAddressOfTheMemory)
{
    const Scenario scenario = ReadFlows("connectx6", "send", ONE_PACKET);
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    EXPECT_EQ(outcome.completed, 1U);
    // 58 + 1000 + 24 = 1082 B, ACK 58 + 4 + 24 = 86 B: 2 x (1082 + 86) x 80 ps + 4 us = 4,186.88
    // ns.
    EXPECT_EQ(GetColumn(outcome.flows, "fct_ns"), 4186.88);
    EXPECT_EQ(GetColumn(outcome.flows, "ideal_ns"), 4186.88);
}

TEST_F(FlowOperationRun, AloneTakesTheIdealTimeWithEachPreset)
{
    for (const NicPreset& preset : GetNicPresets())
    {
        for (const char* operation : {"read", "send"})
        {
            for (const char* flows : {ONE_PACKET, MANY_PACKETS})
            {
                // The window of dcp is a bandwidth-delay product of WRITEs, whose headers are
                // longer: a long READ or SEND would wait for it.
                std::vector<std::string> sets;
                if (preset.name == std::string("dcp"))
                {
                    sets = {R"(attributes={"ns3::rdma::RdmaNic::BdpFlowControl": "false"})"};
                }
                const Scenario scenario = ReadFlows(preset.name, operation, flows, sets);
                const std::string rows = RunScenario(scenario, scenario.nics[0]).flows;
                // balboa divides the READ of 100 KiB into four requests of 32 KiB at most: three
                // more pairs of a last and a first response packet, of which each has 4 B more.
                const bool isDivided = preset.name == std::string("balboa") &&
                                       operation == std::string("read") && flows == MANY_PACKETS;
                const double extraNs = isDivided ? 3 * 2 * 4 * 0.08 : 0;
                EXPECT_NEAR(GetColumn(rows, "fct_ns"), GetColumn(rows, "ideal_ns") + extraNs, 1e-6)
                    << preset.name << ", " << operation << ": " << rows;
            }
        }
    }
}

TEST_F(FlowOperationRun, IsRightWithEachPreset)
{
    for (const NicPreset& preset : GetNicPresets())
    {
        for (const char* operation : {"read", "send"})
        {
            for (const char* flows : {ONE_PACKET, MANY_PACKETS, INCAST})
            {
                const Scenario scenario = ReadFlows(preset.name, operation, flows);
                const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
                EXPECT_EQ(outcome.completed, flows == INCAST ? 4U : 1U)
                    << preset.name << ", " << operation << ": " << outcome.flows;
                EXPECT_TRUE(outcome.report.violations.empty())
                    << preset.name << ", " << operation << ": "
                    << outcome.report.violations.front();
            }
        }
    }
}

TEST_F(FlowOperationRun, EndsUnderLossWithEachPreset)
{
    for (const NicPreset& preset : GetNicPresets())
    {
        for (const char* operation : {"read", "send"})
        {
            const Scenario scenario = ReadFlows(preset.name,
                                                operation,
                                                INCAST,
                                                {"fabric.lossRate=0.01", "fabric.pfc=false"});
            const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
            EXPECT_EQ(outcome.completed, 4U)
                << preset.name << ", " << operation << ": " << outcome.flows;
            EXPECT_TRUE(outcome.report.violations.empty())
                << preset.name << ", " << operation << ": " << outcome.report.violations.front();
        }
    }
}

TEST_F(FlowOperationRun, WriteIsTheDefaultAndIsNotWritten)
{
    const Scenario write = ReadFlows("irn", "write", INCAST);
    EXPECT_EQ(WriteScenario(write).find("operation"), std::string::npos);
    const Scenario read = ReadFlows("irn", "read", INCAST);
    const auto written = nlohmann::json::parse(WriteScenario(read));
    EXPECT_EQ(written["workload"]["operation"], "read");
    EXPECT_EQ(WriteScenario(Read(written.dump())), WriteScenario(read));
}

TEST_F(FlowOperationRun, OtherWorkloadsOfFlowsHaveIt)
{
    for (const char* workload :
         {R"({"type": "incast", "senders": 3, "bytes": "10kB")",
          R"({"type": "permutation", "bytes": "10kB")",
          R"({"type": "poisson", "sizes": "web-server", "load": 0.3, "duration": "50us")"})
    {
        for (const char* operation : {"read", "send"})
        {
            const Scenario scenario = ReadChanged(
                {std::string("workload=") + workload + R"(, "operation": ")" + operation + "\"}"});
            for (const NicSpec& nic : scenario.nics)
            {
                const RunOutcome outcome = RunScenario(scenario, nic);
                EXPECT_GT(outcome.completed, 0U) << workload;
                EXPECT_TRUE(outcome.report.violations.empty()) << outcome.report.violations.front();
            }
        }
    }
}

TEST_F(FlowOperationRun, FaultsAreOneLine)
{
    const std::pair<std::vector<std::string>, const char*> cases[]{
        {{"workload.operation=reed"},
         "$.workload.operation: expected one of write, read or send (nearest: read or send), got "
         "\"reed\""},
        {{"workload.operation=send", "workload.memory=gpu"},
         "$.workload.memory: expected \"host\" with an operation other than write, got \"gpu\""},
        // More than 2^31 bytes.
        {{"workload.operation=read", "workload.flows[1].bytes=3GB"},
         "$.workload.operation: expected \"write\" for flows of more than 2147483648 bytes, the "
         "longest message, got a flow of 3000000000 bytes"},
        {{"workload.operation=read", "run.fluidStart=1us"},
         "$.run.fluidStart: expected a workload with operation write or send with it, got read"},
    };
    for (const auto& [sets, message] : cases)
    {
        const std::string fault = GetInputError([&, sets = sets] { ReadChanged(sets); });
        EXPECT_NE(fault.find(message), std::string::npos) << fault;
    }
}
