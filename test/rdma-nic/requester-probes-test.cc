// SPDX-License-Identifier: GPL-2.0-only

// When a requester sends probes, and what it does with their answers.

#include "requester-fakes.h"

#include "ns3/policy-error.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Asks for a probe at a time that the test sets.
class ProbingDetector : public FakeDetector
{
  public:
    NextLook GetNextLook() const override
    {
        NextLook next = FakeDetector::GetNextLook();
        next.probe = probeTime;
        next.resendsBeyondWindow = exceeds;
        return next;
    }

    LostPackets OnTrigger(LossTrigger trigger, const Scoreboard& board, Time now) override
    {
        if (trigger == LossTrigger::PROBE)
        {
            probed.push_back(now);
            probeTime = afterProbe;
            return {};
        }
        return trigger == LossTrigger::TIMEOUT && waits
                   ? LostPackets{}
                   : FakeDetector::OnTrigger(trigger, board, now);
    }

    bool waits{false};
    bool exceeds{false};
    Time probeTime{Time::Max()};
    Time afterProbe{Time::Max()};
    std::vector<Time> probed;
};

/// Gives all packets the value 7, and asks for one probe of the value 9.
class ProbingSelector : public EntropySelector
{
  public:
    Ptr<EntropySelector> Fork() const override
    {
        return nullptr;
    }

    void Start(const EntropyFacts&) override
    {
    }

    uint32_t GetNext(uint64_t, Time) override
    {
        return 7;
    }

    Time GetProbeTime() const override
    {
        return probeTime;
    }

    std::optional<uint32_t> TakeProbe(Time) override
    {
        probeTime = Time::Max();
        return 9;
    }

    void OnProbeReply(uint32_t entropy, bool isMarked, Time) override
    {
        replies.emplace_back(entropy, isMarked);
    }

    void OnFeedback(uint32_t entropy, RouteSignal, Time) override
    {
        feedback.push_back(entropy);
    }

    Time probeTime{Time::Max()};
    std::vector<std::pair<uint32_t, bool>> replies;
    std::vector<uint32_t> feedback;
};

/// Of the connection; the selector's values are combined with it.
constexpr uint32_t ENTROPY{0x100};

class RequesterProbes : public RequesterWithFakes
{
  protected:
    /// Posts and sends four packets from PSN 0 on.
    void Start(bool hasProbes = true)
    {
        RequesterConfig config = MakeConfig(0, 7, UINT64_MAX);
        config.lossDetector = m_prober;
        config.entropySelector = m_selector;
        config.entropy = ENTROPY;
        config.reports = ReportRules{hasProbes};
        config.heldLimit = 100;
        config.path.packetBytes = MTU;
        m_requester = std::make_unique<Requester>(config, 0);
        m_requester->Post(1, 4 * MTU);
        EXPECT_EQ(SendAll().size(), 4);
    }

    /// A report: all packets up to `psn` have arrived.
    void Report(uint32_t psn, Tick now, FrameKind kind = FrameKind::REPORT, uint16_t flags = 0)
    {
        Frame frame{};
        frame.opcode = opcode::ACK;
        frame.psn = psn;
        frame.syndrome = syndrome::ACK;
        frame.flags = ChangeKind(flags, kind);
        frame.ack.selectivePsn = psn;
        frame.echoedEntropy = ENTROPY ^ 9;
        frame.sendTime = now - 5 * US;
        frame.receivedBytes = (psn + 1) * MTU;
        m_requester->OnAck(frame, now);
    }

    Ptr<ProbingDetector> m_prober = CreateObject<ProbingDetector>();
    Ptr<ProbingSelector> m_selector = CreateObject<ProbingSelector>();
};
} // namespace

TEST_F(RequesterProbes, LeaveWhenTheLossDetectorWantsOne)
{
    Start();
    m_prober->probeTime = MicroSeconds(20);
    Report(0, 10 * US);
    EXPECT_EQ(m_requester->GetDeadline(), 20 * US);
    EXPECT_TRUE(m_requester->TakeProbes().empty());
    m_requester->OnDeadline(20 * US);
    const auto probes = m_requester->TakeProbes();
    ASSERT_EQ(probes.size(), 1);
    EXPECT_EQ(probes[0].psn, Psn(3)); // The newest packet sent.
    EXPECT_EQ(probes[0].entropy, ENTROPY ^ 7);
    EXPECT_EQ(m_prober->probed, std::vector<Time>{MicroSeconds(20)});
    EXPECT_TRUE(m_requester->TakeProbes().empty());
    EXPECT_GT(m_requester->GetDeadline(), 20 * US); // The timer.
}

