// SPDX-License-Identifier: GPL-2.0-only
#include "kv-test-bench.h"

#include "ns3/random-stream.h"

#include <gtest/gtest.h>
#include <string>
#include <unordered_map>

using namespace ns3::rdma;
using namespace ns3::rdma::test;

namespace
{

constexpr uint64_t OPERATIONS{100'000};

/// Lengths of the pairs.
enum class Lengths
{
    ANY,    ///< Inline, in slabs, around powers of two: padding takes up to half of the memory.
    PACKED, ///< Up to 3 bytes less than a slab holds: only so 90 % of a memory can be pairs.
};

uint32_t
DrawLength(RandomStream& random, Lengths lengths)
{
    if (lengths == Lengths::PACKED)
    {
        return (64U << (random.Next32() % 4)) - 2 - random.Next32() % 4;
    }
    switch (random.Next32() % 8)
    {
    case 0:
        return 24 + (32U << (random.Next32() % 4)) - random.Next32() % 12;
    case 1:
    case 2:
    case 3:
        return 24 + random.Next32() % 260;
    default:
        return 24 + random.Next32() % 30;
    }
}

struct RandomCase
{
    double utilization; ///< Of the memory: below it there are more puts than deletions.
    Lengths lengths;
    uint64_t seed;
    bool isReached;
};

/// A store and a reference map that get the same operations.
class Twins
{
  public:
    Twins(const KvStoreSettings& settings, const RandomCase& run)
        : m_bench(settings),
          m_run(run),
          m_random(run.seed, 7)
    {
    }

    /// Puts where the store is below its target, else deletes; gets and updates at any time.
    void Step()
    {
        const double utilization = m_bench.GetStore().GetMemoryUtilization();
        const bool isLow = utilization < m_run.utilization;
        const uint32_t draw = m_random.Next32() % 100;
        if (draw < 40)
        {
            CheckGet(DrawKey());
        }
        else if (isLow ? draw < 95 : draw < 55)
        {
            Put(DrawKey());
        }
        else
        {
            Delete(DrawKey());
        }
    }

    void CheckAll()
    {
        const KvStoreStats& stats = m_bench.GetStore().GetStats();
        uint64_t bytes = 0;
        for (const auto& [key, value] : m_map)
        {
            bytes += key.size() + value.size();
            ASSERT_EQ(m_bench.Get(MakeBytes(key)), KvStatus::OK);
            ASSERT_EQ(m_bench.GetValue(), value);
        }
        EXPECT_EQ(stats.keys, m_map.size());
        EXPECT_EQ(stats.pairBytes, bytes);
    }

    /// @return chained buckets that are linked although they hold nothing.
    uint64_t CountEmptyLinks()
    {
        const uint64_t base = GetStore().GetSettings().base;
        std::array<uint8_t, KvBucket::BYTES> bytes{};
        KvBucket bucket;
        uint64_t empty = 0;
        for (uint64_t primary = 0; primary < GetStore().GetLayout().GetBuckets(); ++primary)
        {
            uint64_t address = base + primary * KvBucket::BYTES;
            for (bool isChained = false;; isChained = true)
            {
                m_bench.GetMemory().Read(address, bytes.data(), bytes.size());
                bucket.Load(bytes.data());
                empty += isChained && bucket.GetUsedSlots() == 0;
                if (bucket.GetNext() == 0)
                {
                    break;
                }
                address = base + uint64_t{bucket.GetNext()} * SlabEntry::UNIT_BYTES;
            }
        }
        return empty;
    }

    uint64_t GetFull() const
    {
        return m_full;
    }

    double GetPeak() const
    {
        return m_peak;
    }

    KvStore& GetStore()
    {
        return m_bench.GetStore();
    }

  private:
    Bytes DrawKey()
    {
        const uint64_t number = m_random.Next32() % 40'000;
        return MakeKey(number, 4 + number % 20);
    }

    void CheckGet(const Bytes& key)
    {
        const auto there = m_map.find(std::string(key.begin(), key.end()));
        const KvStatus expected = there == m_map.end() ? KvStatus::NOT_FOUND : KvStatus::OK;
        ASSERT_EQ(m_bench.Get(key), expected);
        ASSERT_EQ(m_bench.GetValue(), there == m_map.end() ? Bytes() : there->second);
    }

    void Put(const Bytes& key)
    {
        // Of 24 bytes more than needed the key takes 4 to 23, the value the rest.
        Bytes value(DrawLength(m_random, m_run.lengths) - key.size());
        for (uint8_t& byte : value)
        {
            byte = static_cast<uint8_t>(m_random.Next32());
        }
        const KvStatus status = m_bench.Put(key, value);
        if (status == KvStatus::NO_MEMORY)
        {
            ++m_full;
            CheckGet(key); // The old value, or nothing, is still there.
            return;
        }
        ASSERT_EQ(status, KvStatus::OK);
        m_map[std::string(key.begin(), key.end())] = value;
        m_peak = std::max(m_peak, GetStore().GetMemoryUtilization());
    }

    void Delete(const Bytes& key)
    {
        const bool wasThere = m_map.erase(std::string(key.begin(), key.end())) > 0;
        ASSERT_EQ(m_bench.Delete(key), wasThere ? KvStatus::OK : KvStatus::NOT_FOUND);
    }

    KvTestBench m_bench;
    RandomCase m_run;
    RandomStream m_random;
    std::unordered_map<std::string, Bytes> m_map;
    uint64_t m_full{0};
    double m_peak{0};
};

class KvStoreRandom : public testing::TestWithParam<RandomCase>
{
};

std::vector<RandomCase>
MakeCases(uint64_t first, uint64_t last)
{
    std::vector<RandomCase> cases;
    for (uint64_t seed = first; seed <= last; ++seed)
    {
        cases.push_back({0.5, Lengths::ANY, seed, true});
        cases.push_back({0.9, Lengths::PACKED, seed, true});
    }
    return cases;
}

std::vector<RandomCase>
MakeFullCases()
{
    std::vector<RandomCase> cases;
    // More than there is room for: puts meet a full memory all the time.
    cases.push_back({0.9, Lengths::ANY, 11, false});
    cases.push_back({1.0, Lengths::PACKED, 12, false});
    return cases;
}

KvStoreSettings
MakeSettings(const RandomCase& run)
{
    KvStoreSettings settings;
    settings.base = 1 << 20;
    settings.memoryBytes = 1 << 20;
    settings.hashSeed = run.seed;
    if (run.lengths == Lengths::PACKED)
    {
        // Pairs of 62 to 510 bytes, 240 on average, with 5 bytes of bucket each: 2 %.
        settings.hashIndexRatio = 0.03;
        return settings;
    }
    settings.hashIndexRatio = 0.2 + 0.01 * static_cast<double>(run.seed);
    settings.inlineThreshold = static_cast<uint32_t>(5 * run.seed) % 55; // 5 to 50, and 0.
    return settings;
}

} // namespace

TEST_P(KvStoreRandom, HoldsWhatAMapHolds)
{
    const RandomCase run = GetParam();
    Twins twins(MakeSettings(run), run);
    for (uint64_t step = 0; step < OPERATIONS && !HasFatalFailure(); ++step)
    {
        twins.Step();
    }
    twins.CheckAll();
    // A pair leaves its bucket on an update only if other pairs keep it from growing there.
    EXPECT_EQ(twins.CountEmptyLinks(), 0U);
    if (run.isReached)
    {
        EXPECT_GE(twins.GetPeak(), run.utilization);
    }
    else
    {
        EXPECT_GT(twins.GetFull(), OPERATIONS / 100);
    }
    const SlabAllocator& allocator = twins.GetStore().GetAllocator();
    EXPECT_EQ(allocator.GetFreeBytes() + allocator.GetStats().GetUsedBytes(),
              uint64_t{twins.GetStore().GetLayout().GetUnits()} * 32);
}

INSTANTIATE_TEST_SUITE_P(Seeds, KvStoreRandom, testing::ValuesIn(MakeCases(1, 3)));
INSTANTIATE_TEST_SUITE_P(SlowSeeds, KvStoreRandom, testing::ValuesIn(MakeCases(4, 10)));
INSTANTIATE_TEST_SUITE_P(Full, KvStoreRandom, testing::ValuesIn(MakeFullCases()));
