// SPDX-License-Identifier: GPL-2.0-only

// A requester with CountedFlight: packets of 1000 bytes without headers, and the answers of a
// receiver that counts.

#include "ns3/counted-flight.h"

#include "requester-fakes.h"

#include "ns3/fixed-entropy.h"
#include "ns3/returned-headers.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
using Psns = std::vector<uint32_t>;

class CountedFlightTest : public RequesterWithFakes
{
  protected:
    /// Makes the requester. @param windowPackets packets in flight at most
    void Start(uint64_t windowPackets = 100, uint32_t retryCount = 2)
    {
        RequesterConfig config = MakeConfig(0, retryCount, windowPackets * MTU);
        config.lossDetector = CreateObject<ReturnedHeaders>();
        config.flights = CreateObject<CountedFlights>();
        config.reports = ReportRules{};
        config.heldLimit = m_heldLimit;
        config.path.packetBytes = MTU;
        m_requester = std::make_unique<Requester>(config, 0);
    }

    /// @param psn that is answered @param count of the receiver
    static Frame MakeAnswer(uint32_t psn, uint32_t count)
    {
        Frame frame{};
        frame.opcode = opcode::ACK;
        frame.flags = ChangeKind(0, FrameKind::REPORT);
        frame.ack.selectivePsn = psn;
        frame.receivedBytes = count;
        return frame;
    }

    /// A packet has arrived. @param expected the next PSN that the receiver misses
    Ends Arrive(uint32_t psn, uint32_t expected, uint32_t count, Tick now)
    {
        Frame frame = MakeAnswer(psn, count);
        frame.psn = (expected + Psn::MASK) & Psn::MASK;
        frame.syndrome = syndrome::ACK;
        return GetEnds(m_requester->OnAck(frame, now));
    }

    /// The header of a packet comes back. @param flag TRIMMED, or 0: the receiver had no room
    void Return(uint32_t psn,
                uint32_t expected,
                uint32_t count,
                Tick now,
                uint16_t flag = frame_flag::TRIMMED)
    {
        Frame frame = MakeAnswer(psn, count);
        frame.psn = expected;
        frame.syndrome = syndrome::NAK_PSN_SEQUENCE;
        frame.flags |= flag;
        m_requester->OnAck(frame, now);
    }

    Ends Expire(Tick now)
    {
        return GetEnds(m_requester->OnDeadline(now));
    }

    uint32_t m_heldLimit{1000};
};
} // namespace

TEST_F(CountedFlightTest, APacketIsSentAgainOnceWhenItsHeaderComesBack)
{
    Start();
    m_requester->Post(1, 4 * MTU);
    EXPECT_EQ(SendAll(), (Psns{0, 1, 2, 3}));
    Arrive(0, 1, 1, 8 * US);
    Return(1, 1, 2, 8 * US);
    EXPECT_EQ(SendAll(8 * US), (Psns{1}));
    Arrive(2, 1, 3, 8 * US);
    Arrive(3, 1, 4, 8 * US);
    EXPECT_EQ(SendAll(9 * US), Psns{});
    EXPECT_EQ(Arrive(1, 4, 5, 16 * US), (Ends{{1, WcStatus::SUCCESS}}));
    EXPECT_EQ(m_requester->GetStats().retransmitted, 1);
    EXPECT_EQ(m_requester->GetDeadline(), TICK_NEVER);
}

TEST_F(CountedFlightTest, APacketWithoutRoomAtTheReceiverIsSentAgainToo)
{
    Start();
    m_requester->Post(1, 2 * MTU);
    SendAll();
    Return(1, 0, 1, 8 * US, 0);
    EXPECT_EQ(SendAll(8 * US), (Psns{1}));
}

TEST_F(CountedFlightTest, ReorderingCausesNoRetransmission)
{
    Start();
    m_requester->Post(1, 100 * MTU);
    EXPECT_EQ(SendAll().size(), 100U);
    for (uint32_t count = 1; count < 100; ++count)
    {
        EXPECT_EQ(Arrive(100 - count, 0, count, 8 * US), Ends{});
        EXPECT_FALSE(CanSend(8 * US));
    }
    EXPECT_EQ(Arrive(0, 100, 100, 9 * US), (Ends{{1, WcStatus::SUCCESS}}));
    EXPECT_EQ(m_requester->GetStats().retransmitted, 0);
}

TEST_F(CountedFlightTest, TheWindowCountsPacketsThatHaveNotLeftTheFabric)
{
    Start(4);
    m_requester->Post(1, 10 * MTU);
    EXPECT_EQ(SendAll(), (Psns{0, 1, 2, 3}));
    EXPECT_EQ(m_requester->GetInFlightBytes(), 4 * MTU);
    Arrive(3, 0, 1, 8 * US);
    EXPECT_EQ(SendAll(8 * US), (Psns{4}));
    // The acknowledgment of PSN 1 is lost: the next one has its count.
    Arrive(2, 0, 3, 9 * US);
    EXPECT_EQ(SendAll(9 * US), (Psns{5, 6}));
    Arrive(1, 0, 2, 9 * US); // Overtaken.
    EXPECT_EQ(SendAll(9 * US), Psns{});
    // A returned header leaves room for its packet, and no more.
    Return(0, 0, 4, 10 * US);
    EXPECT_EQ(SendAll(10 * US), (Psns{0}));
    EXPECT_EQ(m_requester->GetInFlightBytes(), 4 * MTU);
}

