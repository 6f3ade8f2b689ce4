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
    ExpectBadInput({"measure", "offload-get", "calls=1", "pcap=taken"},
                   "measure: pcap: expected a file that can be written: cannot write capture "
                   "taken: Is a directory");
    EXPECT_FALSE(std::filesystem::exists(m_folder / "taken.tmp"));
}

TEST_F(RocelabCli, ListsMeasurementsAndTheirKeys)
{
    const Ending names = Run({"measure"});
    EXPECT_EQ(names.status, EXIT_GOOD) << names.error;
    for (const char* name : {"kv-dma", "offload-traversal", "tcp-lat"})
    {
        EXPECT_NE(names.output.find(name), std::string::npos) << names.output;
    }
    const Ending help = Run({"measure", "kv-dma", "--help"});
    EXPECT_EQ(help.status, EXIT_GOOD) << help.error;
    EXPECT_NE(help.output.find("read, write or mixed: kind of the accesses; mixed: in turn "
                               "(\"read\")"),
              std::string::npos)
        << help.output;
    EXPECT_EQ(Run({"list", "measurements", "kv-dma"}).output, help.output);
    const Ending json = Run({"list", "measurements", "kv-dma", "--json"});
    EXPECT_EQ(nlohmann::json::parse(json.output)["kv-dma"]["keys"][0]["name"], "bytes");
    EXPECT_NE(Run({"measure", "--help"}).output.find("--set"), std::string::npos);
    ExpectBadInput({"measure", "kv-dm"}, "measure: expected a measurement (nearest: kv-dma");
    ExpectBadInput({"measure", "kv-dma", "byte=1"},
                   "measure: kv-dma.byte: expected a known key (nearest: bytes");
    ExpectBadInput({"measure", "kv-dma", "--byte", "1"}, "expected an option of measure");
    ExpectBadInput({"list", "measurements", "kv-dm"},
                   "list measurements: kv-dm: expected a measurement (nearest: ");
}

TEST_F(RocelabCli, AFormerCommandEndsWithTheNewOne)
{
    const std::pair<const char*, const char*> CASES[]{
        {"kv-dma", "expected measure kv-dma, with KEY=VALUE for each option, got the former"},
        {"kv-slabs", "expected measure kv-slabs or measure kv-merge, "},
        {"tcp", "expected measure tcp-bw or measure tcp-lat, "},
        {"offload", "expected measure offload-TASK, "},
    };

    for (const auto& [command, text] : CASES)
    {
        ExpectBadInput({command, "--json"}, text);
    }
}

TEST_F(RocelabCli, MeasuresKernelTcp)
{
    const Ending table = Run({"measure", "tcp-bw", "size=64KiB"});
    EXPECT_EQ(table.status, EXIT_GOOD) << table.error;
    EXPECT_NE(table.output.find("goodput_gbps"), std::string::npos) << table.output;
    const Ending bandwidth =
        Run({"measure", "tcp-bw", "size=512", "connections=128", "threads=16", "--json"});
    const auto result = nlohmann::json::parse(bandwidth.output);
    EXPECT_EQ(result["measurement"], "tcp-bw");
    EXPECT_EQ(result["settings"]["connections"], 128);
    EXPECT_GT(result["rows"][0]["wire_gbps"], result["rows"][0]["goodput_gbps"]);
    const Ending latency = Run({"measure", "tcp-lat", "--set", "Moderation=0s", "--json"});
    const auto document = nlohmann::json::parse(latency.output);
    EXPECT_EQ(document["set"], nlohmann::json({"Moderation=0s"}));
    double steps = 0;
    for (const auto& column : document["columns"])
    {
        const bool isStep = column["meaning"].get<std::string>().rfind("step", 0) == 0;
        steps += isStep ? document["rows"][0][column["name"].get<std::string>()].get<double>() : 0;
    }
    EXPECT_NEAR(document["rows"][0]["latency_us"], steps, 1e-6);
    EXPECT_LT(steps, 18); // 25.8 us without the 8 us of moderation.
}

TEST_F(RocelabCli, MeasuresKernelUdp)
{
    const Ending fragmented = Run({"measure", "udp-bw", "size=32000", "--json"});
    EXPECT_EQ(nlohmann::json::parse(fragmented.output)["rows"][0]["fragments"], 4);
    const Ending json =
        Run({"measure", "udp-bw", "--set", "ns3::rdma::KernelTcp::SendSegment=10us", "--json"});
    const auto row = nlohmann::json::parse(json.output)["rows"][0];
    EXPECT_EQ(row["wire_bytes"], 8972 + 8 + 58);
    EXPECT_EQ(row["lost_share"], 0); // Its writer is slower than its reader.
    ExpectBadInput({"measure", "udp-bw", "size=65508"},
                   "measure: udp-bw.size: expected at most 65507B");
    ExpectBadInput({"measure", "udp-bw", "rate=fast"},
                   "measure: udp-bw.rate: expected a rate above zero");
    ExpectBadInput({"measure", "udp-bw", "--set", "Nothing=1"},
                   "measure: udp-bw: --set: ns3::rdma::KernelUdp::Nothing: ");
    ExpectBadInput({"measure", "udp-bw", "mtu=100"},
                   "measure: udp-bw.mtu: expected a whole number from 576 to");
}

TEST_F(RocelabCli, RefusesStreamsOfKernelTcpThatCannotBe)
{
    const std::pair<std::vector<std::string>, const char*> CASES[]{
        {{"tcp-bw", "size=0"}, "measure: tcp-bw.size: expected a number of bytes above zero"},
        {{"tcp-bw", "size=64Kb"}, "measure: tcp-bw.size: expected a number of bytes above zero"},
        {{"tcp-bw", "size=2GiB"}, "measure: tcp-bw.size: expected at most 1GiB"},
        {{"tcp-bw", "rate=1bps", "size=1GiB"},
         "measure: tcp-bw: rate: expected a rate at which the messages take at most 1000000 s"},
        {{"tcp-lat", "rate=1bps", "size=1GiB"}, "measure: tcp-lat: rate: expected a rate"},
        {{"tcp-lat", "connections=5"}, "measure: tcp-lat.connections: expected a known key"},
        {{"tcp-bw", "threads=0"},
         "measure: tcp-bw.threads: expected a whole number from 1 to 1024"},
        {{"tcp-bw", "connections=-1"}, "measure: tcp-bw.connections: expected a whole number"},
        {{"tcp-bw", "--set", "SystemCall"}, "measure: --set: expected NAME=VALUE"},
        {{"tcp-bw", "--set", "SystemCall=-1ns"},
         "measure: tcp-bw: --set: ns3::rdma::KernelTcp::SystemCall: "},
        {{"tcp-bw", "--set", "Pages=0bps"},
         "measure: tcp-bw: --set: ns3::rdma::KernelTcp::Pages: "},
    };

    for (const auto& [words, text] : CASES)
    {
        std::vector<std::string> all{"measure"};
        all.insert(all.end(), words.begin(), words.end());
        ExpectBadInput(all, text);
    }
}
