// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pacer.h"

#include "requester-puppets.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
const SendBounds BOUNDS{{DataRate("100Gbps"), MicroSeconds(8), 1000}, UINT64_MAX};

class PacerWithPuppet : public testing::Test
{
  protected:
    Pacer Make(uint64_t flightCap = UINT64_MAX)
    {
        return Pacer(m_control, {BOUNDS.path, flightCap}, 0);
    }

    Ptr<PuppetControl> m_control = CreateObject<PuppetControl>();
};
} // namespace

TEST_F(PacerWithPuppet, DoesNotPaceAtLineRate)
{
    Pacer pacer = Make();
    pacer.OnSent(1000, BOUNDS, 500);
    EXPECT_EQ(pacer.GetNextSendTime(), 0);
    EXPECT_EQ(m_control->sent, (std::vector<uint32_t>{1000}));
}

TEST_F(PacerWithPuppet, SpacesPacketsByWhatWasSent)
{
    Pacer pacer = Make();
    m_control->limit.rate = DataRate("10Gbps");
    pacer.OnCnp(BOUNDS, 0);
    pacer.OnSent(1000, BOUNDS, 100);
    EXPECT_EQ(pacer.GetNextSendTime(), 100 + 800'000); // 8000 bits at 10 Gb/s.
    pacer.OnSent(500, BOUNDS, 100);                    // Too early: begins when the other ends.
    EXPECT_EQ(pacer.GetNextSendTime(), 100 + 1'200'000);
    pacer.OnSent(500, BOUNDS, 5'000'000); // Late: what was not used is lost.
    EXPECT_EQ(pacer.GetNextSendTime(), 5'400'000);
}

TEST_F(PacerWithPuppet, TakesTheRateOfBeforeForThePacketThatLeaves)
{
    Pacer pacer = Make();
    m_control->limit.rate = DataRate("50Gbps"); // Seen at the next event: this very packet.
    pacer.OnSent(1000, BOUNDS, 0);
    EXPECT_EQ(pacer.GetNextSendTime(), 0);
    pacer.OnSent(1000, BOUNDS, 0);
    EXPECT_EQ(pacer.GetNextSendTime(), 160'000);
    m_control->limit.rate = DataRate("100Gbps"); // Line rate again.
    pacer.OnDeadline(BOUNDS, 0);
    pacer.OnSent(1000, BOUNDS, 200'000);
    EXPECT_EQ(pacer.GetNextSendTime(), 160'000);
}

TEST_F(PacerWithPuppet, TheWindowIsTheSmallerOfTwo)
{
    m_control->limit.windowBytes = 5000;
    EXPECT_EQ(Make(8000).GetWindowBytes(), 5000);
    Pacer pacer = Make(3000);
    EXPECT_EQ(pacer.GetWindowBytes(), 3000);
    m_control->limit.windowBytes = 2000;
    pacer.OnAck({}, {BOUNDS.path, 3000});
    EXPECT_EQ(pacer.GetWindowBytes(), 2000);
    EXPECT_EQ(m_control->acks.size(), 1);
}

TEST_F(PacerWithPuppet, TellsWhenToLookAgainUntilItIsStopped)
{
    Pacer pacer = Make();
    EXPECT_EQ(pacer.GetDeadline(), TICK_NEVER);
    m_control->limit.deadline = MicroSeconds(3);
    pacer.OnCnp(BOUNDS, 1000);
    EXPECT_EQ(m_control->cnps, 1);
    EXPECT_EQ(pacer.GetDeadline(), 3'000'000);
    pacer.OnDeadline(BOUNDS, 3'000'000); // The puppet asks for none then.
    EXPECT_EQ(m_control->deadlines, (std::vector<Time>{MicroSeconds(3)}));
    EXPECT_EQ(pacer.GetDeadline(), TICK_NEVER);
    m_control->limit.deadline = MicroSeconds(9);
    pacer.OnCnp(BOUNDS, 4'000'000);
    pacer.Stop();
    EXPECT_EQ(pacer.GetDeadline(), TICK_NEVER);
}

TEST_F(PacerWithPuppet, RefusesARateOfZero)
{
    EXPECT_DEATH(
        {
            Pacer pacer = Make();
            m_control->limit.rate = DataRate(0);
            pacer.OnCnp(BOUNDS, 0);
        },
        "allows a rate of zero");
}
