// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-retry.h"

#include "fabric-test-bench.h"

#include "ns3/credit-link.h"
#include "ns3/loss-models.h"
#include "ns3/simple-topologies.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// A frame of 1000 bytes: (1000 + 24) x 80 ps at 100 Gb/s.
constexpr Tick FRAME{81'920};
/// LLR_ACK or LLR_NACK: 8 x 80 ps.
constexpr Tick MESSAGE{640};
constexpr Tick TIMER{10'000'000};

/// Server 0 sends to server 1 by a link that retransmits.
class LinkRetryTest : public FabricBench
{
  protected:
    void Connect(Tick delay,
                 Ptr<LinkRetry> retry = CreateObject<LinkRetry>(),
                 Ptr<CreditLink> credits = nullptr)
    {
        m_delay = delay;
        const TopologyGraph graph = MakeBackToBack(DataRate("100Gbps"), PicoSeconds(delay));
        FabricConfig config;
        config.maxFrameBytes = 1000;
        std::vector<Ptr<const LinkPolicy>> policies;
        if (credits)
        {
            policies.emplace_back(credits);
        }
        policies.emplace_back(retry);
        config.linkPolicies.push_back({0, policies});
        Build(graph, config);
    }

    static Ptr<LinkRetry> MakeBlind()
    {
        return CreateObjectWithAttributes<LinkRetry>("DetectsDamage", BooleanValue(false));
    }

    /// Loses frames and messages of these numbers, counted from 0, that leave by a port.
    void Lose(uint32_t server, std::vector<uint64_t> numbers)
    {
        auto loss = CreateObject<ScriptedLoss>();
        loss->SetScript([numbers](const Frame&, uint64_t number) {
            return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
        });
        Server(server).GetPort().SetLossModel(loss);
    }

    void LoseAtRandom(uint32_t server, double rate)
    {
        auto loss = CreateObjectWithAttributes<UniformLoss>("LossRate", DoubleValue(rate));
        loss->SetStream(RandomStream(3, server));
        Server(server).GetPort().SetLossModel(loss);
    }

    void Send(uint32_t count)
    {
        Server(0).Blast(MakeFrame(0, 1), count);
        Simulator::Run();
    }

    /// Expects that all frames have arrived once and in order.
    /// @param drops frames that did not arrive at all
    void ExpectAll(uint32_t server, uint32_t count, uint64_t drops = 0)
    {
        std::vector<uint32_t> psns(count);
        std::iota(psns.begin(), psns.end(), 0U);
        EXPECT_EQ(Server(server).GetPsns(), psns);
        EXPECT_EQ(CountDrops(DropReason::LINK_LOSS), drops);
    }

    Tick GetLastTime()
    {
        return Server(1).arrivals.back().time;
    }

    Tick m_delay{0};
};

/// Propagation delays, ps.
class LinkRetryDelays : public LinkRetryTest, public testing::WithParamInterface<Tick>
{
};

Tick
DivideUp(Tick a, Tick b)
{
    return (a + b - 1) / b;
}

} // namespace

TEST_P(LinkRetryDelays, ADamagedFrameCostsOneRoundTripOfTheLink)
{
    Connect(GetParam());
    Lose(0, {5});
    Send(300);
    ExpectAll(1, 300);
    // Frame 5 begins after 5 frames and arrives damaged after FRAME + delay; the NACK arrives
    // MESSAGE + delay later. When the frame that is being sent then has left, frame 5 is sent
    // again, and all after it. So each frame from 5 on is later by a whole number of frames:
    const Tick lost = DivideUp(FRAME + 2 * m_delay + MESSAGE, FRAME);
    for (uint32_t psn = 0; psn < 300; ++psn)
    {
        EXPECT_EQ(Server(1).arrivals[psn].time,
                  (psn + 1 + (psn >= 5 ? lost : 0)) * FRAME + m_delay);
    }
    EXPECT_EQ(Core().linkReplays, static_cast<uint64_t>(lost));
    EXPECT_EQ(Core().pool.GetInUse(), 0U);
}

TEST_P(LinkRetryDelays, AFrameThatDoesNotArriveIsMissedAtTheNextOne)
{
    Connect(GetParam(), MakeBlind());
    Lose(0, {5});
    Send(300);
    ExpectAll(1, 300, 1);
    // The NACK is sent when frame 6 arrives, one frame later than for a damaged frame.
    const Tick lost = DivideUp(2 * FRAME + 2 * m_delay + MESSAGE, FRAME);
    EXPECT_EQ(GetLastTime(), (300 + lost) * FRAME + m_delay);
}

