// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/translation-cache.h"

#include "../expect-error.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/verbs-error.h"

#include <gtest/gtest.h>
#include <map>
#include <string>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// A cache behind a PCIe link of 125 ps per byte (generation 2, 16 lanes).
class TranslationCacheOnPcie : public testing::Test
{
  protected:
    Ptr<TranslationCache> Make(std::map<std::string, std::string> settings)
    {
        m_pcie->SetAttribute("Generation", UintegerValue(2));
        m_pcie->Start(RandomStream(1, 1));
        auto cache = CreateObject<TranslationCache>();
        for (const auto& [name, value] : settings)
        {
            cache->SetAttribute(name, StringValue(value));
        }
        cache->Start(*m_pcie);
        return cache;
    }

    Ptr<PcieLink> m_pcie = CreateObject<PcieLink>();
};

/// A request of 26 bytes, 500 ns, 64 bytes in one completion.
constexpr Tick FETCH{26 * 125 + 500'000 + (64 + 26) * 125};
constexpr uint64_t PAGE{4096};
constexpr uint64_t LINE{8 * PAGE}; ///< What one fetch covers.
} // namespace

TEST_F(TranslationCacheOnPcie, FetchesAdjacentEntriesAtOnce)
{
    auto cache = Make({});
    EXPECT_EQ(cache->Access(0, 0x10000000, 1024), FETCH);
    // The 7 pages behind it came along; the eighth did not.
    EXPECT_EQ(cache->Access(FETCH, 0x10000000 + LINE - 1, 1), FETCH);
    EXPECT_EQ(cache->Access(FETCH, 0x10000000 + LINE, 1), 2 * FETCH);
    EXPECT_EQ(cache->GetStats().misses, 2);
    EXPECT_EQ(cache->GetStats().hits, 1);
    const auto kind = static_cast<std::size_t>(DmaKind::TRANSLATION);
    EXPECT_EQ(m_pcie->GetStats().upBytes[kind], 2 * 26);
    EXPECT_EQ(m_pcie->GetStats().downBytes[kind], 2 * 90);
}

TEST_F(TranslationCacheOnPcie, WaitsForAFetchThatIsUnderWay)
{
    auto cache = Make({});
    EXPECT_EQ(cache->Access(0, 0, 1), FETCH);
    EXPECT_EQ(cache->Access(FETCH / 2, PAGE, 1), FETCH);
    EXPECT_EQ(cache->Access(FETCH + 5, PAGE, 1), FETCH + 5);
    EXPECT_EQ(m_pcie->GetStats().reads, 1);
}

TEST_F(TranslationCacheOnPcie, TranslatesAllPagesOfAPiece)
{
    auto cache = Make({});
    // Its last byte is the first of the next 8 pages: two fetches at once.
    EXPECT_EQ(cache->Access(0, LINE - 1, 2), FETCH);
    EXPECT_EQ(cache->GetStats().misses, 2);
    // 1 MiB from the middle of a page: 257 pages, 33 times 8 of them begun.
    auto large = Make({});
    large->Access(0, 2048, 1 << 20);
    EXPECT_EQ(large->GetStats().misses, 33);
}

TEST_F(TranslationCacheOnPcie, UsedInOrderItMissesOncePerFetch)
{
    auto cache = Make({});
    constexpr uint32_t PACKET{1024};
    for (uint64_t address = 0; address < (64 << 20); address += PACKET)
    {
        cache->Access(0, address, PACKET);
    }
    EXPECT_EQ(cache->GetStats().misses, (64 << 20) / LINE); // 2048 of 65536.
    EXPECT_EQ(cache->GetStats().hits, (64 << 20) / PACKET - 2048);
}

TEST_F(TranslationCacheOnPcie, HoldsWhatItsSizeSays)
{
    // 157286 entries are 2457 sets of 8 fetches of 8 entries: 614 MiB of pages of 4 KiB.
    auto cache = Make({});
    constexpr uint64_t LINES{2457 * 8};
    for (int round = 0; round < 2; ++round)
    {
        for (uint64_t line = 0; line < LINES; ++line)
        {
            cache->Access(0, line * LINE, 1);
        }
    }
    EXPECT_EQ(cache->GetStats().misses, LINES);
    EXPECT_EQ(cache->GetStats().hits, LINES);
    // One more than fits, in order and again: its set, and no other, misses all the time.
    for (int round = 0; round < 2; ++round)
    {
        for (uint64_t line = 0; line < LINES + 1; ++line)
        {
            cache->Access(0, line * LINE, 1);
        }
    }
    EXPECT_EQ(cache->GetStats().misses, LINES + 1 + 9);
}

