// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-report.h"

#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ns3::rdma;

namespace
{

PerftestReport
MakeReport(const std::string& test, const std::function<void(PerftestRequest&)>& change = {})
{
    PerftestRequest request;
    request.kind = ParsePerftestKind(test);
    if (change)
    {
        change(request);
    }
    return {request, ResolvePerftest(request)};
}

std::string
WriteTable(const PerftestReport& report, const PerftestResult& result)
{
    std::ostringstream text;
    report.WriteHead(text);
    report.WriteLine(text, result);
    report.WriteFoot(text, {result});
    return text.str();
}

} // namespace

TEST(PerftestReport, WritesPerftestsColumnsOfBandwidth)
{
    const auto report = MakeReport("write_bw", [](PerftestRequest& request) {
        request.isBidirectional = true;
        request.queuePairs = 2;
        request.servers = 64;
    });
    const PerftestResult result{65536, 5000, BandwidthSummary{11684.5, 11683.294, 0.1869327}};
    EXPECT_EQ(WriteTable(report, result),
              "--------------------------------------------------------------------------------"
              "-------\n"
              " Test            : write_bw, bidirectional\n"
              " NIC             : connectx6\n"
              " Network         : fat-tree of 64, 100Gbps, 1us per link\n"
              " Connection type : RC\n"
              " Number of qps   : 2\n"
              " TX depth        : 128\n"
              " Mtu             : 4096[B]\n"
              "--------------------------------------------------------------------------------"
              "-------\n"
              " #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]\n"
              " 65536      10000          11684.50           11683.29             0.186933\n"
              "--------------------------------------------------------------------------------"
              "-------\n");
}

TEST(PerftestReport, WritesPerftestsColumnsOfLatency)
{
    const auto report = MakeReport("send_lat");
    const PerftestResult result{2, 1000, LatencySummary{1.01, 2, 1.2, 1.345, 0.1, 1.9, 1.99}};
    const std::string table = WriteTable(report, result);
    EXPECT_NE(table.find(" #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    "
                         "t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% "
                         "percentile[usec]\n"
                         " 2      1000           1.01           2.00         1.20               "
                         "1.34           0.10            1.90                   1.99\n"),
              std::string::npos)
        << table;
    EXPECT_NE(table.find(" Network         : back to back, 100Gbps, 1us per link\n"),
              std::string::npos);
}

TEST(PerftestReport, NotesThatAnIngressMeterMakesShortTestsDifferFromLongOnes)
{
    PerftestResult result{65536, 5000, BandwidthSummary{11684.5, 11683.294, 0.1869327}};
    const std::string note = "A test below 0.1 s has few or no such stalls";
    EXPECT_EQ(WriteTable(MakeReport("write_bw"), result).find(note), std::string::npos);
    result.measurement.hasIngressMeters = true;
    EXPECT_NE(WriteTable(MakeReport("write_bw"), result).find(note), std::string::npos);
    result.summary = LatencySummary{1, 7, 3, 4, 2, 6, 6.5}; // One message at a time is not fast.
    EXPECT_EQ(WriteTable(MakeReport("write_lat"), result).find(note), std::string::npos);
}

TEST(PerftestReport, WritesBandwidthAsJson)
{
    const auto report = MakeReport("send_bw", [](PerftestRequest& request) {
        request.connection = "UC";
        request.nic = "srnic";
        request.servers = 16;
        request.settings = {"a=b"};
    });
    const std::vector<PerftestResult> results{{65536, 1000, BandwidthSummary{3, 2, 1}}};
    const auto json = nlohmann::json::parse(report.WriteJson(results));
    const auto expected = nlohmann::json::parse(R"({
        "test": "send_bw", "nic": "srnic", "peerNic": "srnic", "hardware": "off", "threads": null,
        "connection": "UC", "mtu": 4096, "qp": 1, "iters": 1000, "txDepth": 128, "rxDepth": 512,
        "inline": 0, "cqMod": 1, "postList": 1, "bidirectional": false, "rate": "100Gbps",
        "delay": "1us", "loss": 0.0, "seed": 1, "ipv6": false, "set": ["a=b"], "fabric": 16,
        "results": [{"size": 65536, "iters": 1000, "peakMiBps": 3.0, "averageMiBps": 2.0,
                     "messageRateMpps": 1.0}]})");
    EXPECT_EQ(json, expected);
}

