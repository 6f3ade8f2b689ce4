// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-counted-store.h"

#include "kv-test-bench.h"

#include <gtest/gtest.h>

namespace ns3::rdma::test
{

namespace
{

/// Accesses of operations on all keys of a table, per operation.
struct Counts
{
    double reads{0};
    double writes{0};
    double chained{0}; ///< Of the reads.
};

Counts
CountAccesses(KvTable& table, uint64_t keys, std::size_t keyBytes, KvVisitor& visitor)
{
    Counts counts;
    for (uint64_t number = 0; number < keys; ++number)
    {
        KvAccesses accesses;
        EXPECT_EQ(table.Visit(ByteView(MakeKey(number, keyBytes)), visitor, accesses),
                  KvStatus::OK);
        for (const KvAccess& access : accesses)
        {
            counts.reads += access.isWrite ? 0 : 1;
            counts.writes += access.isWrite ? 1 : 0;
            counts.chained += !access.isWrite && access.cause == KvAccess::Cause::CHAIN ? 1 : 0;
        }
    }
    const auto operations = static_cast<double>(keys);
    return {counts.reads / operations, counts.writes / operations, counts.chained / operations};
}

KvStoreSettings
MakeSettings(uint64_t memoryBytes, uint32_t inlineThreshold)
{
    KvStoreSettings settings;
    settings.memoryBytes = memoryBytes;
    settings.hashIndexRatio = inlineThreshold > 0 ? 0.8 : 0.1;
    settings.inlineThreshold = inlineThreshold;
    return settings;
}

} // namespace

TEST(KvCountedStore, GetsAndPutsHaveAsManyAccessesAsThoseOfTheStoreWithBytes)
{
    // Pairs of 10 B, inline, at half of the memory: 1.10 reads of a GET (docs/models).
    constexpr uint64_t MEMORY{4 << 20};
    constexpr uint64_t KEYS{MEMORY / 2 / 10};
    const KvStoreSettings settings = MakeSettings(MEMORY, 10);
    KvTestBench bench(settings);
    const Bytes value(5);
    for (uint64_t number = 0; number < KEYS; ++number)
    {
        ASSERT_EQ(bench.Put(MakeKey(number, 5), value), KvStatus::OK);
    }
    KvCountedStore counted(settings, {KEYS, 5, 5});
    KvGetter getter;
    KvPutter putter{ByteView(value)};
    const Counts get = CountAccesses(counted, KEYS, 5, getter);
    const Counts put = CountAccesses(counted, KEYS, 5, putter);
    const Counts realGet = CountAccesses(bench.GetStore(), KEYS, 5, getter);
    const Counts realPut = CountAccesses(bench.GetStore(), KEYS, 5, putter);
    // A tenth of 209,715 keys is in a chain: a deviation of 0.0007 in each of the two.
    constexpr double TOLERANCE{0.003};
    EXPECT_NEAR(get.reads, realGet.reads, TOLERANCE);
    EXPECT_NEAR(get.chained, realGet.chained, TOLERANCE);
    EXPECT_EQ(get.writes, 0);
    EXPECT_NEAR(put.reads, realPut.reads, TOLERANCE);
    EXPECT_EQ(put.writes, 1);
    EXPECT_EQ(realPut.writes, 1);
}

TEST(KvCountedStore, AKeyHasTheBucketThatTheStoreWithBytesGivesIt)
{
    const KvStoreSettings settings = MakeSettings(1 << 20, 10);
    KvTestBench bench(settings);
    const KvCountedStore counted(settings, {1000, 5, 5});
    for (uint64_t number = 0; number < 100; ++number)
    {
        const Bytes key = MakeKey(number, 5);
        EXPECT_EQ(counted.GetHash(ByteView(key)), bench.GetStore().GetHash(ByteView(key)));
    }
}

TEST(KvCountedStore, APairOutsideOfTheIndexIsReadFromASlabAndWrittenThere)
{
    // One pair per bucket at most times: bucket and slab; a PUT writes the slab.
    KvCountedStore counted(MakeSettings(1 << 20, 0), {100, 8, 54});
    KvAccesses accesses;
    const Bytes value(54);
    KvPutter putter{ByteView(value)};
    EXPECT_EQ(counted.Visit(ByteView(MakeKey(1, 8)), putter, accesses), KvStatus::OK);
    ASSERT_EQ(accesses.size(), 3U);
    EXPECT_EQ(accesses[0].cause, KvAccess::Cause::BUCKET);
    EXPECT_EQ(accesses[1].cause, KvAccess::Cause::SLAB);
    EXPECT_EQ(accesses[1].bytes, 64U); // 62 bytes and 2 of metadata.
    EXPECT_TRUE(accesses[2].isWrite);
    EXPECT_EQ(accesses[2].address, accesses[1].address);
}

TEST(KvCountedStore, TheStoreOfThePaperTakesNoMemoryAndItsAccessesAreWithinIt)
{
    // 64 GiB, half of it pairs of 10 B.
    constexpr uint64_t MEMORY{uint64_t{64} << 30};
    constexpr uint64_t KEYS{MEMORY / 2 / 10};
    const KvStoreSettings settings = MakeSettings(MEMORY, 10);
    KvCountedStore counted(settings, {KEYS, 5, 5});
    EXPECT_NEAR(counted.GetMemoryUtilization(), 0.5, 1e-9);
    KvGetter getter;
    uint64_t accessCount = 0;
    constexpr uint64_t STEP{34'359}; // 100,000 of 3.4 billion keys.
    for (uint64_t number = 0; number < KEYS; number += STEP)
    {
        KvAccesses accesses;
        ASSERT_EQ(counted.Visit(ByteView(MakeKey(number, 5)), getter, accesses), KvStatus::OK);
        accessCount += accesses.size();
        for (const KvAccess& access : accesses)
        {
            ASSERT_LE(access.address + access.bytes, MEMORY);
        }
    }
    EXPECT_NEAR(static_cast<double>(accessCount) / 1e5, 1.10, 0.01);
}

TEST(KvCountedStore, OtherLengthsAndRemovalsAreRefused)
{
    KvCountedStore counted(MakeSettings(1 << 20, 10), {100, 5, 5});
    KvAccesses accesses;
    const Bytes value(6);
    KvPutter longer{ByteView(value)};
    KvRemover remover;
    KvGetter getter;
    EXPECT_EQ(counted.Visit(ByteView(MakeKey(1, 5)), longer, accesses), KvStatus::BAD_OPERAND);
    EXPECT_EQ(counted.Visit(ByteView(MakeKey(1, 5)), remover, accesses), KvStatus::BAD_OPERAND);
    EXPECT_EQ(counted.Visit(ByteView(MakeKey(1, 8)), getter, accesses), KvStatus::BAD_OPERAND);
}

} // namespace ns3::rdma::test
