// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/gpu-path.h"

#include "../expect-error.h"

#include "ns3/string.h"
#include "ns3/verbs-error.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <string>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t BASE{0x7f0000000000};
constexpr uint64_t PAGE{65536};
constexpr Tick MISS{800'000};

Ptr<GpuPath>
Make(std::map<std::string, std::string> settings, uint32_t pages)
{
    auto path = CreateObject<GpuPath>();
    path->SetAttribute("BarBytes", StringValue("60000000000"));
    path->SetAttribute("MissTime", StringValue("800ns"));
    for (const auto& [name, value] : settings)
    {
        path->SetAttribute(name, StringValue(value));
    }
    path->Start(RandomStream(1, 1));
    path->GetMemory()->Pin(BASE, pages * PAGE);
    return path;
}
} // namespace

TEST(GpuPath, IsUsedOnlyWithRegisteredMemory)
{
    auto none = CreateObject<GpuPath>();
    none->Start(RandomStream(1, 1));
    EXPECT_EQ(none->GetMemory(), nullptr);
    EXPECT_FALSE(none->IsUsed());
    const auto path = Make({}, 1);
    EXPECT_TRUE(path->IsUsed());
    EXPECT_TRUE(path->Holds(BASE + PAGE - 1));
    EXPECT_FALSE(path->Holds(BASE + PAGE));
    path->GetMemory()->Unpin(BASE, PAGE);
    EXPECT_FALSE(path->IsUsed());
}

TEST(GpuPath, CarriesNoMoreThanItsBandwidth)
{
    // BALBOA section 8.2: 8500 MB/s are 68 Gb/s; 4096 bytes take 481882 ps (32768 / 68e9 s).
    const auto path = Make({{"Bandwidth", "68Gbps"}, {"CacheEntries", "0"}}, 16);
    const Tick packet = 481'882;
    for (Tick i = 0; i < 100; ++i)
    {
        EXPECT_NEAR(path->Write(0, 0, BASE + i * 4096, 4096), i * packet, i + 1);
    }
    EXPECT_EQ(path->GetWaitingBytes(), 100 * 4096);
    path->Leave(4096);
    EXPECT_EQ(path->GetWaitingBytes(), 99 * 4096);
    EXPECT_EQ(path->GetStats().peakBytes, 100 * 4096);
    // Reads have the other direction for themselves.
    EXPECT_EQ(path->Read(0, BASE, 4096), 0);
    EXPECT_NEAR(path->Read(0, BASE, 4096), packet, 1);
}

TEST(GpuPath, AMissHoldsUpWhatIsBehindIt)
{
    const auto path = Make({}, 4);
    EXPECT_EQ(path->Write(0, 0, BASE, 4096), MISS);
    EXPECT_EQ(path->Write(100, 100, BASE + 4096, 4096), MISS); // Waits for the same miss: a hit.
    EXPECT_EQ(path->Write(MISS, MISS, BASE, 4096), MISS);      // Known by now.
    // Known pages stay behind one that is not: posted writes are in order.
    EXPECT_EQ(path->Write(MISS, MISS, BASE + PAGE, 4096), 2 * MISS);
    EXPECT_EQ(path->Write(MISS, MISS, BASE, 4096), 2 * MISS);
    EXPECT_EQ(path->GetCacheStats().misses, 2);
    EXPECT_EQ(path->GetCacheStats().hits, 3);
    EXPECT_EQ(path->GetCacheStats().stalls, 0);
}

TEST(GpuPath, PayloadAcrossTwoPagesNeedsBoth)
{
    const auto path = Make({}, 4);
    EXPECT_EQ(path->Write(0, 0, BASE + PAGE - 1, 2), 2 * MISS); // One miss after the other.
    EXPECT_EQ(path->GetCacheStats().stalls, 1);
}

TEST(GpuPath, ServesSoManyMissesAtOnce)
{
    // Ten pages at once: one by one 8 us, four at a time in three rounds of 800 ns.
    const auto one = Make({}, 16);
    const auto four = Make({{"MaxMisses", "4"}}, 16);
    Tick lastOfOne = 0;
    Tick lastOfFour = 0;
    for (uint64_t page = 0; page < 10; ++page)
    {
        lastOfOne = one->Write(0, 0, BASE + page * PAGE, 64);
        lastOfFour = four->Write(0, 0, BASE + page * PAGE, 64);
    }
    EXPECT_EQ(lastOfOne, 10 * MISS);
    EXPECT_EQ(lastOfFour, 3 * MISS);
}

TEST(GpuPath, RoundsOverMorePagesThanEntriesHitAsTheoryOfRandomReplacementSays)
{
    // docs/models/nic-hardware.md: h = (1 - 1/c)^((n - 1)(1 - h)); c = 64, n = 96: 0.42.
    const auto path = Make({{"CacheEntries", "64"}}, 96);
    Tick now = 0;
    for (uint32_t round = 0; round < 400; ++round)
    {
        for (uint64_t page = 0; page < 96; ++page)
        {
            now = path->Write(now, now, BASE + page * PAGE, 64);
        }
    }
    const CacheStats& stats = path->GetCacheStats();
    EXPECT_NEAR(static_cast<double>(stats.hits) / static_cast<double>(stats.hits + stats.misses),
                0.42,
                0.03);
}

TEST(GpuPath, RegisteringMemoryEmptiesTheCache)
{
    const auto path = Make({}, 4);
    EXPECT_EQ(path->Write(0, 0, BASE, 64), MISS);
    path->GetMemory()->Pin(2 * BASE, PAGE);
    EXPECT_EQ(path->Write(MISS, MISS, BASE, 64), 2 * MISS);
}

TEST(GpuPath, RefusesPagesThatAreNoPowerOfTwo)
{
    auto path = CreateObject<GpuPath>();
    path->SetAttribute("PageSize", StringValue("65537"));
    ExpectError<VerbsError>([&] { path->Start(RandomStream(1, 1)); },
                            "ns3::rdma::GpuPath::PageSize: expected a power of two, got 65537");
}
