// SPDX-License-Identifier: GPL-2.0-only
#include "requester-fakes.h"

#include "ns3/no-congestion-control.h"
#include "ns3/selective-repeat.h"
#include "ns3/timeouts.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick TIMEOUT{FakeTimeout::TIMEOUT};

using Psns = std::vector<uint32_t>;
} // namespace

TEST_F(RequesterWithFakes, SendsAWindowAndThenWaitsForAcknowledgments)
{
    m_control->limit.windowBytes = 3 * MTU;
    Make();
    EXPECT_FALSE(CanSend());
    m_requester->Post(1, 10 * MTU);
    EXPECT_EQ(SendAll(), (Psns{0, 1, 2}));
    EXPECT_EQ(m_requester->GetNextSendTime(), TICK_NEVER);
    EXPECT_EQ(m_requester->GetInFlightBytes(), 3000);
    Ack(1);
    EXPECT_EQ(m_requester->GetInFlightBytes(), 1000);
    EXPECT_EQ(m_requester->GetAcknowledgedBytes(), 2000);
    EXPECT_EQ(SendAll(), (Psns{3, 4}));
}

TEST_F(RequesterWithFakes, OnePacketMayAlwaysBeInFlight)
{
    m_control->limit.windowBytes = 10;
    Make();
    m_requester->Post(1, 2 * MTU);
    EXPECT_EQ(SendAll(), (Psns{0}));
    Ack(0);
    EXPECT_EQ(SendAll(), (Psns{1}));
}

TEST_F(RequesterWithFakes, AShortPacketFitsWhereAFullOneDoesNot)
{
    m_control->limit.windowBytes = 2500;
    Make();
    m_requester->Post(1, 2500);
    m_requester->Post(2, 1);
    EXPECT_EQ(SendAll(), (Psns{0, 1, 2})); // 1000 + 1000 + 500, and not one byte more.
}

TEST_F(RequesterWithFakes, NeverHasMoreInFlightThanItsCap)
{
    Make(0, 2, 2500);
    m_requester->Post(1, 10 * MTU);
    EXPECT_EQ(SendAll(), (Psns{0, 1})); // A third would make 3000 of 2500 bytes.
}

TEST_F(RequesterWithFakes, PacketsCarryTheirPlaceInTheMessage)
{
    Make(7);
    m_requester->Post(1, 2500);
    Send();
    EXPECT_TRUE(m_last.plan.isFirst && !m_last.plan.isLast && !m_last.isRetransmission);
    Send();
    Send();
    EXPECT_EQ(m_last.psn, Psn(9));
    EXPECT_TRUE(!m_last.plan.isFirst && m_last.plan.isLast);
    EXPECT_EQ(m_last.plan.payloadBytes, 500);
}

