// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-bucket.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3::rdma;

namespace
{

using Bytes = std::vector<uint8_t>;

KvBucket
Reload(const KvBucket& bucket)
{
    Bytes bytes(KvBucket::BYTES);
    bucket.Save(bytes.data());
    KvBucket copy;
    copy.Load(bytes.data());
    return copy;
}

std::vector<KvBucket::Item>
ListItems(const KvBucket& bucket)
{
    std::vector<KvBucket::Item> items;
    for (KvBucket::Item item = bucket.GetItem(0); item.slots > 0;
         item = bucket.GetItem(item.slot + item.slots))
    {
        items.push_back(item);
    }
    return items;
}

Bytes
MakePattern(std::size_t count, uint8_t first)
{
    Bytes bytes(count);
    for (uint8_t& byte : bytes)
    {
        byte = first++;
    }
    return bytes;
}

} // namespace

TEST(KvBucket, AnEmptyOneIsAllZerosAndHasNoItem)
{
    KvBucket bucket;
    Bytes bytes(KvBucket::BYTES, 0xee);
    bucket.Save(bytes.data());
    EXPECT_EQ(bytes, Bytes(KvBucket::BYTES, 0));
    EXPECT_EQ(Reload(bucket).GetUsedSlots(), 0);
    EXPECT_TRUE(ListItems(Reload(bucket)).empty());
    EXPECT_EQ(Reload(bucket).GetNext(), 0);
}

TEST(KvBucket, InlinePairsOfEveryLengthKeepTheirBytes)
{
    // All (key, value) of 1 to 50 bytes together: the lengths fit in what a slot has for them.
    for (std::size_t bytes = 1; bytes <= KvBucket::MAX_INLINE_BYTES; ++bytes)
    {
        for (std::size_t keyBytes = 1; keyBytes <= bytes; ++keyBytes)
        {
            const Bytes key = MakePattern(keyBytes, 1);
            const Bytes value = MakePattern(bytes - keyBytes, 100);
            KvBucket bucket;
            bucket.AppendInline(ByteView(key), ByteView(value));
            const KvBucket copy = Reload(bucket);
            const auto items = ListItems(copy);
            ASSERT_EQ(items.size(), 1);
            ASSERT_TRUE(items[0].isInline);
            ASSERT_EQ(items[0].slots, (bytes + 4) / 5);
            ASSERT_EQ(copy.GetKey(items[0]).Copy(), key);
            ASSERT_EQ(copy.GetValue(items[0]).Copy(), value);
        }
    }
}

TEST(KvBucket, PairsOfFiveBytesUseAllSlots)
{
    KvBucket bucket;
    for (uint8_t i = 0; i < KvBucket::SLOTS; ++i)
    {
        const Bytes key{i, 1, 2};
        const Bytes value{i, 9};
        bucket.AppendInline(ByteView(key), ByteView(value));
    }
    const KvBucket copy = Reload(bucket);
    EXPECT_EQ(copy.GetFreeSlots(), 0);
    const auto items = ListItems(copy);
    ASSERT_EQ(items.size(), 10);
    for (uint8_t i = 0; i < KvBucket::SLOTS; ++i)
    {
        EXPECT_EQ(copy.GetKey(items[i]).Copy(), (Bytes{i, 1, 2}));
        EXPECT_EQ(copy.GetValue(items[i]).Copy(), (Bytes{i, 9}));
    }
}

TEST(KvBucket, PointersKeepAllTheirBits)
{
    const KvBucket::Pointer pointers[] = {{1, 0, 0},
                                          {(1U << 31) - 1, 511, 7},
                                          {1U << 30, 256, 4},
                                          {0x2aaaaaaa, 0x155, 5}};
    KvBucket bucket;
    for (const auto& pointer : pointers)
    {
        bucket.AppendPointer(pointer);
    }
    bucket.SetNext((1U << 31) - 1);
    const KvBucket copy = Reload(bucket);
    EXPECT_EQ(copy.GetNext(), (1U << 31) - 1);
    ASSERT_EQ(copy.GetUsedSlots(), 4);
    for (uint32_t slot = 0; slot < 4; ++slot)
    {
        EXPECT_FALSE(copy.GetItem(slot).isInline);
        EXPECT_EQ(copy.GetPointer(slot).unit, pointers[slot].unit);
        EXPECT_EQ(copy.GetPointer(slot).hash, pointers[slot].hash);
        EXPECT_EQ(copy.GetPointer(slot).slabType, pointers[slot].slabType);
    }
}

