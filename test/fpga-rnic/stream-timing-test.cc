// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-timing.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{
const ClockDomain CLOCK(250'000'000, 64); // 4 ns.
}

TEST(StreamTiming, OneWordPerCycleAddsTheLatencyAlone)
{
    StreamTiming timing;
    // 4096 bytes are 64 words; the next packet's last word comes 64 cycles later.
    EXPECT_EQ(timing.Pass(CLOCK, false, 400'000, 4096, 10, 1).passedAt, 440'000);
    EXPECT_EQ(timing.Pass(CLOCK, false, 656'000, 4096, 10, 1).passedAt, 696'000);
    // A small packet right behind it is not held up.
    EXPECT_EQ(timing.Pass(CLOCK, false, 660'000, 64, 10, 1).passedAt, 700'000);
}

TEST(StreamTiming, HalfTheWordsWaitOnReceiveForTheLast)
{
    StreamTiming timing;
    // The last of 64 words is taken 63 cycles after it came, the next packet's 128 cycles later.
    EXPECT_EQ(timing.Pass(CLOCK, false, 400'000, 4096, 10, 2).passedAt, 400'000 + 73 * 4'000);
    EXPECT_EQ(timing.Pass(CLOCK, false, 656'000, 4096, 10, 2).passedAt,
              400'000 + (63 + 128 + 10) * 4'000);
}

TEST(StreamTiming, HalfTheWordsOnTransmitLetTheNextPacketBeginLater)
{
    StreamTiming timing;
    const StreamTimes first = timing.Pass(CLOCK, true, 1, 4096, 10, 2); // Edge 1.
    EXPECT_EQ(first.passedAt, (1 + 10 + 63) * 4'000);
    EXPECT_EQ(first.readyAt, (1 + 128) * 4'000);
    EXPECT_EQ(timing.Pass(CLOCK, true, 8'000, 64, 10, 2).passedAt, (129 + 10) * 4'000);
}

TEST(StreamTiming, DirectionsDoNotWaitForEachOther)
{
    StreamTiming timing;
    timing.Pass(CLOCK, true, 0, 4096, 10, 2);
    EXPECT_EQ(timing.Pass(CLOCK, false, 4'000, 64, 10, 2).passedAt, 44'000);
}
