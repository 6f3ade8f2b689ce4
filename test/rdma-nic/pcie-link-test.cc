// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pcie-link.h"

#include "../expect-error.h"
#include "pcie-test-links.h"

#include "ns3/uinteger.h"
#include "ns3/verbs-error.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <string>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
uint64_t
Sum(const std::array<uint64_t, DMA_KINDS>& bytes)
{
    return std::accumulate(bytes.begin(), bytes.end(), uint64_t{0});
}
} // namespace

TEST(PcieLink, RateFollowsGenerationAndLanes)
{
    // 2.5 and 5 GT/s with 8b/10b, 8, 16 and 32 GT/s with 128b/130b.
    EXPECT_EQ(Make({{"Generation", "1"}, {"Lanes", "1"}})->GetRate(), DataRate(2'000'000'000));
    EXPECT_EQ(Make({{"Generation", "2"}, {"Lanes", "4"}})->GetRate(), DataRate(16'000'000'000));
    EXPECT_EQ(Make({{"Generation", "3"}, {"Lanes", "8"}})->GetRate(), DataRate(63'015'384'615));
    EXPECT_EQ(Make({})->GetRate(), DataRate(126'030'769'230)); // Generation 3, 16 lanes.
    EXPECT_EQ(Make({{"Generation", "4"}})->GetRate(), DataRate(252'061'538'461));
    EXPECT_EQ(Make({{"Generation", "5"}})->GetRate(), DataRate(504'123'076'923));
}

TEST(PcieLink, ReadsACacheLineInOneRoundTrip)
{
    // Up 26 bytes, down 64 + 26.
    EXPECT_EQ(MakeRound()->Read(0, 0, DmaKind::PAYLOAD, 0, 64), REQUEST + READ + 90 * BYTE);
    // By default a byte takes 1040 / (128 x 8 x 16) ns = 63.4765625 ps: 1650 + 500000 + 5712.
    EXPECT_EQ(Make({})->Read(0, 0, DmaKind::WQE, 0, 64), 507'362);
}

TEST(PcieLink, SwitchesAndSocketsAddToEachDirection)
{
    // Two switches of 115 ns and one link between sockets of 24 ns.
    constexpr Tick AWAY{2 * 115'000 + 24'000};
    auto link = MakeRound({{"Switches", "2"}, {"SocketHops", "1"}});
    EXPECT_EQ(link->Read(0, 0, DmaKind::WQE, 0, 64), REQUEST + READ + 2 * AWAY + 90 * BYTE);
    EXPECT_EQ(link->GetWriteLatency(), WRITE + AWAY);
    auto fresh = MakeRound({{"Switches", "2"}, {"SocketHops", "1"}});
    EXPECT_EQ(fresh->Write(0, 0, DmaKind::COMPLETION, 0, 64), 90 * BYTE + WRITE + AWAY);
    EXPECT_EQ(fresh->Store(0, 8) - MakeRound()->Store(0, 8), AWAY);
}

TEST(PcieLink, SplitsReadsAtMaxReadRequestAndCompletionBytes)
{
    auto link = MakeRound();
    // 8 requests of 512 bytes, 16 completions of 256.
    const Tick down = (4096 + 16 * 26) * BYTE;
    EXPECT_EQ(link->Read(0, 0, DmaKind::PAYLOAD, 0, 4096), REQUEST + READ + down);
    EXPECT_EQ(Sum(link->GetStats().upBytes), 8 * 26);
    EXPECT_EQ(Sum(link->GetStats().downBytes), 4096 + 16 * 26);
    EXPECT_EQ(link->GetStats().reads, 1);
    auto large = MakeRound({{"MaxReadRequest", "4096"}, {"CompletionBytes", "64"}});
    large->Read(0, 0, DmaKind::PAYLOAD, 0, 4096);
    EXPECT_EQ(Sum(large->GetStats().upBytes), 26);
    EXPECT_EQ(Sum(large->GetStats().downBytes), 4096 + 64 * 26);
}

TEST(PcieLink, AcknowledgmentsAndCreditUpdatesTakeBandwidthOfTheOtherDirection)
{
    const Settings settings{{"DllpBytes", "16"}, {"Tags", "1024"}, {"NonPostedCredits", "1024"}};
    // 1024 requests of 512 bytes: each has two completions of 256 + 26, and 16 bytes of DLLPs.
    EXPECT_EQ(MakeRound(settings)->Read(0, 0, DmaKind::PAYLOAD, 0, 1024 * 512),
              1024 * (2 * 282 + 16) * BYTE);
    // 4096 writes return 16 bytes each, before the data of the read.
    auto written = MakeRound(settings);
    written->Write(0, 0, DmaKind::PAYLOAD, 0, 4096 * 256);
    EXPECT_EQ(written->Read(0, 0, DmaKind::WQE, 0, 64), (4096 * 16 + 90 + 16) * BYTE);
    // A store returns them, too, and the two completions of a read half of them each.
    auto stored = MakeRound(settings);
    stored->Store(0, 8);
    EXPECT_EQ(stored->Write(0, 0, DmaKind::PAYLOAD, 0, 256), (16 + 282) * BYTE + WRITE);
    auto read = MakeRound(settings);
    read->Read(0, 0, DmaKind::PAYLOAD, 0, 512);
    EXPECT_EQ(read->Write(0, 0, DmaKind::PAYLOAD, 0, 256), (26 + 16 + 282) * BYTE + WRITE);
}

TEST(PcieLink, SplitsReadsAtPages)
{
    auto link = MakeRound();
    // 512 bytes from 4000 on: 96 up to the page's end in one completion, 416 in two.
    const Tick down = (512 + 3 * 26) * BYTE;
    EXPECT_EQ(link->Read(0, 0, DmaKind::PAYLOAD, 4000, 512), REQUEST + READ + down);
    EXPECT_EQ(Sum(link->GetStats().upBytes), 2 * 26);
    EXPECT_EQ(Sum(link->GetStats().downBytes), 512 + 3 * 26);
    // Up to the end of a page is no crossing; the first byte of one is none either.
    auto inside = MakeRound();
    inside->Read(0, 0, DmaKind::PAYLOAD, 4096 - 512, 512);
    inside->Read(0, 0, DmaKind::PAYLOAD, 8192, 512);
    EXPECT_EQ(Sum(inside->GetStats().upBytes), 2 * 26);
}

TEST(PcieLink, SplitsWritesAtMaxPayloadAndPages)
{
    auto link = MakeRound();
    // 1000 = 256 + 256 + 256 + 232: four TLPs.
    EXPECT_EQ(link->Write(0, 0, DmaKind::PAYLOAD, 0, 1000), (1000 + 4 * 26) * BYTE + WRITE);
    EXPECT_EQ(Sum(link->GetStats().upBytes), 1000 + 4 * 26);
    EXPECT_EQ(Sum(link->GetStats().downBytes), 0);
    EXPECT_EQ(link->GetStats().writes, 1);
    auto across = MakeRound();
    // From 4000 on: 96, then 160 = 256 - 96.
    across->Write(0, 0, DmaKind::PAYLOAD, 4000, 256);
    EXPECT_EQ(Sum(across->GetStats().upBytes), 256 + 2 * 26);
}

TEST(PcieLink, PayloadComesOneReadAfterTheOther)
{
    auto link = MakeRound();
    const Tick each = (512 + 2 * 26) * BYTE;
    for (Tick read = 1; read <= 5; ++read)
    {
        EXPECT_EQ(link->Read(0, 0, DmaKind::PAYLOAD, 0, 512), REQUEST + READ + read * each);
    }
    // Later, when all that is over: alone again.
    EXPECT_EQ(link->Read(2'000'000, 2'000'000, DmaKind::PAYLOAD, 0, 512),
              2'000'000 + REQUEST + READ + each);
}

TEST(PcieLink, ControlReadsOvertakePayloadButPayloadDoesNot)
{
    auto link = MakeRound();
    // The address of the first is known after 3 us only.
    const Tick each = 90 * BYTE;
    const Tick late = 3'000'000 + REQUEST + READ + each;
    EXPECT_EQ(link->Read(0, 3'000'000, DmaKind::PAYLOAD, 0, 64), late);
    EXPECT_EQ(link->Read(0, 0, DmaKind::PAYLOAD, 0, 64), late + each);
    for (const DmaKind kind :
         {DmaKind::WQE, DmaKind::CONTEXT, DmaKind::TRANSLATION, DmaKind::SOFTWARE})
    {
        EXPECT_EQ(link->Read(0, 0, kind, 0, 64), REQUEST + READ + each);
    }
}

TEST(PcieLink, WhatStartsLaterBlocksNoOther)
{
    // 40 reads of the far future take 40 of 64 tags and 40 x 90 bytes = 450 ns of the link; they
    // end in time, and so does a control read of now.
    auto link = MakeRound();
    for (int i = 0; i < 40; ++i)
    {
        EXPECT_EQ(link->Read(0, 9'000'000, DmaKind::CONTEXT, 0, 64),
                  9'000'000 + REQUEST + READ + 90 * BYTE);
    }
    EXPECT_EQ(link->Read(0, 0, DmaKind::WQE, 0, 64), REQUEST + READ + 90 * BYTE);
    // A round trip later the tags count as free again, though the reads have not begun.
    const Tick later = 600'000;
    for (int i = 0; i < 64; ++i)
    {
        link->Read(later, later, DmaKind::WQE, 0, 64);
    }
    EXPECT_EQ(link->GetStats().tagStalls, 0);
}

TEST(PcieLink, ReadsSlowWritesByTheirRequestsOnly)
{
    auto link = MakeRound();
    constexpr int COUNT{100};
    Tick read{0};
    Tick written{0};
    for (int i = 0; i < COUNT; ++i)
    {
        read = link->Read(0, 0, DmaKind::PAYLOAD, 0, 256);
        written = link->Write(0, 0, DmaKind::PAYLOAD, 0, 256);
    }
    EXPECT_EQ(written, COUNT * (282 + 26) * BYTE + WRITE); // Each after the request before it.
    // Writes do not slow reads: the last of 100 comes as it would without them. 36 reads wait for a
    // tag, one round trip, but then 64 others' data still keep the link busy.
    EXPECT_EQ(read, MakeRound()->Read(0, 0, DmaKind::PAYLOAD, 0, 256) + (COUNT - 1) * 282 * BYTE);
}

TEST(PcieLink, GoodputFollowsTheSizeOfTlps)
{
    struct Case
    {
        uint32_t bytes;
        uint32_t read;    ///< On the link, down.
        uint32_t written; ///< Up.
    };

    for (const Case& c : {Case{64, 90, 90},
                          Case{256, 282, 282},
                          Case{257, 309, 309},
                          Case{1024, 1024 + 4 * 26, 1024 + 4 * 26},
                          Case{4096, 4096 + 16 * 26, 4096 + 16 * 26}})
    {
        auto link = MakeRound({{"Tags", "1000"}, {"NonPostedCredits", "1000"}});
        constexpr int COUNT{1000};
        Tick read{0};
        Tick written{0};
        for (int i = 0; i < COUNT; ++i)
        {
            read = link->Read(0, 0, DmaKind::PAYLOAD, 0, c.bytes);
        }
        const Tick requests = Sum(link->GetStats().upBytes) * BYTE;
        for (int i = 0; i < COUNT; ++i)
        {
            written = link->Write(0, 0, DmaKind::PAYLOAD, 0, c.bytes);
        }
        EXPECT_EQ(read, REQUEST + READ + COUNT * c.read * BYTE) << c.bytes;
        EXPECT_EQ(written, requests + COUNT * c.written * BYTE + WRITE) << c.bytes;
    }
}

TEST(PcieLink, TheBusToThePcieBlockLimitsSmallWrites)
{
    // 64 bytes per 4 ns and a descriptor of 16 bytes (AMD PG213): 128 bytes take 3 beats, 256 take
    // 5.  On the link they take 9.8 and 17.9 ns.
    const std::map<uint32_t, double> gbps{{128, 128 * 8 / 12.0}, {256, 256 * 8 / 20.0}};
    for (const auto& [bytes, rate] : gbps)
    {
        auto link = Make({{"BeatBytes", "64"}, {"PostedCredits", "1000"}});
        constexpr uint32_t COUNT{1000};
        Tick last = 0;
        for (uint32_t write = 0; write < COUNT; ++write)
        {
            last = link->Write(0, 0, DmaKind::PAYLOAD, uint64_t{write} * 4096, bytes);
        }
        const Tick spent = last - link->GetWriteLatency();
        EXPECT_NEAR(COUNT * bytes * 8e3 / static_cast<double>(spent), rate, 0.001);
    }
    // A request for a read takes a beat of 4 ns, its latency is as without the bus.
    auto link = Make({{"BeatBytes", "64"}});
    EXPECT_EQ(link->Read(0, 0, DmaKind::WQE, 0, 64), 507'362);
    EXPECT_EQ(link->Write(0, 0, DmaKind::PAYLOAD, 0, 256),
              4'000 + 20'000 + link->GetWriteLatency());
}

TEST(PcieLink, HostSeesWritesInOrder)
{
    auto link = MakeRound();
    const Tick late = link->Write(0, 2'000'000, DmaKind::PAYLOAD, 0, 64);
    EXPECT_EQ(late, 2'000'000 + 90 * BYTE + WRITE);
    // A completion behind payload that comes late is seen after it; it takes the link, too.
    EXPECT_EQ(link->Write(0, 0, DmaKind::COMPLETION, 0, 64), late + 90 * BYTE);
    EXPECT_EQ(link->Write(0, 2'000'000, DmaKind::COMPLETION, 0, 64), late + 2 * 90 * BYTE);
    // Bandwidth that passed meanwhile is not lost: 3 us later all is idle.
    EXPECT_EQ(link->Write(5'000'000, 5'000'000, DmaKind::PAYLOAD, 0, 64),
              5'000'000 + 90 * BYTE + WRITE);
}

TEST(PcieLink, StoresWaitForNothingButTakeBandwidth)
{
    auto link = MakeRound();
    link->Read(0, 0, DmaKind::PAYLOAD, 0, 65536); // (65536 + 256 x 26) x 125 ps = 9.02 us.
    EXPECT_EQ(link->Store(0, 8), 250'000 + 34 * BYTE);
    EXPECT_EQ(link->GetStats().downBytes[static_cast<std::size_t>(DmaKind::DOORBELL)], 34);
    EXPECT_EQ(link->GetStats().doorbells, 1);
    // 1000 pushed work requests at once: the next read's data come after (64 + 26) x 1000 bytes.
    auto busy = MakeRound();
    for (int i = 0; i < 1000; ++i)
    {
        busy->Store(0, 64);
    }
    EXPECT_EQ(busy->Read(0, 0, DmaKind::WQE, 0, 64), 1001 * 90 * BYTE);
}

TEST(PcieLink, BacklogIsPayloadThatIsNotWritten)
{
    auto link = MakeRound();
    EXPECT_EQ(link->GetWriteBacklog(0), 0);
    link->Write(0, 0, DmaKind::COMPLETION, 0, 64);
    EXPECT_EQ(link->GetWriteBacklog(0), 0);
    // It ends after 90 + 4 x (256 + 26) bytes.
    link->Write(0, 0, DmaKind::PAYLOAD, 0, 1024);
    const Tick end = (90 + 4 * 282) * BYTE;
    EXPECT_EQ(link->GetWriteBacklog(0), 1024);
    EXPECT_EQ(link->GetWriteBacklog(end / 2), 512);
    link->Write(end / 2, end / 2, DmaKind::PAYLOAD, 0, 256); // 512 + 256, 282 bytes more.
    EXPECT_EQ(link->GetWriteBacklog(end / 2), 768);
    // 609 + 282 bytes in all: 10 before the end, 768 x 10 / 891 are left.
    EXPECT_EQ(link->GetWriteBacklog(end + 272 * BYTE), 8);
    EXPECT_EQ(link->GetWriteBacklog(end + 282 * BYTE), 0);
    // What comes behind it on the link is not payload.
    link->Write(end, end, DmaKind::COMPLETION, 0, 64);
    EXPECT_EQ(link->GetWriteBacklog(end + 282 * BYTE), 0);
}

TEST(PcieLink, BacklogGrowsWhereCreditsLimit)
{
    // One credit: 256 bytes per 282 x 125 ps + 250 ns.
    auto link = MakeRound({{"PostedCredits", "1"}});
    link->Write(0, 0, DmaKind::PAYLOAD, 0, 1024);
    const Tick end = 4 * 282 * BYTE + 3 * WRITE;
    EXPECT_EQ(link->GetWriteBacklog(end / 2), 512);
    EXPECT_EQ(link->GetWriteBacklog(end), 0);
}

TEST(PcieLink, JitterIsUniformAndRepeats)
{
    const Settings settings{{"Generation", "2"}, {"ReadJitter", "500ns"}};
    auto one = Make(settings, 7);
    auto same = Make(settings, 7);
    auto other = Make(settings, 8);
    constexpr Tick ALONE{REQUEST + READ + 90 * BYTE};
    constexpr int READS{20'000};
    double sum{0};
    double squares{0};
    int differing{0};
    for (int i = 0; i < READS; ++i)
    {
        const Tick now = i * 10'000'000LL;
        const Tick jitter = one->Read(now, now, DmaKind::PAYLOAD, 0, 64) - now - ALONE;
        EXPECT_GE(jitter, 0);
        EXPECT_LT(jitter, 500'000);
        EXPECT_EQ(same->Read(now, now, DmaKind::PAYLOAD, 0, 64), now + ALONE + jitter);
        differing += other->Read(now, now, DmaKind::PAYLOAD, 0, 64) != now + ALONE + jitter;
        sum += static_cast<double>(jitter);
        squares += static_cast<double>(jitter) * static_cast<double>(jitter);
    }
    // Mean 250 ns, standard deviation 500 / sqrt(12) = 144.3 ns; that of the mean is 1.02 ns.
    const double mean = sum / READS;
    EXPECT_NEAR(mean, 250e3, 5e3);
    EXPECT_NEAR(std::sqrt(squares / READS - mean * mean), 144.3e3, 3e3);
    EXPECT_GT(differing, READS * 99 / 100);
}

TEST(PcieLink, PayloadStaysInOrderUnderJitter)
{
    auto link = Make({{"ReadJitter", "1us"}});
    Tick last{0};
    for (Tick now = 0; now < 100'000'000; now += 100'000)
    {
        const Tick end = link->Read(now, now, DmaKind::PAYLOAD, 0, 1024);
        EXPECT_GE(end - last, 71'598); // 2 TLPs of 564 bytes x 63.4765625 ps = 35800 ps each.
        last = end;
    }
}

TEST(PcieLink, NeverCarriesMoreThanItsRate)
{
    auto link = MakeRound({{"ReadJitter", "300ns"}});
    RandomStream random(3, 4);
    Tick now{0};
    Tick read{0};
    Tick payload{0};
    Tick written{0};
    for (int i = 0; i < 20'000; ++i)
    {
        now += random.Next32() % 100'000;
        const Tick earliest = now + (random.Next32() % 4 == 0 ? random.Next32() % 2'000'000 : 0);
        const auto kind = static_cast<DmaKind>(random.Next32() % 4);
        const uint32_t bytes = 1 + random.Next32() % 2000;
        const uint64_t address = random.Next32();
        const Tick end = link->Read(now, earliest, kind, address, bytes);
        EXPECT_GE(end, earliest + REQUEST + READ + (bytes + 26) * BYTE);
        EXPECT_TRUE(kind != DmaKind::PAYLOAD || end > payload);
        payload = kind == DmaKind::PAYLOAD ? end : payload;
        read = std::max(read, end);
        const Tick seen = link->Write(now, earliest, kind, address, bytes);
        EXPECT_GE(seen, std::max(written, earliest + WRITE + (bytes + 26) * BYTE));
        written = seen;
    }
    EXPECT_GE(read, static_cast<Tick>(Sum(link->GetStats().downBytes)) * BYTE);
    EXPECT_GE(written, static_cast<Tick>(Sum(link->GetStats().upBytes)) * BYTE);
}

TEST(PcieLink, CountsBytesByKind)
{
    auto link = MakeRound();
    for (std::size_t kind = 0; kind < DMA_KINDS; ++kind)
    {
        link->Read(0, 0, static_cast<DmaKind>(kind), 0, 10 + kind);
        link->Write(0, 0, static_cast<DmaKind>(kind), 0, 100 + kind);
    }
    for (std::size_t kind = 0; kind < DMA_KINDS; ++kind)
    {
        EXPECT_EQ(link->GetStats().downBytes[kind], 10 + kind + 26);
        EXPECT_EQ(link->GetStats().upBytes[kind], 26 + 100 + kind + 26);
    }
    EXPECT_EQ(link->GetStats().reads, DMA_KINDS);
    EXPECT_EQ(link->GetStats().writes, DMA_KINDS);
    EXPECT_STREQ(GetDmaKindName(DmaKind::PAYLOAD), "payload");
    EXPECT_STREQ(GetDmaKindName(DmaKind::DOORBELL), "doorbell");
}

TEST(PcieLink, AttributesHaveBounds)
{
    auto link = CreateObject<PcieLink>();
    EXPECT_FALSE(link->SetAttributeFailSafe("Generation", UintegerValue(0)));
    EXPECT_FALSE(link->SetAttributeFailSafe("Generation", UintegerValue(6)));
    EXPECT_FALSE(link->SetAttributeFailSafe("Lanes", UintegerValue(32)));
    EXPECT_FALSE(link->SetAttributeFailSafe("Tags", UintegerValue(0)));
    EXPECT_FALSE(link->SetAttributeFailSafe("MaxPayload", UintegerValue(8192)));
    EXPECT_FALSE(link->SetAttributeFailSafe("ReadLatency", TimeValue(NanoSeconds(-1))));
    EXPECT_TRUE(link->SetAttributeFailSafe("Generation", UintegerValue(5)));
}

TEST(PcieLink, RefusesSizesThatPcieDoesNotHave)
{
    ExpectError<VerbsError>([] { Make({{"Lanes", "3"}}); }, "1, 2, 4, 8 or 16 lanes, not 3");
    ExpectError<VerbsError>(
        [] {
            Make({{"MaxPayload", "300"}});
        },
        "are powers of two, not 300, 512 and 256");
    ExpectError<VerbsError>([] { Make({{"MaxReadRequest", "1000"}}); }, "not 256, 1000 and 256");
    ExpectError<VerbsError>([] { Make({{"CompletionBytes", "96"}}); }, "not 256, 512 and 96");
}
