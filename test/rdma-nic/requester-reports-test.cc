// SPDX-License-Identifier: GPL-2.0-only

// What a requester does with trim notices and expiries if its receiver sends reports.

#include "requester-fakes.h"

#include "ns3/fixed-entropy.h"
#include "ns3/selective-repeat.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
using Psns = std::vector<uint32_t>;

/// Returns no packet of a trim notice, and the packets that the test sets at a timeout.
class ReluctantDetector : public FakeDetector
{
  public:
    LostPackets OnReport(const AckReport&, const Scoreboard&, Time) override
    {
        return trimmed;
    }

    LostPackets OnTrigger(LossTrigger, const Scoreboard&, Time) override
    {
        return lost;
    }

    DetectorTraits GetTraits() const override
    {
        DetectorTraits traits = FakeDetector::GetTraits();
        traits.resendsTrimmed = resendsTrimmed;
        return traits;
    }

    bool resendsTrimmed{true};
    LostPackets trimmed;
    LostPackets lost;
};

class RequesterReports : public RequesterWithFakes
{
  protected:
    /// Posts and sends four packets from PSN 0 on.
    void Start(Ptr<LossDetector> detector)
    {
        RequesterConfig config = MakeConfig(0, 7, UINT64_MAX);
        config.lossDetector = std::move(detector);
        config.reports = m_reports;
        config.heldLimit = 100;
        config.path.packetBytes = MTU;
        m_requester = std::make_unique<Requester>(config, 0);
        m_requester->Post(1, 4 * MTU);
        EXPECT_EQ(SendAll(), (Psns{0, 1, 2, 3}));
    }

    /// A switch has trimmed a packet. @param expected the receiver's next PSN
    void Trim(uint32_t psn, uint32_t expected, Tick now)
    {
        Frame frame{};
        frame.opcode = opcode::ACK;
        frame.psn = expected;
        frame.syndrome = syndrome::NAK_PSN_SEQUENCE;
        frame.flags = ChangeKind(frame_flag::TRIMMED, FrameKind::REPORT);
        frame.ack.selectivePsn = psn;
        m_requester->OnAck(frame, now);
    }

    /// All packets before `expected` have arrived, and those of `bits` from `base` on.
    Ends Report(uint32_t expected, Tick now, uint32_t base = 0, uint64_t bits = 0)
    {
        Frame frame{};
        frame.opcode = opcode::ACK;
        frame.psn = (expected + Psn::MASK) & Psn::MASK;
        frame.syndrome = syndrome::ACK;
        frame.flags = ChangeKind(frame_flag::DETAILED, FrameKind::REPORT);
        frame.ack.selectivePsn = frame.psn;
        frame.receivedBytes = (expected + static_cast<uint32_t>(__builtin_popcountll(bits))) * MTU;
        FrameDetail detail;
        detail.range.base = base;
        detail.bits = bits;
        return GetEnds(m_requester->OnAck(frame, now, {}, &detail));
    }

    ReportRules m_reports;
    Ptr<ReluctantDetector> m_reluctant = CreateObject<ReluctantDetector>();
};
} // namespace

TEST_F(RequesterReports, ATrimmedPacketIsSentAgainThoughTheLossDetectorReturnsNone)
{
    Start(CreateObject<SelectiveRepeat>());
    Report(3, 10 * US);
    Trim(3, 3, 10 * US); // The last packet in flight.
    EXPECT_EQ(SendAll(10 * US), (Psns{3}));
    EXPECT_LT(m_requester->GetDeadline(), TICK_NEVER);
    EXPECT_EQ(Report(4, 20 * US), (Ends{{1, WcStatus::SUCCESS}}));
}

TEST_F(RequesterReports, ATrimmedPacketStaysInFlightIfTheLossDetectorDecidesSo)
{
    m_reluctant->resendsTrimmed = false;
    Start(m_reluctant);
    Report(3, 10 * US);
    Trim(3, 3, 10 * US);
    EXPECT_FALSE(CanSend(10 * US));
    EXPECT_EQ(m_requester->GetInFlightBytes(), MTU);
    EXPECT_LT(m_requester->GetDeadline(), TICK_NEVER); // The timer.
    m_reluctant->trimmed = {{Psn(3), Psn(4)}};
    Trim(3, 3, 11 * US);
    EXPECT_EQ(SendAll(11 * US), (Psns{3}));
}

TEST_F(RequesterReports, ATrimmedPacketIsSentOnceIfTheLossDetectorReturnsItToo)
{
    m_reluctant->trimmed = {{Psn(1), Psn(2)}};
    Start(m_reluctant);
    Trim(1, 0, 10 * US);
    EXPECT_EQ(SendAll(10 * US), (Psns{1}));
}

TEST_F(RequesterReports, AnExpiredPacketThatIsNotLostStaysInFlight)
{
    // 0 is sent again and arrives late: 1 is then the packet that was sent before all others.
    Start(m_reluctant);
    Trim(0, 0, 10 * US);
    EXPECT_EQ(SendAll(10 * US), (Psns{0}));
    m_reluctant->lost = {{Psn(0), Psn(1)}}; // Not the one whose timeout has expired.
    m_requester->OnDeadline(m_requester->GetDeadline());
    EXPECT_EQ(SendAll(1000 * US), (Psns{0}));
    EXPECT_EQ(m_requester->GetInFlightBytes(), 4 * MTU);
    m_reluctant->lost.clear();
    for (uint32_t expiry = 0; expiry < 4 && !CanSend(1000 * US); ++expiry)
    {
        m_requester->OnDeadline(m_requester->GetDeadline()); // 1 has its turn.
    }
    EXPECT_TRUE(CanSend(1000 * US));
}

