// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/alpha-rules.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr double G{1.0 / 4};

/// One flow's alpha with the paper's 55 us and a gain that makes fractions short.
class PerCnpAlphaOfAFlow : public testing::Test
{
  protected:
    /// A CNP, and the cut if it makes one. @return whether it does
    bool Cut(int64_t us)
    {
        const Time now = MicroSeconds(us);
        const Time cut = m_rule->OnCnp(m_state, m_parameters, now);
        EXPECT_TRUE(cut == now || cut == Time::Max());
        if (cut == now)
        {
            m_rule->OnCut(m_state, m_parameters, now);
        }
        return cut == now;
    }

    double GetAlpha(int64_t us) const
    {
        return m_rule->GetAlpha(m_state, m_parameters, MicroSeconds(us));
    }

    Ptr<PerCnpAlpha> m_rule = CreateObject<PerCnpAlpha>();
    AlphaParameters m_parameters{G, 0.5, MicroSeconds(55), Time(0)};
    AlphaState m_state;
};
} // namespace

TEST_F(PerCnpAlphaOfAFlow, DoesNotMoveBeforeTheFirstCnp)
{
    EXPECT_EQ(GetAlpha(1'000), 0.5);
    EXPECT_TRUE(Cut(1'000));
    EXPECT_EQ(GetAlpha(1'000), 0.625); // 0.75 x 0.5 + 0.25.
}

TEST_F(PerCnpAlphaOfAFlow, RisesWithEachCnpAndFallsInEachPeriodAfterTheLast)
{
    Cut(0);
    Cut(50); // Before a period has passed: 0.75 x 0.625 + 0.25.
    EXPECT_EQ(GetAlpha(104), 0.71875);
    EXPECT_EQ(GetAlpha(105), 0.71875 * 0.75);
    EXPECT_EQ(GetAlpha(160), 0.71875 * 0.75 * 0.75);
    Cut(160);
    EXPECT_EQ(GetAlpha(160), 0.71875 * 0.75 * 0.75 * 0.75 + 0.25);
}

TEST_F(PerCnpAlphaOfAFlow, IgnoresCnpsWithinTheDecreasePeriodOfACut)
{
    m_parameters.decreasePeriod = MicroSeconds(4);
    EXPECT_TRUE(Cut(0));
    EXPECT_FALSE(Cut(3));
    EXPECT_EQ(GetAlpha(3), 0.625);
    EXPECT_TRUE(Cut(4));
}