TEST_F(CountedFlightTest, MessagesCompleteInTheOrderOfPostingByWholeMessages)
{
    Start();
    m_requester->Post(1, 2 * MTU);
    m_requester->Post(2, 2 * MTU);
    m_requester->Post(3, MTU);
    SendAll();
    EXPECT_EQ(Arrive(4, 0, 1, 8 * US), Ends{}); // The third message is complete.
    EXPECT_EQ(Arrive(0, 1, 2, 8 * US), Ends{});
    EXPECT_EQ(m_requester->GetWindow().GetUnacked(), 0U); // No part of a message counts.
    EXPECT_EQ(Arrive(2, 1, 3, 8 * US), Ends{});
    EXPECT_EQ(Arrive(1, 3, 4, 8 * US), (Ends{{1, WcStatus::SUCCESS}}));
    EXPECT_EQ(m_requester->GetWindow().GetUnacked(), 2U);
    EXPECT_EQ(Arrive(3, 5, 5, 8 * US), (Ends{{2, WcStatus::SUCCESS}, {3, WcStatus::SUCCESS}}));
}

TEST_F(CountedFlightTest, AfterALostHeaderTheTimerSendsTheOldestMessageAgain)
{
    Start();
    m_requester->Post(1, 3 * MTU);
    m_requester->Post(2, 2 * MTU);
    SendAll();
    Arrive(0, 1, 1, 8 * US);
    Arrive(2, 1, 2, 8 * US);
    Arrive(3, 1, 3, 8 * US);
    Arrive(4, 1, 4, 8 * US);
    EXPECT_EQ(m_requester->GetDeadline(), FakeTimeout::TIMEOUT);
    EXPECT_EQ(Expire(FakeTimeout::TIMEOUT), Ends{});
    // All of the first message, since there is no bitmap; nothing of the second.
    EXPECT_EQ(SendAll(FakeTimeout::TIMEOUT), (Psns{0, 1, 2}));
    EXPECT_EQ(m_requester->GetInFlightBytes(), 3 * MTU);
    EXPECT_EQ(m_control->timeouts.size(), 1U);
    EXPECT_EQ(m_control->timeouts[0].lostBytes, 3 * MTU);
    EXPECT_EQ(Arrive(1, 5, 6, FakeTimeout::TIMEOUT + 8 * US),
              (Ends{{1, WcStatus::SUCCESS}, {2, WcStatus::SUCCESS}}));
}

TEST_F(CountedFlightTest, TheTimerRunsFromTheLastDepartureOfTheOldestMessage)
{
    Start(2);
    m_requester->Post(1, 3 * MTU);
    m_requester->Post(2, MTU);
    EXPECT_EQ(SendAll(), (Psns{0, 1}));
    Arrive(0, 1, 1, 8 * US);
    EXPECT_EQ(SendAll(8 * US), (Psns{2})); // The last of the first message.
    Arrive(2, 1, 2, 20 * US);
    EXPECT_EQ(SendAll(20 * US), (Psns{3})); // Of a later message.
    EXPECT_EQ(Expire(FakeTimeout::TIMEOUT), Ends{});
    EXPECT_EQ(m_requester->GetStats().timeouts, 0);
    EXPECT_EQ(m_requester->GetDeadline(), FakeTimeout::TIMEOUT + 8 * US);
    Expire(FakeTimeout::TIMEOUT + 8 * US);
    EXPECT_EQ(m_requester->GetStats().timeouts, 1);
}

TEST_F(CountedFlightTest, RetriesInARowEndTheConnection)
{
    Start(100, 1);
    m_requester->Post(1, MTU);
    Send();
    EXPECT_EQ(Expire(m_requester->GetDeadline()), Ends{});
    Send(m_requester->GetDeadline() - 1);
    EXPECT_EQ(Expire(m_requester->GetDeadline()), Ends{});
    EXPECT_EQ(Expire(m_requester->GetDeadline()), (Ends{{1, WcStatus::RETRY_EXC_ERR}}));
}

TEST_F(CountedFlightTest, AHeaderOfACompleteMessageChangesNothing)
{
    Start();
    m_requester->Post(1, MTU);
    m_requester->Post(2, MTU);
    SendAll();
    Arrive(0, 1, 1, 8 * US);
    Return(0, 1, 2, 9 * US);
    EXPECT_EQ(SendAll(9 * US), Psns{});
}

TEST_F(CountedFlightTest, AMessageOfMoreThanHalfTheReceiversPsnsIsAcknowledgedByPackets)
{
    m_heldLimit = 8;
    Start();
    m_requester->Post(1, 20 * MTU);
    EXPECT_EQ(SendAll(), (Psns{0, 1, 2, 3, 4, 5, 6, 7}));
    Arrive(0, 1, 1, 8 * US);
    EXPECT_EQ(SendAll(8 * US), (Psns{8}));
}
