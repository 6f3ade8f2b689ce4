// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair-table.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(QueuePairTable, FindsWhatItCreated)
{
    QueuePairTable table;
    EXPECT_EQ(table.Find(0), nullptr);
    const uint32_t first = table.Create().number;
    const uint32_t second = table.Create().number;
    EXPECT_NE(first, second);
    EXPECT_EQ(table.GetCount(), 2);
    EXPECT_EQ(table.Find(first)->number, first);
    EXPECT_EQ(table.Find(second)->number, second);
    EXPECT_EQ(table.Find(4), nullptr); // After numbers 2 and 3.
    EXPECT_EQ(table.Find(0xffffff), nullptr);
}

TEST(QueuePairTable, LeavesTheNumbersOfManagementAlone)
{
    QueuePairTable table;
    EXPECT_EQ(table.Create().number, 2); // 0 and 1 are those of SMI and GSI.
    EXPECT_EQ(table.Find(0), nullptr);
    EXPECT_EQ(table.Find(1), nullptr);
}

TEST(QueuePairTable, ANumberIsNotUsedAgainAtOnce)
{
    QueuePairTable table;
    const uint32_t old = table.Create().number;
    table.Destroy(old);
    EXPECT_EQ(table.GetCount(), 0);
    EXPECT_EQ(table.Find(old), nullptr);
    const uint32_t next = table.Create().number;
    EXPECT_EQ(next, old + 0x10000); // The same place, used once more.
    EXPECT_EQ(table.Find(old), nullptr);
    EXPECT_NE(table.Find(next), nullptr);
    table.Destroy(old); // Of a number that is gone: nothing happens.
    EXPECT_NE(table.Find(next), nullptr);
    EXPECT_EQ(table.GetCount(), 1);
}

TEST(QueuePairTable, NumbersHave24Bits)
{
    QueuePairTable table;
    for (int use = 0; use < 256; ++use)
    {
        const uint32_t number = table.Create().number;
        EXPECT_EQ(number, (static_cast<uint32_t>(use) << 16 | 2));
        table.Destroy(number);
    }
    EXPECT_EQ(table.Create().number, 2); // The 257th use of the place starts over.
}

TEST(QueuePairTable, QueuePairsStayWhereTheyAre)
{
    QueuePairTable table;
    const QueuePair* const first = &table.Create();
    for (int i = 0; i < 1000; ++i)
    {
        table.Create();
    }
    EXPECT_EQ(table.Find(first->number), first);
    table.Clear();
    EXPECT_EQ(table.GetCount(), 0);
    EXPECT_EQ(table.Find(0), nullptr);
}
