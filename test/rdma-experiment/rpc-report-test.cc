// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rpc-report.h"

#include "../temporary-folder.h"
#include "scenario-fixture.h"

#include "ns3/record-queue.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3::rdma;

namespace
{
constexpr int64_t US{1'000'000};

RpcRecord
MakeRecord(int64_t startUs, int64_t latencyUs, uint64_t sequence, RpcStatus status = RpcStatus::OK)
{
    return {sequence, 5, 1, startUs * US, latencyUs * US, 100, 1, status};
}

RpcReport
MakeReport(int64_t fromPs,
           int64_t untilPs,
           std::vector<RpcRecord> records,
           std::size_t maxRows = SIZE_MAX)
{
    RpcReport report;
    report.totals = RpcTotals(fromPs, untilPs);
    report.AddLast(std::move(records), maxRows);
    return report;
}

std::string
WriteRows(const RpcReport& report)
{
    std::ostringstream out;
    out << RPC_TABLE.GetHeader();
    report.WriteRows(out);
    return out.str();
}
} // namespace

TEST(RpcReport, RowsAreInTheOrderOfStartClientAndSequence)
{
    std::vector<RpcRecord> records{MakeRecord(3, 2, 1), MakeRecord(1, 5, 0)};
    records.push_back({0, 4, 1, 3 * US, 2'000'500, 64, 2, RpcStatus::NOT_FOUND});
    records.push_back({1, 4, 0, 9 * US, 0, 0, 1, RpcStatus::STALLED});
    EXPECT_EQ(WriteRows(MakeReport(0, 100 * US, records)),
              "request,client,server,start_ns,latency_ns,bytes,probes,status\n"
              "0,5,1,1000,5000,100,1,ok\n"
              "1,4,1,3000,2000.500,64,2,not-found\n"
              "2,5,1,3000,2000,100,1,ok\n"
              "3,4,0,9000,,0,1,stalled\n");
}

TEST(RpcReport, AStoppedRunLeavesTheLastRowsOut)
{
    std::vector<RpcRecord> records;
    for (int64_t start = 5; start > 0; --start)
    {
        records.push_back(MakeRecord(start, start, static_cast<uint64_t>(start)));
    }
    const RpcReport report = MakeReport(0, 100 * US, records, 2);
    EXPECT_EQ(WriteRows(report),
              "request,client,server,start_ns,latency_ns,bytes,probes,status\n"
              "0,5,1,1000,1000,100,1,ok\n"
              "1,5,1,2000,2000,100,1,ok\n");
    const auto json = report.WriteSummary();
    EXPECT_EQ(json["requests"], 5);
    EXPECT_EQ(json["rows_left_out"], 3);
    EXPECT_EQ(json["latency_us"]["p999"], 5);
    EXPECT_EQ(report.Describe(),
              "5 of 5 requests answered, latency P50 3.0 us, P99 5.0 us, 2 of 5 rows written");
    EXPECT_FALSE(MakeReport(0, 100 * US, records, 5).WriteSummary().contains("rows_left_out"));
}

