// SPDX-License-Identifier: GPL-2.0-only
#include "nic-core-fixture.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
class NicTransportTest : public NicCoreTest
{
};
} // namespace

TEST_F(NicTransportTest, APacketInOrderIsPlacedAndAnswered)
{
    Start();
    QueuePair& queuePair = MakeQueuePair();
    const PacketOutcome outcome = Receive(queuePair, MakeWrite(queuePair, 0, opcode::WRITE_ONLY));
    EXPECT_TRUE(outcome.placement.IsPlaced());
    EXPECT_FALSE(outcome.drop);
    EXPECT_EQ(outcome.cnp, NO_FRAME);
    EXPECT_EQ(outcome.wakeAt, TICK_NEVER); // There is nothing to send but the answer.
    EXPECT_TRUE(outcome.completions.empty());
    const Frame ack = Take(outcome.answer);
    EXPECT_EQ(ack.opcode, opcode::ACK);
    EXPECT_EQ(ack.psn, 0);
    EXPECT_EQ(ack.dst, 1);
    EXPECT_EQ(ack.dstQp, 9);
}

TEST_F(NicTransportTest, ADuplicateIsAnsweredAndNotPlaced)
{
    Start();
    QueuePair& queuePair = MakeQueuePair();
    const Frame write = MakeWrite(queuePair, 0, opcode::WRITE_ONLY);
    Take(Receive(queuePair, write).answer);
    const PacketOutcome again = Receive(queuePair, write);
    EXPECT_FALSE(again.placement.IsPlaced());
    EXPECT_EQ(Take(again.answer).psn, 0);
}

TEST_F(NicTransportTest, AFuturePacketIsDroppedOnceWithANak)
{
    Start();
    QueuePair& queuePair = MakeQueuePair();
    const PacketOutcome first = Receive(queuePair, MakeWrite(queuePair, 1, opcode::WRITE_ONLY));
    EXPECT_EQ(first.drop, DropReason::OUT_OF_ORDER);
    EXPECT_FALSE(first.placement.IsPlaced());
    const Frame nak = Take(first.answer);
    EXPECT_EQ(nak.syndrome, syndrome::NAK_PSN_SEQUENCE);
    EXPECT_EQ(nak.psn, 0);
    const PacketOutcome second = Receive(queuePair, MakeWrite(queuePair, 2, opcode::WRITE_ONLY));
    EXPECT_EQ(second.drop, DropReason::OUT_OF_ORDER);
    EXPECT_EQ(second.answer, NO_FRAME); // One NAK per gap.
}

TEST_F(NicTransportTest, AnswersGoToThePortThatThePacketCameFrom)
{
    Start();
    QueuePair& queuePair = MakeQueuePair();
    Frame write = MakeWrite(queuePair, 0, opcode::WRITE_ONLY);
    write.src = 5; // Another port of the peer.
    EXPECT_EQ(Take(Receive(queuePair, write).answer).dst, 5);
    EXPECT_EQ(queuePair.GetConnection().remoteEndpoint, 1);
}

TEST_F(NicTransportTest, ACnpIsDueOncePerInterval)
{
    m_defaults.feedback = Feedback::CNP;
    Start(4'000'000); // 4 us.
    QueuePair& queuePair = MakeQueuePair();
    std::vector<bool> hasCnp;
    // Marked packets at 0, 1, 2, ... 8 us.
    for (uint32_t psn = 0; psn <= 8; ++psn)
    {
        Simulator::Schedule(MicroSeconds(psn), [&, psn] {
            Frame write = MakeWrite(queuePair, psn, opcode::WRITE_ONLY);
            write.flags = frame_flag::CE;
            const PacketOutcome outcome = Receive(queuePair, write);
            Take(outcome.answer);
            hasCnp.push_back(outcome.cnp != NO_FRAME);
            if (outcome.cnp != NO_FRAME)
            {
                EXPECT_EQ(Take(outcome.cnp).opcode, opcode::CNP);
            }
        });
    }
    Simulator::Run();
    EXPECT_EQ(hasCnp,
              (std::vector<bool>{true, false, false, false, true, false, false, false, true}));
    EXPECT_EQ(m_nic->transport.GetCnpsSent(), 3);
}

