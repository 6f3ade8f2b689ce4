// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/response-queue.h"

#include "ns3/opcode.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3::rdma;

namespace
{
constexpr uint32_t MTU{1000};

using Psns = std::vector<uint32_t>;

Acknowledgment
MakeAck(uint32_t psn, uint8_t code = syndrome::ACK)
{
    Acknowledgment acknowledgment{};
    acknowledgment.operation = opcode::ACK;
    acknowledgment.syndrome = code;
    acknowledgment.psn = Psn(psn);
    return acknowledgment;
}

/// Takes everything. @return the PSNs, acknowledgments with 1,000,000 added.
Psns
Drain(ResponseQueue& queue)
{
    Psns psns;
    while (!queue.IsEmpty())
    {
        psns.push_back(queue.IsReadNext() ? queue.TakeReadPacket().psn.Get()
                                          : 1'000'000 + queue.TakeAcknowledgment().psn.Get());
    }
    return psns;
}
} // namespace

TEST(ResponseQueue, CutsAResponseIntoPackets)
{
    ResponseQueue queue(MTU);
    queue.PushRead(Psn(0xffffff), 9, 5000, 2500);
    EXPECT_EQ(queue.GetReadCount(), 1);
    const uint8_t operations[]{opcode::READ_RESPONSE_FIRST,
                               opcode::READ_RESPONSE_MIDDLE,
                               opcode::READ_RESPONSE_LAST};
    const uint32_t psns[]{0xffffff, 0, 1};
    const uint32_t bytes[]{1000, 1000, 500};
    for (uint32_t packet = 0; packet < 3; ++packet)
    {
        ASSERT_TRUE(queue.IsReadNext());
        const ReadResponsePlan plan = queue.TakeReadPacket();
        EXPECT_EQ(plan.operation, operations[packet]);
        EXPECT_EQ(plan.psn.Get(), psns[packet]);
        EXPECT_EQ(plan.msn, 9);
        EXPECT_EQ(plan.address, 5000 + packet * MTU);
        EXPECT_EQ(plan.payloadBytes, bytes[packet]);
    }
    EXPECT_TRUE(queue.IsEmpty());
    EXPECT_EQ(queue.GetReadCount(), 0);
}

TEST(ResponseQueue, CountsThePacketsOfAResponse)
{
    const ResponseQueue queue(MTU);
    EXPECT_EQ(queue.CountPackets(0), 1); // An empty READ is answered too.
    EXPECT_EQ(queue.CountPackets(1), 1);
    EXPECT_EQ(queue.CountPackets(1000), 1);
    EXPECT_EQ(queue.CountPackets(1001), 2);
}

TEST(ResponseQueue, AnEmptyResponseIsOnePacket)
{
    ResponseQueue queue(MTU);
    queue.PushRead(Psn(3), 1, 0, 0);
    const ReadResponsePlan plan = queue.TakeReadPacket();
    EXPECT_EQ(plan.operation, opcode::READ_RESPONSE_ONLY);
    EXPECT_EQ(plan.payloadBytes, 0);
    EXPECT_TRUE(queue.IsEmpty());
}

TEST(ResponseQueue, KeepsTheOrder)
{
    ResponseQueue queue(MTU);
    queue.PushRead(Psn(0), 1, 0, 2 * MTU);
    queue.PushAcknowledgment(MakeAck(2));
    queue.PushRead(Psn(3), 2, 0, MTU);
    queue.PushAcknowledgment(MakeAck(4));
    EXPECT_EQ(queue.GetReadCount(), 2);
    EXPECT_EQ(Drain(queue), (Psns{0, 1, 1'000'002, 3, 1'000'004}));
}

TEST(ResponseQueue, APlainAckReplacesTheOneBeforeAndKeepsItsEcho)
{
    ResponseQueue queue(MTU);
    queue.PushRead(Psn(0), 1, 0, MTU);
    Acknowledgment first = MakeAck(1);
    first.isCeEchoed = true;
    queue.PushAcknowledgment(first);
    queue.PushAcknowledgment(MakeAck(2));
    queue.TakeReadPacket();
    const Acknowledgment taken = queue.TakeAcknowledgment();
    EXPECT_EQ(taken.psn, Psn(2));
    EXPECT_TRUE(taken.isCeEchoed);
    EXPECT_TRUE(queue.IsEmpty());
}

