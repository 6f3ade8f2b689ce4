// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-memory-engine.h"

#include "../expect-error.h"

#include "ns3/kv-server-parts.h"
#include "ns3/verbs-error.h"

#include <gtest/gtest.h>

namespace ns3::rdma::test
{

namespace
{
/// 16 lines of memory, of which 4 at a time are in the DRAM.
class KvMemoryEngineTest : public testing::Test
{
  protected:
    static constexpr uint64_t LINE{64};

    KvMemoryEngine Make(double ratio)
    {
        KvMemorySettings settings;
        settings.base = 1 << 20;
        settings.memoryBytes = 16 * LINE;
        settings.cacheBytes = 4 * LINE;
        settings.dispatchRatio = ratio;
        return KvMemoryEngine(settings, {PeekPointer(m_link)}, *m_card);
    }

    static uint64_t Line(uint64_t number)
    {
        return (1 << 20) + number * LINE;
    }

    Ptr<PcieLink> m_link{MakeKvPcieLink(RandomStream(1, 1))};
    Ptr<ChannelMemory> m_card{MakeKvCard(4 * LINE)};
};
} // namespace

TEST_F(KvMemoryEngineTest, WithoutAShareAllAccessesTakePcie)
{
    KvMemoryEngine engine = Make(0);
    EXPECT_GE(engine.Read(0, 0, Line(0), 64), 800'000);
    engine.Write(0, 0, Line(0), 64);
    EXPECT_EQ(engine.GetStats().pcieReads, 1U);
    EXPECT_EQ(engine.GetStats().pcieWrites, 1U);
    EXPECT_EQ(engine.GetStats().cardAccesses, 0U);
}

TEST_F(KvMemoryEngineTest, AReadMissesOnceAndThenComesFromTheDram)
{
    KvMemoryEngine engine = Make(1);
    EXPECT_GE(engine.Read(0, 0, Line(0), 64), 800'000);
    // One access to see that it is not there, one to put it there.
    EXPECT_EQ(engine.GetStats().cardAccesses, 2U);
    // 64 bytes at 12.8 GB/s are 5 ns, behind 200 ns of the DRAM's latency.
    const Tick later = 10'000'000;
    EXPECT_EQ(engine.Read(later, later, Line(0), 64), later + 205'000);
    EXPECT_EQ(engine.GetStats().hits, 1U);
    EXPECT_EQ(engine.GetStats().misses, 1U);
    EXPECT_EQ(engine.GetStats().pcieReads, 1U);
}

TEST_F(KvMemoryEngineTest, LinesWithOnePlaceReplaceEachOtherAndDirtyOnesAreWrittenBack)
{
    KvMemoryEngine engine = Make(1);
    engine.Read(0, 0, Line(1), 64);
    engine.Read(0, 0, Line(5), 64); // 5 modulo 4: the place of 1, which is clean.
    EXPECT_EQ(engine.GetStats().writeBacks, 0U);
    engine.Write(0, 0, Line(5), 64); // It is there: one access, and dirty.
    EXPECT_EQ(engine.GetStats().pcieWrites, 0U);
    engine.Read(0, 0, Line(1), 64);
    EXPECT_EQ(engine.GetStats().writeBacks, 1U);
    EXPECT_EQ(engine.GetStats().pcieWrites, 1U);
    EXPECT_EQ(engine.GetStats().misses, 3U);
}

TEST_F(KvMemoryEngineTest, APartOfALineThatIsNotThereIsMergedWithTheRest)
{
    KvMemoryEngine engine = Make(1);
    engine.Write(0, 0, Line(2), 64); // Whole: nothing is read from the host.
    EXPECT_EQ(engine.GetStats().pcieReads, 0U);
    engine.Write(0, 0, Line(3), 32);
    EXPECT_EQ(engine.GetStats().pcieReads, 1U);
}

TEST_F(KvMemoryEngineTest, LinesNextToEachOtherAreOneRequest)
{
    KvMemoryEngine engine = Make(0);
    engine.Read(0, 0, Line(0) + 32, 64 * 3);
    EXPECT_EQ(engine.GetStats().pcieReads, 1U);
    EXPECT_EQ(engine.GetStats().pcieBytes, 192U);
}

TEST_F(KvMemoryEngineTest, TheShareOfLinesIsThatOfTheSettings)
{
    KvMemorySettings settings;
    settings.memoryBytes = 1 << 20;
    settings.cacheBytes = 1 << 16;
    settings.dispatchRatio = 0.3;
    KvMemoryEngine engine(settings, {PeekPointer(m_link)}, *MakeKvCard(1 << 16));
    uint32_t count = 0;
    for (uint64_t address = 0; address < settings.memoryBytes; address += LINE)
    {
        count += engine.IsCacheable(address);
    }
    // 16,384 lines: 4,915 are meant, 59 is a standard deviation.
    EXPECT_NEAR(count, 4'915, 4 * 59);
}

TEST_F(KvMemoryEngineTest, APartOfALineThatIsOnItsWayIsWrittenWhenTheLineIsThere)
{
    KvMemoryEngine engine = Make(1);
    // Two slabs of 32 bytes, of different buckets, share line 2.
    const Tick first = engine.Write(0, 0, Line(2), 32);
    EXPECT_GE(first, 800'000); // The rest of the line comes over PCIe.
    const Tick second = engine.Write(10'000, 10'000, Line(2) + 32, 32);
    EXPECT_GE(second, first); // Else the line that arrives would overwrite it.
    EXPECT_EQ(engine.GetStats().pcieReads, 1U);
    const Tick later = 10'000'000;
    EXPECT_EQ(engine.Write(later, later, Line(2), 32), later + 205'000);
}

TEST_F(KvMemoryEngineTest, AReadOfALineThatIsOnItsWayEndsWhenTheLineIsThere)
{
    KvMemoryEngine engine = Make(1);
    const Tick first = engine.Read(0, 0, Line(1), 32);
    EXPECT_GE(engine.Read(10'000, 10'000, Line(1) + 32, 32), first);
    EXPECT_EQ(engine.GetStats().hits, 1U);
}

TEST_F(KvMemoryEngineTest, SettingsWithoutSenseAreRefused)
{
    ExpectError<VerbsError>([this] { Make(1.5); }, "between 0 and 1, not 1.5");
    KvMemorySettings settings;
    settings.memoryBytes = 100;
    EXPECT_NE(settings.FindFault().find("whole lines"), std::string::npos);
    settings.memoryBytes = 128;
    settings.cacheBytes = 256;
    EXPECT_NE(settings.FindFault().find("larger than the memory"), std::string::npos);
}

} // namespace ns3::rdma::test
