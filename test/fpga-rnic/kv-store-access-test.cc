// SPDX-License-Identifier: GPL-2.0-only
#include "kv-test-bench.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

using namespace ns3::rdma;
using namespace ns3::rdma::test;

namespace
{

/// One bucket: all keys share a chain. Slabs for the rest of 32 KiB.
KvStoreSettings
MakeOneBucket()
{
    KvStoreSettings settings;
    settings.base = 1 << 20;
    settings.memoryBytes = 32 << 10;
    settings.hashIndexRatio = 1.0 / 512; // 64 of 32768 bytes.
    settings.inlineThreshold = 20;
    return settings;
}

/// Changes a value in place: what atomics do.
class Appender : public KvVisitor
{
  public:
    KvChange OnValue(bool found, ByteView value) override
    {
        m_isFound = found;
        m_value = value.Copy();
        m_value.push_back('+');
        return {KvChange::Kind::STORE, ByteView(m_value)};
    }

    bool m_isFound{false};
    Bytes m_value;
};

/// Stores a part of what it was shown.
class Trimmer : public KvVisitor
{
  public:
    KvChange OnValue(bool /* found */, ByteView value) override
    {
        return {KvChange::Kind::STORE, ByteView(value.GetData() + 1, value.GetSize() - 1)};
    }
};

} // namespace

TEST(KvStoreAccess, InlineTakesOneReadAndForPutsOneWrite)
{
    KvTestBench bench(MakeOneBucket());
    const Bytes key = MakeKey(1, 8);
    EXPECT_EQ(bench.Get(key), KvStatus::NOT_FOUND);
    EXPECT_EQ(bench.GetAccesses(), "Br");
    EXPECT_EQ(bench.Put(key, Bytes(2, 7)), KvStatus::OK);
    EXPECT_EQ(bench.GetAccesses(), "Br Bw");
    EXPECT_EQ(bench.Put(key, Bytes(2, 8)), KvStatus::OK);
    EXPECT_EQ(bench.GetAccesses(), "Br Bw");
    EXPECT_EQ(bench.Put(key, Bytes(12, 9)), KvStatus::OK); // Two more slots, in the same bucket.
    EXPECT_EQ(bench.GetAccesses(), "Br Bw");
    EXPECT_EQ(bench.Get(key), KvStatus::OK);
    EXPECT_EQ(bench.GetAccesses(), "Br");
    EXPECT_EQ(bench.GetValue(), Bytes(12, 9));
    EXPECT_EQ(bench.Delete(key), KvStatus::OK);
    EXPECT_EQ(bench.GetAccesses(), "Br Bw");
    EXPECT_EQ(bench.Delete(key), KvStatus::NOT_FOUND);
    EXPECT_EQ(bench.GetAccesses(), "Br");
}

TEST(KvStoreAccess, AddressesAndBytesAreThoseOfBucketAndSlab)
{
    KvTestBench bench(MakeOneBucket());
    const Bytes key = MakeKey(1, 8);
    ASSERT_EQ(bench.Put(key, Bytes(30, 7)), KvStatus::OK); // 2 + 38 bytes: a slab of 64.
    const KvAccesses accesses = bench.GetAccessList();
    std::vector<KvAccess> foreground;
    for (const KvAccess& access : accesses)
    {
        if (access.cause != KvAccess::Cause::ALLOCATOR)
        {
            foreground.push_back(access);
        }
    }
    ASSERT_EQ(foreground.size(), 3);
    EXPECT_EQ(foreground[0].address, 1 << 20);
    EXPECT_EQ(foreground[0].bytes, 64);
    EXPECT_EQ(foreground[1].bytes, 2 + 8 + 30); // Written: no more than the pair.
    EXPECT_EQ(foreground[1].address % 64, 0);
    EXPECT_GE(foreground[1].address, (1 << 20) + 512); // Slabs begin at a multiple of 512.
    EXPECT_EQ(foreground[2].address, 1 << 20);
    ASSERT_EQ(bench.Get(key), KvStatus::OK);
    ASSERT_EQ(bench.GetAccessList().size(), 2);
    EXPECT_EQ(bench.GetAccessList()[1].address, foreground[1].address);
    EXPECT_EQ(bench.GetAccessList()[1].bytes, 64); // Read whole.
}

