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
Get(const RetransmissionTimeout& timeout, uint32_t consecutive)
{
    return timeout.Get({0, Psn(10), 5, consecutive, consecutive, nullptr});
}
} // namespace

TEST(FixedTimeout, TheDefaultIsPerftests)
{
    // 4.096 us x 2^14 = 67.108864 ms, however often it expires.
    const auto timeout = CreateObject<FixedTimeout>();
    for (const uint32_t consecutive : {0, 2, 3, 7})
    {
        EXPECT_EQ(Get(*timeout, consecutive), NanoSeconds(67'108'864));
    }
}

TEST(FixedTimeout, HasTwoSteps)
{
    const auto timeout = CreateObjectWithAttributes<FixedTimeout>("Timeout",
                                                                  TimeValue(MicroSeconds(625)),
                                                                  "LateTimeout",
                                                                  TimeValue(MilliSeconds(40)),
                                                                  "FirstRetries",
                                                                  UintegerValue(3));
    EXPECT_EQ(Get(*timeout, 0), MicroSeconds(625));
    EXPECT_EQ(Get(*timeout, 2), MicroSeconds(625));
    EXPECT_EQ(Get(*timeout, 3), MilliSeconds(40));
    EXPECT_EQ(Get(*timeout, 12), MilliSeconds(40));
}

TEST(FixedTimeout, AQueuePairsOwnTimeoutReplacesBothSteps)
{
    const auto timeout = CreateObject<FixedTimeout>();
    const Ptr<const RetransmissionTimeout> own = timeout->WithAckTimeout(MicroSeconds(50));
    EXPECT_EQ(Get(*own, 0), MicroSeconds(50));
    EXPECT_EQ(Get(*own, 9), MicroSeconds(50));
    EXPECT_EQ(Get(*timeout, 0), NanoSeconds(67'108'864)); // That of the others stays.
    EXPECT_EQ(Get(*timeout->WithAckTimeout(Time::Max()), 0), Time::Max());
}

TEST(FixedTimeout, TheFirstTimeoutIsThatOfATimerThatHasNotExpired)
{
    for (const uint32_t firstRetries : {0, 3})
    {
        const auto timeout = CreateObjectWithAttributes<FixedTimeout>("Timeout",
                                                                      TimeValue(MicroSeconds(625)),
                                                                      "LateTimeout",
                                                                      TimeValue(MilliSeconds(40)),
                                                                      "FirstRetries",
                                                                      UintegerValue(firstRetries));
        const auto first = timeout->GetFirst();
        ASSERT_TRUE(first);
        EXPECT_EQ(first->few, ToTick(Get(*timeout, 0)));
        EXPECT_EQ(first->many, first->few);
    }
}