INSTANTIATE_TEST_SUITE_P(Link, LinkRetryDelays, testing::Values(Tick{10'000}, Tick{1'000'000}));

TEST_F(LinkRetryTest, GoodputAtALossRateOfOneThousandthIsThatOfTheClosedForm)
{
    // A link of 10 ns: a loss takes ceil((81,920 + 2 x 10,000 + 640) / 81,920) = 2 frames. In each
    // position a frame is damaged with p = 0.001, also when it is sent again: p / (1 - p) losses
    // per delivered frame, and a goodput of 1 / (1 + 2 p / (1 - p)) = 0.99800.
    Connect(10'000);
    LoseAtRandom(0, 0.001);
    constexpr uint32_t COUNT{200'000};
    Send(COUNT);
    ExpectAll(1, COUNT);
    // Exact: each frame that is sent again takes the time of one frame.
    EXPECT_EQ(GetLastTime(), static_cast<Tick>(COUNT + Core().linkReplays) * FRAME + m_delay);
    const double goodput =
        static_cast<double>(COUNT * FRAME + m_delay) / static_cast<double>(GetLastTime());
    // 200 losses are expected, with a standard deviation of 14: 0.00014 of the goodput.
    EXPECT_NEAR(goodput, 0.998, 3 * 0.00014);
}

TEST_F(LinkRetryTest, ALostLastFrameIsSentAgainWhenTheTimerExpires)
{
    Connect(1'000'000, MakeBlind());
    Lose(0, {0});
    Send(1);
    ExpectAll(1, 1, 1);
    EXPECT_EQ(GetLastTime(), TIMER + FRAME + m_delay);
    EXPECT_EQ(Core().linkReplays, 1U);
}

TEST_F(LinkRetryTest, ALostAcknowledgmentDeliversNothingTwice)
{
    Connect(1'000'000);
    Lose(1, {0});
    Send(1);
    ExpectAll(1, 1);
    EXPECT_EQ(Core().linkReplays, 1U); // After the timer; the duplicate is acknowledged.
    EXPECT_EQ(Core().pool.GetInUse(), 0U);
}

TEST_F(LinkRetryTest, ALostNackIsRepairedByTheTimer)
{
    Connect(1'000'000);
    Lose(0, {0});
    Lose(1, {0});
    Send(1);
    ExpectAll(1, 1);
    EXPECT_EQ(GetLastTime(), TIMER + FRAME + m_delay);
}

TEST_F(LinkRetryTest, AReplayWhoseFirstFrameIsDamagedIsRequestedAgain)
{
    // Of 300 frames number 5 is damaged, and frame 26 + 5 on the wire, which is its first
    // repetition.
    Connect(1'000'000);
    const uint64_t lost = DivideUp(FRAME + 2'000'000 + MESSAGE, FRAME);
    Lose(0, {5, 5 + lost});
    Send(300);
    ExpectAll(1, 300);
    EXPECT_EQ(GetLastTime(), static_cast<Tick>(300 + 2 * lost) * FRAME + m_delay);
}

TEST_F(LinkRetryTest, AFullReplayBufferStopsThePort)
{
    Connect(1'000'000, CreateObjectWithAttributes<LinkRetry>("MaxFrames", UintegerValue(4)));
    Send(100);
    ExpectAll(1, 100);
    EXPECT_GT(Core().linkWaits, 0U);
    // Four frames per acknowledgment, which needs a round trip of 2 us.
    EXPECT_GT(GetLastTime(), 24 * 2'000'000);
    EXPECT_LT(GetLastTime(), 26 * 3'000'000);
}

TEST_F(LinkRetryTest, TheOrderOfClassesIsThatOfTheFirstTransmission)
{
    Connect(1'000'000);
    Lose(0, {1});
    Server(0).Send(MakeFrame(0, 1, 0, 2));
    Server(0).Send(MakeFrame(0, 1, 1, 2));
    At(2 * FRAME, [this] { Server(0).Send(MakeFrame(0, 1, 2, 5)); });
    Simulator::Run();
    ExpectAll(1, 3);
}

TEST_F(LinkRetryTest, NothingIsLostWithCreditsUnderHeavyLossInBothDirections)
{
    Connect(1'000'000,
            CreateObject<LinkRetry>(),
            CreateObjectWithAttributes<CreditLink>("Credits",
                                                   UintegerValue(16 * 1024),
                                                   "CfMinSpacing",
                                                   UintegerValue(800)));
    for (uint32_t server = 0; server < 2; ++server)
    {
        LoseAtRandom(server, 0.1);
        Server(server).Blast(MakeFrame(server, 1 - server), 2000);
    }
    Simulator::Run();
    ExpectAll(0, 2000);
    ExpectAll(1, 2000);
    EXPECT_EQ(Core().pool.GetInUse(), 0U);
}

TEST_F(LinkRetryTest, ALinkThatWasDownStartsWithAnEmptyBuffer)
{
    Connect(1'000'000);
    At(10 * FRAME, [this] { m_fabric->SetLinkUpOnly(0, false); });
    At(20'000'000, [this] { m_fabric->SetLinkUpOnly(0, true); });
    Send(300);
    // Frames of 20 us, less what was in flight, are lost; the others arrive in order.
    EXPECT_EQ(Server(1).arrivals.size() + CountDrops(DropReason::LINK_DOWN), 300U);
    EXPECT_GT(Server(1).arrivals.size(), 40U);
    const auto psns = Server(1).GetPsns();
    EXPECT_TRUE(std::is_sorted(psns.begin(), psns.end()));
    EXPECT_EQ(Core().pool.GetInUse(), 0U);
}

TEST_F(LinkRetryTest, NumbersWrapAround)
{
    Connect(10'000);
    Lose(0, {32'766, 32'770, 65'540});
    Send(70'000);
    ExpectAll(1, 70'000);
}
