// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/selective-repeat.h"

#include "test-board.h"

#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t TURN{1 << 24}; ///< PSNs begin again.

struct NackCase
{
    const char* name;
    uint64_t unacked;
    uint64_t next;
    Psn selective;
    LostPackets lost;
};

const NackCase NACK_CASES[] = {
    {"Past", 10, 15, Psn(9), {}},
    {"LongPast", 10, 15, Psn(0xf00000), {}},
    {"Next", 10, 15, Psn(11), {{Psn(10), Psn(11)}}},
    {"Middle", 10, 15, Psn(12), {{Psn(10), Psn(12)}}},
    {"Newest", 10, 15, Psn(14), {{Psn(10), Psn(14)}}},
    {"NeverSent", 10, 15, Psn(15), {}},
    {"FarFuture", 10, 15, Psn(5000), {}},
    {"BeforeTheWrap", TURN - 2, TURN + 3, Psn(0xffffff), {{Psn(0xfffffe), Psn(0xffffff)}}},
    {"AfterTheWrap", TURN - 2, TURN + 3, Psn(1), {{Psn(0xfffffe), Psn(1)}}},
    {"NeverSentAfterTheWrap", TURN - 2, TURN + 3, Psn(3), {}},
};

class SelectiveRepeatNack : public testing::TestWithParam<NackCase>
{
};

class SelectiveRepeatTest : public testing::Test
{
  protected:
    LostPackets Nak(uint32_t selective)
    {
        return m_board.Nak(*m_detector, Psn(selective));
    }

    LostPackets Ack(uint64_t unacked, uint64_t next)
    {
        return m_board.Ack(*m_detector, unacked, next);
    }

    LostPackets Expire()
    {
        return m_board.Expire(*m_detector);
    }

    Ptr<SelectiveRepeat> m_detector = CreateObject<SelectiveRepeat>();
    TestBoard m_board{10, 15}; ///< Five packets are in flight.
};
} // namespace

TEST_P(SelectiveRepeatNack, SendsTheHolesBeforeTheSelectivePacketOnce)
{
    const NackCase& item = GetParam();
    auto detector = CreateObject<SelectiveRepeat>();
    TestBoard board(item.unacked, item.next);
    EXPECT_EQ(board.Nak(*detector, item.selective), item.lost);
    EXPECT_TRUE(board.Nak(*detector, item.selective).empty()); // A duplicate says nothing new.
}

INSTANTIATE_TEST_SUITE_P(Ladder,
                         SelectiveRepeatNack,
                         testing::ValuesIn(NACK_CASES),
                         [](const auto& info) { return info.param.name; });

TEST_F(SelectiveRepeatTest, ANakWithoutASelectivePsnSendsNothing)
{
    const AckReport report{Psn(10), {}, Psn(10), Time(), true};
    EXPECT_TRUE(m_detector->OnReport(report, m_board.Get(), Time()).empty());
}

TEST_F(SelectiveRepeatTest, ALaterNackOnlyAddsNewHoles)
{
    m_board.Move(10, 20);
    EXPECT_EQ(Nak(11), (LostPackets{{Psn(10), Psn(11)}}));
    EXPECT_TRUE(Nak(12).empty()); // 10 is in flight again, 11 has arrived.
    EXPECT_EQ(Nak(15), (LostPackets{{Psn(13), Psn(15)}}));
    EXPECT_TRUE(Nak(14).empty()); // Late, but it is marked as arrived.
    EXPECT_EQ(Nak(17), (LostPackets{{Psn(16), Psn(17)}}));
}

TEST_F(SelectiveRepeatTest, ATimeoutSendsTheHolesBeforeTheNewestSelectiveAcknowledgment)
{
    m_board = TestBoard(TURN - 4, TURN + 6); // 0xfffffc .. 5.
    Nak(0xfffffd);
    Nak(1);
    Nak(2);
    // No later packet has overtaken 3, 4 and 5: they may be in flight.
    const LostPackets holes{{Psn(0xfffffc), Psn(0xfffffd)}, {Psn(0xfffffe), Psn(1)}};
    EXPECT_EQ(Expire(), holes);
}

