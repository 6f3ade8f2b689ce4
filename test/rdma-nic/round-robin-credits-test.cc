// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/round-robin-credits.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// 100 Gb/s, packets of 4096 bytes: 64 units per grant; largest window 256 units.
Ptr<RoundRobinCredits>
MakeScheduler()
{
    auto credits = CreateObject<RoundRobinCredits>();
    credits->Start({DataRate("100Gbps"), 4096, 65'536, MicroSeconds(10), 1, RandomStream(1, 0)});
    return credits;
}

CreditDemand
Demand(uint32_t queuePair, uint32_t target, bool isTrimmed)
{
    return {queuePair, target, isTrimmed, false, false, Time(0)};
}

void
ExpectGrant(RoundRobinCredits& credits, uint32_t queuePair, uint32_t granted)
{
    const auto grant = credits.GetNext(Time(0));
    ASSERT_TRUE(grant);
    EXPECT_EQ(grant->queuePair, queuePair);
    EXPECT_EQ(grant->granted, granted);
}
} // namespace

TEST(RoundRobinCredits, GrantsFourPacketsAtATimeInTurn)
{
    const auto credits = MakeScheduler();
    EXPECT_FALSE(credits->GetNext(Time(0)));
    credits->OnDemand(Demand(7, 150, false));
    credits->OnDemand(Demand(3, 64, false));
    ExpectGrant(*credits, 7, 64);
    ExpectGrant(*credits, 3, 64);
    ExpectGrant(*credits, 7, 128);
    ExpectGrant(*credits, 7, 150); // No more than it wants.
}

TEST(RoundRobinCredits, PausesAtSlightlyLessThanTheLineRate)
{
    const auto credits = MakeScheduler();
    credits->OnDemand(Demand(7, 64, false));
    // 16,384 bytes at 99 Gb/s: 1323.96 ns.
    EXPECT_EQ(credits->GetNext(Time(0))->pause, PicoSeconds(1'323'959));
}

TEST(RoundRobinCredits, IdleSendersGetUpToAWindowMore)
{
    const auto credits = MakeScheduler();
    credits->OnDemand(Demand(7, 64, false));
    ExpectGrant(*credits, 7, 64);
    for (uint32_t granted = 128; granted <= 64 + 256; granted += 64)
    {
        ExpectGrant(*credits, 7, granted);
    }
    EXPECT_FALSE(credits->GetNext(Time(0)));
    credits->OnDemand(Demand(7, 100, false)); // Less than it has.
    ExpectGrant(*credits, 7, 320);            // It is told once more.
    ExpectGrant(*credits, 7, 384);            // 320 is less than a window beyond 100.
    EXPECT_FALSE(credits->GetNext(Time(0)));
}

TEST(RoundRobinCredits, ActiveSendersPrecedeIdleOnes)
{
    const auto credits = MakeScheduler();
    credits->OnDemand(Demand(7, 64, false));
    ExpectGrant(*credits, 7, 64); // 7 is idle now.
    credits->OnDemand(Demand(3, 128, false));
    ExpectGrant(*credits, 3, 64);
    ExpectGrant(*credits, 3, 128);
    ExpectGrant(*credits, 7, 128);
    ExpectGrant(*credits, 3, 192);
}

TEST(RoundRobinCredits, ATrimmedPacketMakesItsSenderActiveAgain)
{
    const auto credits = MakeScheduler();
    credits->OnDemand(Demand(7, 64, false));
    ExpectGrant(*credits, 7, 64);
    credits->OnDemand(Demand(3, 64, false));
    credits->OnDemand(Demand(7, 64, true));
    ExpectGrant(*credits, 3, 64);
    ExpectGrant(*credits, 7, 64); // Its demand has not grown.
}

TEST(RoundRobinCredits, AQueuePairThatEndsIsForgotten)
{
    const auto credits = MakeScheduler();
    credits->OnDemand(Demand(7, 640, false));
    ExpectGrant(*credits, 7, 64);
    credits->Forget(7);
    EXPECT_FALSE(credits->GetNext(Time(0)));
    credits->OnDemand(Demand(7, 64, false)); // A new one with its number begins at zero.
    ExpectGrant(*credits, 7, 64);
}

TEST(RoundRobinCredits, GrantLessInAnOversubscribedFabric)
{
    // The first interval of 11.25 to 18.75 us has one packet, trimmed on the way: the least rate,
    // 0.9 / 4 of 99 Gb/s.
    auto credits = CreateObject<RoundRobinCredits>();
    credits->Start({DataRate("100Gbps"), 4096, 65'536, MicroSeconds(10), 4, RandomStream(1, 0)});
    credits->OnDemand(Demand(7, 640, true));
    EXPECT_EQ(credits->GetNext(Time(0))->pause, PicoSeconds(1'323'959));
    // 16,384 bytes at 22.275 Gb/s.
    EXPECT_EQ(credits->GetNext(MicroSeconds(19))->pause, PicoSeconds(5'884'264));
}
