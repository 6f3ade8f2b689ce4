// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-batch-table.h"

#include "kv-test-bench.h"

#include <gtest/gtest.h>

namespace ns3::rdma::test
{

namespace
{
/// @return a batch of GETs of the keys "a", "b" and so on.
Bytes
MakeGets(uint32_t count, bool isCompressed = true)
{
    KvBatchWriter writer(isCompressed);
    writer.Begin(7);
    for (uint32_t i = 0; i < count; ++i)
    {
        const Bytes key(1, static_cast<uint8_t>('a' + i));
        KvOperation operation;
        operation.opcode = KvOpcode::GET;
        operation.key = ByteView(key);
        writer.Add(operation);
    }
    return writer.GetBatch();
}

/// Answers all operations by a value. @return the only batch of answers.
Bytes
AnswerAll(KvBatchTable& table, const Bytes& value)
{
    KvOperation operation;
    uint64_t tag = 0;
    while (table.Next(0, operation, tag))
    {
        table.OnAnswer(tag, {KvStatus::OK, ByteView(value)}, 0);
    }
    const std::vector<KvReadyBatch> ready = table.TakeReady();
    return ready.size() == 1 ? ready.front().bytes : Bytes();
}
} // namespace

TEST(KvBatchTable, AnswersToAPlainBatchRepeatSizesAndValues)
{
    const Bytes value = MakeBytes("value");
    KvBatchTable table;
    table.Add(1, MakeGets(3), 1000, 0);
    // Header 8; status 1, size 2, value 5; then a status alone, twice.
    EXPECT_EQ(AnswerAll(table, value).size(), 8U + 8 + 1 + 1);
    table.Add(1, MakeGets(3, false), 1000, 0);
    // Each answer has status, size and value.
    EXPECT_EQ(AnswerAll(table, value).size(), 8U + 3 * 8);
}

TEST(KvBatchTable, AHeaderThatCountsMoreThanFitIsAnsweredWithinItsRoom)
{
    for (const uint32_t room : {11U, 13U, 14U, 64U, 8192U})
    {
        KvBatchTable table;
        Bytes batch = MakeGets(1);
        batch[0] = 0xff;
        batch[1] = 0xff; // 65,535 operations, of which one is there.
        table.Add(1, batch, room, 0);
        EXPECT_EQ(table.CountWaiting(), 0U);
        const std::vector<KvReadyBatch> ready = table.TakeReady();
        ASSERT_EQ(ready.size(), 1U) << room;
        EXPECT_LE(ready.front().bytes.size(), room);
        KvAnswerReader reader{ByteView(ready.front().bytes)};
        EXPECT_EQ(reader.GetCount(), (room - 8) / 3); // Status and size of each.
        KvAnswer answer;
        while (reader.Next(answer))
        {
            EXPECT_EQ(answer.status, KvStatus::MALFORMED);
        }
        EXPECT_EQ(table.GetStats().malformed, 1U);
    }
}

TEST(KvBatchTable, ABatchWithoutRoomForOneAnswerIsCountedAndDropped)
{
    for (const uint32_t room : {0U, 8U, 10U})
    {
        KvBatchTable table;
        table.Add(1, MakeGets(1), room, 0);
        EXPECT_EQ(table.CountWaiting(), 0U);
        EXPECT_TRUE(table.TakeReady().empty());
        EXPECT_EQ(table.GetStats().unreadable, 1U);
    }
}

TEST(KvBatchTable, AnUnknownFlagOfTheHeaderIsMalformed)
{
    for (const uint8_t flags : {2, 3, 0x80})
    {
        KvBatchTable table;
        Bytes batch = MakeGets(2);
        batch[2] = flags;
        table.Add(1, batch, 1000, 0);
        const std::vector<KvReadyBatch> ready = table.TakeReady();
        ASSERT_EQ(ready.size(), 1U);
        KvAnswerReader reader{ByteView(ready.front().bytes)};
        KvAnswer answer;
        ASSERT_TRUE(reader.Next(answer));
        EXPECT_EQ(answer.status, KvStatus::MALFORMED);
    }
}

} // namespace ns3::rdma::test
