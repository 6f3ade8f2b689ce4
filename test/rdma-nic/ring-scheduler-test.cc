// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/send-schedulers.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

TEST(RingScheduler, AnEmptyOneHasNothingEver)
{
    auto scheduler = CreateObject<RingScheduler>();
    EXPECT_FALSE(scheduler->Pick(0));
    EXPECT_EQ(scheduler->GetNextReady(0), TICK_NEVER);
}

TEST(RingScheduler, ServesReadyQueuePairsInTheOrderOfTheirNumbers)
{
    auto scheduler = CreateObject<RingScheduler>();
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
    EXPECT_EQ(order, (std::vector<uint32_t>{3, 5, 9, 3, 5, 9}));
}

TEST(RingScheduler, APacedQueuePairTakesItsPlaceInTheRing)
{
    auto scheduler = CreateObject<RingScheduler>();
    scheduler->Add(4, 100, 0);
    scheduler->Add(2, 0, 0);
    scheduler->Add(6, 0, 0);
    EXPECT_EQ(scheduler->GetNextReady(0), 0);
    EXPECT_EQ(scheduler->Pick(0), 2U);
    scheduler->Add(2, 0, 0);
    // 4 is due and lies between 2, which sent last, and 6, although both were ready before.
    EXPECT_EQ(scheduler->Pick(100), 4U);
    EXPECT_EQ(scheduler->Pick(100), 6U);
    EXPECT_EQ(scheduler->Pick(100), 2U);
    EXPECT_FALSE(scheduler->Pick(100));
}

TEST(RingScheduler, APacedQueuePairWaitsForItsTime)
{
    auto scheduler = CreateObject<RingScheduler>();
    scheduler->Add(1, 100, 0);
    scheduler->Add(2, 50, 0);
    EXPECT_EQ(scheduler->GetNextReady(0), 50);
    EXPECT_FALSE(scheduler->Pick(49));
    EXPECT_EQ(scheduler->Pick(50), 2U);
    EXPECT_EQ(scheduler->GetNextReady(150), 150); // Overdue is ready now.
    EXPECT_EQ(scheduler->Pick(150), 1U);
    EXPECT_EQ(scheduler->GetNextReady(150), TICK_NEVER);
}

TEST(RingScheduler, AQueuePairMaySendEarlierThanAnnounced)
{
    auto scheduler = CreateObject<RingScheduler>();
    scheduler->Add(1, 100, 0);
    scheduler->Add(2, 200, 0);
    scheduler->Advance(2, 40);
    scheduler->Advance(1, 150); // Not earlier.
    scheduler->Advance(3, 1);   // Not there.
    EXPECT_EQ(scheduler->GetNextReady(0), 40);
    EXPECT_EQ(scheduler->Pick(40), 2U);
    EXPECT_EQ(scheduler->GetNextReady(40), 100);
}
