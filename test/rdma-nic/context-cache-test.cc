// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/context-cache.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <string>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// A cache behind a PCIe link of 125 ps per byte (generation 2, 16 lanes).
class ContextCacheOnPcie : public testing::Test
{
  protected:
    Ptr<ContextCache> Make(std::map<std::string, std::string> settings)
    {
        m_pcie->SetAttribute("Generation", UintegerValue(2));
        m_pcie->Start(RandomStream(1, 1));
        auto cache = CreateObject<ContextCache>();
        for (const auto& [name, value] : settings)
        {
            cache->SetAttribute(name, StringValue(value));
        }
        cache->Start(*m_pcie, RandomStream(1, 2));
        return cache;
    }

    /// Uses queue pairs 2, 3, ... in turn, so slowly that none waits. @return the part of hits
    /// after the first rounds.
    double MeasureHits(ContextCache& cache, uint32_t queuePairs)
    {
        constexpr uint32_t WARM_UP{20};
        constexpr uint32_t ROUNDS{400};
        Tick now{0};
        uint64_t before{0};
        for (uint32_t round = 0; round < WARM_UP + ROUNDS; ++round)
        {
            before = round == WARM_UP ? cache.GetStats().hits : before;
            for (uint32_t queuePair = 2; queuePair < 2 + queuePairs; ++queuePair)
            {
                now += 2'000'000;
                cache.Access(now, queuePair);
            }
        }
        const uint64_t accesses = uint64_t{ROUNDS} * queuePairs;
        return static_cast<double>(cache.GetStats().hits - before) / static_cast<double>(accesses);
    }

    uint64_t GetUpBytes() const
    {
        return m_pcie->GetStats().upBytes[static_cast<std::size_t>(DmaKind::CONTEXT)];
    }

    uint64_t GetDownBytes() const
    {
        return m_pcie->GetStats().downBytes[static_cast<std::size_t>(DmaKind::CONTEXT)];
    }

    Ptr<PcieLink> m_pcie = CreateObject<PcieLink>();
};

