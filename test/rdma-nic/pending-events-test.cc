// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pending-events.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(PendingEvents, GivesEachValueAPlaceOfItsOwnUntilItIsTaken)
{
    PendingEvents<int> values;
    const uint32_t first = values.Put(10);
    const uint32_t second = values.Put(20);
    EXPECT_NE(first, second);
    EXPECT_EQ(values[first], 10);
    EXPECT_EQ(values.Take(first), 10);
    EXPECT_EQ(values.Put(30), first); // Free again.
    EXPECT_EQ(values[second], 20);
    EXPECT_EQ(values.GetAll().size(), 2U);
}
