// SPDX-License-Identifier: GPL-2.0-only

// What a requester passes to its policies, and when it calls them.

#include "requester-fakes.h"

#include "ns3/int-stack.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick TIMEOUT{FakeTimeout::TIMEOUT};

using Psns = std::vector<uint32_t>;
} // namespace

TEST_F(RequesterWithFakes, PassesToCongestionControlWhatItNeeds)
{
    Make();
    m_requester->Post(1, 2500);
    SendAll();
    EXPECT_EQ(m_control->sent, (std::vector<uint32_t>{1000, 1000, 500}));
    Frame frame{};
    frame.syndrome = syndrome::ACK;
    frame.psn = 1;
    frame.flags = frame_flag::CE_ECHO;
    frame.sendTime = 2 * US;
    const IntStack path(5);
    m_requester->OnAck(frame, 10 * US, {&path, 3 * US});
    ASSERT_EQ(m_control->acks.size(), 1);
    EXPECT_EQ(m_control->acks[0].markedBytes, 2000);
    EXPECT_EQ(m_control->acks[0].hostTime, MicroSeconds(3));
    EXPECT_EQ(m_control->acks[0].GetFabricTime(), MicroSeconds(5));
    EXPECT_EQ(m_control->acks[0].path, &path);
    EXPECT_EQ(m_control->acks[0].now, MicroSeconds(10));
    EXPECT_EQ(m_control->acks[0].rtt, MicroSeconds(8));
    EXPECT_EQ(m_control->acks[0].ackedBytes, 2000);
    EXPECT_EQ(m_control->acks[0].inFlightBytes, 500);
    EXPECT_TRUE(m_control->acks[0].isCeEchoed);
    m_requester->OnCnp(11 * US);
    EXPECT_EQ(m_control->cnps, 1);
}

TEST_F(RequesterWithFakes, PassesMarkedAndUnsentBytesToCongestionControl)
{
    Make();
    m_control->limit.windowBytes = 2000;
    m_requester->OnCnp(0); // The limit is asked for anew.
    m_requester->Post(1, 5 * MTU);
    SendAll();
    Ack(0, US);
    SendAll();
    Receive(1, syndrome::ACK, 2 * US, frame_flag::CE_ECHO);
    ASSERT_EQ(m_control->acks.size(), 2);
    EXPECT_EQ(m_control->acks[0].markedBytes, 0);
    EXPECT_EQ(m_control->acks[0].unsentBytes, 3 * MTU);
    EXPECT_EQ(m_control->acks[1].markedBytes, 1000);
    EXPECT_EQ(m_control->acks[1].unsentBytes, 2 * MTU);
    EXPECT_EQ(m_control->acks[1].path, nullptr);
}

TEST_F(RequesterWithFakes, ReportsLossesToCongestionControlBeforeTheAnswerThatShowsThem)
{
    Make();
    m_requester->Post(1, 5 * MTU);
    SendAll();
    Ack(0, US);
    EXPECT_TRUE(m_control->losses.empty());
    Nak(2, 2 * US); // 2, 3 and 4 are sent again.
    ASSERT_EQ(m_control->losses.size(), 1);
    EXPECT_EQ(m_control->losses[0].now, MicroSeconds(2));
    EXPECT_EQ(m_control->losses[0].lostBytes, 3 * MTU);
    EXPECT_EQ(m_control->losses[0].inFlightBytes, 3 * MTU);
    EXPECT_EQ(m_control->losses[0].expiries, 0);
    EXPECT_EQ(m_control->acks.size(), 2);
}

TEST_F(RequesterWithFakes, ReportsEachExpiryToCongestionControl)
{
    Make();
    m_requester->Post(1, 2 * MTU);
    SendAll();
    m_requester->OnDeadline(TIMEOUT);
    ASSERT_EQ(m_control->timeouts.size(), 1);
    EXPECT_EQ(m_control->timeouts[0].now, ToTime(TIMEOUT));
    EXPECT_EQ(m_control->timeouts[0].lostBytes, 2 * MTU);
    EXPECT_EQ(m_control->timeouts[0].inFlightBytes, 2 * MTU);
    EXPECT_EQ(m_control->timeouts[0].expiries, 1);
    EXPECT_TRUE(m_control->losses.empty());
    // The one that breaks the connection is not reported: nothing is sent any more.
    m_requester->OnDeadline(3 * TIMEOUT);
    EXPECT_EQ(m_control->timeouts.size(), 2);
    m_requester->OnDeadline(6 * TIMEOUT);
    EXPECT_TRUE(m_requester->IsBroken());
    EXPECT_EQ(m_control->timeouts.size(), 2);
}

