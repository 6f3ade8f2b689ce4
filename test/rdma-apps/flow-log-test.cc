// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/flow-log.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3::rdma;

namespace
{

/// 1 MB from 3 to 9, posted at 2 us, 100.5 us under way where 80.4 us would be ideal.
FlowRecord
MakeRecord()
{
    FlowRecord record;
    record.flow = 7;
    record.src = 3;
    record.dst = 9;
    record.bytes = 1'000'000;
    record.startPs = 2'000'000;
    record.fctPs = 100'500'000;
    record.idealPs = 80'400'000;
    record.packets = 977;
    record.retransmitted = 2;
    record.timeouts = 1;
    return record;
}

constexpr const char* HEAD{
    "flow,src,dst,bytes,start_ns,fct_ns,ideal_ns,slowdown,packets,retransmitted,timeouts,status\n"};

} // namespace

TEST(FlowLog, WritesOneLinePerFlow)
{
    std::ostringstream out;
    FlowLog log(out);
    log.Write(MakeRecord());
    EXPECT_EQ(out.str(),
              std::string(HEAD) + "7,3,9,1000000,2000,100500,80400,1.25,977,2,1,completed\n");
}

TEST(FlowLog, GivesNanosecondsDecimalsOnlyWhereTheyAreNotWhole)
{
    std::ostringstream out;
    FlowLog log(out);
    FlowRecord record = MakeRecord();
    record.startPs = 20;         // 0.02 ns.
    record.fctPs = 123'456'789;  // 123,456.789 ns; slowdown 1.234567... has six digits.
    record.idealPs = 99'999'900; // 99,999.9 ns.
    log.Write(record);
    EXPECT_EQ(out.str().substr(std::string(HEAD).size()),
              "7,3,9,1000000,0.02,123456.789,99999.9,1.23457,977,2,1,completed\n");
}

TEST(FlowLog, LeavesTimesEmptyForFlowsThatDidNotComplete)
{
    std::ostringstream out;
    FlowLog log(out);
    FlowRecord record = MakeRecord();
    record.status = FlowStatus::STALLED;
    record.reason = "no progress since 5 ms";
    log.Write(record);
    EXPECT_EQ(out.str().substr(std::string(HEAD).size()),
              "7,3,9,1000000,2000,,80400,,977,2,1,stalled\n");
    ASSERT_EQ(log.GetTroubles().size(), 1U);
    EXPECT_EQ(log.GetTroubles()[0],
              "flow 7 from 3 to 9 (1000000 bytes) stalled: no progress since 5 ms");
    EXPECT_TRUE(log.GetAll().GetCompletionTimes().empty());
}

TEST(FlowLog, CountsByStatusAndListsTheFirstTwentyTroubles)
{
    std::ostringstream out;
    FlowLog log(out);
    FlowRecord record = MakeRecord();
    log.Write(record);
    record.status = FlowStatus::UNFINISHED;
    log.Write(record);
    record.status = FlowStatus::FAILED;
    for (int i = 0; i < 30; ++i)
    {
        log.Write(record);
    }
    EXPECT_EQ(log.GetCount(FlowStatus::COMPLETED), 1U);
    EXPECT_EQ(log.GetCount(FlowStatus::UNFINISHED), 1U);
    EXPECT_EQ(log.GetCount(FlowStatus::FAILED), 30U);
    EXPECT_EQ(log.GetCount(FlowStatus::STALLED), 0U);
    EXPECT_EQ(log.GetTroubles().size(), 20U);
}

TEST(FlowLog, MeasuresGoodputFromTheFirstStartToTheLastCompletion)
{
    std::ostringstream out;
    FlowLog log(out);
    EXPECT_EQ(log.GetAll().GetGoodput(), 0);
    FlowRecord record = MakeRecord();
    record.bytes = 1000;
    record.startPs = 1'000'000;
    record.fctPs = 2'000'000;
    log.Write(record);
    record.startPs = 0;
    record.fctPs = 1'000'000;
    log.Write(record);
    EXPECT_DOUBLE_EQ(log.GetAll().GetGoodput(), 16000 / 3e-6); // 2 x 8000 bit from 0 to 3 us.
}

TEST(FlowLog, GoodputToTheLastStartLeavesTheTailOut)
{
    std::ostringstream out;
    FlowLog log(out);
    FlowRecord record = MakeRecord();
    record.bytes = 1000;
    record.startPs = 0;
    record.fctPs = 1'000'000;
    log.Write(record);
    EXPECT_FALSE(log.GetAll().GetGoodputToLastStart()); // All start at one time.
    record.startPs = 1'000'000;
    record.fctPs = 3'000'000;
    log.Write(record); // Ends at 4 us, when the last one starts.
    record.startPs = 4'000'000;
    record.fctPs = 96'000'000;
    log.Write(record); // A straggler.
    EXPECT_DOUBLE_EQ(*log.GetAll().GetGoodputToLastStart(),
                     16000 / 4e-6); // 2 x 8000 bit from 0 to 4 us.
    EXPECT_DOUBLE_EQ(log.GetAll().GetGoodput(), 24000 / 100e-6);
    record.status = FlowStatus::STALLED;
    record.startPs = 8'000'000;
    log.Write(record); // It started, too: 2 x 8000 bit from 0 to 8 us.
    EXPECT_DOUBLE_EQ(*log.GetAll().GetGoodputToLastStart(), 16000 / 8e-6);
}

TEST(FlowLog, NamesEachStatus)
{
    EXPECT_STREQ(GetFlowStatusName(FlowStatus::COMPLETED), "completed");
    EXPECT_STREQ(GetFlowStatusName(FlowStatus::FAILED), "failed");
    EXPECT_STREQ(GetFlowStatusName(FlowStatus::STALLED), "stalled");
    EXPECT_STREQ(GetFlowStatusName(FlowStatus::UNFINISHED), "unfinished");
}