TEST_F(RequesterProbes, LeaveWithTheValueThatTheSelectorWantsToTest)
{
    Start();
    m_selector->probeTime = MicroSeconds(15);
    Report(0, 10 * US);
    m_requester->OnDeadline(15 * US);
    const auto probes = m_requester->TakeProbes();
    ASSERT_EQ(probes.size(), 1);
    EXPECT_EQ(probes[0].entropy, ENTROPY ^ 9);
    EXPECT_TRUE(m_prober->probed.empty());
}

TEST_F(RequesterProbes, AreAnsweredToTheSelectorAndTheLossDetector)
{
    Start();
    Report(0, 10 * US, FrameKind::PROBE_REPORT);
    EXPECT_EQ(m_selector->replies, (std::vector<std::pair<uint32_t, bool>>{{9, false}}));
    EXPECT_TRUE(m_selector->feedback.empty());
    ASSERT_EQ(m_prober->acks.size(), 1);
    EXPECT_TRUE(m_prober->acks[0].isProbe);
    EXPECT_TRUE(m_prober->acks[0].hasRtt);
    EXPECT_EQ(m_prober->acks[0].rtt, MicroSeconds(5));
    Report(1, 11 * US, FrameKind::PROBE_REPORT, frame_flag::CE_ECHO);
    EXPECT_TRUE(m_selector->replies.back().second);
}

TEST_F(RequesterProbes, DoNotLeaveWhenNothingIsInFlight)
{
    Start();
    m_prober->probeTime = MicroSeconds(20);
    m_selector->probeTime = MicroSeconds(20);
    Report(3, 10 * US);
    EXPECT_EQ(m_requester->GetDeadline(), TICK_NEVER);
}

TEST_F(RequesterProbes, AreAwaitedIfTheLossDetectorNamesNoPacketAtATimeout)
{
    Start();
    m_prober->waits = true;
    const Tick timeout = m_requester->GetDeadline();
    for (uint32_t packet = 0; packet < 4; ++packet) // All were sent at one time.
    {
        EXPECT_EQ(m_requester->GetDeadline(), timeout);
        m_requester->OnDeadline(timeout);
    }
    EXPECT_FALSE(CanSend(timeout));
    EXPECT_EQ(m_requester->GetStats().timeouts, 4);
    EXPECT_EQ(m_requester->GetStats().idleTimeouts, 4); // Nothing was sent again.
    EXPECT_TRUE(m_control->timeouts.empty());
    EXPECT_GT(m_requester->GetDeadline(), timeout);
    m_prober->waits = false;
    m_requester->OnDeadline(m_requester->GetDeadline());
    EXPECT_EQ(m_requester->GetStats().timeouts, 5);
    EXPECT_EQ(m_requester->GetStats().idleTimeouts, 4); // The packets are sent again.
}

TEST_F(RequesterProbes, LetLostPacketsExceedTheWindowIfTheLossDetectorSaysSo)
{
    for (const bool exceeds : {false, true})
    {
        m_prober->exceeds = exceeds;
        m_control->limit.windowBytes = UINT64_MAX;
        Start();
        m_control->limit.windowBytes = MTU;
        m_requester->OnCnp(0); // The limit is asked for anew.
        const Tick timeout = m_requester->GetDeadline();
        m_requester->OnDeadline(timeout); // All four packets are lost; one fits.
        EXPECT_EQ(SendAll(timeout).size(), exceeds ? 4 : 1);
    }
}

TEST_F(RequesterProbes, AreNotForReadResponses)
{
    Start(false);
    m_prober->probeTime = MicroSeconds(20);
    Report(0, 10 * US);
    EXPECT_GT(m_requester->GetDeadline(), 20 * US);
}

TEST_F(RequesterProbes, AreRefusedWithoutALaterTimeForTheNextOne)
{
    Start();
    m_prober->probeTime = MicroSeconds(20);
    m_prober->afterProbe = MicroSeconds(20);
    Report(0, 10 * US);
    EXPECT_THROW(m_requester->OnDeadline(20 * US), PolicyError);
}
