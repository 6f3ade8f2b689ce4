// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-batch.h"

#include "kv-test-bench.h"

#include <gtest/gtest.h>

namespace ns3::rdma::test
{

namespace
{
KvOperation
MakeOperation(KvOpcode opcode, const Bytes& key, const Bytes& operand = {}, uint8_t function = 0)
{
    KvOperation operation;
    operation.opcode = opcode;
    operation.function = function;
    operation.key = ByteView(key);
    operation.operand = ByteView(operand);
    return operation;
}

Bytes
CopyOf(ByteView view)
{
    return view.Copy();
}
} // namespace

TEST(KvBatch, OperationsOfEqualSizesHaveThemOnce)
{
    const Bytes one = MakeBytes("key1");
    const Bytes two = MakeBytes("key2");
    const Bytes first = MakeBytes("abcdef");
    const Bytes second = MakeBytes("ghijkl");
    KvBatchWriter writer;
    writer.Begin(7);
    // Opcode, 1 + 2 bytes of sizes, key, value: 1 + 3 + 4 + 6.
    EXPECT_EQ(writer.GetBytes(MakeOperation(KvOpcode::PUT, one, first)), 14U);
    writer.Add(MakeOperation(KvOpcode::PUT, one, first));
    // The same sizes: 1 + 4 + 6.
    EXPECT_EQ(writer.GetBytes(MakeOperation(KvOpcode::PUT, two, second)), 11U);
    writer.Add(MakeOperation(KvOpcode::PUT, two, second));
    // The same value, too: 1 + 4.
    EXPECT_EQ(writer.GetBytes(MakeOperation(KvOpcode::PUT, one, second)), 5U);
    writer.Add(MakeOperation(KvOpcode::PUT, one, second));
    EXPECT_EQ(writer.GetBatch().size(), 8U + 14 + 11 + 5);
}

TEST(KvBatch, EveryOperationIsReadAsItWasWritten)
{
    const Bytes key = MakeBytes("k");
    const Bytes longer = MakeBytes("longer");
    const Bytes value = MakeBytes("value");
    const Bytes operand = MakeBytes("12345678");
    for (const bool isCompressed : {false, true})
    {
        KvBatchWriter writer(isCompressed);
        writer.Begin(0xABCD1234);
        writer.Add(MakeOperation(KvOpcode::GET, key));
        writer.Add(MakeOperation(KvOpcode::PUT, longer, value));
        writer.Add(MakeOperation(KvOpcode::DELETE, longer));
        writer.Add(MakeOperation(KvOpcode::UPDATE_SCALAR, key, operand, 3));
        KvOperation silent = MakeOperation(KvOpcode::UPDATE_VECTOR, key, operand, 3);
        silent.isWithoutReturn = true;
        writer.Add(silent);
        writer.Add(MakeOperation(KvOpcode::FILTER, longer, {}, 5));
        KvBatchReader reader{ByteView(writer.GetBatch())};
        EXPECT_EQ(reader.GetTag(), 0xABCD1234U);
        EXPECT_EQ(reader.GetCount(), 6U);
        KvOperation read;
        ASSERT_TRUE(reader.Next(read));
        EXPECT_EQ(read.opcode, KvOpcode::GET);
        EXPECT_EQ(CopyOf(read.key), key);
        ASSERT_TRUE(reader.Next(read));
        EXPECT_EQ(CopyOf(read.key), longer);
        EXPECT_EQ(CopyOf(read.operand), value);
        ASSERT_TRUE(reader.Next(read));
        EXPECT_EQ(read.opcode, KvOpcode::DELETE);
        EXPECT_EQ(read.operand.GetSize(), 0U);
        ASSERT_TRUE(reader.Next(read));
        EXPECT_EQ(read.function, 3);
        EXPECT_EQ(CopyOf(read.operand), operand);
        EXPECT_FALSE(read.isWithoutReturn);
        ASSERT_TRUE(reader.Next(read));
        EXPECT_TRUE(read.isWithoutReturn);
        EXPECT_EQ(CopyOf(read.operand), operand);
        ASSERT_TRUE(reader.Next(read));
        EXPECT_EQ(read.opcode, KvOpcode::FILTER);
        EXPECT_EQ(read.function, 5);
        EXPECT_EQ(CopyOf(read.key), longer);
        EXPECT_FALSE(reader.Next(read));
        EXPECT_FALSE(reader.IsMalformed());
    }
}

TEST(KvBatch, ABatchThatIsCutShortIsMalformedFromThereOn)
{
    const Bytes key = MakeBytes("key1");
    const Bytes value = MakeBytes("value");
    KvBatchWriter writer;
    writer.Add(MakeOperation(KvOpcode::PUT, key, value));
    writer.Add(MakeOperation(KvOpcode::PUT, MakeBytes("key2"), value));
    const Bytes& whole = writer.GetBatch();
    // The first operation ends behind 8 + 1 + 3 + 4 + 5 bytes.
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
    {
        KvBatchReader reader{ByteView(whole.data(), bytes)};
        KvOperation read;
        uint32_t count = 0;
        while (reader.Next(read))
        {
            ++count;
        }
        EXPECT_TRUE(reader.IsMalformed()) << bytes;
        EXPECT_EQ(count, bytes >= 21 ? 1U : 0U) << bytes;
    }
}

TEST(KvBatch, NothingIsCopiedFromBeforeTheFirstOperation)
{
    for (const uint8_t code :
         {uint8_t{0x10}, uint8_t{0x30}, uint8_t{0x21}, uint8_t{0x0f}, uint8_t{0x80}})
    {
        Bytes batch{1, 0, 0, 0, 0, 0, 0, 0, code, 1, 1, 0, 'k', 'v'};
        KvBatchReader reader{ByteView(batch)};
        KvOperation read;
        EXPECT_FALSE(reader.Next(read)) << int{code};
        EXPECT_TRUE(reader.IsMalformed()) << int{code};
    }
}

TEST(KvBatch, BytesThatAreLeftOverAreMalformed)
{
    KvBatchWriter writer;
    writer.Add(MakeOperation(KvOpcode::GET, MakeBytes("key")));
    Bytes batch = writer.GetBatch();
    batch.push_back(0);
    KvBatchReader reader{ByteView(batch)};
    KvOperation read;
    EXPECT_TRUE(reader.Next(read)); // It is whole itself.
    EXPECT_TRUE(reader.IsMalformed());
}

TEST(KvBatch, AnswersAreReadAsTheyWereWritten)
{
    const Bytes value = MakeBytes("value");
    const Bytes other = MakeBytes("other");
    KvAnswerWriter writer;
    writer.Begin(9);
    writer.Add({KvStatus::OK, ByteView(value)});
    writer.Add({KvStatus::OK, ByteView(value)}); // One byte.
    writer.Add({KvStatus::OK, ByteView(other)}); // Without sizes.
    writer.Add({KvStatus::NOT_FOUND, ByteView()});
    EXPECT_EQ(writer.GetBatch().size(), 8U + 8 + 1 + 6 + 3);
    KvAnswerReader reader{ByteView(writer.GetBatch())};
    EXPECT_EQ(reader.GetTag(), 9U);
    EXPECT_EQ(reader.GetCount(), 4U);
    KvAnswer answer;
    for (const Bytes& expected : {value, value, other, Bytes{}})
    {
        ASSERT_TRUE(reader.Next(answer));
        EXPECT_EQ(CopyOf(answer.value), expected);
    }
    EXPECT_EQ(answer.status, KvStatus::NOT_FOUND);
    EXPECT_FALSE(reader.Next(answer));
}

} // namespace ns3::rdma::test
