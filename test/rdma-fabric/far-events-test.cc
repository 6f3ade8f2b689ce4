// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/far-events.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

std::vector<uint32_t>
TakeArguments(FarEvents& events)
{
    std::vector<uint32_t> arguments;
    for (const EventRecord& event : events.TakeFirst())
    {
        arguments.push_back(event.argument);
    }
    return arguments;
}

} // namespace

TEST(FarEvents, ABucketKeepsTheOrderOfPushing)
{
    FarEvents events;
    events.Push(4, {450, 1, 0});
    events.Push(7, {700, 1, 1});
    events.Push(4, {410, 1, 2});
    events.Push(4, {450, 0, 3});
    EXPECT_EQ(events.GetFirstBucket(), 4);
    EXPECT_EQ(events.GetEarliestTime(), 410);
    EXPECT_EQ(TakeArguments(events), (std::vector<uint32_t>{0, 2, 3}));
    EXPECT_EQ(events.GetFirstBucket(), 7);
    EXPECT_EQ(events.GetEarliestTime(), 700);
    EXPECT_EQ(TakeArguments(events), (std::vector<uint32_t>{1}));
    EXPECT_EQ(events.GetFirstBucket(), FarEvents::NONE);
}

TEST(FarEvents, ABucketThatWasTakenCanBeFilledAgain)
{
    FarEvents events;
    events.Push(4, {450, 1, 0});
    EXPECT_EQ(TakeArguments(events), (std::vector<uint32_t>{0}));
    events.Push(4, {460, 1, 1});
    events.Push(4, {455, 1, 2});
    EXPECT_EQ(events.GetEarliestTime(), 455);
    EXPECT_EQ(TakeArguments(events), (std::vector<uint32_t>{1, 2}));
}

TEST(FarEvents, AnEarlierBucketBecomesTheFirst)
{
    FarEvents events;
    events.Push(9, {900, 1, 0});
    events.Push(3, {300, 1, 1});
    events.Push(9, {901, 1, 2});
    EXPECT_EQ(events.GetFirstBucket(), 3);
    EXPECT_EQ(TakeArguments(events), (std::vector<uint32_t>{1}));
    EXPECT_EQ(TakeArguments(events), (std::vector<uint32_t>{0, 2}));
}
