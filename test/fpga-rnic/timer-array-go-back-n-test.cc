// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/timer-array-go-back-n.h"

#include "ns3/nic-presets.h"
#include "ns3/retransmission-timer.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick SCAN{500 * 6400}; ///< 500 entries, one per cycle of 6.4 ns: 3.2 us.

Ptr<TimerArrayGoBackN>
Make(uint32_t queuePairs, Time timeout)
{
    auto recovery = CreateObject<TimerArrayGoBackN>();
    recovery->SetAttribute("QueuePairs", UintegerValue(queuePairs));
    recovery->SetAttribute("Timeout", TimeValue(timeout));
    return recovery;
}

Tick
GetExpiry(const LossRecovery& recovery, Tick start)
{
    RetransmissionTimer timer;
    timer.Start(start, recovery, {Psn(0), Psn(1)});
    return timer.GetExpiry();
}
} // namespace

TEST(TimerArrayGoBackN, ExpiresWhenItsEntryIsLookedAt)
{
    // 1 ms / 3.2 us = 312.5: the entry is set to 313.  Looks 1 to 313 count it down, the next one
    // finds zero.
    const auto recovery = Make(500, MilliSeconds(1));
    EXPECT_EQ(GetExpiry(*recovery, 0), 314 * SCAN);
    EXPECT_EQ(GetExpiry(*recovery, 1), 314 * SCAN);
    EXPECT_EQ(GetExpiry(*recovery, SCAN - 1), 314 * SCAN);
    EXPECT_EQ(GetExpiry(*recovery, SCAN), 315 * SCAN);
}

TEST(TimerArrayGoBackN, IsLateByTwoScansAtMost)
{
    for (const uint32_t queuePairs : {1, 500, 16'000})
    {
        const auto recovery = Make(queuePairs, MicroSeconds(485));
        const Tick scan = Tick{queuePairs} * 6400;
        for (Tick start = 0; start < 1'000'000'000; start += 7'654'321)
        {
            const Tick late = GetExpiry(*recovery, start) - start - 485'000'000;
            EXPECT_LE(late, 2 * scan);
            EXPECT_GT(late, 0);
        }
    }
}

TEST(TimerArrayGoBackN, WaitsForTwoLooksAtLeast)
{
    // 16,000 entries take 102.4 us: a timeout of 10 us ends with the second scan.
    const auto recovery = Make(16'000, MicroSeconds(10));
    EXPECT_EQ(GetExpiry(*recovery, 0), Tick{2 * 16'000} * 6400);
    EXPECT_EQ(GetExpiry(*recovery, Tick{16'000} * 6400 - 1), Tick{2 * 16'000} * 6400);
}

TEST(TimerArrayGoBackN, ForksWithItsArray)
{
    const auto recovery = Make(1000, MilliSeconds(1));
    const Ptr<LossRecovery> fork = recovery->Fork();
    EXPECT_EQ(fork->GetInstanceTypeId(), TimerArrayGoBackN::GetTypeId());
    EXPECT_EQ(fork->GetMaxQueuePairs(), 1000);
    EXPECT_EQ(GetExpiry(*fork, 0), GetExpiry(*recovery, 0));
}

TEST(TimerArrayGoBackN, HasAtMost16000Entries)
{
    const auto recovery = CreateObject<TimerArrayGoBackN>();
    EXPECT_TRUE(recovery->SetAttributeFailSafe("QueuePairs", UintegerValue(16'000)));
    EXPECT_FALSE(recovery->SetAttributeFailSafe("QueuePairs", UintegerValue(16'001)));
    EXPECT_FALSE(recovery->SetAttributeFailSafe("QueuePairs", UintegerValue(0)));
}

TEST(StromPresets, AreThere)
{
    ASSERT_NE(FindNicPreset("strom10g"), nullptr);
    ASSERT_NE(FindNicPreset("strom100g"), nullptr);
    EXPECT_THROW(RegisterNicPreset({"strom10g", "", false, {}, {}}), std::invalid_argument);
}