TEST(RpcReport, TheWarmUpAndWhatFailedAreNotMeasured)
{
    std::vector<RpcRecord> records;
    records.push_back(MakeRecord(1, 50, 0)); // Began in the warm-up, ended behind it.
    records.push_back(MakeRecord(20, 4, 1));
    records.push_back(MakeRecord(30, 6, 2));
    records.push_back(MakeRecord(109, 8, 3)); // Ends behind the end.
    records.push_back(MakeRecord(40, 1, 4, RpcStatus::REFUSED));
    const auto json = MakeReport(10 * US, 110 * US, records).WriteSummary();
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
    std::vector<RpcRecord> records;
    for (int64_t i = 1; i <= 2000; ++i)
    {
        records.push_back(MakeRecord(i, i, static_cast<uint64_t>(i)));
    }
    const auto latency = MakeReport(0, 10'000 * US, records).WriteSummary()["latency_us"];
    EXPECT_EQ(latency["p50"].get<double>(), 1000);
    EXPECT_EQ(latency["p99"].get<double>(), 1980);
    EXPECT_EQ(latency["p999"].get<double>(), 1998);
}

TEST(RpcReport, WithoutAnswersThereIsNoLatency)
{
    const RpcReport report = MakeReport(0, US, {MakeRecord(0, 1, 0, RpcStatus::FAILED)});
    EXPECT_TRUE(report.WriteSummary()["latency_us"]["p99"].is_null());
    EXPECT_TRUE(report.WriteSummary()["probes"].is_null());
    EXPECT_EQ(report.Describe(), "0 of 1 requests answered");
}

TEST(RpcReport, ThePartHasRowsTotalsAndTroubles)
{
    const RpcReport report =
        MakeReport(0, 100 * US, {MakeRecord(1, 5, 0), MakeRecord(2, 1, 1, RpcStatus::REFUSED)});
    const ResultPart part = MakeRpcPart(report);
    EXPECT_EQ(part.name, "rpc");
    EXPECT_EQ(part.line, "1 of 2 requests answered, latency P50 5.0 us, P99 5.0 us");
    EXPECT_EQ(part.summary, report.WriteSummary());
    EXPECT_EQ(part.troubles, report.totals.GetTroubles());
    ASSERT_EQ(part.tables.size(), 1U);
    EXPECT_EQ(part.tables[0].schema->GetFile(), "rpcs.csv");
    std::ostringstream rows;
    part.tables[0].writeRows(rows, "");
    EXPECT_EQ(rows.str(), "0,5,1,1000,5000,100,1,ok\n1,5,1,2000,1000,100,1,refused\n");
    EXPECT_EQ(FindRpcReport({ResultPart{}, part})->records.size(), 2U);
    EXPECT_EQ(FindRpcReport({ResultPart{}}), nullptr);
}

TEST(RpcReport, WrongAnswersAreViolationsAndFailuresAreTold)
{
    std::vector<RpcRecord> records;
    records.push_back(MakeRecord(0, 1, 0, RpcStatus::WRONG));
    records.push_back(MakeRecord(0, 1, 1, RpcStatus::FAILED));
    records.push_back(MakeRecord(0, 1, 2, RpcStatus::STALLED));
    records.push_back(MakeRecord(0, 1, 3, RpcStatus::UNFINISHED));
    const RpcReport report = MakeReport(0, US, records);
    EXPECT_EQ(report.totals.GetViolations(),
              std::vector<std::string>{
                  "request 0 of client 5 to server 1 got bytes that are not the key's"});
    EXPECT_EQ(report.totals.GetTroubles(),
              (std::vector<std::string>{"request 1 of client 5 to server 1: failed",
                                        "request 2 of client 5 to server 1: stalled"}));
    records.resize(2 * RpcTotals::MAX_LISTED, records[1]);
    EXPECT_EQ(MakeReport(0, US, records).totals.GetTroubles().size(), RpcTotals::MAX_LISTED);
}

TEST(RpcReport, RowsOfRequestsAreWrittenInOrderDuringTheRun)
{
    const TemporaryFolder folder;
    RpcReport report;
    report.totals = RpcTotals(0, 100'000);
    report.file = std::make_shared<TableFile>(RPC_TABLE, folder.GetPath());
    const auto write = [&report](const RpcRecord& record) { report.AddRow(record); };
    const auto make = [](int64_t startPs, uint32_t client, uint64_t sequence) {
        return RpcRecord{sequence, client, 0, startPs, 0, 0, 0, RpcStatus::OK};
    };
    RecordQueue<RpcRecord> queue;
    queue.Add(std::vector<RpcRecord>{make(3000, 5, 1), make(1000, 5, 0), make(2000, 4, 1)});
    queue.WriteBefore(1000, write);
    EXPECT_EQ(report.totals.GetCount(), 0U);
    queue.WriteBefore(3000, write);
    EXPECT_EQ(report.totals.GetCount(), 2U);
    queue.Add(make(3000, 4, 2));
    report.AddLast(queue.Take(), 1);
    EXPECT_EQ(report.totals.GetCount(), 4U);
    EXPECT_EQ(report.rowsLeftOut, 1U);
    EXPECT_TRUE(queue.Take().empty());
    report.WriteRows(report.file->out);
    report.file->out.close();
    EXPECT_EQ(ReadText(folder.GetPath() / "rpcs.csv"),
              "request,client,server,start_ns,latency_ns,bytes,probes,status\n"
              "0,5,0,1,0,0,0,ok\n"
              "1,4,0,2,0,0,0,ok\n"
              "2,4,0,3,0,0,0,ok\n");
}
