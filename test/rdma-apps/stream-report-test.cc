// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ns3::rdma;

namespace
{
constexpr int64_t US{1'000'000};

/// Two streams of which one lost a message; samples of 10 us from 0 to 40 us, measured from 10 to
/// 30 us.
StreamReport
MakeReport()
{
    StreamReport report;
    report.fromPs = 10 * US;
    report.untilPs = 30 * US;
    report.intervalPs = 10 * US;
    StreamRecord stream;
    stream.stream = 1;
    stream.dst = 1;
    stream.messageBytes = 1000;
    stream.sent = 50;
    stream.received = 49;
    stream.bytes = 49'000;
    stream.measuredBytes = 25'000;
    stream.missing = 1;
    report.streams.push_back(stream);
    stream.stream = 0;
    stream.received = 50;
    stream.missing = 0;
    report.streams.push_back(stream);
    for (int64_t i = 4; i >= 1; --i)
    {
        StreamSample sample;
        sample.endPs = i * 10 * US;
        sample.server = 1;
        sample.role = StreamRole::RECEIVER;
        sample.leastFill = static_cast<uint32_t>(100 * i);
        sample.bytes = static_cast<uint64_t>(12'500 * i);
        sample.usePs = i * US;
        sample.emptyQueues = 1;
        if (i < 3)
        {
            sample.measuredBytes = 6'250.0 * static_cast<double>(i); // 5 and 10 Gb/s.
        }
        report.samples.push_back(sample);
    }
    StreamThreadRecord thread;
    thread.server = 1;
    thread.role = StreamRole::RECEIVER;
    thread.usePs = 5 * US;
    thread.busyPs[static_cast<std::size_t>(HostTask::CHECK)] = 4 * US;
    thread.measured = GoodputRange{1, 3, 2};
    report.threads.push_back(thread);
    report.Sort();
    return report;
}

/// @return the text of the file.
std::string
WriteTable(const ResultTable& table)
{
    std::ostringstream text;
    text << table.schema->GetHeader();
    table.writeRows(text, "");
    return text.str();
}
} // namespace

TEST(StreamReport, GoodputIsOfTheMeasuredTime)
{
    const StreamReport report = MakeReport();
    // 2 x 25,000 B in 20 us.
    EXPECT_DOUBLE_EQ(report.GetGoodput(), 20);
    EXPECT_EQ(report.Describe(), "2 streams, 20.00 Gb/s, 1 of 100 messages not received");
}

TEST(StreamReport, SummaryHasQuantilesOfSamplesWithinTheMeasuredTime)
{
    const auto json = MakeStreamPart(MakeReport()).summary;
    EXPECT_EQ(json["lost"], 1);
    EXPECT_EQ(json["missing_blocks"], 1);
    ASSERT_EQ(json["hosts"].size(), 1U);
    const auto& host = json["hosts"][0];
    EXPECT_EQ(host["role"], "receiver");
    EXPECT_EQ(host["samples"], 2); // Those that end at 20 and 30 us.
    // 25,000 and 37,500 B in 10 us: 20 and 30 Gb/s; 2 and 3 us of 10.
    EXPECT_DOUBLE_EQ(host["goodput_gbps"]["min"], 20);
    EXPECT_DOUBLE_EQ(host["goodput_gbps"]["p10"], 20);
    EXPECT_DOUBLE_EQ(host["goodput_gbps"]["p50"], 20);
    EXPECT_DOUBLE_EQ(host["goodput_gbps"]["max"], 30);
    EXPECT_DOUBLE_EQ(host["goodput_gbps"]["mean"], 25);
    // The threads measured themselves until 20 us.
    EXPECT_DOUBLE_EQ(host["measured_gbps"]["mean"], 10);
    EXPECT_DOUBLE_EQ(host["use_percent"]["mean"], 25);
    EXPECT_EQ(host["least_queue_fill"], 200);
    EXPECT_EQ(host["empty_queues"], 2);
    EXPECT_DOUBLE_EQ(host["use_percent_by_task"]["check"], 20); // 4 of 20 us.
}

TEST(StreamReport, TablesHaveOneRowEach)
{
    const ResultPart part = MakeStreamPart(MakeReport());
    ASSERT_EQ(part.tables.size(), 3U);
    EXPECT_EQ(WriteTable(part.tables[0]),
              "stream,src,dst,message_bytes,sent,received,bytes,lost,missing_blocks,whole_regions,"
              "incomplete_regions,retransmitted,due,in_time,goodput_gbps\n"
              "0,0,1,1000,50,50,49000,0,0,0,0,0,0,0,10\n"
              "1,0,1,1000,50,49,49000,1,1,0,0,0,0,0,10\n");
    EXPECT_EQ(WriteTable(part.tables[1]),
              "server,thread,core,role,streams,use_percent,sleeps,switches,empty_queues,least_gbps,"
              "mean_gbps,most_gbps,post_ns,list_ns,doorbell_ns,poll_ns,arm_ns,event_ns,ack_ns,"
              "check_ns,search_ns,copy_ns,"
              "sample_ns,switch_ns\n"
              "1,0,0,receiver,0,25,0,0,0,1,2,3,0,0,0,0,0,0,0,4000,0,0,0,0\n");
    EXPECT_EQ(WriteTable(part.tables[2]).substr(0, 152),
              "time_ns,server,role,goodput_gbps,use_percent,least_queue_fill,empty_queues,"
              "measured_gbps\n"
              "10000,1,receiver,10,10,100,1,5\n"
              "20000,1,receiver,20,20,200,1,10\n");
}