TEST_F(TranslationCacheOnPcie, TheOneUsedLongestAgoMakesRoom)
{
    // One set of two ways.
    auto cache = Make({{"CacheEntries", "2"}, {"EntriesPerFetch", "1"}, {"Ways", "2"}});
    for (const uint64_t page : {1, 2, 1, 3}) // 3 takes the place of 2.
    {
        cache->Access(0, page * PAGE, 1);
    }
    EXPECT_EQ(cache->GetStats().misses, 3);
    cache->Access(0, 1 * PAGE, 1);
    cache->Access(0, 3 * PAGE, 1);
    EXPECT_EQ(cache->GetStats().misses, 3);
    cache->Access(0, 2 * PAGE, 1);
    EXPECT_EQ(cache->GetStats().misses, 4);
}

TEST_F(TranslationCacheOnPcie, SetsDoNotDisturbEachOther)
{
    // Two sets of one way: even and odd pages.
    auto cache = Make({{"CacheEntries", "2"}, {"EntriesPerFetch", "1"}, {"Ways", "1"}});
    for (const uint64_t page : {1, 2, 3, 2, 5, 2, 7, 2})
    {
        cache->Access(0, page * PAGE, 1);
    }
    EXPECT_EQ(cache->GetStats().hits, 3);
    EXPECT_EQ(cache->GetStats().misses, 5);
}

TEST_F(TranslationCacheOnPcie, LargePagesNeedFewerEntries)
{
    constexpr uint64_t MEBI{1 << 20};
    auto large = Make({{"PageSize", std::to_string(2 * MEBI)}});
    auto huge = Make({{"PageSize", std::to_string(1024 * MEBI)}});
    for (uint64_t address = 0; address < 1024 * MEBI; address += MEBI)
    {
        large->Access(0, address, 4096);
        huge->Access(0, address, 4096);
    }
    EXPECT_EQ(large->GetStats().misses, 1024 / 2 / 8);
    EXPECT_EQ(huge->GetStats().misses, 1);
}

TEST_F(TranslationCacheOnPcie, KnowsAllIfTheWholeTableIsOnTheChip)
{
    auto cache = Make({{"CacheEntries", "0"}});
    EXPECT_EQ(cache->Access(7, 0x123456789, 1 << 20), 7);
    EXPECT_EQ(m_pcie->GetStats().reads, 0);
}

TEST_F(TranslationCacheOnPcie, ReachesTheEndOfTheAddressSpace)
{
    auto cache = Make({});
    EXPECT_EQ(cache->Access(0, UINT64_MAX - 4095, 4096), FETCH);
    EXPECT_EQ(cache->GetStats().misses, 1);
}

TEST_F(TranslationCacheOnPcie, ACacheSmallerThanAFetchHoldsOne)
{
    auto cache = Make({{"CacheEntries", "1"}});
    cache->Access(0, 0, 1);
    cache->Access(0, PAGE, 1);
    EXPECT_EQ(cache->GetStats().hits, 1);
    cache->Access(0, LINE, 1);
    cache->Access(0, 0, 1);
    EXPECT_EQ(cache->GetStats().misses, 3);
}

TEST_F(TranslationCacheOnPcie, RefusesPagesThatHostsDoNotHave)
{
    ExpectError<VerbsError>(
        [this] {
            Make({{"PageSize", "8192"}});
        },
        "expected 4096 (4 KiB), 2097152 (2 MiB) or 1073741824 (1 GiB), got 8192");
    ExpectError<VerbsError>([this] { Make({{"PageSize", "4097"}}); }, "got 4097");
    auto cache = CreateObject<TranslationCache>();
    EXPECT_FALSE(cache->SetAttributeFailSafe("PageSize", UintegerValue(1024)));
    EXPECT_FALSE(cache->SetAttributeFailSafe("Ways", UintegerValue(0)));
}