TEST(KvStoreAccess, SlabsTakeOneMore)
{
    KvTestBench bench(MakeOneBucket());
    const Bytes key = MakeKey(1, 8);
    // The NIC's stack is empty: the first allocation waits for a batch of entries.
    EXPECT_EQ(bench.Put(key, Bytes(54, 7)), KvStatus::OK);
    EXPECT_EQ(bench.GetAccesses(), "Br Ar Sw Bw");
    EXPECT_EQ(bench.Get(key), KvStatus::OK);
    EXPECT_EQ(bench.GetAccesses(), "Br Sr");
    EXPECT_EQ(bench.Put(key, Bytes(50, 8)), KvStatus::OK); // The same slab: its bucket stays.
    EXPECT_EQ(bench.GetAccesses(), "Br Sr Sw");
    const Bytes other = MakeKey(2, 8);
    EXPECT_EQ(bench.Put(other, Bytes(54, 9)), KvStatus::OK); // Entries are there now.
    EXPECT_EQ(bench.GetAccesses(), "Br Sw Bw");
    EXPECT_EQ(bench.Delete(key), KvStatus::OK);
    EXPECT_EQ(bench.GetAccesses(), "Br Sr Bw");
}

TEST(KvStoreAccess, ChangesOfFormMoveThePairAndFreeTheSlab)
{
    KvStoreSettings settings = MakeOneBucket();
    settings.memoryBytes *= 64; // Room in which no size has to wait for merging.
    settings.hashIndexRatio /= 64;
    KvTestBench bench(settings);
    const Bytes key = MakeKey(1, 8);
    const auto used = [&] { return bench.GetStore().GetAllocator().GetStats().GetUsedBytes(); };
    ASSERT_EQ(bench.Put(key, Bytes(2, 1)), KvStatus::OK); // Inline.
    EXPECT_EQ(used(), 0);
    ASSERT_EQ(bench.Put(key, Bytes(54, 2)), KvStatus::OK); // 64 bytes.
    EXPECT_EQ(used(), 64);
    ASSERT_EQ(bench.Put(key, Bytes(100, 3)), KvStatus::OK); // 128 bytes.
    EXPECT_EQ(used(), 128);
    EXPECT_EQ(bench.GetAccesses(), "Br Sr Ar Sw Bw");
    ASSERT_EQ(bench.Put(key, Bytes(3, 4)), KvStatus::OK);
    EXPECT_EQ(bench.GetAccesses(), "Br Sr Bw");
    EXPECT_EQ(used(), 0);
    ASSERT_EQ(bench.Get(key), KvStatus::OK);
    EXPECT_EQ(bench.GetValue(), Bytes(3, 4));
    EXPECT_EQ(bench.GetStore().GetStats().keys, 1);
    EXPECT_EQ(bench.GetStore().GetStats().pairBytes, 11);
}

TEST(KvStoreAccess, TheChainGrowsAndShrinksByOneBucket)
{
    KvTestBench bench(MakeOneBucket());
    // Pairs of 10 bytes: five fill a bucket.
    for (uint64_t key = 0; key < 5; ++key)
    {
        ASSERT_EQ(bench.Put(MakeKey(key, 8), Bytes(2, 1)), KvStatus::OK);
        EXPECT_EQ(bench.GetAccesses(), "Br Bw");
    }
    ASSERT_EQ(bench.Put(MakeKey(5, 8), Bytes(2, 1)), KvStatus::OK);
    EXPECT_EQ(bench.GetAccesses(), "Br Ar Cw Bw"); // The new bucket, then the pointer to it.
    EXPECT_EQ(bench.GetStore().CountChainLengths(), (std::vector<uint64_t>{0, 0, 1}));
    ASSERT_EQ(bench.Put(MakeKey(6, 8), Bytes(2, 1)), KvStatus::OK);
    EXPECT_EQ(bench.GetAccesses(), "Br Cr Cw");
    ASSERT_EQ(bench.Get(MakeKey(6, 8)), KvStatus::OK);
    EXPECT_EQ(bench.GetAccesses(), "Br Cr");
    ASSERT_EQ(bench.Delete(MakeKey(5, 8)), KvStatus::OK);
    EXPECT_EQ(bench.GetAccesses(), "Br Cr Cw");
    ASSERT_EQ(bench.Delete(MakeKey(6, 8)), KvStatus::OK); // Empty: taken out of the chain.
    EXPECT_EQ(bench.GetAccesses(), "Br Cr Bw");
    EXPECT_EQ(bench.GetStore().GetStats().chainedBuckets, 0);
    EXPECT_EQ(bench.GetStore().GetAllocator().GetStats().GetUsedBytes(), 0);
    // A free place in the first bucket is used before those of later ones.
    ASSERT_EQ(bench.Put(MakeKey(5, 8), Bytes(2, 1)), KvStatus::OK);
    ASSERT_EQ(bench.Delete(MakeKey(0, 8)), KvStatus::OK);
    EXPECT_EQ(bench.GetAccesses(), "Br Bw");
    ASSERT_EQ(bench.Put(MakeKey(7, 8), Bytes(2, 1)), KvStatus::OK);
    EXPECT_EQ(bench.GetAccesses(), "Br Cr Bw");
}