/// A request of 26 bytes, 500 ns, 375 bytes in completions of 256 and 119.
constexpr Tick FETCH{26 * 125 + 500'000 + (375 + 2 * 26) * 125};

/**
 * Part of hits if queue pairs come in turn and a random one of the slots makes room: one stays from
 * its use to the next if none of the misses of the others between hits its slot, hence
 * h = (1 - 1/slots)^((queuePairs - 1)(1 - h)). Besides h = 1 it has a lower solution if there are
 * more queue pairs than slots: the one that lasts.
 */
double
PredictHits(double slots, double queuePairs)
{
    double hits{0};
    for (int i = 0; i < 10'000; ++i)
    {
        hits = std::pow(1 - 1 / slots, (queuePairs - 1) * (1 - hits));
    }
    return hits;
}
} // namespace

TEST_F(ContextCacheOnPcie, HoldsAllByDefault)
{
    auto cache = Make({});
    for (uint32_t queuePair = 2; queuePair < 20'000; ++queuePair)
    {
        EXPECT_EQ(cache->Access(5, queuePair), 5);
    }
    EXPECT_EQ(cache->GetStats().misses, 0);
    EXPECT_EQ(GetDownBytes(), 0);
    cache->Forget(7);
}

TEST_F(ContextCacheOnPcie, FetchesAContextOnce)
{
    auto cache = Make({{"Entries", "2"}});
    EXPECT_EQ(cache->Access(1000, 2), 1000 + FETCH);
    EXPECT_EQ(cache->Access(2'000'000, 2), 2'000'000);
    EXPECT_EQ(cache->GetStats().misses, 1);
    EXPECT_EQ(cache->GetStats().hits, 1);
    EXPECT_EQ(GetUpBytes(), 26);
    EXPECT_EQ(GetDownBytes(), 375 + 2 * 26);
}

TEST_F(ContextCacheOnPcie, WaitsForAFetchThatIsUnderWay)
{
    auto cache = Make({{"Entries", "2"}});
    EXPECT_EQ(cache->Access(0, 2), FETCH);
    EXPECT_EQ(cache->Access(FETCH - 1, 2), FETCH);
    EXPECT_EQ(cache->Access(FETCH + 1, 2), FETCH + 1);
    EXPECT_EQ(cache->GetStats().misses, 1);
    EXPECT_EQ(cache->GetStats().hits, 2);
    EXPECT_EQ(m_pcie->GetStats().reads, 1);
}

TEST_F(ContextCacheOnPcie, LimitsFetchesUnderWay)
{
    auto cache = Make({{"Entries", "10"}, {"MaxMisses", "2"}});
    EXPECT_EQ(cache->Access(0, 2), FETCH);
    EXPECT_EQ(cache->Access(0, 3), FETCH);
    EXPECT_EQ(cache->GetStats().stalls, 0);
    EXPECT_EQ(cache->Access(0, 4), 2 * FETCH);
    EXPECT_EQ(cache->Access(0, 5), 2 * FETCH);
    EXPECT_EQ(cache->Access(0, 6), 3 * FETCH);
    EXPECT_EQ(cache->GetStats().stalls, 3);
    // Two end at 2 x FETCH: one place is free then, the other one is 6's.
    EXPECT_EQ(cache->Access(2 * FETCH, 7), 3 * FETCH);
    EXPECT_EQ(cache->GetStats().stalls, 3);
}

TEST_F(ContextCacheOnPcie, MaxMissesLimitTheRate)
{
    // Each context is another one's: 8 fetches per FETCH, whatever the link could carry (427 bytes
    // x 125 ps = 53 ns each, 10 per FETCH).
    auto cache = Make({{"Entries", "10"}, {"MaxMisses", "8"}, {"WriteBack", "false"}});
    Tick end{0};
    for (uint32_t queuePair = 2; queuePair < 2 + 800; ++queuePair)
    {
        end = cache->Access(0, queuePair);
    }
    EXPECT_EQ(end, 100 * FETCH);
}

TEST_F(ContextCacheOnPcie, WritesBackWhatMakesRoom)
{
    auto cache = Make({{"Entries", "2"}, {"RandomReplacement", "false"}});
    cache->Access(0, 2);
    cache->Access(0, 3);
    EXPECT_EQ(m_pcie->GetStats().writes, 0);
    cache->Access(0, 4);
    EXPECT_EQ(m_pcie->GetStats().writes, 1);
    EXPECT_EQ(GetUpBytes(), 3 * 26 + 375 + 2 * 26);
}

TEST_F(ContextCacheOnPcie, WritesNothingBackIfConfigured)
{
    auto cache = Make({{"Entries", "2"}, {"WriteBack", "false"}});
    for (uint32_t queuePair = 2; queuePair < 10; ++queuePair)
    {
        cache->Access(0, queuePair);
    }
    EXPECT_EQ(m_pcie->GetStats().writes, 0);
    EXPECT_EQ(GetUpBytes(), 8 * 26);
}

TEST_F(ContextCacheOnPcie, ReplacesTheOneUsedLongestAgo)
{
    auto cache = Make({{"Entries", "3"}, {"RandomReplacement", "false"}});
    for (const uint32_t queuePair : {2, 3, 4, 2, 5}) // 5 takes the place of 3.
    {
        cache->Access(0, queuePair);
    }
    EXPECT_EQ(cache->GetStats().misses, 4);
    for (const uint32_t queuePair : {2, 4, 5})
    {
        cache->Access(0, queuePair);
    }
    EXPECT_EQ(cache->GetStats().misses, 4);
    cache->Access(0, 3);
    EXPECT_EQ(cache->GetStats().misses, 5);
}

TEST_F(ContextCacheOnPcie, OldestFirstNeverHitsBeyondItsEntries)
{
    auto cache = Make({{"Entries", "64"}, {"RandomReplacement", "false"}});
    EXPECT_EQ(MeasureHits(*cache, 64), 1.0);
    EXPECT_EQ(MeasureHits(*cache, 65), 0.0);
}

TEST_F(ContextCacheOnPcie, RandomReplacementFallsGradually)
{
    struct Case
    {
        uint32_t queuePairs;
        double hits; ///< Rounded solution of the equation, to see the curve.
    };

    for (const Case& c : {Case{64, 1.0}, Case{65, 0.98}, Case{96, 0.42}, Case{128, 0.20}})
    {
        auto cache = Make({{"Entries", "64"}});
        const double expected = c.queuePairs <= 64 ? 1.0 : PredictHits(64, c.queuePairs);
        EXPECT_NEAR(expected, c.hits, 0.01);
        // The equation takes misses for evenly spread: it is good to some percent.
        EXPECT_NEAR(MeasureHits(*cache, c.queuePairs), expected, 0.03) << c.queuePairs;
    }
}

TEST_F(ContextCacheOnPcie, RandomReplacementRepeats)
{
    auto one = Make({{"Entries", "8"}});
    auto same = Make({{"Entries", "8"}});
    auto other = CreateObject<ContextCache>();
    other->SetAttribute("Entries", UintegerValue(8));
    other->Start(*m_pcie, RandomStream(1, 3));
    const double hits = MeasureHits(*one, 12);
    EXPECT_EQ(MeasureHits(*same, 12), hits);
    EXPECT_NE(MeasureHits(*other, 12), hits);
}

TEST_F(ContextCacheOnPcie, ForgetFreesTheEntry)
{
    auto cache = Make({{"Entries", "2"}});
    cache->Access(0, 2);
    cache->Access(0, 3);
    cache->Forget(2);
    cache->Forget(2);   // Gone already.
    cache->Forget(500); // Never seen.
    cache->Access(0, 4);
    EXPECT_EQ(m_pcie->GetStats().writes, 0); // None had to make room.
    cache->Access(0, 3);
    EXPECT_EQ(cache->GetStats().hits, 1);
    // A new queue pair of the old number is another one.
    cache->Forget(3);
    cache->Access(0, 3);
    EXPECT_EQ(cache->GetStats().misses, 4);
}

TEST_F(ContextCacheOnPcie, EachUseOfASettledContextIsAHit)
{
    auto cache = Make({{"Entries", "4"}});
    const Tick ready = cache->Access(0, 2);
    EXPECT_EQ(cache->Access(ready - 1, 2), ready); // On its way: not settled.
    for (Tick use = 0; use < 10; ++use)
    {
        EXPECT_EQ(cache->Access(ready + use, 2), ready + use);
    }
    EXPECT_EQ(cache->GetStats().hits, 11);
    EXPECT_EQ(cache->GetStats().misses, 1);
}

TEST_F(ContextCacheOnPcie, AnEvictedContextIsNotSettled)
{
    auto cache = Make({{"Entries", "1"}});
    const Tick later = 1'000'000'000;
    cache->Access(0, 2);
    cache->Access(later, 2); // Settles it.
    cache->Access(later, 3); // Takes the only place.
    EXPECT_GT(cache->Access(2 * later, 2), 2 * later);
    EXPECT_EQ(cache->GetStats().misses, 3);
}

TEST_F(ContextCacheOnPcie, AForgottenContextIsNotSettled)
{
    auto cache = Make({{"Entries", "4"}});
    const Tick later = 1'000'000'000;
    cache->Access(0, 70); // In the second word of bits.
    cache->Access(0, 71);
    cache->Access(later, 70);
    cache->Access(later, 71);
    cache->Forget(70);
    EXPECT_GT(cache->Access(later, 70), later);
    EXPECT_EQ(cache->Access(later, 71), later); // The other still is.
    EXPECT_EQ(cache->GetStats().misses, 3);
}

TEST_F(ContextCacheOnPcie, AUseOfASettledContextCountsForTheOldestOne)
{
    // Were 2 settled, its last use would be forgotten, and it would make room for 4.
    auto cache = Make({{"Entries", "2"}, {"RandomReplacement", "false"}});
    Tick now = 0;
    for (const uint32_t queuePair : {2, 3, 2, 2, 4, 2})
    {
        cache->Access(now += 1'000'000'000, queuePair);
    }
    EXPECT_EQ(cache->GetStats().misses, 3);
    EXPECT_EQ(cache->GetStats().hits, 3);
}

TEST_F(ContextCacheOnPcie, AttributesHaveBounds)
{
    auto cache = CreateObject<ContextCache>();
    EXPECT_FALSE(cache->SetAttributeFailSafe("MaxMisses", UintegerValue(0)));
    EXPECT_FALSE(cache->SetAttributeFailSafe("EntryBytes", UintegerValue(0)));
    EXPECT_TRUE(cache->SetAttributeFailSafe("Entries", UintegerValue(256)));
}
