// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pacer.h"

#include "requester-fakes.h"

#include "ns3/policy-error.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
const SendBounds BOUNDS{{DataRate("100Gbps"), MicroSeconds(8), 1000}, UINT64_MAX};

class PacerWithFake : public testing::Test
{
  protected:
    Pacer Make(uint64_t flightCap = UINT64_MAX)
    {
        return Pacer(m_control, {BOUNDS.path, flightCap}, 0);
    }

    Ptr<FakeControl> m_control = CreateObject<FakeControl>();
};
} // namespace

TEST_F(PacerWithFake, DoesNotPaceAtLineRate)
{
    Pacer pacer = Make();
    pacer.OnSent(1000, BOUNDS, 500);
    EXPECT_EQ(pacer.GetNextSendTime(), 0);
    EXPECT_EQ(m_control->sent, (std::vector<uint32_t>{1000}));
}

TEST_F(PacerWithFake, SpacesPacketsByWhatWasSent)
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

TEST_F(PacerWithFake, TakesTheRateOfBeforeForThePacketThatLeaves)
{
    Pacer pacer = Make();
    m_control->limit.rate = DataRate("50Gbps"); // Seen at the next event: this very packet.
    pacer.OnSent(1000, BOUNDS, 0);
    EXPECT_EQ(pacer.GetNextSendTime(), 0);
    pacer.OnSent(1000, BOUNDS, 0);
    EXPECT_EQ(pacer.GetNextSendTime(), 160'000);
    m_control->limit.rate = DataRate("100Gbps"); // Line rate again: the port paces from here on.
    pacer.OnDeadline(BOUNDS, 0);
    EXPECT_EQ(pacer.GetNextSendTime(), 80'000); // What is owed still counts: 8000 bits.
    pacer.OnSent(1000, BOUNDS, 200'000);
    EXPECT_EQ(pacer.GetNextSendTime(), 80'000);
}

TEST_F(PacerWithFake, ARisingRateShortensAWaitThatHasBegun)
{
    Pacer pacer = Make();
    m_control->limit.rate = DataRate("1Mbps");
    pacer.OnCnp(BOUNDS, 0);
    pacer.OnSent(1100, BOUNDS, 0);
    EXPECT_EQ(pacer.GetNextSendTime(), 8'800'000'000); // 8800 bits at 1 Mb/s: 8.8 ms.
    m_control->limit.rate = DataRate("50Gbps");
    EXPECT_TRUE(pacer.OnDeadline(BOUNDS, 300'000'000));
    // 300 us at 1 Mb/s have paid 300 of 8800 bits; 8500 bits at 50 Gb/s take 170 ns.
    EXPECT_EQ(pacer.GetNextSendTime(), 300'170'000);
    EXPECT_FALSE(pacer.OnDeadline(BOUNDS, 300'000'000)); // Nothing new.
}

TEST_F(PacerWithFake, AFallingRateLengthensAWaitThatHasBegun)
{
    Pacer pacer = Make();
    m_control->limit.rate = DataRate("10Gbps");
    pacer.OnCnp(BOUNDS, 0);
    pacer.OnSent(1000, BOUNDS, 0); // Until 800 ns.
    m_control->limit.rate = DataRate("5Gbps");
    EXPECT_FALSE(pacer.OnCnp(BOUNDS, 200'000));
    // 2000 of 8000 bits are paid; 6000 bits at 5 Gb/s take 1200 ns.
    EXPECT_EQ(pacer.GetNextSendTime(), 1'400'000);
}

TEST_F(PacerWithFake, ManyChangesOfTheRateSendWhatTheRatesAllow)
{
    Pacer pacer = Make();
    m_control->limit.rate = DataRate("10Gbps");
    pacer.OnCnp(BOUNDS, 0);
    pacer.OnSent(10'000, BOUNDS, 0); // 80,000 bits.
    for (Tick now = 100'000; now <= 1'000'000; now += 100'000)
    {
        // 10 and 20 Gb/s in turn, for 100 ns each: 1000 and 2000 bits.
        const bool isOdd = now / 100'000 % 2 == 1;
        m_control->limit.rate = DataRate(isOdd ? "20Gbps" : "10Gbps");
        EXPECT_EQ(pacer.OnCnp(BOUNDS, now), isOdd);
    }
    // 1 us at 15 Gb/s on average: 15,000 bits; the other 65,000 at 10 Gb/s take 6.5 us.
    EXPECT_EQ(pacer.GetNextSendTime(), 7'500'000);
}

TEST_F(PacerWithFake, AWaitThatIsOverStaysOver)
{
    Pacer pacer = Make();
    m_control->limit.rate = DataRate("10Gbps");
    pacer.OnCnp(BOUNDS, 0);
    pacer.OnSent(1000, BOUNDS, 0);
    m_control->limit.rate = DataRate("1Mbps");
    EXPECT_FALSE(pacer.OnCnp(BOUNDS, 800'000)); // All is paid.
    EXPECT_EQ(pacer.GetNextSendTime(), 800'000);
}

TEST_F(PacerWithFake, TheWindowIsTheSmallerOfTwo)
{
    m_control->limit.windowBytes = 5000;
    EXPECT_EQ(Make(8000).GetWindowBytes(), 5000);
    Pacer pacer = Make(3000);
    EXPECT_EQ(pacer.GetWindowBytes(), 3000);
    m_control->limit.windowBytes = 2000;
    pacer.OnAck({}, {BOUNDS.path, 3000}, 0);
    EXPECT_EQ(pacer.GetWindowBytes(), 2000);
    EXPECT_EQ(m_control->acks.size(), 1);
}

TEST_F(PacerWithFake, ReturnsItsDeadlineUntilItIsStopped)
{
    Pacer pacer = Make();
    EXPECT_EQ(pacer.GetDeadline(), TICK_NEVER);
    m_control->limit.deadline = MicroSeconds(3);
    pacer.OnCnp(BOUNDS, 1000);
    EXPECT_EQ(m_control->cnps, 1);
    EXPECT_EQ(pacer.GetDeadline(), 3'000'000);
    pacer.OnDeadline(BOUNDS, 3'000'000); // The fake asks for none then.
    EXPECT_EQ(m_control->deadlines, (std::vector<Time>{MicroSeconds(3)}));
    EXPECT_EQ(pacer.GetDeadline(), TICK_NEVER);
    m_control->limit.deadline = MicroSeconds(9);
    pacer.OnCnp(BOUNDS, 4'000'000);
    pacer.Stop();
    EXPECT_EQ(pacer.GetDeadline(), TICK_NEVER);
}

/// @return what a pacer says of a limit at 1 us; empty: nothing.
std::string
FindFault(const Ptr<FakeControl>& control, const SendLimit& limit)
{
    control->limit = SendLimit();
    Pacer pacer(control, BOUNDS, 0);
    control->limit = limit;
    try
    {
        pacer.OnCnp(BOUNDS, 1'000'000);
        return "";
    }
    catch (const PolicyError& error)
    {
        return error.what();
    }
}

TEST_F(PacerWithFake, RefusesLimitsThatAreNone)
{
    const std::string begin = m_control->GetInstanceTypeId().GetName() + ": GetLimit(): expected ";
    const auto expectRate = [&](uint64_t bitRate, const std::string& got) {
        SendLimit limit;
        limit.rate = DataRate(bitRate);
        EXPECT_EQ(FindFault(m_control, limit),
                  got.empty() ? "" : begin + "a rate above zero, got " + got);
    };
    expectRate(0, "0 bit/s");
    expectRate(static_cast<uint64_t>(-1), "a negative number or none");
    expectRate(static_cast<uint64_t>(-5'000'000'000), "a negative number or none");
    expectRate(uint64_t{1} << 63, "a negative number or none"); // NaN as an integer on x86-64.
    expectRate(1, "");
    expectRate(UNLIMITED_RATE.GetBitRate(), "");

    SendLimit limit = SendLimit();
    limit.windowBytes = 0;
    EXPECT_EQ(FindFault(m_control, limit), begin + "a window of at least 1 byte, got 0");

    // A deadline of this very time is about to come; one before is not.
    limit = SendLimit();
    limit.deadline = MicroSeconds(1);
    EXPECT_EQ(FindFault(m_control, limit), "");
    limit.deadline = PicoSeconds(999'999);
    EXPECT_EQ(FindFault(m_control, limit),
              begin + "a deadline after now, got 999999 ps at 1000000 ps");
}

TEST_F(PacerWithFake, RefusesARateOfZeroFromTheStart)
{
    class ZeroFromTheStart : public FakeControl
    {
        void Start(const PathInfo&, Time) override
        {
            limit.rate = DataRate(0);
        }
    };

    EXPECT_THROW(Pacer(CreateObject<ZeroFromTheStart>(), BOUNDS, 0), PolicyError);
}

TEST_F(PacerWithFake, RefusesADeadlineThatStaysWhenItHasCome)
{
    class Unmoved : public FakeControl
    {
        void OnDeadline(Time) override
        {
        }
    };

    const auto control = CreateObject<Unmoved>();
    Pacer pacer(control, BOUNDS, 0);
    control->limit.deadline = MicroSeconds(3);
    pacer.OnCnp(BOUNDS, 1000);
    EXPECT_THROW(pacer.OnDeadline(BOUNDS, 3'000'000), PolicyError);
}

TEST_F(PacerWithFake, KeepsTheQueuePairsOwnLimit)
{
    SendBounds limited = BOUNDS;
    limited.rateLimit = DataRate("10Gbps");
    Pacer pacer(m_control, limited, 0);
    pacer.OnSent(1000, limited, 0);
    EXPECT_EQ(pacer.GetNextSendTime(), 800'000); // 8000 bits at 10 Gb/s.
    // The lower one counts, whichever it is.
    m_control->limit.rate = DataRate("5Gbps");
    pacer.OnCnp(limited, 800'000);
    pacer.OnSent(1000, limited, 800'000);
    EXPECT_EQ(pacer.GetNextSendTime(), 2'400'000);
    m_control->limit.rate = DataRate("50Gbps");
    EXPECT_TRUE(pacer.OnCnp(limited, 800'000)); // 8000 bits owed: 800 ns instead of 1600.
    EXPECT_EQ(pacer.GetNextSendTime(), 1'600'000);
    EXPECT_EQ(pacer.GetRate(), DataRate("10Gbps"));
    // Without it congestion control's counts.
    EXPECT_TRUE(pacer.OnBounds(BOUNDS, 800'000));
    EXPECT_EQ(pacer.GetNextSendTime(), 960'000);
    EXPECT_EQ(pacer.GetRate(), DataRate("50Gbps"));
}

TEST_F(PacerWithFake, ALimitHidesNoRateThatPolicyMustNotGive)
{
    SendBounds limited = BOUNDS;
    limited.rateLimit = DataRate("10Gbps");
    Pacer pacer(m_control, limited, 0);
    m_control->limit.rate = DataRate(0);
    EXPECT_THROW(pacer.OnCnp(limited, 0), PolicyError);
    m_control->limit.rate = DataRate(static_cast<uint64_t>(-5));
    EXPECT_THROW(pacer.OnCnp(limited, 0), PolicyError);
}
