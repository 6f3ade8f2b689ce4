// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-schedule.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

/// Lists of 4 messages at 100, 150, 200, ...; the first has messages 1 to 3.
StreamSchedule
MakeSchedule(Tick until)
{
    StreamSchedule schedule;
    schedule.start = 100;
    schedule.interval = 50;
    schedule.deadline = 30;
    schedule.until = until;
    schedule.linked = 4;
    schedule.first = 1;
    return schedule;
}

} // namespace

TEST(StreamSchedule, MessagesOfAListAreDueTogether)
{
    const StreamSchedule schedule = MakeSchedule(1000);
    EXPECT_EQ(schedule.GetDue(1), 100);
    EXPECT_EQ(schedule.GetDue(3), 100);
    EXPECT_EQ(schedule.GetDue(4), 150);
}

TEST(StreamSchedule, AMessageIsInTimeUntilItsDeadline)
{
    const StreamSchedule schedule = MakeSchedule(1000);
    EXPECT_TRUE(schedule.IsInTime(4, 180));
    EXPECT_FALSE(schedule.IsInTime(4, 181));
}

TEST(StreamSchedule, WhatCannotBeJudgedBeforeTheEndDoesNotCount)
{
    // Deadlines are 130, 180, 230: until 180 the lists of 3 and of 4 messages count.
    EXPECT_EQ(MakeSchedule(180).CountDue(), 7U);
    EXPECT_EQ(MakeSchedule(179).CountDue(), 3U);
    EXPECT_EQ(MakeSchedule(129).CountDue(), 0U);
    EXPECT_FALSE(MakeSchedule(179).IsInTime(4, 160));
}

TEST(StreamSchedule, WithoutARateOrADeadlineThereIsNone)
{
    StreamSchedule schedule = MakeSchedule(1000);
    EXPECT_TRUE(schedule.HasDeadline());
    schedule.interval = 0;
    EXPECT_FALSE(schedule.HasDeadline());
}
