// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rpc-report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ns3::rdma;

namespace
{
constexpr int64_t US{1'000'000};

RpcRecord
MakeRecord(int64_t startUs, int64_t latencyUs, uint64_t sequence, RpcStatus status = RpcStatus::OK)
{
    return {sequence, 5, 1, startUs * US, latencyUs * US, 100, 1, status};
}
} // namespace

TEST(RpcReport, RowsAreInTheOrderOfStartClientAndSequence)
{
    RpcReport report{0, 100 * US, {MakeRecord(3, 2, 1), MakeRecord(1, 5, 0)}};
    report.records.push_back({0, 4, 1, 3 * US, 2'000'500, 64, 2, RpcStatus::NOT_FOUND});
    report.records.push_back({1, 4, 0, 9 * US, 0, 0, 1, RpcStatus::STALLED});
    report.Sort();
    std::ostringstream out;
    WriteRpcs(report, out);
    EXPECT_EQ(out.str(),
              "request,client,server,start_ns,latency_ns,bytes,probes,status\n"
              "0,5,1,1000,5000,100,1,ok\n"
              "1,4,1,3000,2000.500,64,2,not-found\n"
              "2,5,1,3000,2000,100,1,ok\n"
              "3,4,0,9000,,0,1,stalled\n");
}

TEST(RpcReport, TheWarmUpAndWhatFailedAreNotMeasured)
{
    RpcReport report{10 * US, 110 * US, {}};
    report.records.push_back(MakeRecord(1, 50, 0)); // Began in the warm-up, ended behind it.
    report.records.push_back(MakeRecord(20, 4, 1));
    report.records.push_back(MakeRecord(30, 6, 2));
    report.records.push_back(MakeRecord(109, 8, 3)); // Ends behind the end.
    report.records.push_back(MakeRecord(40, 1, 4, RpcStatus::REFUSED));
    const auto json = WriteRpcSummary(report);
    EXPECT_EQ(json["requests"], 5);
    EXPECT_EQ(json["measured"], 3);
    EXPECT_DOUBLE_EQ(json["latency_us"]["mean"].get<double>(), 6); // (4 + 6 + 8) / 3
    EXPECT_DOUBLE_EQ(json["latency_us"]["p50"].get<double>(), 6);
    EXPECT_DOUBLE_EQ(json["latency_us"]["p99"].get<double>(), 8);
    EXPECT_DOUBLE_EQ(json["latency_us"]["p999"].get<double>(), 8);
    // Three answers of 100 bytes ended within 100 us: 2400 bits / 100 us = 0.024 Gb/s.
    EXPECT_DOUBLE_EQ(json["goodput_gbps"].get<double>(), 0.024);
    EXPECT_DOUBLE_EQ(json["requests_per_second"].get<double>(), 30'000);
    EXPECT_EQ(json["status"]["ok"], 4);
    EXPECT_EQ(json["status"]["refused"], 1);
    EXPECT_EQ(json["status"]["wrong"], 0);
}

TEST(RpcReport, PercentilesAreNearestRanks)
{
    RpcReport report{0, 10'000 * US, {}};
    for (int64_t i = 1; i <= 2000; ++i)
    {
        report.records.push_back(MakeRecord(i, i, static_cast<uint64_t>(i)));
    }
    const auto latency = WriteRpcSummary(report)["latency_us"];
    EXPECT_EQ(latency["p50"].get<double>(), 1000);
    EXPECT_EQ(latency["p99"].get<double>(), 1980);
    EXPECT_EQ(latency["p999"].get<double>(), 1998);
}

TEST(RpcReport, WithoutAnswersThereIsNoLatency)
{
    const RpcReport report{0, US, {MakeRecord(0, 1, 0, RpcStatus::FAILED)}};
    EXPECT_TRUE(WriteRpcSummary(report)["latency_us"]["p99"].is_null());
    EXPECT_TRUE(WriteRpcSummary(report)["probes"].is_null());
    EXPECT_EQ(report.Describe(), "0 of 1 requests answered");
}

TEST(RpcReport, WrongAnswersAreViolationsAndFailuresAreTold)
{
    RpcReport report{0, US, {}};
    report.records.push_back(MakeRecord(0, 1, 0, RpcStatus::WRONG));
    report.records.push_back(MakeRecord(0, 1, 1, RpcStatus::FAILED));
    report.records.push_back(MakeRecord(0, 1, 2, RpcStatus::STALLED));
    report.records.push_back(MakeRecord(0, 1, 3, RpcStatus::UNFINISHED));
    EXPECT_EQ(report.GetViolations(),
              std::vector<std::string>{
                  "request 0 of client 5 to server 1 got bytes that are not the key's"});
    EXPECT_EQ(report.GetTroubles(20),
              (std::vector<std::string>{"request 1 of client 5 to server 1: failed",
                                        "request 2 of client 5 to server 1: stalled"}));
    EXPECT_EQ(report.GetTroubles(1).size(), 1U);
}