TEST_F(NicTransportTest, ACnpIntervalMayChangeAtAnyTime)
{
    m_defaults.feedback = Feedback::CNP;
    Start(4'000'000);
    QueuePair& queuePair = MakeQueuePair();
    m_nic->transport.SetCnpInterval(0); // One for each marked packet.
    for (uint32_t psn = 0; psn < 3; ++psn)
    {
        Frame write = MakeWrite(queuePair, psn, opcode::WRITE_ONLY);
        write.flags = frame_flag::CE;
        const PacketOutcome outcome = Receive(queuePair, write);
        Take(outcome.answer);
        EXPECT_EQ(Take(outcome.cnp).opcode, opcode::CNP);
    }
    EXPECT_EQ(m_nic->transport.GetCnpsSent(), 3);
}

TEST_F(NicTransportTest, AnAcknowledgmentCompletesAndWakesTheSender)
{
    Start();
    QueuePair& queuePair = MakeQueuePair();
    Requester& requester = m_factory->GetRequester(queuePair);
    requester.Post(42, 2 * MTU);
    for (uint32_t packet = 0; packet < 2; ++packet)
    {
        requester.OnSent(requester.TakeNext(0), 1100, 1100, 0);
    }
    const PacketOutcome first = Receive(queuePair, MakeAck(queuePair, 0));
    EXPECT_TRUE(first.completions.empty());
    EXPECT_NE(first.wakeAt, TICK_NEVER);
    const PacketOutcome last = Receive(queuePair, MakeAck(queuePair, 1));
    ASSERT_EQ(last.completions.size(), 1);
    EXPECT_EQ(last.completions[0].completion.wrId, 42);
    EXPECT_TRUE(m_ended.empty()); // The datapath delivers.
    m_nic->reporter.Deliver(last.completions);
    ASSERT_EQ(m_ended.size(), 1);
    EXPECT_EQ(m_ended[0].status, WcStatus::SUCCESS);
}

TEST_F(NicTransportTest, AnUnreliablePacketOutOfOrderIsDroppedWithoutAnswer)
{
    Start();
    QueuePair& queuePair = MakeQueuePair(Service::UC);
    const PacketOutcome only = Receive(queuePair, MakeWrite(queuePair, 0, opcode::WRITE_ONLY));
    EXPECT_TRUE(only.placement.IsPlaced());
    EXPECT_EQ(only.answer, NO_FRAME);
    // Packet 1, the first of a message, is missing.
    const PacketOutcome middle = Receive(queuePair, MakeWrite(queuePair, 2, opcode::WRITE_MIDDLE));
    EXPECT_EQ(middle.drop, DropReason::OUT_OF_ORDER);
    EXPECT_FALSE(middle.placement.IsPlaced());
}

TEST_F(NicTransportTest, APacketOfAnotherServiceIsRefused)
{
    Start();
    QueuePair& queuePair = MakeQueuePair(Service::UC);
    Frame write = MakeWrite(queuePair, 0, opcode::WRITE_ONLY);
    write.opcode = opcode::WRITE_ONLY; // RC.
    const PacketOutcome outcome = Receive(queuePair, write);
    EXPECT_EQ(outcome.drop, DropReason::REFUSED);
    EXPECT_EQ(outcome.answer, NO_FRAME);
}

TEST_F(NicTransportTest, FramesWithoutAReadyQueuePairHaveAReason)
{
    Start();
    QueuePair& queuePair = MakeQueuePair();
    Frame write = MakeWrite(queuePair, 0, opcode::WRITE_ONLY);
    std::optional<DropReason> drop;
    EXPECT_EQ(m_nic->transport.FindReceiver(write, 0, drop), &queuePair);
    EXPECT_FALSE(drop);
    queuePair.EnterState(QpState::INIT);
    EXPECT_EQ(m_nic->transport.FindReceiver(write, 0, drop), nullptr);
    EXPECT_EQ(drop, DropReason::REFUSED);
    write.dstQp = 77;
    EXPECT_EQ(m_nic->transport.FindReceiver(write, 0, drop), nullptr);
    EXPECT_EQ(drop, DropReason::UNKNOWN_QP);
    // An answer for a queue pair that has sent nothing is ignored.
    queuePair.EnterState(QpState::RTS);
    drop.reset();
    EXPECT_EQ(m_nic->transport.FindReceiver(MakeAck(queuePair, 0), 0, drop), nullptr);
    EXPECT_FALSE(drop);
}
