// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/plb-entropy.h"

#include "ns3/string.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Base RTT 10 us; one report per microsecond.
class PlbTest : public testing::Test
{
  protected:
    PlbTest()
    {
        EntropyFacts facts;
        facts.baseRtt = MicroSeconds(10);
        m_plb->Start(facts);
        m_first = m_plb->GetNext(1000, Time(0));
    }

    /// @param marked of each ten reports
    void Run(int rounds, int marked)
    {
        for (int round = 0; round < rounds; ++round)
        {
            for (int i = 0; i < 10; ++i)
            {
                m_now += MicroSeconds(1);
                const auto signal = i < marked ? RouteSignal::MARKED : RouteSignal::GOOD;
                m_plb->OnFeedback(m_first, signal, m_now);
            }
        }
    }

    bool HasChanged(uint64_t inFlightBytes)
    {
        return m_plb->GetNext(inFlightBytes, m_now) != m_first;
    }

    Time m_now;
    uint32_t m_first{0};
    Ptr<PlbEntropy> m_plb = CreateObject<PlbEntropy>();
};
} // namespace

/// The first report ends the round that began at time 0, so a round more is fed than counted.
TEST_F(PlbTest, AnIdleQueuePairChangesAfterThreeCongestedRounds)
{
    Run(3, 5);
    EXPECT_FALSE(HasChanged(1000));
    Run(1, 5);
    EXPECT_FALSE(HasChanged(1000));
    EXPECT_TRUE(HasChanged(0));
}

TEST_F(PlbTest, ABusyQueuePairChangesAfterTwelve)
{
    Run(11, 10);
    EXPECT_FALSE(HasChanged(1000));
    Run(2, 10);
    EXPECT_TRUE(HasChanged(1000));
}

TEST_F(PlbTest, FewMarksOrAGoodRoundKeepTheValue)
{
    Run(30, 4);
    EXPECT_FALSE(HasChanged(0));
    Run(10, 10);
    Run(2, 0);
    Run(10, 10);
    EXPECT_FALSE(HasChanged(1000));
}

TEST_F(PlbTest, ATimeoutChangesTheValueAndSuspendsForAMinute)
{
    m_plb->OnFeedback(m_first, RouteSignal::TIMEOUT, Time(0));
    EXPECT_TRUE(HasChanged(1000));
    m_first = m_plb->GetNext(1000, Time(0));
    m_now = MilliSeconds(59'990);
    Run(20, 10);
    EXPECT_FALSE(HasChanged(0));
    m_now = Seconds(120);
    Run(20, 10);
    EXPECT_TRUE(HasChanged(1000));
}

TEST(PlbEntropy, ForksHaveTheAttributesOfTheirPrototype)
{
    const auto prototype = CreateObject<PlbEntropy>();
    prototype->SetAttribute("IdleRounds", StringValue("1"));
    const auto plb = prototype->Fork();
    plb->Start({}); // Base RTT 0: each report is a round.
    const uint32_t first = plb->GetNext(0, Time(0));
    plb->OnFeedback(first, RouteSignal::TRIMMED, MicroSeconds(1));
    EXPECT_NE(plb->GetNext(0, MicroSeconds(1)), first);
}
