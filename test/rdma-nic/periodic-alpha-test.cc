// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/alpha-rules.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr double G{1.0 / 4};

/// One flow's alpha under NVIDIA's 1 us and 4 us, with a gain that makes fractions short.
class PeriodicAlphaOfAFlow : public testing::Test
{
  protected:
    Time OnCnp(int64_t ns)
    {
        return m_rule->OnCnp(m_state, m_parameters, NanoSeconds(ns));
    }

    double GetAlpha(int64_t ns) const
    {
        return m_rule->GetAlpha(m_state, m_parameters, NanoSeconds(ns));
    }

    Ptr<PeriodicAlpha> m_rule = CreateObject<PeriodicAlpha>();
    AlphaParameters m_parameters{G, 1, MicroSeconds(1), MicroSeconds(4)};
    AlphaState m_state;
};
} // namespace

TEST_F(PeriodicAlphaOfAFlow, DoesNotMoveBeforeTheFirstCnp)
{
    EXPECT_EQ(GetAlpha(1'000'000), 1);
    OnCnp(1'000'000);
    EXPECT_EQ(GetAlpha(1'000'999), 1);
    EXPECT_EQ(GetAlpha(1'001'000), 1 - G); // The first CNP sets alpha; it does not raise it, too.
}

TEST_F(PeriodicAlphaOfAFlow, RisesOnceInAPeriodWithCnpsAndFallsInOneWithout)
{
    OnCnp(0);
    EXPECT_EQ(GetAlpha(1'000), 0.75);
    OnCnp(1'100);
    OnCnp(1'200);
    OnCnp(1'900);                       // Three of one period count once:
    EXPECT_EQ(GetAlpha(1'999), 0.75);   // not before its end,
    EXPECT_EQ(GetAlpha(2'000), 0.8125); // where 0.75 x 0.75 + 0.25.
    EXPECT_EQ(GetAlpha(3'000), 0.8125 * 0.75);
    EXPECT_EQ(GetAlpha(5'999), 0.8125 * std::pow(0.75, 3));
    OnCnp(6'000); // Of the period that begins here.
    EXPECT_EQ(GetAlpha(6'999), 0.8125 * std::pow(0.75, 4));
    EXPECT_DOUBLE_EQ(GetAlpha(7'000), 0.8125 * std::pow(0.75, 5) + 0.25);
}

TEST_F(PeriodicAlphaOfAFlow, StaysAtOneUnderACnpInEachPeriod)
{
    for (int64_t ns = 500; ns < 20'500; ns += 1'000)
    {
        OnCnp(ns);
    }
    // Down at 1.5 us, for the first CNP only sets it; then up 18 times.
    EXPECT_DOUBLE_EQ(GetAlpha(19'500), 1 - 0.25 * std::pow(0.75, 18));
}

TEST_F(PeriodicAlphaOfAFlow, AQuarterOfThePeriodsGivesAQuarter)
{
    // NVIDIA's receivers send a CNP each 4 us: one rise, three falls. With x after the rise,
    // x = 0.75^4 x + 0.25, so that the cut after the three falls is by 0.75^3 x / 2.
    m_parameters.gain = 1.0 / 256;
    for (int64_t ns = 0; ns < 4'000'000; ns += 4'000)
    {
        OnCnp(ns);
    }
    const double x = m_parameters.gain / (1 - std::pow(1 - m_parameters.gain, 4));
    EXPECT_NEAR(GetAlpha(3'997'000), x, 0.01 * x);
    EXPECT_NEAR(x, 0.25, 0.002);
}

TEST_F(PeriodicAlphaOfAFlow, CutsAtTheEndsOfPeriodsThatTheFirstCnpBegan)
{
    EXPECT_EQ(OnCnp(500), NanoSeconds(4'500));
    EXPECT_EQ(OnCnp(4'499), NanoSeconds(4'500));
    EXPECT_EQ(OnCnp(4'500), NanoSeconds(8'500)); // The end belongs to the next period.
    EXPECT_EQ(OnCnp(100'000), NanoSeconds(100'500));
    m_parameters.decreasePeriod = Time(0);
    EXPECT_EQ(OnCnp(100'001), NanoSeconds(100'001));
}