TEST_F(SelectiveRepeatTest, ATimeoutWithoutAnySelectiveAcknowledgmentSendsTheOldestPacket)
{
    EXPECT_EQ(Expire(), (LostPackets{{Psn(10), Psn(11)}}));
}

TEST_F(SelectiveRepeatTest, ASecondTimeoutInTheSameRecoverySendsAllThatWasInFlight)
{
    Expire();    // 10 .. 14 in flight: recovery lasts until 15.
    Ack(11, 17); // 10 arrived, and 15 and 16 were sent.
    Nak(13);
    EXPECT_EQ(Expire(), (LostPackets{{Psn(11), Psn(13)}, {Psn(14), Psn(15)}}));
}

TEST_F(SelectiveRepeatTest, ATimeoutAfterTheRecoveryIsAFirstOneAgain)
{
    Expire();
    Ack(15, 20);
    EXPECT_EQ(Expire(), (LostPackets{{Psn(15), Psn(16)}}));
}

TEST_F(SelectiveRepeatTest, WhatATimeoutSentIsNotSentAgainForALateNack)
{
    Expire(); // 10 goes again.
    EXPECT_TRUE(Nak(11).empty());
    EXPECT_EQ(Nak(14), (LostPackets{{Psn(12), Psn(14)}}));
}

TEST_F(SelectiveRepeatTest, AnAcknowledgmentInOrderMovesTheWindow)
{
    Nak(12); // 10 and 11 go again, 12 has arrived.
    EXPECT_TRUE(Ack(13, 18).empty());
    const LostPackets holes{{Psn(13), Psn(16)}};
    EXPECT_EQ(Nak(16), holes);
    EXPECT_EQ(Expire(), holes);
}

TEST_F(SelectiveRepeatTest, ANackMovesTheWindowToo)
{
    Nak(12);
    // 10 has arrived after all, 11 has not: it is in flight again already.
    m_board.Move(11, 15);
    EXPECT_TRUE(Nak(12).empty());
}

TEST_F(SelectiveRepeatTest, APacketThatIsRefusedAtItsTurnIsSentAgain)
{
    Nak(12); // 10 and 11 are lost, the receiver holds 12.
    m_board.Move(12, 18);
    // It expects 12 although it has held it, and holds 15.
    EXPECT_EQ(Nak(15), (LostPackets{{Psn(12), Psn(15)}}));
}

TEST_F(SelectiveRepeatTest, AfterAnRnrNakAllThatTheReceiverDoesNotHoldIsSentAgain)
{
    Nak(12);
    EXPECT_EQ(m_detector->OnTrigger(LossTrigger::RNR_NAK, m_board.Get(), Time()),
              (LostPackets{{Psn(10), Psn(12)}, {Psn(13), Psn(15)}}));
    EXPECT_EQ(m_detector->OnTrigger(LossTrigger::MISSING_RESPONSE, m_board.Get(), Time()),
              (LostPackets{{Psn(10), Psn(11)}}));
}

TEST(SelectiveRepeat, TheResponderKeepsABitmap)
{
    auto policy = CreateObjectWithAttributes<SelectiveRepeat>("BitmapPackets", UintegerValue(77));
    EXPECT_EQ(policy->GetTraits().responder.outOfOrderWindow, 77);
}

TEST(SelectiveRepeat, ForksKeepTheirOwnState)
{
    auto prototype = CreateObject<SelectiveRepeat>();
    const LostPackets holes{{Psn(10), Psn(12)}};
    for (int i = 0; i < 2; ++i)
    {
        EXPECT_EQ(TestBoard(10, 15).Nak(*prototype->Fork(), Psn(12)), holes);
    }
}

