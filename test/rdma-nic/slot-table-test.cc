// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/slot-table.h"

#include "ns3/random-stream.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3::rdma;

TEST(SlotTable, GivesEachNumberASlotOfItsOwn)
{
    SlotTable table(3);
    EXPECT_EQ(table.Find(7), SlotTable::NONE);
    EXPECT_EQ(table.Add(7), 0);
    EXPECT_EQ(table.Add(1000), 1);
    EXPECT_FALSE(table.IsFull());
    EXPECT_EQ(table.Add(2), 2);
    EXPECT_TRUE(table.IsFull());
    EXPECT_EQ(table.Find(7), 0);
    EXPECT_EQ(table.Find(1000), 1);
    EXPECT_EQ(table.Find(2), 2);
    EXPECT_EQ(table.Find(999), SlotTable::NONE);
    EXPECT_EQ(table.Find(1001), SlotTable::NONE);
}

TEST(SlotTable, UsesFreedSlotsAgain)
{
    SlotTable table(2);
    table.Add(10);
    table.Add(11);
    table.Remove(0);
    EXPECT_FALSE(table.IsFull());
    EXPECT_EQ(table.Find(10), SlotTable::NONE);
    EXPECT_EQ(table.Add(12), 0);
    EXPECT_TRUE(table.IsFull());
    EXPECT_EQ(table.Find(12), 0);
}

TEST(SlotTable, OrdersSlotsByUse)
{
    SlotTable table(3);
    EXPECT_EQ(table.GetOldest(), SlotTable::NONE);
    table.Add(10);
    table.Add(11);
    table.Add(12);
    EXPECT_EQ(table.GetOldest(), 0);
    table.Touch(0); // Of the oldest: 1, 2, 0.
    EXPECT_EQ(table.GetOldest(), 1);
    table.Touch(2); // Of one between: 1, 0, 2.
    table.Touch(2); // Of the newest: nothing changes.
    table.Remove(1);
    EXPECT_EQ(table.GetOldest(), 0);
    table.Remove(0);
    EXPECT_EQ(table.GetOldest(), 2);
    table.Remove(2);
    EXPECT_EQ(table.GetOldest(), SlotTable::NONE);
    EXPECT_NE(table.Add(13), SlotTable::NONE);
    EXPECT_EQ(table.GetOldest(), table.Find(13));
}

TEST(SlotTable, AgreesWithAPlainListWhateverIsDone)
{
    constexpr uint32_t SLOTS{5};
    SlotTable table(SLOTS);
    std::vector<uint32_t> numbers; // Oldest first.
    RandomStream random(1, 2);
    for (int i = 0; i < 20'000; ++i)
    {
        const uint32_t number = random.Next32() % 12;
        const auto known = std::find(numbers.begin(), numbers.end(), number);
        const uint32_t slot = table.Find(number);
        ASSERT_EQ(slot != SlotTable::NONE, known != numbers.end());
        if (slot == SlotTable::NONE && numbers.size() < SLOTS)
        {
            EXPECT_LT(table.Add(number), SLOTS);
            numbers.push_back(number);
        }
        else if (slot != SlotTable::NONE && random.Next32() % 2 == 0)
        {
            table.Touch(slot);
            std::rotate(known, known + 1, numbers.end());
        }
        else if (slot != SlotTable::NONE)
        {
            table.Remove(slot);
            numbers.erase(known);
        }
        ASSERT_EQ(table.IsFull(), numbers.size() == SLOTS);
        ASSERT_EQ(table.GetOldest(),
                  numbers.empty() ? SlotTable::NONE : table.Find(numbers.front()));
    }
}
