// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/oversubscribed-rate.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick US{1'000'000};
constexpr Tick BASE_RTT{10 * US}; // An interval takes 11.25 to 18.75 us.

OversubscribedRate
MakeRate(double least = 0.01)
{
    return OversubscribedRate({0.3, 0.01, 0.5, 0.5, least}, BASE_RTT, RandomStream(1, 0));
}

CreditDemand
MakePacket(Tick now, bool isTrimmed, bool isLastHop, bool isMarked)
{
    return {7, 0, isTrimmed, isLastHop, isMarked, ToTime(now)};
}

/// @return the shares that follow each other until a time, looked at every microsecond.
std::vector<double>
Follow(OversubscribedRate& rate, Tick until)
{
    std::vector<double> shares;
    for (Tick now = 0; now <= until; now += US)
    {
        const double share = rate.Get(now);
        if (shares.empty() || shares.back() != share)
        {
            shares.push_back(share);
        }
    }
    return shares;
}

void
ExpectShares(const std::vector<double>& shares, const std::vector<double>& expected)
{
    ASSERT_EQ(shares.size(), expected.size());
    for (std::size_t number = 0; number < expected.size(); ++number)
    {
        EXPECT_NEAR(shares[number], expected[number], 1e-9) << number;
    }
}
} // namespace

TEST(OversubscribedRate, StaysWholeWithoutMarksAndTrims)
{
    OversubscribedRate rate = MakeRate();
    for (Tick now = 0; now < 200 * US; now += US)
    {
        rate.OnPacket(MakePacket(now, false, false, false));
        EXPECT_EQ(rate.Get(now), 1);
    }
}

TEST(OversubscribedRate, FallsByTheShareOfPacketsThatAnEarlierSwitchHasTrimmed)
{
    OversubscribedRate rate = MakeRate();
    for (uint32_t packet = 0; packet < 10; ++packet)
    {
        rate.OnPacket(MakePacket(0, packet < 4, false, false));
    }
    // Four of ten; then each increase is twice the one before, and the share is at most 1.
    ExpectShares(Follow(rate, 300 * US), {1, 0.6, 0.61, 0.63, 0.67, 0.75, 0.91, 1});
}

TEST(OversubscribedRate, DoesNotFallByTrimsInFrontOfTheReceiver)
{
    OversubscribedRate rate = MakeRate();
    rate.OnPacket(MakePacket(0, true, true, true));
    EXPECT_EQ(Follow(rate, 100 * US), std::vector<double>{1});
}

TEST(OversubscribedRate, FallsByTheAveragedShareOfMarksAboveTheTarget)
{
    OversubscribedRate rate = MakeRate();
    std::vector<double> shares;
    for (Tick now = 0; shares.size() < 3; now += US)
    {
        const double share = rate.Get(now);
        if (shares.empty() || shares.back() != share)
        {
            shares.push_back(share);
        }
        rate.OnPacket(MakePacket(now, false, false, true));
    }
    // The average is 1/2, then 3/4: 1 - 0.2 / 2, and that times (1 - 0.45 / 2).
    ExpectShares(shares, {1, 0.9, 0.6975});
}

TEST(OversubscribedRate, AnIntervalWithMarksAddsTheFirstIncreaseOnly)
{
    OversubscribedRate rate = MakeRate();
    for (uint32_t packet = 0; packet < 200; ++packet)
    {
        rate.OnPacket(MakePacket(0, packet < 100, false, false));
    }
    std::vector<double> shares;
    for (Tick now = 0; shares.size() < 6; now += US)
    {
        const double share = rate.Get(now);
        if (shares.empty() || shares.back() != share)
        {
            shares.push_back(share);
        }
        if (now > 0 && shares.size() < 5)
        {
            rate.OnPacket(MakePacket(now, false, false, now % (5 * US) == 0)); // A fifth.
        }
    }
    // The first interval has at most 20 packets, one of them trimmed. The step doubles all the
    // same: 0.01, 0.02, 0.04 after the three intervals with marks, and 0.08 is added without.
    EXPECT_NEAR(shares[2] - shares[1], 0.01, 1e-9);
    EXPECT_NEAR(shares[3] - shares[2], 0.01, 1e-9);
    EXPECT_NEAR(shares[4] - shares[3], 0.01, 1e-9);
    EXPECT_NEAR(shares[5] - shares[4], 0.08, 1e-9);
}

TEST(OversubscribedRate, HasALowerBound)
{
    OversubscribedRate rate = MakeRate(0.225);
    rate.OnPacket(MakePacket(0, true, false, false));
    std::vector<double> shares = Follow(rate, 40 * US);
    shares.resize(2); // Then it grows again.
    ExpectShares(shares, {1, 0.225});
}
