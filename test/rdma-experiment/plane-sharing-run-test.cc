// SPDX-License-Identifier: GPL-2.0-only
#include "../test-files.h"
#include "run-fixture.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Two leaves of two servers; the NICs have a port in each of several planes.
class PlaneSharing : public FolderTest
{
  protected:
    /// @param flows the elements of the list of flows
    Scenario ReadFlows(const std::string& preset,
                       const std::string& hardware,
                       uint32_t planes,
                       const std::string& flows,
                       const std::string& more = "") const
    {
        std::ostringstream text;
        text << R"({"name": "planes", "fabric": {"topology": "leaf-spine", "leaves": 2,
            "spines": 2, "serversPerLeaf": 2, "hostRate": "100Gbps", "spineRate": "400Gbps",
            "linkDelay": "500ns", "mtu": 4096, "planes": )"
             << planes << R"(}, "nics": [{"preset": ")" << preset << R"(", "hardware": ")"
             << hardware << R"("}], "workload": {"type": "flows", "flows": [)" << flows << "]}"
             << more << "}";
        return Read(text.str());
    }
};

/// @return columns of flows.csv, by flow number.
std::vector<double>
ReadColumn(const std::string& flows, std::size_t column)
{
    std::vector<std::pair<int, double>> found;
    std::istringstream lines(flows);
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line))
    {
        std::istringstream fields(line);
        std::string field;
        for (std::size_t place = 0; place <= column && std::getline(fields, field, ','); ++place)
        {
        }
        found.emplace_back(std::stoi(line), std::stod(field));
    }
    std::sort(found.begin(), found.end());
    std::vector<double> values;
    for (const auto& [number, value] : found)
    {
        values.push_back(value);
    }
    return values;
}

constexpr std::size_t FCT{5}; ///< ns.

std::string
Repeat(const std::string& flow, uint32_t count)
{
    std::string flows = flow;
    for (uint32_t number = 1; number < count; ++number)
    {
        flows += ", " + flow;
    }
    return flows;
}

struct SharingCase
{
    const char* preset;
    const char* hardware;
    uint32_t planes;
    uint32_t flows;
};

class EqualFlows : public PlaneSharing, public testing::WithParamInterface<SharingCase>
{
};
} // namespace

TEST_P(EqualFlows, EndTogether)
{
    const auto [preset, hardware, planes, flows] = GetParam();
    // 8 MB each. All ports together carry planes x 100 Gb/s, 4096 of some 4,170 bytes payload.
    const Scenario scenario = ReadFlows(preset,
                                        hardware,
                                        planes,
                                        Repeat(R"({"src": 1, "dst": 3, "bytes": "8MB"})", flows));
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    ASSERT_EQ(outcome.completed, flows) << outcome.flows;
    const std::vector<double> times = ReadColumn(outcome.flows, FCT);
    const auto [first, last] = std::minmax_element(times.begin(), times.end());
    EXPECT_LT(*last, 1.01 * *first) << outcome.flows;
    EXPECT_LT(*last, 1.06 * flows * 8e6 * 8 / (100.0 * planes) * 4170 / 4096);
}

INSTANTIATE_TEST_SUITE_P(Presets,
                         EqualFlows,
                         testing::Values(SharingCase{"mrc", "off", 2, 2},
                                         SharingCase{"mrc", "off", 2, 8},
                                         SharingCase{"mrc", "off", 3, 4},
                                         SharingCase{"mrc", "off", 4, 5},
                                         SharingCase{"mrc", "off", 8, 3},
                                         SharingCase{"mrc", "on", 2, 2},
                                         SharingCase{"mrc", "on", 4, 8},
                                         SharingCase{"uet", "off", 2, 2},
                                         SharingCase{"uet", "off", 4, 8},
                                         SharingCase{"uet", "on", 2, 3},
                                         SharingCase{"uet-rccc", "off", 2, 2},
                                         SharingCase{"uet-rccc", "off", 4, 4}),
                         [](const auto& info) {
                             std::string name = info.param.preset;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name + "_" + info.param.hardware + "_" +
                                    std::to_string(info.param.planes) + "planes_" +
                                    std::to_string(info.param.flows) + "flows";
                         });

TEST_F(PlaneSharing, OneFlowUsesAllPlanes)
{
    for (const char* preset : {"mrc", "uet", "uet-rccc"})
    {
        std::vector<double> times;
        for (const uint32_t planes : {1, 2, 4})
        {
            const Scenario scenario =
                ReadFlows(preset, "off", planes, R"({"src": 1, "dst": 3, "bytes": "32MB"})");
            const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
            ASSERT_EQ(outcome.completed, 1U);
            times.push_back(ReadColumn(outcome.flows, FCT).front());
        }
        EXPECT_GT(times[0] / times[1], 1.98) << preset;
        EXPECT_GT(times[0] / times[2], 3.9) << preset;
    }
}

