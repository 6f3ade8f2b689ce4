// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/send-schedulers.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

TEST(RoundRobinScheduler, AnEmptyOneHasNothingEver)
{
    auto scheduler = CreateObject<RoundRobinScheduler>();
    EXPECT_FALSE(scheduler->Pick(0));
    EXPECT_EQ(scheduler->GetNextReady(0), TICK_NEVER);
}

TEST(RoundRobinScheduler, ServesReadyQueuePairsInTurn)
{
    auto scheduler = CreateObject<RoundRobinScheduler>();
    for (const uint32_t number : {5, 3, 9})
    {
        scheduler->Add(number, 0, 0);
    }
    std::vector<uint32_t> order;
    for (int i = 0; i < 6; ++i)
    {
        const uint32_t number = scheduler->Pick(0).value();
        order.push_back(number);
        scheduler->Add(number, 0, 0); // It has more.
    }
    EXPECT_EQ(order, (std::vector<uint32_t>{5, 3, 9, 5, 3, 9}));
}

TEST(RoundRobinScheduler, APacedQueuePairWaitsForItsTime)
{
    auto scheduler = CreateObject<RoundRobinScheduler>();
    scheduler->Add(1, 100, 0);
    scheduler->Add(2, 50, 0);
    EXPECT_EQ(scheduler->GetNextReady(0), 50);
    EXPECT_FALSE(scheduler->Pick(49));
    EXPECT_EQ(scheduler->Pick(50), 2U);
    EXPECT_EQ(scheduler->GetNextReady(50), 100);
    EXPECT_EQ(scheduler->GetNextReady(150), 150); // Overdue is ready now.
    EXPECT_EQ(scheduler->Pick(150), 1U);
    EXPECT_EQ(scheduler->GetNextReady(150), TICK_NEVER);
}

TEST(RoundRobinScheduler, APacedQueuePairJoinsTheEndOfTheLine)
{
    auto scheduler = CreateObject<RoundRobinScheduler>();
    scheduler->Add(1, 100, 0);
    scheduler->Add(2, 0, 0);
    EXPECT_EQ(scheduler->GetNextReady(0), 0);
    scheduler->Add(3, 200, 200); // 1 was due before 3 came.
    EXPECT_EQ(scheduler->Pick(200), 2U);
    EXPECT_EQ(scheduler->Pick(200), 1U);
    EXPECT_EQ(scheduler->Pick(200), 3U);
}

TEST(RoundRobinScheduler, EqualTimesKeepTheOrderOfAdding)
{
    auto scheduler = CreateObject<RoundRobinScheduler>();
    for (uint32_t number = 0; number < 20; ++number)
    {
        scheduler->Add(19 - number, 1000, 0);
    }
    for (uint32_t number = 0; number < 20; ++number)
    {
        EXPECT_EQ(scheduler->Pick(1000), 19 - number);
    }
}

TEST(RoundRobinScheduler, APacedQueuePairMayBecomeReadyEarlier)
{
    auto scheduler = CreateObject<RoundRobinScheduler>();
    scheduler->Advance(1, 10); // Not in the scheduler: nothing.
    EXPECT_EQ(scheduler->GetNextReady(0), TICK_NEVER);
    scheduler->Add(1, 300, 0);
    scheduler->Add(2, 200, 0);
    scheduler->Add(3, 100, 0);
    scheduler->Advance(1, 50);
    EXPECT_EQ(scheduler->GetNextReady(0), 50);
    scheduler->Advance(2, 400); // Later: stays.
    EXPECT_EQ(scheduler->Pick(250), 1U);
    EXPECT_EQ(scheduler->Pick(250), 3U);
    EXPECT_EQ(scheduler->Pick(250), 2U);
    EXPECT_FALSE(scheduler->Pick(1000)); // Each is there once.
}

TEST(RoundRobinScheduler, TheLineGrowsWithItsQueuePairs)
{
    auto scheduler = CreateObject<RoundRobinScheduler>();
    for (uint32_t number = 0; number < 1000; ++number)
    {
        scheduler->Add(number, 0, 0);
        if (number % 3 == 0) // Makes the ring turn.
        {
            scheduler->Add(scheduler->Pick(0).value(), 0, 0);
        }
    }
    std::vector<bool> isSeen(1000, false);
    for (int i = 0; i < 1000; ++i)
    {
        const uint32_t number = scheduler->Pick(0).value();
        EXPECT_FALSE(isSeen.at(number));
        isSeen[number] = true;
    }
    EXPECT_FALSE(scheduler->Pick(0));
}
