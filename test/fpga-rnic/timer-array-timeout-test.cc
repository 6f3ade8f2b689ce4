// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/timer-array-timeout.h"

#include "ns3/nic-presets.h"
#include "ns3/retransmission-timer.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick SCAN{500 * 6400}; ///< 500 entries, one per cycle of 6.4 ns: 3.2 us.

Ptr<TimerArrayTimeout>
Make(uint32_t queuePairs, Time timeout)
{
    auto timeouts = CreateObject<TimerArrayTimeout>();
    timeouts->SetAttribute("QueuePairs", UintegerValue(queuePairs));
    timeouts->SetAttribute("Timeout", TimeValue(timeout));
    return timeouts;
}

Tick
GetExpiry(const RetransmissionTimeout& timeouts, Tick start)
{
    RetransmissionTimer timer;
    timer.Start(timeouts, {start, Psn(0), 1, 0, 0, nullptr});
    return timer.GetExpiry();
}
} // namespace

TEST(TimerArrayTimeout, ExpiresWhenItsEntryIsLookedAt)
{
    // 1 ms / 3.2 us = 312.5: the entry is set to 313.  Looks 1 to 313 count it down, the next one
    // finds zero.
    const auto timeouts = Make(500, MilliSeconds(1));
    EXPECT_EQ(GetExpiry(*timeouts, 0), 314 * SCAN);
    EXPECT_EQ(GetExpiry(*timeouts, 1), 314 * SCAN);
    EXPECT_EQ(GetExpiry(*timeouts, SCAN - 1), 314 * SCAN);
    EXPECT_EQ(GetExpiry(*timeouts, SCAN), 315 * SCAN);
}

TEST(TimerArrayTimeout, IsLateByTwoScansAtMost)
{
    for (const uint32_t queuePairs : {1, 500, 16'000})
    {
        const auto timeouts = Make(queuePairs, MicroSeconds(485));
        const Tick scan = Tick{queuePairs} * 6400;
        for (Tick start = 0; start < 1'000'000'000; start += 7'654'321)
        {
            const Tick late = GetExpiry(*timeouts, start) - start - 485'000'000;
            EXPECT_LE(late, 2 * scan);
            EXPECT_GT(late, 0);
        }
    }
}

TEST(TimerArrayTimeout, WaitsForTwoLooksAtLeast)
{
    // 16,000 entries take 102.4 us: a timeout of 10 us ends with the second scan.
    const auto timeouts = Make(16'000, MicroSeconds(10));
    EXPECT_EQ(GetExpiry(*timeouts, 0), Tick{2 * 16'000} * 6400);
    EXPECT_EQ(GetExpiry(*timeouts, Tick{16'000} * 6400 - 1), Tick{2 * 16'000} * 6400);
}

TEST(TimerArrayTimeout, AQueuePairsOwnTimeoutIsScannedToo)
{
    const auto timeouts = Make(500, MilliSeconds(1));
    const Ptr<const RetransmissionTimeout> own = timeouts->WithAckTimeout(MicroSeconds(10));
    EXPECT_EQ(own->GetInstanceTypeId(), TimerArrayTimeout::GetTypeId());
    EXPECT_EQ(own->GetMaxQueuePairs(), 500);
    // 10 us / 3.2 us = 3.1: the entry is set to 4, and the fifth look finds zero.
    EXPECT_EQ(GetExpiry(*own, 0), 5 * SCAN);
    EXPECT_EQ(GetExpiry(*timeouts, 0), 314 * SCAN);
    EXPECT_EQ(GetExpiry(*timeouts->WithAckTimeout(Time::Max()), 0), TICK_NEVER);
}

TEST(TimerArrayTimeout, HasAtMost16000Entries)
{
    const auto timeouts = CreateObject<TimerArrayTimeout>();
    EXPECT_TRUE(timeouts->SetAttributeFailSafe("QueuePairs", UintegerValue(16'000)));
    EXPECT_FALSE(timeouts->SetAttributeFailSafe("QueuePairs", UintegerValue(16'001)));
    EXPECT_FALSE(timeouts->SetAttributeFailSafe("QueuePairs", UintegerValue(0)));
}

TEST(StromPresets, AreThere)
{
    ASSERT_NE(FindNicPreset("strom10g"), nullptr);
    ASSERT_NE(FindNicPreset("strom100g"), nullptr);
    EXPECT_THROW(RegisterNicPreset({"strom10g", "", false, {}, {}}), std::invalid_argument);
}
