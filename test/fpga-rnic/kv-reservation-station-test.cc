// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-reservation-station.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t NONE{KvReservationStation::NONE};
constexpr uint32_t SLOTS{4};
constexpr uint32_t ENTRIES{3};

class KvReservationStationTest : public testing::Test
{
  protected:
    /// @return an operation's entry, at the end of its slot's chain.
    uint32_t Append(uint64_t tag, uint64_t hash)
    {
        const std::vector<uint8_t> key{static_cast<uint8_t>(hash)};
        KvOperation operation;
        operation.key = ByteView(key);
        const uint32_t entry = m_station.Add(operation, tag, hash);
        m_station.Append(entry);
        return entry;
    }

    KvReservationStation m_station{SLOTS, ENTRIES};
};
} // namespace

TEST_F(KvReservationStationTest, AnEntryKeepsACopyOfItsKey)
{
    const uint32_t entry = Append(7, 9);
    EXPECT_EQ(m_station.GetEntry(entry).tag, 7);
    EXPECT_EQ(m_station.GetEntry(entry).key, std::vector<uint8_t>{9});
    EXPECT_EQ(m_station.GetEntry(entry).operation.key.GetData(),
              m_station.GetEntry(entry).key.data());
    EXPECT_EQ(m_station.GetEntry(entry).slot, 1); // 9 modulo 4.
}

TEST_F(KvReservationStationTest, OperationsOfASlotWaitInTheirOrder)
{
    const uint32_t first = Append(1, 2);
    const uint32_t second = Append(2, 6); // 6 modulo 4 is 2: the same slot.
    const uint32_t other = Append(3, 3);
    EXPECT_EQ(m_station.TakeFirst(2), first);
    EXPECT_EQ(m_station.TakeFirst(2), second);
    EXPECT_EQ(m_station.TakeFirst(2), NONE);
    EXPECT_EQ(m_station.TakeFirst(3), other);
}

TEST_F(KvReservationStationTest, IsFullWithAsManyOperationsAsItHolds)
{
    const uint32_t first = Append(1, 0);
    Append(2, 1);
    EXPECT_TRUE(m_station.HasRoom());
    Append(3, 2);
    EXPECT_FALSE(m_station.HasRoom());
    m_station.Remove(first);
    EXPECT_TRUE(m_station.HasRoom());
    EXPECT_EQ(m_station.GetUsed(), 2);
}

TEST_F(KvReservationStationTest, AWriteBackTakesNoOperationsRoom)
{
    m_station.GetSlot(1).key = {5};
    m_station.GetSlot(1).value = {6, 7};
    const uint32_t entry = m_station.AddWriteBack(1);
    EXPECT_EQ(m_station.GetUsed(), 0);
    EXPECT_EQ(m_station.GetEntry(entry).operation.opcode, KvOpcode::PUT);
    EXPECT_EQ(m_station.GetEntry(entry).operand, (std::vector<uint8_t>{6, 7}));
    m_station.Remove(entry);
    EXPECT_EQ(m_station.GetUsed(), 0);
}

TEST_F(KvReservationStationTest, TheCursorTakesFromTheMiddleAndTheEnd)
{
    const uint32_t first = Append(1, 2);
    const uint32_t middle = Append(2, 2);
    const uint32_t last = Append(3, 2);
    KvReservationStation::Slot& slot = m_station.GetSlot(2);
    slot.previous = first;
    slot.cursor = middle;
    m_station.TakeAtCursor(2);
    EXPECT_EQ(slot.cursor, last);
    m_station.TakeAtCursor(2);
    EXPECT_EQ(slot.cursor, NONE);
    EXPECT_EQ(slot.last, first);
    EXPECT_EQ(m_station.TakeFirst(2), first);
    EXPECT_EQ(m_station.TakeFirst(2), NONE);
}
