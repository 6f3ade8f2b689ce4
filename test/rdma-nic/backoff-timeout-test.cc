// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/object-factory.h"
#include "ns3/timeouts.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
Time
Get(const RetransmissionTimeout& timeout, uint32_t packets, uint32_t consecutive)
{
    return timeout.Get({0, Psn(10), packets, consecutive, consecutive, nullptr});
}
} // namespace

TEST(BackoffTimeout, FewPacketsInFlightWaitTheShortTime)
{
    // IRN section 4.1: 100 us up to 3 packets, else 320 us.
    const auto timeout = CreateObject<BackoffTimeout>();
    EXPECT_EQ(Get(*timeout, 1, 0), MicroSeconds(100));
    EXPECT_EQ(Get(*timeout, 3, 0), MicroSeconds(100));
    EXPECT_EQ(Get(*timeout, 4, 0), MicroSeconds(320));
}

TEST(BackoffTimeout, DoublesUpToItsBackoff)
{
    const auto timeout = CreateObjectWithAttributes<BackoffTimeout>("MaxBackoff", UintegerValue(4));
    EXPECT_EQ(Get(*timeout, 5, 1), MicroSeconds(640));
    EXPECT_EQ(Get(*timeout, 5, 4), MicroSeconds(5120)); // 320 x 16.
    EXPECT_EQ(Get(*timeout, 5, 5), MicroSeconds(5120));
}

TEST(BackoffTimeout, IgnoresAQueuePairsOwnTimeout)
{
    const auto timeout = CreateObject<BackoffTimeout>();
    EXPECT_EQ(Get(*timeout->WithAckTimeout(MicroSeconds(7)), 1, 0), MicroSeconds(100));
}

TEST(BackoffTimeout, TheFirstTimeoutIsThatOfATimerThatHasNotExpired)
{
    const auto timeout = CreateObjectWithAttributes<BackoffTimeout>("FewPackets", UintegerValue(7));
    const auto first = timeout->GetFirst();
    ASSERT_TRUE(first);
    for (const uint32_t packets : {0, 1, 7, 8, 100})
    {
        const Tick wait = packets <= first->fewPackets ? first->few : first->many;
        EXPECT_EQ(wait, ToTick(Get(*timeout, packets, 0))) << packets;
    }
}

TEST(BackoffTimeout, ASubclassWithItsOwnGetHasNoFirstTimeout)
{
    class OwnTimeout : public BackoffTimeout
    {
        Time Get(const AwaitedAnswer&) const override
        {
            return MicroSeconds(1);
        }
    };

    EXPECT_FALSE(CreateObject<OwnTimeout>()->GetFirst());
}
