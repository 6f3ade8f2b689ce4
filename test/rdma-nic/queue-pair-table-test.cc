// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair-table.h"

#include "../expect-error.h"

#include "ns3/random-stream.h"
#include "ns3/verbs-error.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace ns3::rdma;

TEST(QueuePairTable, FindsWhatItCreated)
{
    QueuePairTable table;
    EXPECT_EQ(table.Find(0), nullptr);
    const uint32_t first = table.Create().GetNumber();
    const uint32_t second = table.Create().GetNumber();
    EXPECT_NE(first, second);
    EXPECT_EQ(table.GetNumbers().size(), 2);
    EXPECT_EQ(table.Find(first)->GetNumber(), first);
    EXPECT_EQ(table.Find(second)->GetNumber(), second);
    EXPECT_EQ(table.Find(4), nullptr); // After numbers 2 and 3.
    EXPECT_EQ(table.Find(0xffffff), nullptr);
}

TEST(QueuePairTable, LeavesTheNumbersOfManagementAlone)
{
    QueuePairTable table;
    EXPECT_EQ(table.Create().GetNumber(), 2); // 0 and 1 are those of SMI and GSI.
    EXPECT_EQ(table.Find(0), nullptr);
    EXPECT_EQ(table.Find(1), nullptr);
}

TEST(QueuePairTable, ANumberIsNotUsedAgainAtOnce)
{
    QueuePairTable table;
    const uint32_t old = table.Create().GetNumber();
    table.Destroy(old);
    EXPECT_EQ(table.GetNumbers().size(), 0);
    EXPECT_EQ(table.Find(old), nullptr);
    const uint32_t next = table.Create().GetNumber();
    EXPECT_EQ(next, old + 1);
    EXPECT_EQ(table.Find(old), nullptr);
    EXPECT_NE(table.Find(next), nullptr);
    table.Destroy(old); // Of a number that is gone: nothing happens.
    EXPECT_NE(table.Find(next), nullptr);
    EXPECT_EQ(table.GetNumbers().size(), 1);
}

TEST(QueuePairTable, NumbersHave24BitsAndStartOver)
{
    EXPECT_EQ(QueuePairTable::GetNumber(0), 2);
    EXPECT_EQ(QueuePairTable::GetNumber(0xfffffd), 0xffffff);
    EXPECT_EQ(QueuePairTable::GetNumber(0xfffffe), 2);
}

TEST(QueuePairTable, TakesNumbersThatOthersChoose)
{
    QueuePairTable table;
    EXPECT_EQ(table.Create(3).GetNumber(), 3);
    EXPECT_EQ(table.Create().GetNumber(), 2);
    EXPECT_EQ(table.Create().GetNumber(), 4); // 3 is taken.
    EXPECT_EQ(table.Create(0xffffff).GetNumber(), 0xffffff);
    EXPECT_NE(table.Find(0xffffff), nullptr);
    EXPECT_EQ(table.Find(0xffffff & 7), nullptr);
}

TEST(QueuePairTable, RefusesNumbersOfOthersAndOfManagement)
{
    QueuePairTable table;
    table.Create(5);
    ExpectError<VerbsError>([&] { table.Create(5); }, "number 5 cannot be given");
    ExpectError<VerbsError>([&] { table.Create(1); }, "number 1 cannot be given");
    ExpectError<VerbsError>([&] { table.Create(1 << 24); }, "cannot be given");
}

TEST(QueuePairTable, PlacesAreSmallAndUsedAgain)
{
    QueuePairTable table;
    EXPECT_EQ(table.GetPlace(2), QueuePairTable::NO_PLACE);
    const uint32_t first = table.Create(1000).GetNumber();
    const uint32_t second = table.Create(70'000).GetNumber();
    EXPECT_EQ(table.GetPlace(first), 2);
    EXPECT_EQ(table.GetPlace(second), 3);
    table.Destroy(first);
    EXPECT_EQ(table.GetPlace(first), QueuePairTable::NO_PLACE);
    EXPECT_EQ(table.GetPlace(table.Create(2'000'000).GetNumber()), 2);
    EXPECT_EQ(table.GetPlace(second), 3);
}

TEST(QueuePairTable, AgreesWithAMapUnderRandomUse)
{
    // Few different low bits: many queue pairs want the same slot.
    QueuePairTable table;
    std::map<uint32_t, uint32_t> places;
    RandomStream random(1, 2);
    for (int step = 0; step < 20'000; ++step)
    {
        const uint32_t number = 2 + (random.Next32() % 32) * 128 * (1 + random.Next32() % 3);
        if (places.count(number) != 0)
        {
            table.Destroy(number);
            places.erase(number);
        }
        else
        {
            EXPECT_EQ(table.Create(number).GetNumber(), number);
            places[number] = table.GetPlace(number);
        }
        ASSERT_EQ(table.GetNumbers().size(), places.size());
    }
    std::set<uint32_t> used;
    for (uint32_t number = 2; number < 3 * 4096 + 2; ++number)
    {
        const auto known = places.find(number);
        const QueuePair* found = table.Find(number);
        ASSERT_EQ(found != nullptr, known != places.end()) << number;
        if (found)
        {
            EXPECT_EQ(found->GetNumber(), number);
            EXPECT_EQ(table.GetPlace(number), known->second); // It never moves.
            EXPECT_TRUE(used.insert(known->second).second);   // And is used once.
        }
    }
}

TEST(QueuePairTable, QueuePairsStayWhereTheyAre)
{
    QueuePairTable table;
    const QueuePair* const first = &table.Create();
    for (int i = 0; i < 1000; ++i)
    {
        table.Create();
    }
    EXPECT_EQ(table.Find(first->GetNumber()), first);
    EXPECT_EQ(table.Find(0), nullptr);
}
