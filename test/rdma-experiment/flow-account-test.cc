// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-account.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

using namespace ns3::rdma;

TEST(FlowAccount, IntervalsFollowEachOther)
{
    FlowAccount account(100, 200);
    account.Add(130, FlowCause::WINDOW);
    account.Add(200, FlowCause::PROPAGATION, 3);
    ASSERT_EQ(account.GetIntervals().size(), 2U);
    EXPECT_EQ(account.GetIntervals()[0].from, 100);
    EXPECT_EQ(account.GetIntervals()[0].until, 130);
    EXPECT_EQ(account.GetIntervals()[1].from, 130);
    EXPECT_EQ(account.GetIntervals()[1].place.port, 3U);
    EXPECT_EQ(account.Sum(FlowCause::WINDOW), 30);
    EXPECT_EQ(account.Sum(), 100);
}

TEST(FlowAccount, WhatIsPastAddsNothing)
{
    FlowAccount account(0, 100);
    account.Add(50, FlowCause::RATE);
    account.Add(50, FlowCause::QUEUEING);
    account.Add(20, FlowCause::QUEUEING);
    EXPECT_EQ(account.Sum(FlowCause::QUEUEING), 0);
    EXPECT_EQ(account.GetCursor(), 50);
}

TEST(FlowAccount, NothingGoesBeyondTheEnd)
{
    FlowAccount account(0, 100);
    account.Add(150, FlowCause::TIMEOUT);
    account.Add(160, FlowCause::QUEUEING);
    EXPECT_EQ(account.Sum(), 100);
    EXPECT_EQ(account.Sum(FlowCause::TIMEOUT), 100);
}

TEST(FlowAccount, NeighboursOfOnePlaceAreOneInterval)
{
    FlowAccount account(0, 100);
    account.Add(10, FlowCause::QUEUEING, 1);
    account.Add(20, FlowCause::QUEUEING, 1);
    account.Add(30, FlowCause::QUEUEING, 2);
    account.Add(40, FlowCause::QUEUEING, 2, true);
    EXPECT_EQ(account.GetIntervals().size(), 3U);
}

TEST(FlowCause, KeysDiffer)
{
    std::set<std::string> keys;
    for (std::size_t cause = 0; cause < FLOW_CAUSES; ++cause)
    {
        keys.insert(GetInfo(static_cast<FlowCause>(cause)).key);
    }
    EXPECT_EQ(keys.size(), FLOW_CAUSES);
}