TEST_F(RequesterWithFakes, TheLossDetectorIsNotifiedWhenPacketsLeaveAndAnswersArrive)
{
    Make(0xffffff);
    m_requester->Post(1, 3 * MTU);
    SendAll(US);
    EXPECT_EQ(m_detector->sent,
              (std::vector<std::tuple<uint32_t, uint32_t, Time>>{{0xffffff, 0, MicroSeconds(1)},
                                                                 {0, 1, MicroSeconds(1)},
                                                                 {1, 2, MicroSeconds(1)}}));
    Frame ack{};
    ack.opcode = opcode::ACK;
    ack.syndrome = syndrome::ACK;
    ack.psn = 0xffffff;
    ack.sendTime = US;
    m_requester->OnAck(ack, 9 * US);
    ASSERT_EQ(m_detector->acks.size(), 1);
    EXPECT_EQ(m_detector->times[0], MicroSeconds(9));
    EXPECT_EQ(m_detector->acks[0].rtt, MicroSeconds(8));
    EXPECT_EQ(m_detector->acks[0].cause, Psn(0xffffff));
    ack.syndrome = syndrome::NAK_PSN_SEQUENCE;
    ack.psn = 0;
    m_requester->OnAck(ack, 10 * US);
    ASSERT_EQ(m_detector->naks.size(), 1);
    EXPECT_EQ(m_detector->times[1], MicroSeconds(10));
    EXPECT_EQ(m_detector->naks[0].rtt, MicroSeconds(9));
    SendAll(10 * US);
    // 0 and 1 again.
    EXPECT_EQ(m_detector->wereResent, (std::vector<bool>{false, false, false, true, true}));
    m_requester->OnDeadline(9 * US + TIMEOUT);
    EXPECT_EQ(m_detector->expiries, std::vector{ToTime(9 * US + TIMEOUT)});
}

TEST_F(RequesterWithFakes, CongestionControlStartsWithItsOwnPathIfThatIsKnown)
{
    RequesterConfig config = MakeConfig(0, 2, UINT64_MAX);
    m_requester = std::make_unique<Requester>(config, 0);
    EXPECT_EQ(m_control->started.ownRtt, MicroSeconds(8)); // As the whole network.
    EXPECT_EQ(m_control->started.hops, 0);
    config.ownPath = {5 * US, 3};
    m_requester = std::make_unique<Requester>(config, 0);
    EXPECT_EQ(m_control->started.ownRtt, MicroSeconds(5));
    EXPECT_EQ(m_control->started.hops, 3);
    EXPECT_EQ(m_control->started.baseRtt, MicroSeconds(8));
}

TEST_F(RequesterWithFakes, KeepsCongestionControlsDeadlineBesideItsOwn)
{
    m_control->limit.deadline = MicroSeconds(30);
    Make();
    EXPECT_EQ(m_requester->GetDeadline(), 30 * US);
    m_requester->Post(1, MTU);
    Send(0);
    m_requester->OnDeadline(30 * US);
    EXPECT_EQ(m_control->deadlines, (std::vector<Time>{MicroSeconds(30)}));
    EXPECT_EQ(m_requester->GetStats().timeouts, 0);
    EXPECT_EQ(m_requester->GetDeadline(), TIMEOUT);
}

TEST_F(RequesterWithFakes, KeepsTheLossDetectorsDeadlineBesideItsOwn)
{
    m_detector->deadline = MicroSeconds(20);
    Make();
    m_requester->Post(1, 3 * MTU);
    SendAll(0);
    EXPECT_EQ(m_requester->GetDeadline(), 20 * US);
    m_detector->late = {{Psn(1), Psn(2)}};
    m_requester->OnDeadline(20 * US);
    EXPECT_EQ(m_detector->deadlines, (std::vector<Time>{MicroSeconds(20)}));
    EXPECT_EQ(m_control->losses.size(), 1);
    EXPECT_EQ(m_requester->GetStats().timeouts, 0);
    EXPECT_EQ(m_requester->GetDeadline(), TIMEOUT); // The timer's, which has not moved.
    EXPECT_EQ(SendAll(20 * US), (Psns{1}));
    m_detector->deadline = MicroSeconds(25);
    Ack(0, 30 * US); // Later: the deadline has not been handled yet.
    EXPECT_EQ(m_requester->GetDeadline(), 25 * US);
    m_requester->OnDeadline(30 * US);
    EXPECT_EQ(m_requester->GetDeadline(), 30 * US + TIMEOUT);
}