TEST_F(RequesterReports, APacketThatWasRefusedAfterItHadBeenReportedIsSentAgainByTheTimer)
{
    Start(m_reluctant);
    Report(0, 10 * US, 1, 0b111); // 1, 2 and 3 are held.
    // 0 has arrived, 1 was refused when it became the expected packet; its RNR NAK is lost.
    Report(1, 11 * US);
    ASSERT_LT(m_requester->GetDeadline(), TICK_NEVER);
    m_requester->OnDeadline(m_requester->GetDeadline());
    EXPECT_EQ(SendAll(1000 * US), (Psns{1}));
    EXPECT_EQ(Report(4, 2000 * US), (Ends{{1, WcStatus::SUCCESS}}));
    EXPECT_EQ(m_requester->GetDeadline(), TICK_NEVER);
}

TEST_F(RequesterReports, AWindowThatShrinksBelowWhatIsInFlightAsksForAReport)
{
    // The last packet has asked, and is trimmed: the receiver reports none of the other three.
    m_reports.hasProbes = true;
    m_reports.requestsReports = true;
    Start(CreateObject<SelectiveRepeat>());
    m_control->limit.windowBytes = MTU;
    Trim(3, 0, 10 * US);
    EXPECT_FALSE(CanSend(10 * US));
    ASSERT_EQ(m_requester->GetDeadline(), 10 * US);
    m_requester->OnDeadline(10 * US);
    EXPECT_EQ(m_requester->TakeProbes().size(), 1U);
    EXPECT_EQ(m_requester->GetStats().timeouts, 0U);
    // No second one before a report.
    Trim(2, 0, 11 * US);
    EXPECT_GT(m_requester->GetDeadline(), 11 * US);
    // The probe has overtaken the packets in flight: another one asks.
    Report(0, 11 * US);
    EXPECT_EQ(m_requester->GetDeadline(), 11 * US);
    Report(2, 12 * US);
    EXPECT_EQ(SendAll(12 * US), (Psns{2}));
}

TEST_F(RequesterReports, AWindowThatShrinksDoesNotAskIfAPacketInFlightDoes)
{
    m_reports.hasProbes = true;
    m_reports.requestsReports = true;
    Start(CreateObject<SelectiveRepeat>());
    m_control->limit.windowBytes = MTU;
    Trim(2, 0, 10 * US);
    EXPECT_FALSE(CanSend(10 * US));
    EXPECT_GT(m_requester->GetDeadline(), 10 * US);
}

TEST_F(RequesterReports, WithoutRequestsForReportsOnlyTheTimerEndsTheWait)
{
    m_reports.hasProbes = true;
    Start(CreateObject<SelectiveRepeat>());
    m_control->limit.windowBytes = MTU;
    Trim(3, 0, 10 * US);
    EXPECT_FALSE(CanSend(10 * US));
    EXPECT_EQ(m_requester->GetDeadline(), FakeTimeout::TIMEOUT);
}

TEST_F(RequesterReports, AfterAnRnrNakOfAllPacketsInFlightTheWindowIsEmpty)
{
    Start(CreateObject<SelectiveRepeat>());
    constexpr uint8_t RNR_10_US{0x21};
    // Acknowledges 0 and 1, without the receiver's counter.
    Receive(2, RNR_10_US, 10 * US, 0);
    EXPECT_EQ(SendAll(30 * US), (Psns{2, 3}));
    m_control->limit.windowBytes = MTU + MTU / 2;
    Frame frame{};
    frame.opcode = opcode::ACK;
    frame.psn = 2;
    frame.syndrome = syndrome::ACK;
    frame.flags = ChangeKind(0, FrameKind::REPORT);
    frame.receivedBytes = MTU; // Of 2. The bytes of 0 and 1 were subtracted before.
    m_requester->OnAck(frame, 40 * US);
    Receive(3, RNR_10_US, 41 * US, 0);
    // One MTU too much was counted as in flight: with the window of 1.5 MTU nothing could leave.
    EXPECT_EQ(m_requester->GetInFlightBytes(), 0U);
    EXPECT_EQ(SendAll(60 * US), (Psns{3}));
}

TEST_F(RequesterReports, ATrimmedPacketOfASprayedFlightIsSentAgain)
{
    // The receiver sends reports, the sender has only an entropy selector.
    RequesterConfig config = MakeConfig(0, 7, UINT64_MAX);
    config.lossDetector = CreateObject<SelectiveRepeat>();
    config.entropySelector = CreateObject<FixedEntropy>();
    config.path.packetBytes = MTU;
    m_requester = std::make_unique<Requester>(config, 0);
    m_requester->Post(1, 4 * MTU);
    EXPECT_EQ(SendAll(), (Psns{0, 1, 2, 3}));
    Trim(2, 2, 10 * US);
    EXPECT_EQ(SendAll(10 * US), (Psns{2}));
}