TEST_F(SelectiveRepeatTest, NeedsAcknowledgmentsOnlyWhileItRecovers)
{
    EXPECT_FALSE(m_detector->GetNextLook().needsAcks);
    Nak(12); // 10 and 11 are sent again.
    EXPECT_TRUE(m_detector->GetNextLook().needsAcks);
    Ack(11, 15); // 11 is missing still.
    EXPECT_TRUE(m_detector->GetNextLook().needsAcks);
    Ack(13, 15);
    EXPECT_FALSE(m_detector->GetNextLook().needsAcks);
    Expire();
    EXPECT_TRUE(m_detector->GetNextLook().needsAcks);
    Ack(15, 15);
    EXPECT_FALSE(m_detector->GetNextLook().needsAcks);
}

/// Two detectors with one window each: one is given every acknowledgment, the other only those that
/// it needs.
class TwoListeners
{
  public:
    void Send(uint64_t packets)
    {
        m_next += packets;
        m_always.Move(m_unacked, m_next);
        m_asNeeded.Move(m_unacked, m_next);
    }

    void Ack(uint64_t packets)
    {
        m_unacked += packets;
        const LostPackets lost = m_always.Ack(*m_calledAlways, m_unacked, m_next);
        if (m_calledAsNeeded->GetNextLook().needsAcks)
        {
            ASSERT_EQ(lost, m_asNeeded.Ack(*m_calledAsNeeded, m_unacked, m_next));
            return;
        }
        m_asNeeded.Move(m_unacked, m_next);
        ASSERT_TRUE(lost.empty());
    }

    void Nack(uint64_t ahead)
    {
        const Psn selective(m_unacked + ahead);
        ASSERT_EQ(m_always.Nak(*m_calledAlways, selective),
                  m_asNeeded.Nak(*m_calledAsNeeded, selective));
    }

    void Expire()
    {
        ASSERT_EQ(m_always.Expire(*m_calledAlways), m_asNeeded.Expire(*m_calledAsNeeded));
    }

    uint64_t GetInFlight() const
    {
        return m_next - m_unacked;
    }

    uint64_t GetNext() const
    {
        return m_next;
    }

  private:
    Ptr<SelectiveRepeat> m_calledAlways = CreateObject<SelectiveRepeat>();
    Ptr<SelectiveRepeat> m_calledAsNeeded = CreateObject<SelectiveRepeat>();
    uint64_t m_unacked{0xffff00};
    uint64_t m_next{0xffff00};
    TestBoard m_always{m_unacked, m_next};
    TestBoard m_asNeeded{m_unacked, m_next};
};

TEST(SelectiveRepeat, ReturnsTheSameWhenCalledOnlyAsNeeded)
{
    std::mt19937 random(7);
    TwoListeners listeners;
    for (int step = 0; step < 100'000; ++step)
    {
        listeners.Send(random() % 20);
        const uint64_t inFlight = listeners.GetInFlight();
        const bool isLossy = step / 500 % 3 == 0;
        const uint32_t draw = random() % 100;
        if (isLossy && draw < 20 && inFlight > 1)
        {
            listeners.Nack(1 + random() % (inFlight - 1));
        }
        else if (isLossy && draw < 22 && inFlight > 0)
        {
            listeners.Expire();
        }
        else if (inFlight > 0)
        {
            listeners.Ack(1 + random() % inFlight);
        }
        if (step % 1000 == 999) // Half a turn of the PSNs without a loss.
        {
            listeners.Ack(listeners.GetInFlight());
            for (int i = 0; i < 0x900; ++i)
            {
                listeners.Send(0x1000);
                listeners.Ack(0x1000);
            }
        }
        ASSERT_FALSE(HasFatalFailure()) << step;
    }
    EXPECT_GT(listeners.GetNext(), 0x30000000U); // Over the wrap many times.
}
