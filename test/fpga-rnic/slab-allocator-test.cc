// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/slab-allocator.h"

#include "ns3/host-memory.h"
#include "ns3/random-stream.h"
#include "ns3/slab-daemon-cost.h"

#include <gtest/gtest.h>
#include <map>
#include <vector>

using namespace ns3::rdma;

namespace
{

KvStoreSettings
MakeSettings(uint64_t memoryBytes)
{
    KvStoreSettings settings;
    settings.memoryBytes = memoryBytes;
    settings.hashIndexRatio = 0.01;
    return settings;
}

/// An allocator, and a map of the slabs in use: none may overlap another or lie elsewhere.
class WatchedAllocator
{
  public:
    explicit WatchedAllocator(const KvStoreSettings& settings)
        : m_layout(settings),
          m_allocator(settings.allocator, m_layout, m_memory)
    {
    }

    bool Allocate(uint32_t type)
    {
        m_accesses.clear();
        const uint32_t unit = m_allocator.Allocate(type, m_accesses);
        if (unit == 0)
        {
            return false;
        }
        const uint32_t units = 1U << type;
        EXPECT_EQ(unit % units, 0);
        EXPECT_GE(unit, m_layout.GetFirstUnit());
        EXPECT_LE(unit + units, m_layout.GetFirstUnit() + m_layout.GetUnits());
        const auto next = m_used.lower_bound(unit);
        EXPECT_TRUE(next == m_used.end() || unit + units <= next->first);
        EXPECT_TRUE(next == m_used.begin() ||
                    std::prev(next)->first + (1U << std::prev(next)->second) <= unit);
        m_used[unit] = type;
        m_usedUnits += units;
        return true;
    }

    void Free(uint32_t unit)
    {
        m_accesses.clear();
        m_allocator.Free(unit, m_used.at(unit), m_accesses);
        m_usedUnits -= 1U << m_used.at(unit);
        m_used.erase(unit);
    }

    /// Frees a slab at or behind a random address.
    void FreeAny(RandomStream& random)
    {
        if (m_used.empty())
        {
            return;
        }
        auto slab = m_used.lower_bound(m_layout.GetFirstUnit() +
                                       static_cast<uint32_t>(random.Next() % m_layout.GetUnits()));
        Free((slab == m_used.end() ? m_used.begin() : slab)->first);
    }

    void CheckConservation() const
    {
        ASSERT_EQ(m_allocator.GetFreeBytes() + m_usedUnits * 32,
                  uint64_t{m_layout.GetUnits()} * 32);
        ASSERT_EQ(m_allocator.GetStats().GetUsedBytes(), m_usedUnits * 32);
    }

    const SlabAllocatorStats& GetStats() const
    {
        return m_allocator.GetStats();
    }

    KvLayout m_layout;
    HostMemory m_memory;
    SlabAllocator m_allocator;
    KvAccesses m_accesses;
    std::map<uint32_t, uint32_t> m_used; ///< Type by unit.
    uint64_t m_usedUnits{0};
};

} // namespace

TEST(SlabEntry, AddressAndSizeFit32Bits)
{
    for (uint32_t type = 0; type <= SlabEntry::MAX_TYPE; ++type)
    {
        for (const uint32_t unit : {1U << type, 5U << type, (1U << 31) - (1U << type)})
        {
            const SlabEntry entry = SlabEntry::Decode(SlabEntry{unit, type}.Encode());
            EXPECT_EQ(entry.unit, unit);
            EXPECT_EQ(entry.type, type);
        }
    }
}

TEST(SlabEntry, TheLargestSlabIsBoundByAlignmentAndRoom)
{
    const auto find = [](uint32_t unit, uint32_t end) {
        return SlabEntry::Largest(unit, end, 4).type;
    };
    EXPECT_EQ(find(16, 32), 4);
    EXPECT_EQ(find(16, 1000), 4); // No larger slabs.
    EXPECT_EQ(find(16, 31), 3);
    EXPECT_EQ(find(24, 64), 3); // 24 is a multiple of 8.
    EXPECT_EQ(find(17, 64), 0);
    EXPECT_EQ(find(18, 19), 0);
}

TEST(SlabAllocator, OneDmaBringsSixteenEntries)
{
    // Slabs of 512 bytes are entries of their own: 1 DMA per 16 allocations, less than 0.07.
    WatchedAllocator slabs(MakeSettings(1 << 20));
    for (int i = 0; i < 1600; ++i)
    {
        ASSERT_TRUE(slabs.Allocate(4));
    }
    // Ahead of need: 16 more entries are on the NIC, and the first two batches are for the stack.
    EXPECT_EQ(slabs.GetStats().reads, 1600 / 16 + 1);
    EXPECT_EQ(slabs.GetStats().entriesRead, 1616);
    EXPECT_EQ(slabs.GetStats().blockingReads, 1); // The very first.
    EXPECT_LT(slabs.GetStats().GetDmaPerOperation(), 0.07);
    slabs.CheckConservation();
}