TEST_F(RequesterWithFakes, PacesBelowLineRate)
{
    Make();
    m_control->limit.rate = DataRate("50Gbps");
    m_requester->OnCnp(0); // Makes it look at the limit.
    m_requester->Post(1, 10 * MTU);
    Send(0);
    EXPECT_EQ(m_requester->GetNextSendTime(), 160'000); // 1000 B at 50 Gb/s.
    Send(200'000); // Late by 40 ns: the next gap counts from now on.
    EXPECT_EQ(m_requester->GetNextSendTime(), 360'000);
    m_control->limit.rate = DataRate("10Gbps");
    m_requester->OnCnp(300'000);
    // 60 ns were left at 50 Gb/s, 375 B: 300 ns at 10 Gb/s.
    EXPECT_EQ(m_requester->GetNextSendTime(), 600'000);
    Send(600'000);
    EXPECT_EQ(m_requester->GetNextSendTime(), 1'400'000); // 1000 B at 10 Gb/s: 800 ns.
}

TEST_F(RequesterWithFakes, PacesForAPolicyThatDoesNotNeedOnSent)
{
    m_control->hearsOfSent = false;
    Make();
    m_control->limit.rate = DataRate("50Gbps");
    m_requester->OnCnp(0);
    m_requester->Post(1, 10 * MTU);
    Send(0);
    EXPECT_EQ(m_requester->GetNextSendTime(), 160'000); // 1000 B at 50 Gb/s.
    Send(160'000);
    EXPECT_EQ(m_requester->GetNextSendTime(), 320'000);
    EXPECT_TRUE(m_control->sent.empty());
}

TEST_F(RequesterWithFakes, DoesNotPaceAtLineRate)
{
    Make();
    m_requester->Post(1, 3 * MTU);
    EXPECT_EQ(SendAll(), (Psns{0, 1, 2})); // The port alone holds it back.
}

TEST_F(RequesterWithFakes, CompletesMessagesInOrder)
{
    Make();
    for (const uint64_t wrId : {11, 12, 13, 14})
    {
        m_requester->Post(wrId, 1500); // Two packets each.
    }
    SendAll();
    EXPECT_TRUE(Ack(0).empty());
    EXPECT_EQ(Ack(1), (Ends{{11, WcStatus::SUCCESS}}));
    // One acknowledgment covers all before it.
    EXPECT_EQ(Ack(6), (Ends{{12, WcStatus::SUCCESS}, {13, WcStatus::SUCCESS}}));
    EXPECT_TRUE(Ack(6).empty());
    EXPECT_TRUE(Ack(2).empty());
    EXPECT_EQ(Ack(7), (Ends{{14, WcStatus::SUCCESS}}));
    EXPECT_EQ(m_requester->GetInFlightBytes(), 0);
}

TEST_F(RequesterWithFakes, ANakAcknowledgesAllBeforeIt)
{
    Make();
    m_requester->Post(1, 2 * MTU);
    m_requester->Post(2, 2 * MTU);
    SendAll();
    EXPECT_EQ(Nak(2), (Ends{{1, WcStatus::SUCCESS}}));
    ASSERT_EQ(m_detector->naks.size(), 1);
    EXPECT_EQ(m_detector->naks[0].cumulative, Psn(2));
    EXPECT_TRUE(m_detector->naks[0].received.bitmap.IsEmpty());
}

TEST_F(RequesterWithFakes, ASelectivePsnReachesTheLossDetectorAndItsScoreboard)
{
    m_detector->rules.outOfOrderWindow = 100;
    Make();
    m_requester->Post(1, 5 * MTU);
    SendAll();
    Receive(1, syndrome::NAK_PSN_SEQUENCE, 0, frame_flag::SELECTIVE, 3);
    ASSERT_EQ(m_detector->naks.size(), 1);
    EXPECT_EQ(m_detector->naks[0].received.bitmap.GetNewest(), Psn(3));
    EXPECT_EQ(m_detector->naks[0].cause, Psn(3));
    EXPECT_EQ(m_detector->windows[0].held, 1);
    // The fake has called 1 to 4 lost: then the receiver does not hold 3 either.
    Receive(1, syndrome::NAK_PSN_SEQUENCE, 0, frame_flag::SELECTIVE, 2);
    EXPECT_EQ(m_detector->windows[1].held, 1);
    // A late report and one of a packet that was never sent hold nothing.
    Receive(3, syndrome::NAK_PSN_SEQUENCE, 0, frame_flag::SELECTIVE, 1);
    Receive(3, syndrome::NAK_PSN_SEQUENCE, 0, frame_flag::SELECTIVE, 5);
    EXPECT_EQ(m_detector->windows[2].held, 0);
    EXPECT_EQ(m_detector->windows[3].held, 0);
}

TEST_F(RequesterWithFakes, TheLossDetectorSeesEachNewWindowEvenAnEmptyOne)
{
    Make();
    m_requester->Post(1, 2 * MTU);
    SendAll();
    Ack(0);
    Ack(0); // Nothing new.
    Ack(1); // What it remembers of older packets must go before PSNs come round again.
    ASSERT_EQ(m_detector->acks.size(), 2);
    EXPECT_EQ(m_detector->windows[0].unacked, Psn(1));
    EXPECT_EQ(m_detector->windows[1].unacked, Psn(2));
    EXPECT_EQ(m_detector->windows[1].next, Psn(2));
}

TEST_F(RequesterWithFakes, RetransmissionsGoFirst)
{
    m_control->limit.windowBytes = 3 * MTU;
    Make();
    m_requester->Post(1, 10 * MTU);
    SendAll();
    Nak(1); // 1 and 2 go again; 0 is acknowledged, so that there is room for 3.
    EXPECT_EQ(Send(), 1);
    EXPECT_TRUE(m_last.isRetransmission);
    EXPECT_EQ(Send(), 2);
    EXPECT_TRUE(m_last.isRetransmission);
    EXPECT_EQ(Send(), 3);
    EXPECT_FALSE(m_last.isRetransmission);
    EXPECT_FALSE(CanSend());
    EXPECT_EQ(m_requester->GetStats().packets, 4);
    EXPECT_EQ(m_requester->GetStats().retransmitted, 2);
}

TEST_F(RequesterWithFakes, WithoutABitmapRetransmissionsBeyondASmallerWindowWait)
{
    m_control->limit.windowBytes = 8 * MTU;
    Make();
    m_requester->Post(1, 10 * MTU);
    EXPECT_EQ(SendAll().size(), 8);
    m_control->limit.windowBytes = 3 * MTU;
    Nak(1); // The responder has kept none of 2 to 7: they are sent again, a window at a time.
    EXPECT_EQ(SendAll(), (Psns{1, 2, 3}));
    EXPECT_EQ(m_requester->GetNextSendTime(), TICK_NEVER);
    Ack(1);
    EXPECT_EQ(SendAll(), (Psns{4}));
    Ack(4);
    EXPECT_EQ(SendAll(), (Psns{5, 6, 7})); // 8 waits: 5 to 7 fill the window.
    Ack(5);
    EXPECT_EQ(SendAll(), (Psns{8}));
    EXPECT_FALSE(m_last.isRetransmission);
}

TEST_F(RequesterWithFakes, WithoutABitmapTheMissingPacketMayAlwaysBeSentAgain)
{
    m_control->limit.windowBytes = 3 * MTU;
    Make();
    m_requester->Post(1, 3 * MTU);
    SendAll();
    m_control->limit.windowBytes = 1;
    Nak(0);
    EXPECT_EQ(SendAll(), (Psns{0}));
    Ack(0);
    EXPECT_EQ(SendAll(), (Psns{1}));
}

TEST_F(RequesterWithFakes, WithABitmapRetransmissionsDoNotWaitForTheWindow)
{
    m_detector->rules.outOfOrderWindow = 100;
    m_control->limit.windowBytes = 3 * MTU;
    Make();
    m_requester->Post(1, 10 * MTU);
    SendAll();
    m_control->limit.windowBytes = 1;
    Nak(0);
    EXPECT_EQ(SendAll(), (Psns{0, 1, 2})); // Each replaces a packet that is counted already.
    EXPECT_EQ(m_requester->GetInFlightBytes(), 3000);
}

TEST_F(RequesterWithFakes, AConstantCapHoldsBackNoRetransmission)
{
    Make(0, 2, 2500);
    m_requester->Post(1, 10 * MTU);
    EXPECT_EQ(SendAll(), (Psns{0, 1}));
    Nak(0); // What was sent under the cap fits under it again.
    EXPECT_EQ(SendAll(), (Psns{0, 1}));
}

TEST_F(RequesterWithFakes, WhatHasArrivedMeanwhileIsNotSentAgain)
{
    Make();
    m_requester->Post(1, 5 * MTU);
    SendAll();
    Nak(0);
    EXPECT_EQ(Send(), 0);
    Ack(3);
    EXPECT_EQ(SendAll(), (Psns{4}));
}

TEST_F(RequesterWithFakes, RetransmissionsArePaced)
{
    Make();
    m_requester->Post(1, 2 * MTU);
    SendAll();
    m_control->limit.rate = DataRate("50Gbps");
    Nak(0, US);
    Send(US);
    EXPECT_EQ(m_requester->GetNextSendTime(), US + 160'000);
}

TEST_F(RequesterWithFakes, TheTimerRunsFromTheFirstPacketAndRestartsWithProgress)
{
    Make();
    EXPECT_EQ(m_requester->GetDeadline(), TICK_NEVER);
    m_requester->Post(1, 4 * MTU);
    Send(10 * US);
    EXPECT_EQ(m_requester->GetDeadline(), 10 * US + TIMEOUT);
    Send(20 * US); // A later packet does not move it.
    EXPECT_EQ(m_requester->GetDeadline(), 10 * US + TIMEOUT);
    Ack(0, 30 * US);
    EXPECT_EQ(m_requester->GetDeadline(), 30 * US + TIMEOUT);
    Ack(0, 40 * US); // Nothing new.
    EXPECT_EQ(m_requester->GetDeadline(), 30 * US + TIMEOUT);
    Nak(1, 50 * US); // A NAK without progress neither.
    EXPECT_EQ(m_requester->GetDeadline(), 30 * US + TIMEOUT);
    Ack(1, 60 * US); // Nothing is in flight.
    EXPECT_EQ(m_requester->GetDeadline(), TICK_NEVER);
    Send(70 * US);
    EXPECT_EQ(m_requester->GetDeadline(), 70 * US + TIMEOUT);
}

TEST_F(RequesterWithFakes, AnExpirySendsAgainAndWaitsAsLongAsTheTimeoutSays)
{
    Make();
    m_requester->Post(1, 2 * MTU);
    SendAll(0);
    EXPECT_TRUE(m_requester->OnDeadline(TIMEOUT).empty());
    EXPECT_EQ(m_requester->GetStats().timeouts, 1);
    EXPECT_EQ(m_requester->GetDeadline(), TIMEOUT + 2 * TIMEOUT); // One expiry in a row.
    EXPECT_EQ(SendAll(TIMEOUT), (Psns{0, 1}));
    EXPECT_EQ(m_requester->GetDeadline(), 3 * TIMEOUT); // Sending again does not move it.
    Ack(0, 2 * TIMEOUT);
    EXPECT_EQ(m_requester->GetDeadline(), 3 * TIMEOUT); // Progress: the count starts anew.
}

TEST_F(RequesterWithFakes, BreaksWhenItsRetriesAreExhausted)
{
    Make(0, 2);
    m_requester->Post(11, MTU);
    m_requester->Post(12, 2 * MTU);
    m_requester->Post(13, MTU);
    SendAll(0);
    Ack(0, 0); // 11 is done.
    EXPECT_TRUE(m_requester->OnDeadline(m_requester->GetDeadline()).empty());
    EXPECT_TRUE(m_requester->OnDeadline(m_requester->GetDeadline()).empty());
    const Tick last = m_requester->GetDeadline();
    EXPECT_EQ(last, 6 * TIMEOUT); // 1 + 2 + 3.
    EXPECT_EQ(GetEnds(m_requester->OnDeadline(last)),
              (Ends{{12, WcStatus::RETRY_EXC_ERR}, {13, WcStatus::WR_FLUSH_ERR}}));
    EXPECT_TRUE(m_requester->IsBroken());
    EXPECT_EQ(m_requester->GetStats().timeouts, 3);
}

TEST_F(RequesterWithFakes, ABrokenOneIsSilent)
{
    Make(0, 0);
    m_requester->Post(1, 10 * MTU);
    Send(0);
    EXPECT_EQ(m_requester->OnDeadline(TIMEOUT).size(), 1); // No retry: broken at once.
    EXPECT_EQ(m_requester->GetNextSendTime(), TICK_NEVER);
    EXPECT_EQ(m_requester->GetDeadline(), TICK_NEVER);
    EXPECT_TRUE(Ack(0, 2 * TIMEOUT).empty());
    m_control->limit.deadline = ToTime(5 * TIMEOUT);
    m_requester->OnCnp(2 * TIMEOUT); // Late, for packets of its life before.
    EXPECT_EQ(m_requester->GetNextSendTime(), TICK_NEVER);
    EXPECT_EQ(m_requester->GetDeadline(), TICK_NEVER);
}

TEST_F(RequesterWithFakes, AcknowledgmentsOfPacketsNeverSentAreIgnored)
{
    Make();
    m_requester->Post(1, 10 * MTU);
    Send(0);
    Send(0);
    EXPECT_TRUE(Ack(2, US).empty()); // 0 and 1 were sent.
    EXPECT_TRUE(Ack(5000, US).empty());
    EXPECT_TRUE(Nak(3, US).empty());
    EXPECT_EQ(m_requester->GetInFlightBytes(), 2000);
    EXPECT_EQ(m_requester->GetDeadline(), TIMEOUT);
    EXPECT_TRUE(m_control->acks.empty());
    EXPECT_TRUE(m_detector->naks.empty());
}

TEST_F(RequesterWithFakes, ANakOfTheNextPacketAcknowledgesAll)
{
    Make();
    m_requester->Post(1, MTU);
    Send();
    EXPECT_EQ(Nak(1), (Ends{{1, WcStatus::SUCCESS}}));
    EXPECT_TRUE(m_detector->naks.empty()); // Nothing is in flight that could be missing.
}

TEST_F(RequesterWithFakes, CarriesOnAcrossTheWrap)
{
    Make(0xfffffe);
    m_requester->Post(1, 5 * MTU);
    EXPECT_EQ(SendAll(), (Psns{0xfffffe, 0xffffff, 0, 1, 2}));
    Ack(0xfffffd); // The one before the first: nothing new.
    EXPECT_EQ(m_requester->GetAcknowledgedBytes(), 0);
    Ack(0xffffff);
    EXPECT_EQ(m_requester->GetAcknowledgedBytes(), 2000);
    Nak(1);
    EXPECT_EQ(m_requester->GetAcknowledgedBytes(), 3000);
    EXPECT_EQ(SendAll(), (Psns{1, 2}));
    Ack(0xfffffe); // An old one.
    EXPECT_EQ(m_requester->GetAcknowledgedBytes(), 3000);
    EXPECT_EQ(Ack(2), (Ends{{1, WcStatus::SUCCESS}}));
}

namespace
{
/// Nothing is lost, whatever a report says.
class PatientDetector : public FakeDetector
{
  public:
    LostPackets OnReport(const AckReport&, const Scoreboard&, Time) override
    {
        return {};
    }
};
} // namespace

TEST_F(RequesterWithFakes, HeldPacketsAreInFlightOnlyIfTheWindowCountsThem)
{
    m_detector = CreateObject<PatientDetector>();
    m_detector->rules.outOfOrderWindow = 6;
    m_control->limit.windowBytes = 3 * MTU;
    for (const uint32_t heldLimit : {0U, 6U})
    {
        RequesterConfig config = MakeConfig(0, 2, UINT64_MAX);
        config.heldLimit = heldLimit;
        m_requester = std::make_unique<Requester>(config, 0);
        m_requester->Post(1, 10 * MTU);
        EXPECT_EQ(SendAll(), (Psns{0, 1, 2}));
        Receive(0, syndrome::NAK_PSN_SEQUENCE, 0, frame_flag::SELECTIVE, 1);
        Receive(0, syndrome::NAK_PSN_SEQUENCE, 0, frame_flag::SELECTIVE, 1); // Counts once.
        EXPECT_EQ(m_requester->GetInFlightBytes(), (heldLimit ? 2 : 3) * MTU);
        EXPECT_EQ(SendAll(), heldLimit ? Psns{3} : Psns{});
        if (heldLimit)
        {
            Receive(0, syndrome::NAK_PSN_SEQUENCE, 0, frame_flag::SELECTIVE, 2);
            Receive(0, syndrome::NAK_PSN_SEQUENCE, 0, frame_flag::SELECTIVE, 3);
            // 0 is in flight, 1 to 3 are held: 4 and 5 fill the window and the receiver's bitmap.
            EXPECT_EQ(SendAll(), (Psns{4, 5}));
            Receive(0, syndrome::NAK_PSN_SEQUENCE, 0, frame_flag::SELECTIVE, 5);
            EXPECT_EQ(m_requester->GetInFlightBytes(), 2 * MTU);
            EXPECT_TRUE(SendAll().empty()); // 6 would be 6 ahead of 0.
            Ack(1);                         // 2 and 3 are held still; 4 is in flight.
            EXPECT_EQ(m_requester->GetInFlightBytes(), MTU);
            EXPECT_EQ(SendAll(), (Psns{6, 7}));
        }
        Ack(heldLimit ? 7 : 2);
        EXPECT_EQ(m_requester->GetInFlightBytes(), 0);
    }
}

/// Sends eight million packets.
class SlowRequesterWithFakes : public RequesterWithFakes
{
};

TEST_F(SlowRequesterWithFakes, NeverHasHalfACircleInFlight)
{
    Make();
    m_requester->Post(1, uint64_t{MTU} << 24);
    uint32_t packets = 0;
    while (CanSend())
    {
        m_requester->OnSent(m_requester->TakeNext(0), MTU, MTU, 0);
        ++packets;
    }
    EXPECT_EQ(packets, (1U << 23) - 1); // Of 2^23 the oldest would look like the future.
}

TEST(Requester, ATimerThatWasSetForFewPacketsRunsOnForMany)
{
    RequesterConfig config;
    config.congestionControl = CreateObject<NoCongestionControl>();
    config.lossDetector = CreateObject<SelectiveRepeat>();
    config.timeout = CreateObject<BackoffTimeout>();
    config.path = {DataRate("100Gbps"), MicroSeconds(8), 1000};
    config.flightCapBytes = 100'000;
    config.retryCount = 7;
    config.initialPsn = 0;
    Requester requester(config, 0);
    requester.Post(1, 10'000);
    for (int packet = 0; packet < 10; ++packet)
    {
        requester.OnSent(requester.TakeNext(0), 1100, 1100, 0);
    }
    // Set at the first packet, when RtoLow (100 us) held; with ten in flight RtoHigh (320 us) does.
    EXPECT_EQ(requester.GetDeadline(), ToTick(MicroSeconds(100)));
    requester.OnDeadline(ToTick(MicroSeconds(100)));
    EXPECT_EQ(requester.GetStats().timeouts, 0U);
    EXPECT_EQ(requester.GetDeadline(), ToTick(MicroSeconds(320)));
    requester.OnDeadline(ToTick(MicroSeconds(320)));
    EXPECT_EQ(requester.GetStats().timeouts, 1U);
}
