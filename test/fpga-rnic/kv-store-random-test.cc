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

/// Bytes of a value and of a random kind of length: inline, in a slab, around a power of two.
Bytes
DrawValue(RandomStream& random)
{
    const uint32_t kind = random.Next32() % 8;
    uint32_t bytes = kind < 4 ? random.Next32() % 30 : random.Next32() % 260;
    if (kind == 7)
    {
        bytes = (32U << (random.Next32() % 4)) - random.Next32() % 12;
    }
    Bytes value(bytes);
    for (uint8_t& byte : value)
    {
        byte = static_cast<uint8_t>(random.Next32());
    }
    return value;
}

struct RandomCase
{
    double utilization;
    uint64_t seed;
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
            CheckGet(DrawKey(), isLow);
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

    void CheckGet(const Bytes& key, bool /* isLow */)
    {
        const auto there = m_map.find(std::string(key.begin(), key.end()));
        const KvStatus expected = there == m_map.end() ? KvStatus::NOT_FOUND : KvStatus::OK;
        ASSERT_EQ(m_bench.Get(key), expected);
        ASSERT_EQ(m_bench.GetValue(), there == m_map.end() ? Bytes() : there->second);
    }

    void Put(const Bytes& key)
    {
        const Bytes value = DrawValue(m_random);
        const KvStatus status = m_bench.Put(key, value);
        if (status == KvStatus::NO_MEMORY)
        {
            ++m_full;
            CheckGet(key, false); // The old value, or nothing, is still there.
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
MakeCases()
{
    std::vector<RandomCase> cases;
    for (uint64_t seed = 1; seed <= 10; ++seed)
    {
        cases.push_back({0.5, seed});
        cases.push_back({0.9, seed});
    }
    return cases;
}

} // namespace

TEST_P(KvStoreRandom, HoldsWhatAMapHolds)
{
    const RandomCase run = GetParam();
    KvStoreSettings settings;
    settings.base = 1 << 20;
    settings.memoryBytes = 1 << 20;
    settings.hashIndexRatio = 0.1 + 0.04 * static_cast<double>(run.seed); // 0.14 to 0.5.
    settings.inlineThreshold = static_cast<uint32_t>(5 * run.seed);       // 5 to 50.
    settings.hashSeed = run.seed;
    Twins twins(settings, run);
    for (uint64_t step = 0; step < OPERATIONS && !HasFatalFailure(); ++step)
    {
        twins.Step();
    }
    twins.CheckAll();
    const SlabAllocator& allocator = twins.GetStore().GetAllocator();
    EXPECT_EQ(allocator.GetFreeBytes() + allocator.GetStats().GetUsedBytes(),
              uint64_t{twins.GetStore().GetLayout().GetUnits()} * 32);
}

INSTANTIATE_TEST_SUITE_P(Seeds, KvStoreRandom, testing::ValuesIn(MakeCases()));
