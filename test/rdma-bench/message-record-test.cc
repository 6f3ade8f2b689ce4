// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/message-record.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(MessageRecord, CountsAllMessagesFromTheFirstPostingToTheLastCompletion)
{
    EachMessage record;
    record.OnPosted(0, 2);
    record.OnCompleted(1'000'000, 1);
    record.OnCompleted(4'000'000, 1);
    EXPECT_EQ(record.GetCount(), 2);
    // 2 messages of 2^20 bytes in 4 us; the peak is the first, in 1 us.
    EXPECT_DOUBLE_EQ(record.Summarize(1 << 20).average, 500'000);
    EXPECT_DOUBLE_EQ(record.Summarize(1 << 20).peak, 1'000'000);
}

TEST(MessageRecord, CountsAnIntervalWithoutItsMargins)
{
    SampledMessages record(1'000'000, 3'000'000);
    record.OnPosted(0, 5);
    record.OnCompleted(1'000'000, 1); // Up to the beginning.
    record.OnCompleted(1'000'001, 1);
    record.OnCompleted(3'000'000, 2);
    record.OnCompleted(3'000'001, 1); // After the end.
    EXPECT_EQ(record.GetCount(), 3);
    // 3 messages of 2^20 bytes in 2 us.
    EXPECT_DOUBLE_EQ(record.Summarize(1 << 20).average, 1'500'000);
    EXPECT_DOUBLE_EQ(record.Summarize(1 << 20).messageRate, 1.5);
    EXPECT_EQ(record.Summarize(1 << 20).peak, 0);
}