TEST(KvStoreAccess, APairThatOutgrowsItsBucketMovesAlongTheChain)
{
    KvTestBench bench(MakeOneBucket());
    for (uint64_t key = 0; key < 5; ++key)
    {
        ASSERT_EQ(bench.Put(MakeKey(key, 8), Bytes(2, 1)), KvStatus::OK);
    }
    ASSERT_EQ(bench.Put(MakeKey(0, 8), Bytes(9, 2)), KvStatus::OK); // 4 slots: a new bucket.
    EXPECT_EQ(bench.GetAccesses(), "Br Ar Cw Bw");
    ASSERT_EQ(bench.Get(MakeKey(0, 8)), KvStatus::OK);
    EXPECT_EQ(bench.GetAccesses(), "Br Cr");
    EXPECT_EQ(bench.GetValue(), Bytes(9, 2));
    ASSERT_EQ(bench.Put(MakeKey(1, 8), Bytes(9, 3)), KvStatus::OK); // 2 + 2 slots are free here.
    EXPECT_EQ(bench.GetAccesses(), "Br Bw");
}

TEST(KvStoreAccess, EqualSecondaryHashesCostASlabRead)
{
    // 511 other keys in slabs, all of one bucket's chain: on average one in 512 has the same
    // secondary hash.  Over 500 gets of keys that are not there, with 40 pointers each to look at,
    // 500 x 40 / 512 = 39 reads are expected; 3 sigma are 19.
    KvStoreSettings settings = MakeOneBucket();
    settings.inlineThreshold = 0;
    KvTestBench bench(settings);
    for (uint64_t key = 0; key < 40; ++key)
    {
        ASSERT_EQ(bench.Put(MakeKey(key, 8), Bytes(2, 1)), KvStatus::OK);
    }
    const uint64_t before = bench.GetStore().GetStats().falsePositives;
    for (uint64_t key = 1000; key < 1500; ++key)
    {
        ASSERT_EQ(bench.Get(MakeKey(key, 8)), KvStatus::NOT_FOUND);
    }
    EXPECT_NEAR(bench.GetStore().GetStats().falsePositives - before, 39, 19);
}

TEST(KvStore, VisitorsSeeTheOldValueAndReplaceItAtOnce)
{
    KvTestBench bench(MakeOneBucket());
    const Bytes key = MakeKey(1, 8);
    Appender appender;
    for (uint32_t i = 1; i <= 100; ++i) // Inline, then through slabs of 32 to 128 bytes.
    {
        ASSERT_EQ(bench.Visit(key, appender), KvStatus::OK);
        ASSERT_EQ(appender.m_isFound, i > 1);
        ASSERT_EQ(bench.Get(key), KvStatus::OK);
        ASSERT_EQ(bench.GetValue(), Bytes(i, '+'));
    }
}

TEST(KvStore, AValueMayBePartOfTheOneSeen)
{
    KvTestBench bench(MakeOneBucket());
    const Bytes key = MakeKey(1, 8);
    Bytes value(100);
    for (std::size_t i = 0; i < value.size(); ++i)
    {
        value[i] = static_cast<uint8_t>(i);
    }
    ASSERT_EQ(bench.Put(key, value), KvStatus::OK);
    ASSERT_EQ(bench.Put(MakeKey(2, 8), Bytes(5, 5)), KvStatus::OK);
    Trimmer trimmer;
    while (value.size() > 1) // Through the slabs into the bucket.
    {
        ASSERT_EQ(bench.Visit(key, trimmer), KvStatus::OK);
        value.erase(value.begin());
        ASSERT_EQ(bench.Get(key), KvStatus::OK);
        ASSERT_EQ(bench.GetValue(), value);
    }
}

TEST(KvStore, FaultyKeysAndValuesChangeNothing)
{
    KvTestBench bench(MakeOneBucket());
    const Bytes key = MakeKey(1, 8);
    ASSERT_EQ(bench.Put(key, Bytes(4, 1)), KvStatus::OK);
    EXPECT_EQ(bench.Put({}, Bytes(4, 1)), KvStatus::KEY_EMPTY);
    EXPECT_EQ(bench.Put(Bytes(256, 1), Bytes(4, 1)), KvStatus::KEY_TOO_LONG);
    EXPECT_TRUE(bench.GetAccessList().empty());
    EXPECT_EQ(bench.Put(Bytes(255, 1), Bytes(255, 1)), KvStatus::OK); // 2 + 510: the largest slab.
    EXPECT_EQ(bench.Put(key, Bytes(503, 1)), KvStatus::VALUE_TOO_LONG); // 2 + 8 + 503 = 513.
    ASSERT_EQ(bench.Get(key), KvStatus::OK);
    EXPECT_EQ(bench.GetValue(), Bytes(4, 1));
    EXPECT_EQ(bench.GetStore().GetStats().keys, 2);
}