TEST(ResponseQueue, NaksAndAtomicAnswersStandForThemselves)
{
    ResponseQueue queue(MTU);
    queue.PushAcknowledgment(MakeAck(1));
    queue.PushAcknowledgment(MakeAck(2, syndrome::NAK_PSN_SEQUENCE));
    queue.PushAcknowledgment(MakeAck(3)); // Must not replace the NAK.
    Acknowledgment atomic = MakeAck(4);
    atomic.operation = opcode::ATOMIC_ACK;
    queue.PushAcknowledgment(atomic);
    queue.PushAcknowledgment(MakeAck(5));
    EXPECT_EQ(Drain(queue), (Psns{1'000'001, 1'000'002, 1'000'003, 1'000'004, 1'000'005}));
}

TEST(ResponseQueue, TakesBackAllFromAPsnOn)
{
    ResponseQueue queue(MTU);
    queue.PushRead(Psn(0), 1, 0, MTU);
    queue.PushAcknowledgment(MakeAck(1));
    queue.PushRead(Psn(2), 2, 0, 3 * MTU);
    queue.PushAcknowledgment(MakeAck(5));
    queue.TakeBack(Psn(2));
    EXPECT_EQ(queue.GetReadCount(), 1);
    EXPECT_EQ(Drain(queue), (Psns{0, 1'000'001}));
}

TEST(ResponseQueue, TakesBackTheRestOfAResponse)
{
    ResponseQueue queue(MTU);
    queue.PushRead(Psn(0xfffffe), 1, 0, 4500);
    queue.PushAcknowledgment(MakeAck(3));
    EXPECT_EQ(queue.TakeReadPacket().psn.Get(), 0xfffffe);
    queue.TakeBack(Psn(1)); // Packet 3 of five.
    EXPECT_EQ(queue.GetReadCount(), 1);
    EXPECT_EQ(Drain(queue), (Psns{0xffffff, 0}));
    EXPECT_EQ(queue.GetReadCount(), 0);
}

TEST(ResponseQueue, AResponseThatIsTakenBackUpToWhatWasSentIsGone)
{
    ResponseQueue queue(MTU);
    queue.PushRead(Psn(0), 1, 0, 5 * MTU);
    for (int packet = 0; packet < 3; ++packet)
    {
        queue.TakeReadPacket();
    }
    queue.TakeBack(Psn(2)); // 2 was sent and shall be sent again.
    EXPECT_TRUE(queue.IsEmpty());
    EXPECT_EQ(queue.GetReadCount(), 0);
}

TEST(ResponseQueue, TakingBackWhatIsBeyondTheEndChangesNothing)
{
    ResponseQueue queue(MTU);
    queue.PushRead(Psn(0), 1, 0, 2 * MTU);
    queue.PushAcknowledgment(MakeAck(2));
    queue.TakeBack(Psn(3));
    EXPECT_EQ(Drain(queue), (Psns{0, 1, 1'000'002}));
    queue.TakeBack(Psn(0)); // Nothing is there.
    EXPECT_TRUE(queue.IsEmpty());
}

TEST(ResponseQueue, DoesNotCountReadsThatAreAskedForAgain)
{
    // The first response is on its way, so its requester may have asked for another READ already:
    // both wait, but only one is under way for the requester.
    ResponseQueue queue(1000);
    queue.PushRead(Psn(1), 1, 0, 1000, true);
    EXPECT_EQ(queue.GetReadCount(), 0U);
    queue.PushRead(Psn(2), 2, 0, 1000);
    EXPECT_EQ(queue.GetReadCount(), 1U);
    queue.TakeReadPacket();
    EXPECT_EQ(queue.GetReadCount(), 1U);
    queue.TakeReadPacket();
    EXPECT_EQ(queue.GetReadCount(), 0U);
    queue.PushRead(Psn(3), 3, 0, 1000, true);
    queue.TakeBack(Psn(3));
    EXPECT_EQ(queue.GetReadCount(), 0U);
    EXPECT_TRUE(queue.IsEmpty());
}
