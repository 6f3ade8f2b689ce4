// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/run-captures.h"

#include "../rdma-nic/pcap-reader.h"
#include "run-fixture.h"

#include "ns3/opcode.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{

class RunCapturesTest : public FolderTest
{
  protected:
    /// Runs the scenario's first NIC with captures. @return flows.csv
    std::string Capture(const Scenario& scenario, const CaptureRequest& request) const
    {
        std::ostringstream flows;
        FlowLog log(flows);
        SimulationRun run(scenario, scenario.nics[0]);
        RunCaptures captures(run.GetFabric(), request, m_folder);
        run.Run(log, [](const RunProgress&) { return true; });
        EXPECT_FALSE(std::filesystem::exists(m_folder / "host-1.pcap")); // Not before Close().
        captures.Close();
        return flows.str();
    }

    std::vector<PcapRecord> ReadCapture(const std::string& name) const
    {
        return ReadPcap((m_folder / name).string());
    }
};

TEST_F(RunCapturesTest, HoldTheFramesOfTheirServerAndChangeNoResult)
{
    Scenario scenario = Read(GOOD_SCENARIO);
    CaptureRequest request;
    request.servers = {0, 1, 2};
    const std::string flows = Capture(scenario, request);
    EXPECT_EQ(flows, RunScenario(scenario, scenario.nics[0]).flows);
    // 1000 bytes are one packet, with one acknowledgment; 1 MB are 977 of 1024 bytes.
    const auto sender = ReadCapture("host-0.pcap");
    const auto receiver = ReadCapture("host-1.pcap");
    ASSERT_EQ(sender.size(), 2);
    ASSERT_EQ(receiver.size(), 2);
    EXPECT_EQ(sender[0].bytes, receiver[0].bytes);
    EXPECT_EQ(sender[0].nanoseconds, 0);
    // Two links, 1 us each, and two serializations of 58 + 16 + 1000 + 24 bytes at 80 ps:
    // 2175.68 ns.
    EXPECT_EQ(receiver[0].nanoseconds, 2175);
    EXPECT_EQ(ReadCapture("host-2.pcap").size(), 2 * 977);
    EXPECT_FALSE(std::filesystem::exists(m_folder / "host-3.pcap"));
}

TEST_F(RunCapturesTest, ApplyTheFilter)
{
    const Scenario scenario = Read(GOOD_SCENARIO);
    CaptureRequest request;
    request.servers = {3};
    request.filter.opcodes = {opcode::ACK};
    request.filter.hasPayload = false;
    Capture(scenario, request);
    EXPECT_EQ(ReadCapture("host-3.pcap").size(), 977);
}

TEST_F(RunCapturesTest, AreInTheFormatAndIpVersionOfTheNic)
{
    Scenario scenario = Read(GOOD_SCENARIO);
    scenario.nics[0].attributes["ns3::rdma::RdmaNic::Ipv6"] = "true";
    CaptureRequest request;
    request.servers = {0};
    Capture(scenario, request);
    const auto records = ReadCapture("host-0.pcap");
    ASSERT_EQ(records.size(), 2);
    // Ethernet 14, IPv6 40, UDP 8, BTH 12, RETH 16, payload, ICRC 4.
    EXPECT_EQ(records[0].bytes.size(), 94 + 1000);
    EXPECT_EQ(records[0].bytes[12], 0x86);
    EXPECT_EQ(records[0].bytes[13], 0xdd);
    // The acknowledgment of IRN: AETH and selective PSN of 4 bytes each.
    EXPECT_EQ(records[1].bytes.size(), 14 + 40 + 8 + 12 + 4 + 4 + 4);
}

} // namespace
