// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rate-limiter.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick FRAME{400'000}; ///< 1000 bytes at 20 Gb/s.
} // namespace

TEST(RateLimiter, SpacesFramesExactlyWithoutABurst)
{
    RateLimiter limiter(DataRate("20Gbps"), 0);
    for (Tick i = 0; i < 1000; ++i)
    {
        EXPECT_EQ(limiter.GetReadyTime(), i * FRAME);
        limiter.Take(i * FRAME, 1000);
    }
}

TEST(RateLimiter, WhatWasNotUsedIsLost)
{
    RateLimiter limiter(DataRate("20Gbps"), 0);
    limiter.Take(0, 1000);
    limiter.Take(10 * FRAME, 1000);
    EXPECT_EQ(limiter.GetReadyTime(), 11 * FRAME);
}

TEST(RateLimiter, LetsItsBurstAndOneFrameLeaveAtOnce)
{
    // 4000 bytes may be owed: five frames of 1000 leave at time 0, the sixth when one is paid.
    RateLimiter limiter(DataRate("20Gbps"), 4000);
    for (int i = 0; i < 5; ++i)
    {
        EXPECT_EQ(limiter.GetReadyTime(), 0);
        limiter.Take(0, 1000);
    }
    EXPECT_EQ(limiter.GetReadyTime(), FRAME);
    // Used at once or late, a long time lets no more than the burst through again.
    for (int i = 0; i < 5; ++i)
    {
        EXPECT_LE(limiter.GetReadyTime(), 100 * FRAME);
        limiter.Take(100 * FRAME, 1000);
    }
    EXPECT_EQ(limiter.GetReadyTime(), 101 * FRAME);
}

TEST(RateLimiter, NeverExceedsBurstAndRateAndOneFrame)
{
    RateLimiter limiter(DataRate("23Gbps"), 30'000);
    uint64_t sent = 0;
    Tick now = 0;
    for (uint32_t i = 0; i < 20'000; ++i)
    {
        const uint32_t bytes = 64 + (i * 7919) % 9000;
        now = std::max(now + 2'000, limiter.GetReadyTime());
        // Before this frame: 23 Gb/s x now, and the burst; rounding is below a byte per 400 frames.
        EXPECT_LE(sent, 30'000 + 23e9 / 8e12 * static_cast<double>(now) + 50);
        limiter.Take(now, bytes);
        sent += bytes;
    }
    // It was never idle: the mean is the rate.
    EXPECT_NEAR(static_cast<double>(sent) * 8e12 / static_cast<double>(now), 23e9, 23e9 * 0.001);
}