TEST_F(PlaneSharing, AnIncastOverSeveralPlanesTakesAsLongAsOverOne)
{
    // Windows limit the senders, so all their ports are free. One port of the receiver carried
    // nearly everything when the first free port took each packet: 1.7 times as long.
    for (const char* preset : {"mrc", "uet"})
    {
        std::vector<double> times;
        for (const uint32_t planes : {1, 2, 4})
        {
            std::ostringstream text;
            text << R"({"name": "incast", "fabric": {"topology": "leaf-spine", "leaves": 4,
                "spines": 2, "serversPerLeaf": 4, "hostRate": ")"
                 << 400 / planes << R"(Gbps", "spineRate": ")" << 800 / planes
                 << R"(Gbps", "linkDelay": "500ns", "mtu": 4096, "planes": )" << planes
                 << R"(}, "nics": [")" << preset
                 << R"("], "workload": {"type": "incast", "senders": 8, "bytes": "1MiB"}})";
            const Scenario scenario = Read(text.str());
            const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
            ASSERT_EQ(outcome.completed, 8U);
            const std::vector<double> fcts = ReadColumn(outcome.flows, FCT);
            times.push_back(*std::max_element(fcts.begin(), fcts.end()));
        }
        EXPECT_LT(times[1], 1.1 * times[0]) << preset;
        EXPECT_LT(times[2], 1.1 * times[0]) << preset;
        // 8 MiB and headers at 400 Gb/s take 171 us.
        EXPECT_LT(times[0], 1.15 * 171'000) << preset;
    }
}

TEST_F(PlaneSharing, AnIncastThatIsTrimmedNeedsNoTimer)
{
    // A window that shrinks below what is in flight waited for the timer if the packet that asks
    // for a report was trimmed: here twice, 1 ms each.
    const Scenario scenario = Read(R"({"name": "incast", "fabric": {"topology": "leaf-spine",
        "leaves": 8, "spines": 4, "serversPerLeaf": 8, "hostRate": "400Gbps",
        "spineRate": "800Gbps", "linkDelay": "500ns", "mtu": 4096},
        "nics": [{"preset": "mrc", "attributes": {"ns3::rdma::BackoffTimeout::RtoLow": "1ms",
        "ns3::rdma::BackoffTimeout::RtoHigh": "1ms"}}],
        "workload": {"type": "incast", "senders": 8, "bytes": "1MiB"}})");
    const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
    ASSERT_EQ(outcome.completed, 8U);
    for (const double fct : ReadColumn(outcome.flows, FCT))
    {
        EXPECT_LT(fct, 200'000);
    }
    constexpr std::size_t TIMEOUTS{10};
    for (const double timeouts : ReadColumn(outcome.flows, TIMEOUTS))
    {
        EXPECT_EQ(timeouts, 0);
    }
}

TEST_F(PlaneSharing, APacedQueuePairUsesAllPlanesEqually)
{
    // Two senders share the rate of the receiver: DCQCN paces both. The first port was first at
    // each packet, and sent six of seven.
    const Scenario scenario = Read(R"({"name": "paced", "fabric": {"topology": "leaf-spine",
        "leaves": 2, "spines": 2, "serversPerLeaf": 2, "hostRate": "100Gbps",
        "spineRate": "400Gbps", "linkDelay": "500ns", "mtu": 4096, "planes": 2},
        "nics": [{"preset": "connectx7",
        "attributes": {"ns3::rdma::RdmaNic::EntropySelector": "ns3::rdma::ObliviousEntropy"}}],
        "workload": {"type": "flows", "flows": [{"src": 0, "dst": 3, "bytes": "5MB"},
        {"src": 1, "dst": 3, "bytes": "5MB"}]}})");
    std::ostringstream flows;
    FlowLog log(flows);
    SimulationRun run(scenario, scenario.nics[0]);
    std::vector<FabricPort*> ports;
    for (const uint32_t endpoint : run.GetFabric().GetCore().endpoints.GetEndpoints(0))
    {
        ports.push_back(&run.GetFabric().GetServerDevice(endpoint).GetPort());
        ports.back()->StartCounters();
    }
    run.Run(log, [](const RunProgress&) { return true; });
    EXPECT_EQ(log.GetCount(FlowStatus::COMPLETED), 2U);
    ASSERT_EQ(ports.size(), 2U);
    const auto first = static_cast<double>(ports[0]->GetCounters()->sentBytes);
    const auto second = static_cast<double>(ports[1]->GetCounters()->sentBytes);
    EXPECT_NEAR(second / first, 1, 0.02);
}

TEST_F(PlaneSharing, AFlowThatBeginsAfterAPlaneHasFailedUsesTheOthers)
{
    // Switches: plane 0 has leaves 4, 5 and spines 6, 7; plane 1 has leaves 8, 9.  The links of
    // leaf 8, where server 1 is, go down before the flow of one packet begins. It takes one round
    // trip of 8 x 500 ns and 5 serializations of at most 0.34 us.
    for (const char* preset : {"mrc", "uet", "uet-rccc"})
    {
        for (const uint32_t end : {1U, 3U})
        {
            const Scenario scenario =
                ReadFlows(preset,
                          "off",
                          2,
                          R"({"src": 1, "dst": 3, "bytes": 4096, "start": "100us"})",
                          R"(, "linkEvents": [{"at": "20us", "switch": )" +
                              std::to_string(end == 1 ? 8 : 9) + R"(, "state": "down"}])");
            const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
            ASSERT_EQ(outcome.completed, 1U) << preset << outcome.flows;
            EXPECT_LT(ReadColumn(outcome.flows, FCT).front(), 7'000) << preset << " end " << end;
        }
    }
}