TEST(SlabAllocator, SmallSlabsShareAnEntry)
{
    // An entry of 512 bytes holds 16 slabs of 32: 1 DMA per 256 allocations.
    WatchedAllocator slabs(MakeSettings(1 << 20));
    for (int i = 0; i < 25'600; ++i)
    {
        ASSERT_TRUE(slabs.Allocate(0));
    }
    EXPECT_NEAR(slabs.GetStats().reads, 100, 2);
    slabs.CheckConservation();
}

TEST(SlabAllocator, AllocationsAndDeallocationsInTurnNeedNoDma)
{
    WatchedAllocator slabs(MakeSettings(1 << 20));
    ASSERT_TRUE(slabs.Allocate(2));
    const uint64_t before = slabs.GetStats().reads + slabs.GetStats().writes;
    for (int i = 0; i < 1000; ++i)
    {
        ASSERT_TRUE(slabs.Allocate(2));
        slabs.Free(slabs.m_used.rbegin()->first);
    }
    EXPECT_LE(slabs.GetStats().reads + slabs.GetStats().writes - before, 1);
}

TEST(SlabAllocator, ReadsAreInTheBackgroundUnlessTheStackWasEmpty)
{
    WatchedAllocator slabs(MakeSettings(1 << 20));
    ASSERT_TRUE(slabs.Allocate(4));
    ASSERT_EQ(slabs.m_accesses.size(), 2); // One to have a slab, one to have some ahead.
    EXPECT_FALSE(slabs.m_accesses[0].isBackground);
    EXPECT_TRUE(slabs.m_accesses[1].isBackground);
    for (const KvAccess& access : slabs.m_accesses)
    {
        EXPECT_EQ(access.cause, KvAccess::Cause::ALLOCATOR);
        EXPECT_EQ(access.bytes, 64); // 16 entries of 4 bytes
        EXPECT_GE(access.address, slabs.m_layout.GetStackAddress(4));
        EXPECT_LT(access.address, slabs.m_layout.GetEnd());
        EXPECT_EQ(access.address % 64, 0); // in one line.
    }
}

TEST(SlabAllocator, AllOfTheMemoryCanBeAllocatedInEachSizeInTurn)
{
    WatchedAllocator slabs(MakeSettings(256 << 10));
    RandomStream random(1, 1);
    for (const uint32_t type : {0U, 4U, 1U, 3U, 0U, 2U, 4U})
    {
        while (slabs.Allocate(type))
        {
        }
        EXPECT_EQ(slabs.m_usedUnits, slabs.m_layout.GetUnits()) << "type " << type;
        slabs.CheckConservation();
        while (!slabs.m_used.empty())
        {
            slabs.FreeAny(random);
        }
        slabs.CheckConservation();
    }
}

TEST(SlabAllocator, NoSlabIsLostOrGivenTwiceInRandomUse)
{
    for (uint64_t seed = 1; seed <= 8; ++seed)
    {
        KvStoreSettings settings = MakeSettings(256 << 10);
        settings.maxSlabBytes = seed % 2 == 0 ? 512 : 2048;
        settings.allocator.hostHighWatermark = seed % 3 == 0 ? 0.05 : 1.0;
        settings.allocator.mergeMethod =
            seed % 4 < 2 ? SlabMergeMethod::BITMAP : SlabMergeMethod::RADIX_SORT;
        WatchedAllocator slabs(settings);
        RandomStream random(seed, 1);
        for (int step = 0; step < 40'000; ++step)
        {
            // Phases of growth in one size, and of decline: splits and merges in turn.
            const bool isGrowing = step / 5000 % 2 == 0;
            const uint32_t favorite = static_cast<uint32_t>(step / 10'000);
            if (random.Next32() % 100 < (isGrowing ? 70U : 20U))
            {
                const uint32_t other = random.Next32() % (slabs.m_layout.GetMaxType() + 1);
                slabs.Allocate(random.Next32() % 4 == 0 ? other : favorite);
            }
            else
            {
                slabs.FreeAny(random);
            }
            if (step % 1000 == 0)
            {
                slabs.CheckConservation();
            }
        }
        slabs.CheckConservation();
        EXPECT_GT(slabs.m_allocator.GetDaemon().GetStats().splits, 0);
    }
}

TEST(SlabDaemon, MergesAboveTheHighWatermark)
{
    KvStoreSettings settings = MakeSettings(256 << 10);
    settings.allocator.hostHighWatermark = 0.5;
    WatchedAllocator slabs(settings);
    while (slabs.Allocate(0))
    {
    }
    const uint64_t before = slabs.m_allocator.GetDaemon().GetStats().merges;
    RandomStream random(1, 1);
    while (slabs.m_usedUnits > slabs.m_layout.GetUnits() / 4)
    {
        slabs.FreeAny(random);
    }
    EXPECT_GT(slabs.m_allocator.GetDaemon().GetStats().merges, before);
    slabs.CheckConservation();
}

TEST(SlabDaemonCost, IsThePapersAtItsThreePoints)
{
    EXPECT_NEAR(SlabDaemonCost::GetSplitTime(90e6), 0.1, 1e-9);
    EXPECT_NEAR(SlabDaemonCost::GetMergeTime(4e9, 1), 30, 1e-9);
    EXPECT_NEAR(SlabDaemonCost::GetMergeTime(4e9, 32), 1.8, 1e-9);
    // Between them, by Amdahl: 30 (0.0297 + 0.9703 / 8) = 4.5 s.
    EXPECT_NEAR(SlabDaemonCost::GetMergeTime(4e9, 8), 4.53, 0.01);
}
