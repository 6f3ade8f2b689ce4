// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rpc-record-queue.h"

#include "../temporary-folder.h"
#include "scenario-fixture.h"

#include "ns3/open-requests.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{
RpcRecord
MakeRecord(int64_t startPs, uint32_t client, uint64_t sequence)
{
    RpcRecord record;
    record.startPs = startPs;
    record.client = client;
    record.sequence = sequence;
    return record;
}
} // namespace

TEST(OpenRequests, TheOldestIsTheFirstThatHasNotEnded)
{
    OpenRequests open;
    EXPECT_EQ(open.GetOldestStart(7), 7);
    for (const Tick start : {10, 20, 20, 30})
    {
        open.Begin(start);
    }
    EXPECT_EQ(open.GetOldestStart(7), 10);
    open.End(1);
    EXPECT_EQ(open.GetOldestStart(7), 10);
    open.End(0);
    EXPECT_EQ(open.GetOldestStart(7), 20);
    open.End(0); // A second time.
    open.End(2);
    EXPECT_EQ(open.GetOldestStart(7), 30);
    open.End(3);
    EXPECT_EQ(open.GetOldestStart(40), 40);
    open.Begin(50);
    EXPECT_EQ(open.GetOldestStart(60), 50);
}

TEST(RpcRecordQueue, WritesWhatBeganBeforeATimeInOrder)
{
    const TemporaryFolder folder;
    RpcReport report;
    report.totals = RpcTotals(0, 100'000);
    report.file = std::make_shared<RpcFile>(folder.GetPath());
    RpcRecordQueue queue;
    queue.Add({MakeRecord(3000, 5, 1), MakeRecord(1000, 5, 0), MakeRecord(2000, 4, 1)});
    queue.WriteBefore(1000, report);
    EXPECT_EQ(report.totals.GetCount(), 0U);
    queue.WriteBefore(3000, report);
    EXPECT_EQ(report.totals.GetCount(), 2U);
    queue.Add({MakeRecord(3000, 4, 2)});
    report.AddLast(queue.Take(), 1);
    EXPECT_EQ(report.totals.GetCount(), 4U);
    EXPECT_EQ(report.rowsLeftOut, 1U);
    EXPECT_TRUE(queue.Take().empty());
    report.WriteRows(report.file->rows);
    report.file->out.close();
    EXPECT_EQ(ReadText(folder.GetPath() / "rpcs.csv"),
              "request,client,server,start_ns,latency_ns,bytes,probes,status\n"
              "0,5,0,1,0,0,0,ok\n"
              "1,4,0,2,0,0,0,ok\n"
              "2,4,0,3,0,0,0,ok\n");
}