TEST(PerftestReport, WritesLatencyAsJson)
{
    const auto report = MakeReport("read_lat");
    const std::vector<PerftestResult> results{
        {2, 1000, LatencySummary{1, 7, 3, 4, 2, 6, 6.5, 1, 1.5, 5.5}},
        {4, 1000, LatencySummary{1, 7, 3, 4, 2, 6, 6.5, 1, 1.5, 5.5}},
    };
    const auto json = nlohmann::json::parse(report.WriteJson(results));
    EXPECT_TRUE(json["fabric"].is_null());
    ASSERT_EQ(json["results"].size(), 2);
    const auto expected = nlohmann::json::parse(R"({
        "size": 4, "iters": 1000, "minUs": 1.0, "maxUs": 7.0, "typicalUs": 3.0, "averageUs": 4.0,
        "deviationUs": 2.0, "p1Us": 1.0, "p5Us": 1.5, "p95Us": 5.5, "p99Us": 6.0, "p999Us": 6.5})");
    EXPECT_EQ(json["results"][1], expected);
}

TEST(PerftestReport, NamesBothNicsAndTheHardware)
{
    const auto report = MakeReport("write_bw", [](PerftestRequest& request) {
        request.peerNic = "balboa";
        request.isHardwareTimed = true;
        request.threads = 16;
    });
    const std::string table = WriteTable(report, {65536, 5000, BandwidthSummary{}});
    EXPECT_NE(table.find(" NIC             : connectx6 to balboa, hardware on, threads: 16\n"),
              std::string::npos)
        << table;
    const auto json = nlohmann::json::parse(report.WriteJson({}));
    EXPECT_EQ(json["nic"], "connectx6");
    EXPECT_EQ(json["peerNic"], "balboa");
    EXPECT_EQ(json["hardware"], "on");
    EXPECT_EQ(json["threads"], 16);
}

TEST(PerftestReport, WritesWhatWasMeasuredAtBothEnds)
{
    PerftestResult result{1000, 5, BandwidthSummary{3, 2, 1}};
    PerftestMeasurement& measurement = result.measurement;
    measurement.begin = 1'000'000;
    measurement.end = 2'000'000;
    measurement.goodBytes = 9000;
    measurement.queuePairs = {6000, 3000};
    measurement.client.dataFrames = 10;
    measurement.client.dataBytes = 10'000;
    measurement.client.retransmitted = 1;
    const auto report = MakeReport("write_bw");
    const auto write = [&] {
        return nlohmann::json::parse(report.WriteJson({result}))["results"][0]["measured"];
    };
    // In 1 us: 9 messages, 72,000 bits of them, 80,000 on the wire.
    EXPECT_EQ(write(), nlohmann::json::parse(R"({
        "fromUs": 1.0, "toUs": 2.0, "goodputGbps": 72.0, "wireGbps": 80.0, "messageRateMpps": 9.0,
        "queuePairGbps": [48.0, 24.0],
        "client": {"dataFrames": 10, "retransmitted": 1},
        "server": {"dataFrames": 0, "retransmitted": 0}})"));
    measurement.isHardwareTimed = true;
    measurement.client.cpu.busy[0] = 250'000;
    measurement.client.cpu.count[0] = 5;
    measurement.client.pcie.downBytes[0] = 11'250;
    measurement.client.pcie.reads = 3;
    measurement.client.contexts = {4, 5, 6};
    const auto client = write()["client"];
    EXPECT_EQ(client["cpu"]["cores"], 0.25);
    EXPECT_EQ(client["cpu"]["tasks"]["post"],
              nlohmann::json::parse(R"({"cores": 0.25, "count": 5})"));
    EXPECT_EQ(client["pcie"]["downGbps"], 90.0);
    EXPECT_EQ(client["pcie"]["upGbps"], 0.0);
    EXPECT_EQ(client["pcie"]["extraGbps"], 10.0);
    EXPECT_EQ(client["pcie"]["downBytes"]["payload"], 11250);
    EXPECT_EQ(client["pcie"]["reads"], 3);
    EXPECT_EQ(client["contextCache"],
              nlohmann::json::parse(R"({"hits": 4, "misses": 5, "stalls": 6})"));
    EXPECT_TRUE(client.contains("translationCache"));
    EXPECT_TRUE(client.contains("receiveWqeCache"));
}

TEST(PerftestReport, ListsFewQueuePairsOnly)
{
    PerftestResult result{1000, 5, BandwidthSummary{3, 2, 1}};
    result.measurement.end = 1'000'000;
    result.measurement.goodBytes = 1000;
    const auto isListed = [&result](std::size_t queuePairs) {
        result.measurement.queuePairs.assign(queuePairs, 10);
        const auto text = MakeReport("write_bw").WriteJson({result});
        return nlohmann::json::parse(text)["results"][0]["measured"].contains("queuePairGbps");
    };
    EXPECT_TRUE(isListed(64));
    EXPECT_FALSE(isListed(65));
}