TEST(KvBucket, HasItsFieldsWhereTheClassCommentSays)
{
    KvBucket bucket;
    const Bytes key{'k', 'e', 'y'};
    const Bytes value{'v', 'a', 'l'};
    bucket.AppendInline(ByteView(key), ByteView(value)); // 6 bytes: slots 0 and 1, 4 of padding.
    bucket.AppendPointer({0x12345678, 0x1ff, 3});        // Slot 2.
    bucket.SetNext(5);
    Bytes expected(KvBucket::BYTES, 0);
    const Bytes slots{'k', 'e', 'y', 'v', 'a', 'l', 0, 0, 0, 0, 0x78, 0x56, 0x34, 0x92, 0xff};
    std::copy(slots.begin(), slots.end(), expected.begin());
    // Types, bits 0 to 29: slot 0 has the key's length 3, slot 1 its upper bits 0, slot 2 type 3.
    expected[50] = 3 | 3 << 6;
    // Begin, bits 30 to 39: slot 0 is bit 30, bit 6 of byte 53.  End, bits 40 to 49: slot 1 is
    // bit 41, bit 1 of byte 55.
    expected[53] = 1 << 6;
    expected[55] = 1 << 1;
    // Next, bits 50 to 80: 5 at bit 2 of byte 56.
    expected[56] = 5 << 2;
    // Padding, bits 81 to 110: 4 of slot 0 at bit 1 of byte 60.
    expected[60] = 4 << 1;
    Bytes bytes(KvBucket::BYTES);
    bucket.Save(bytes.data());
    EXPECT_EQ(bytes, expected);
}

TEST(KvBucket, RemovingAnItemClosesTheGap)
{
    const Bytes first = MakePattern(7, 1);    // Slots 0 and 1.
    const Bytes middle = MakePattern(11, 50); // Slots 2 to 4.
    const Bytes last = MakePattern(13, 90);   // Slots 6 to 8, behind a pointer.
    KvBucket bucket;
    bucket.AppendInline(ByteView(first), ByteView());
    bucket.AppendInline(ByteView(middle), ByteView());
    bucket.AppendPointer({77, 3, 2});
    bucket.AppendInline(ByteView(last), ByteView(first));
    ASSERT_EQ(bucket.GetUsedSlots(), 10);
    bucket.Remove(bucket.GetItem(2));
    const KvBucket copy = Reload(bucket);
    EXPECT_EQ(copy.GetUsedSlots(), 7);
    const auto items = ListItems(copy);
    ASSERT_EQ(items.size(), 3);
    EXPECT_EQ(copy.GetKey(items[0]).Copy(), first);
    EXPECT_EQ(copy.GetPointer(2).unit, 77);
    EXPECT_EQ(copy.GetPointer(2).slabType, 2);
    EXPECT_EQ(copy.GetKey(items[2]).Copy(), last);
    EXPECT_EQ(copy.GetValue(items[2]).Copy(), first);
}

TEST(KvBucket, RemovingAllItemsLeavesAllZeros)
{
    KvBucket bucket;
    const Bytes key = MakePattern(20, 1);
    bucket.AppendInline(ByteView(key), ByteView(key)); // 8 slots.
    bucket.AppendPointer({9, 9, 1});
    bucket.Remove(bucket.GetItem(0));
    bucket.Remove(bucket.GetItem(0));
    Bytes bytes(KvBucket::BYTES, 0xee);
    bucket.Save(bytes.data());
    EXPECT_EQ(bytes, Bytes(KvBucket::BYTES, 0));
}