TEST(KvStore, LargerSlabsTakeLongerVectors)
{
    for (const uint32_t slab : {1024U, 2048U})
    {
        KvStoreSettings settings = MakeOneBucket();
        settings.maxSlabBytes = slab;
        KvTestBench bench(settings);
        const Bytes key = MakeKey(1, 8);
        for (const uint32_t bytes : {slab / 2, slab - 11})
        {
            ASSERT_EQ(bench.Put(key, Bytes(bytes, 3)), KvStatus::OK);
            ASSERT_EQ(bench.Get(key), KvStatus::OK);
            ASSERT_EQ(bench.GetValue(), Bytes(bytes, 3));
        }
        EXPECT_EQ(bench.Put(key, Bytes(slab - 10, 3)), KvStatus::VALUE_TOO_LONG); // 3 + 8 + ...
    }
}

TEST(KvStore, AFullMemoryIsAStatusAndTheOldValueStays)
{
    KvTestBench bench(MakeOneBucket());
    uint64_t keys = 0;
    while (bench.Put(MakeKey(keys, 8), Bytes(200, static_cast<uint8_t>(keys))) == KvStatus::OK)
    {
        ++keys;
    }
    // 32 KiB - 512 of slabs: 126 of 256 bytes, less those of chained buckets (10 keys each).
    EXPECT_GT(keys, 100);
    EXPECT_EQ(bench.Put(MakeKey(0, 8), Bytes(400, 9)), KvStatus::NO_MEMORY); // Another slab.
    EXPECT_EQ(bench.Put(MakeKey(keys, 8), Bytes(400, 9)), KvStatus::NO_MEMORY);
    EXPECT_EQ(bench.Put(MakeKey(1, 8), Bytes(220, 9)), KvStatus::OK); // The same one.
    EXPECT_EQ(bench.Get(MakeKey(keys, 8)), KvStatus::NOT_FOUND);
    EXPECT_EQ(bench.GetStore().GetStats().keys, keys);
    ASSERT_EQ(bench.Get(MakeKey(0, 8)), KvStatus::OK);
    EXPECT_EQ(bench.GetValue(), Bytes(200, 0));
    for (uint64_t key = 0; key < keys; ++key)
    {
        ASSERT_EQ(bench.Delete(MakeKey(key, 8)), KvStatus::OK);
    }
    // What was 256 and 64 bytes serves as 512 again.
    for (uint64_t key = 0; key < 50; ++key)
    {
        ASSERT_EQ(bench.Put(MakeKey(key, 8), Bytes(490, 1)), KvStatus::OK);
    }
}

TEST(KvStore, TheHashsLowBitsAreTheBucketsNumber)
{
    KvStoreSettings settings;
    settings.memoryBytes = 1 << 20;
    settings.hashIndexRatio = 0.3; // 4915 buckets: no power of two.
    KvTestBench bench(settings);
    std::map<uint64_t, uint32_t> upper;
    for (uint64_t number = 0; number < 20'000; ++number)
    {
        const Bytes key = MakeKey(number, 8);
        const uint64_t hash = bench.GetStore().GetHash(ByteView(key));
        bench.Get(key);
        ASSERT_EQ(bench.GetAccessList()[0].address, (hash & UINT32_MAX) * 64);
        ASSERT_LT(hash & UINT32_MAX, 4915);
        ++upper[hash >> 32 & 511];
    }
    // Secondary hashes are even: 20,000 / 512 = 39 each, 5 sigma are 31.
    EXPECT_EQ(upper.size(), 512);
    for (const auto& [secondary, count] : upper)
    {
        EXPECT_NEAR(count, 39, 31);
    }
}

TEST(KvStoreSettings, EachFaultIsOneLineThatSaysWhatWasExpected)
{
    const auto find = [](auto change) {
        KvStoreSettings settings;
        change(settings);
        return settings.FindFault().value_or("");
    };
    EXPECT_EQ(find([](auto&) {}), "");
    EXPECT_EQ(find([](auto& s) { s.base = 100; }), "base: expected a multiple of 4096, got 100");
    EXPECT_EQ(find([](auto& s) { s.memoryBytes = 100; }),
              "memory: expected 8 KiB to 64 GiB, got 100");
    EXPECT_EQ(find([](auto& s) { s.inlineThreshold = 51; }),
              "inline threshold: expected 0 to 50 bytes, got 51");
    EXPECT_EQ(find([](auto& s) { s.maxSlabBytes = 4096; }),
              "largest slab: expected 512, 1024 or 2048 bytes, got 4096");
    for (const double ratio : {0.0, 1.0, -1.0, std::nan("")})
    {
        EXPECT_NE(find([&](auto& s) { s.hashIndexRatio = ratio; }), "");
    }
    EXPECT_NE(find([](auto& s) { s.allocator.batchEntries = 0; }), "");
    EXPECT_NE(find([](auto& s) { s.allocator.nicHighWatermark = 20; }), "");
}
