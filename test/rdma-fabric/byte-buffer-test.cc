// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/byte-buffer.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(ByteBuffer, GivesBackWhatWasPutInOrder)
{
    ByteBuffer buffer;
    buffer.Put(uint8_t{7});
    buffer.Put(int64_t{-5});
    buffer.Put(std::string());
    buffer.Put(std::string("a\0b", 3));
    EXPECT_EQ(buffer.GetSize(), 1 + 8 + 8 + 8 + 3); // Each text has eight bytes of length.
    ByteReader reader(buffer);
    EXPECT_EQ(reader.Get<uint8_t>(), 7);
    EXPECT_EQ(reader.Get<int64_t>(), -5);
    EXPECT_EQ(reader.Get<std::string>(), "");
    EXPECT_EQ(reader.Get<std::string>(), std::string("a\0b", 3));
    EXPECT_EQ(reader.GetLeft(), 0);
}

TEST(ByteBuffer, KeepsWhatItHoldsWhenItGrows)
{
    ByteBuffer buffer;
    for (uint32_t value = 0; value < 10'000; ++value)
    {
        buffer.Put(value);
    }
    ByteReader reader(buffer);
    for (uint32_t value = 0; value < 10'000; ++value)
    {
        ASSERT_EQ(reader.Get<uint32_t>(), value);
    }
}

TEST(ByteBuffer, TakesAllOfAVectorWithItsCount)
{
    const std::vector<uint16_t> some{1, 2, 3};
    ByteBuffer buffer;
    buffer.Put(some);
    buffer.Put(std::vector<uint64_t>());
    buffer.Put(uint8_t{9});
    EXPECT_EQ(buffer.GetSize(), 8 + 3 * 2 + 8 + 1);
    ByteReader reader(buffer);
    EXPECT_EQ(reader.Get<std::vector<uint16_t>>(), some);
    EXPECT_TRUE(reader.Get<std::vector<uint64_t>>().empty());
    EXPECT_EQ(reader.Get<uint8_t>(), 9);
}

namespace
{
struct Line
{
    template <typename Self, typename Visit>
    static void VisitFields(Self& self, const Visit& visit)
    {
        visit(self.number, self.text);
    }

    uint16_t number{0};
    std::string text;
};
} // namespace

TEST(ByteBuffer, TakesTheFieldsOfObjectsAndTheEntriesOfMaps)
{
    ByteBuffer buffer;
    buffer.Put(std::vector<Line>{{1, "one"}, {2, ""}});
    buffer.Put(std::map<std::string, uint8_t>{{"a", 4}, {"b", 5}});
    // 8 of the count, 2 + 8 + 3, 2 + 8; 8 of the count, twice 8 + 1 + 1.
    EXPECT_EQ(buffer.GetSize(), 8 + 13 + 10 + 8 + 20);
    ByteReader reader(buffer);
    const auto lines = reader.Get<std::vector<Line>>();
    ASSERT_EQ(lines.size(), 2);
    EXPECT_EQ(lines[0].number, 1);
    EXPECT_EQ(lines[0].text, "one");
    EXPECT_EQ(lines[1].text, "");
    std::map<std::string, uint8_t> map{{"c", 6}};
    reader.Read(map); // Replaces what it holds.
    EXPECT_EQ(map, (std::map<std::string, uint8_t>{{"a", 4}, {"b", 5}}));
    EXPECT_EQ(reader.GetLeft(), 0);
}

TEST(ByteBuffer, IsEmptyWhenCleared)
{
    ByteBuffer buffer;
    buffer.Put(std::string("old"));
    buffer.Clear();
    EXPECT_EQ(buffer.GetSize(), 0);
    buffer.Put(uint16_t{1});
    EXPECT_EQ(ByteReader(buffer).Get<uint16_t>(), 1);
}

TEST(ByteBufferDeathTest, AReaderDoesNotTakeMoreElementsThanThereAre)
{
    ByteBuffer buffer;
    buffer.Put(uint64_t{2}); // Of four bytes each; one comes.
    buffer.Put(uint32_t{3});
    ByteReader reader(buffer);
    EXPECT_DEATH(reader.Get<std::vector<uint32_t>>(), "short of 4 bytes");
}

TEST(ByteBufferDeathTest, AReaderDoesNotReadBeyondTheEnd)
{
    ByteBuffer buffer;
    buffer.Put(uint32_t{3});
    ByteReader reader(buffer);
    EXPECT_DEATH(reader.Get<uint64_t>(), "short of 4 bytes");
}
