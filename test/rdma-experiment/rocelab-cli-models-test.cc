// SPDX-License-Identifier: GPL-2.0-only

#include "rocelab-cli-fixture.h"

#include <nlohmann/json.hpp>

using namespace ns3::rdma;

TEST_F(RocelabCli, NamesTheFiguresThatCountMemoryAndResources)
{
    ExpectBadInput({"list", "memory", "--nic", "srnic", "--qps", "5"},
                   "list memory: expected rocelab figure srnic/table-1-2");
    ExpectBadInput({"list", "resources"},
                   "list resources: expected rocelab figure strom/table-3 or balboa/table-2");
    ExpectBadInput({"list", "types", "--bytes", "7"}, "list: --bytes: expected the topic pipeline");
    ExpectBadInput({"list", "--plugin", ""}, "--plugin: expected a value, got an empty text");
}

TEST_F(RocelabCli, SaysWhichNicHasNoRoomForMoreQueuePairs)
{
    ExpectBadInput({"perftest", "write_bw", "--nic", "strom10g", "-q", "501", "-n", "5"},
                   "perftest: --qp: expected at most 500, which strom10g has room for, got 501");
    // Three flows to server 0 at a time, whose NIC has room for two.
    WriteFile("s.json", R"({
        "name": "room",
        "fabric": {"topology": "star", "servers": 4, "hostRate": "10Gbps", "linkDelay": "1us"},
        "nics": [{"preset": "strom10g",
                  "attributes": {"ns3::rdma::TimerArrayTimeout::QueuePairs": "2"}}],
        "workload": {"type": "incast", "senders": 3, "bytes": "100kB"},
        "run": {"seed": 1}
    })");
    const Ending ending = Run({"run", "s.json"});
    EXPECT_EQ(ending.status, EXIT_BAD_INPUT);
    EXPECT_NE(ending.error.find("s.json: $.workload: expected flows for which the NICs have room, "
                                "got: the NIC of endpoint 0 holds at most 2 queue pairs at a time"),
              std::string::npos)
        << ending.error;
    EXPECT_FALSE(std::filesystem::exists(m_folder / "results/room/strom10g"));
}

TEST_F(RocelabCli, RefusesACaptureThatHasTheNameOfAFolder)
{
    std::filesystem::create_directory(m_folder / "taken");
    ExpectBadInput({"offload", "get", "-n", "1", "--pcap", "taken"},
                   "offload: --pcap: expected a file that can be written: cannot write capture "
                   "taken: Is a directory");
    EXPECT_FALSE(std::filesystem::exists(m_folder / "taken.tmp"));
}

TEST_F(RocelabCli, MeasuresKernelTcp)
{
    const Ending table = Run({"tcp", "bw", "--size", "64KiB"});
    EXPECT_EQ(table.status, EXIT_GOOD) << table.error;
    EXPECT_NE(table.output.find("goodput [Gb/s]"), std::string::npos) << table.output;
    const Ending bandwidth =
        Run({"tcp", "bw", "--size", "512", "--connections", "128", "--threads", "16", "--json"});
    const auto result = nlohmann::json::parse(bandwidth.output);
    EXPECT_EQ(result["connections"], 128);
    EXPECT_GT(result["wire_gbps"], result["goodput_gbps"]);
    const Ending latency = Run({"tcp", "lat", "--set", "Moderation=0s", "--json"});
    const auto steps = nlohmann::json::parse(latency.output);
    double sum = 0;
    for (const auto& step : steps["steps"])
    {
        sum += step["us"].get<double>();
    }
    EXPECT_NEAR(steps["latency_us"], sum, 1e-6);
    EXPECT_LT(sum, 18); // 25.8 us without the 8 us of moderation.
}

TEST_F(RocelabCli, MeasuresKernelUdp)
{
    const Ending table = Run({"udp", "bw", "--size", "32000"});
    EXPECT_EQ(table.status, EXIT_GOOD) << table.error;
    EXPECT_NE(table.output.find("4 packets"), std::string::npos) << table.output;
    const Ending json =
        Run({"udp", "bw", "--set", "ns3::rdma::KernelTcp::SendSegment=10us", "--json"});
    const auto result = nlohmann::json::parse(json.output);
    EXPECT_EQ(result["size"], 8972);
    EXPECT_EQ(result["wire_bytes"], 8972 + 8 + 58);
    EXPECT_EQ(result["lost"], 0); // Its writer is slower than its reader.
    ExpectBadInput({"udp", "lat"}, "test: lat not in");
    ExpectBadInput({"udp", "bw", "--size", "65508"}, "udp: --size: expected 1 to 65507 bytes");
    ExpectBadInput({"udp", "bw", "--rate", "fast"}, "udp: --rate: expected a rate such as");
    ExpectBadInput({"udp", "bw", "--set", "Nothing=1"}, "udp: --set: ns3::rdma::KernelUdp::Noth");
    ExpectBadInput({"udp", "bw", "--mtu", "100"}, "--mtu: ");
}

TEST_F(RocelabCli, RefusesStreamsOfKernelTcpThatCannotBe)
{
    ExpectBadInput({"tcp"}, "test is required");
    ExpectBadInput({"tcp", "read"}, "test: read not in");
    ExpectBadInput({"tcp", "bw", "--size", "0"}, "tcp: --size: expected 1 to 2^30 bytes");
    ExpectBadInput({"tcp", "bw", "--size", "64Kb"}, "tcp: --size: expected 1 to 2^30 bytes");
    ExpectBadInput({"tcp", "bw", "--rate", "fast"}, "tcp: --rate: expected a rate such as");
    ExpectBadInput({"tcp", "bw", "--rate", "1bps", "--size", "1GiB"},
                   "tcp: --rate: expected a rate at which the messages take at most 1000000 s");
    ExpectBadInput({"tcp", "lat", "--rate", "1bps", "--size", "1GiB"},
                   "tcp: --rate: expected a rate");
    ExpectBadInput({"tcp", "bw", "--threads", "0"}, "--threads: ");
    ExpectBadInput({"tcp", "bw", "--connections", "-1"}, "--connections: ");
    ExpectBadInput({"tcp", "bw", "--mtu", "100"}, "--mtu: ");
    ExpectBadInput({"tcp", "bw", "--set", "SystemCall"}, "tcp: --set: expected NAME=VALUE");
    ExpectBadInput({"tcp", "bw", "--set", "Nothing=1"}, "tcp: --set: ns3::rdma::KernelTcp::Noth");
    ExpectBadInput({"tcp", "bw", "--set", "SystemCall=-1ns"}, "tcp: --set: ns3::rdma::KernelTcp::");
    ExpectBadInput({"tcp", "bw", "--set", "Pages=0bps"}, "tcp: --set: ns3::rdma::KernelTcp::Pages");
    ExpectBadInput({"tcp", "bw", "--set", "ns3::rdma::HostCpu::Cores=2"},
                   "tcp: --set: ns3::rdma::HostCpu::Cores: expected an attribute of");
}
