// SPDX-License-Identifier: GPL-2.0-only

// What limits the transfers of a PCIe link that are under way: tags, credits, the request rate.

#include "pcie-test-links.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// KV-Direct's endpoint (section 2.4): generation 3, 8 lanes.
Settings
KvDirect(const std::string& tags)
{
    return {{"Lanes", "8"},
            {"ReadLatency", "1035275ps"}, // See the test.
            {"Tags", tags},
            {"NonPostedCredits", "1000"}};
}
} // namespace

TEST(PcieLink, TagsLimitReadsInFlight)
{
    // KV-Direct section 2.4: 64 tags / 1.05 us = 61 M reads per second (60 in the paper's figure).
    // At 126.953125 ps per byte a request takes 3300 ps and 64 + 26 bytes take 11425: a read of
    // 1.05 us has a latency of 1035275 ps.
    auto link = Make(KvDirect("64"));
    constexpr int READS{64'000};
    Tick end{0};
    for (int i = 0; i < READS; ++i)
    {
        end = link->Read(0, 0, DmaKind::WQE, 0, 64);
    }
    EXPECT_EQ(end, 1'050'000 * (READS / 64));
    EXPECT_EQ(link->GetStats().tagStalls, READS - 64);
}

TEST(PcieLink, BandwidthLimitsReadsWithTagsEnough)
{
    // KV-Direct section 2.4: 64 bytes of 90 at 7.87 GB/s are 5.6 GB/s, 87 M reads per second, which
    // need 1050 ns x 87.5 M = 92 in flight.
    for (const std::string tags : {"93", "1000"})
    {
        auto link = Make(KvDirect(tags));
        constexpr int READS{100'000};
        Tick end{0};
        for (int i = 0; i < READS; ++i)
        {
            end = link->Read(0, 0, DmaKind::PAYLOAD, 0, 64);
        }
        const double perSecond = READS * 1e12 / static_cast<double>(end);
        EXPECT_NEAR(perSecond, 87.5e6, 0.2e6) << tags; // The first round trip costs 0.1 %.
        EXPECT_NEAR(perSecond * 64, 5.6e9, 0.02e9);
    }
}

TEST(PcieLink, NonPostedCreditsLimitReadsLikeTags)
{
    auto link = MakeRound({{"Tags", "64"}, {"NonPostedCredits", "2"}});
    const Tick alone = REQUEST + READ + 90 * BYTE;
    EXPECT_EQ(link->Read(0, 0, DmaKind::WQE, 0, 64), alone);
    EXPECT_EQ(link->Read(0, 0, DmaKind::WQE, 0, 64), alone);
    EXPECT_EQ(link->GetStats().tagStalls, 0);
    EXPECT_EQ(link->Read(0, 0, DmaKind::WQE, 0, 64), 2 * alone);
    EXPECT_EQ(link->GetStats().tagStalls, 1);
    // 1 ps before and when the second ends.
    EXPECT_EQ(link->Read(alone - 1, alone - 1, DmaKind::WQE, 0, 64), 2 * alone);
    EXPECT_EQ(link->GetStats().tagStalls, 2);
    EXPECT_EQ(link->Read(2 * alone, 2 * alone, DmaKind::WQE, 0, 64), 3 * alone);
    EXPECT_EQ(link->GetStats().tagStalls, 2);
}

TEST(PcieLink, PostedCreditsLimitWritesOnTheirWay)
{
    auto link = MakeRound({{"PostedCredits", "2"}});
    const Tick each = 90 * BYTE;
    // The third leaves when the first has been seen, 250 ns after it left, the fourth likewise.
    EXPECT_EQ(link->Write(0, 0, DmaKind::COMPLETION, 0, 64), each + WRITE);
    EXPECT_EQ(link->Write(0, 0, DmaKind::COMPLETION, 0, 64), 2 * each + WRITE);
    EXPECT_EQ(link->GetStats().creditStalls, 0);
    EXPECT_EQ(link->Write(0, 0, DmaKind::COMPLETION, 0, 64), 2 * (each + WRITE));
    EXPECT_EQ(link->Write(0, 0, DmaKind::COMPLETION, 0, 64), 3 * each + 2 * WRITE);
    EXPECT_EQ(link->GetStats().creditStalls, 2);
    EXPECT_EQ(link->Write(5'000'000, 5'000'000, DmaKind::COMPLETION, 0, 64),
              5'000'000 + each + WRITE);
    EXPECT_EQ(link->GetStats().creditStalls, 2);
}

TEST(PcieLink, ReadsAndWritesShareTheRequestRate)
{
    // 50 M/s: a TLP of the DMA engine each 20 ns; the link itself has 88.9 M reads of 90 bytes.
    constexpr Tick TURN{20'000};
    auto link = MakeRound({{"RequestRate", "50000000"}, {"Tags", "1000"}});
    constexpr int COUNT{1000};
    Tick read{0};
    Tick written{0};
    for (int i = 0; i < COUNT; ++i)
    {
        read = link->Read(0, 0, DmaKind::KERNEL, 0, 64);
        written = link->Write(0, 0, DmaKind::KERNEL, 0, 64);
    }
    // The turns of the last read and the last write are the 1999th and the 2000th, from 0 on.
    EXPECT_EQ(read, (2 * COUNT - 2) * TURN + REQUEST + READ + 90 * BYTE);
    EXPECT_EQ(written, (2 * COUNT - 1) * TURN + 90 * BYTE + WRITE);
    EXPECT_EQ(link->GetStats().rateStalls, 2 * COUNT - 1);
    EXPECT_EQ(link->GetStats().tagStalls, 0);
    EXPECT_EQ(link->GetStats().creditStalls, 0);
}

TEST(PcieLink, TheRequestRateCountsTlpsAndNoStores)
{
    constexpr Tick TURN{1'000'000};
    auto link = MakeRound({{"RequestRate", "1000000"}});
    // 1024 bytes are two requests of 512, a write of 512 is two TLPs of 256.
    EXPECT_EQ(link->Read(0, 0, DmaKind::PAYLOAD, 0, 1024), TURN + REQUEST + READ + 564 * BYTE);
    EXPECT_EQ(link->Write(0, 0, DmaKind::PAYLOAD, 0, 512), 3 * TURN + 282 * BYTE + WRITE);
    EXPECT_EQ(link->Store(0, 8), 250'000 + 34 * BYTE);
    EXPECT_EQ(link->GetStats().rateStalls, 3);
    // The turn after the four is free at 4 us: there, a read waits for nothing.
    EXPECT_EQ(link->Read(4 * TURN, 4 * TURN, DmaKind::WQE, 0, 64),
              4 * TURN + REQUEST + READ + 90 * BYTE);
    EXPECT_EQ(link->GetStats().rateStalls, 3);
}

TEST(PcieLink, AReadThatWaitsForATagHoldsItFromItsTurnOn)
{
    // One tag, a turn each 100 ns: reads follow each other by their own latency, not by the sum.
    auto link = MakeRound({{"RequestRate", "10000000"}, {"Tags", "1"}});
    const Tick alone = REQUEST + READ + 90 * BYTE;
    for (int i = 1; i <= 5; ++i)
    {
        EXPECT_EQ(link->Read(0, 0, DmaKind::WQE, 0, 64), i * alone);
    }
}

TEST(PcieLink, CreditsOfTheDefaultDoNotLimitWrites)
{
    // 88 TLPs of 90 bytes take 990 ns, 4 times the 250 ns after which the first credit is back.
    auto link = MakeRound();
    Tick end{0};
    for (int i = 0; i < 1000; ++i)
    {
        end = link->Write(0, 0, DmaKind::PAYLOAD, 0, 64);
    }
    EXPECT_EQ(end, 1000 * 90 * BYTE + WRITE);
    EXPECT_EQ(link->GetStats().creditStalls, 0);
}
