// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/unreliable-responder.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// An unreliable responder without memory that takes packets of 100 bytes.
class UnreliableReceiver
{
  public:
    explicit UnreliableReceiver(Service service, uint32_t initialPsn = 0)
        : m_service(service),
          m_responder(MakeConfig(service), initialPsn)
    {
    }

    void PostReceive(uint64_t wrId, uint32_t bytes)
    {
        ReceiveWorkRequest request;
        request.wrId = wrId;
        request.sgList = {{0, bytes, 0}};
        m_queue->Post(request);
    }

    UnreliableAnswer Take(uint32_t psn, uint8_t operation, uint32_t queueKey = 7)
    {
        Frame frame{};
        frame.psn = psn;
        frame.opcode = opcode::Make(m_service, operation);
        frame.payloadBytes = 100;
        FrameDetail detail{};
        detail.queueKey = queueKey;
        return m_responder.OnData(frame, &detail);
    }

    UnreliableResponder& Get()
    {
        return m_responder;
    }

  private:
    RequestContext MakeConfig(Service service)
    {
        RequestContext config;
        config.service = service;
        config.receiveQueue = m_queue;
        config.queueKey = 7;
        return config;
    }

    Service m_service;
    Ptr<ReceiveQueue> m_queue = Create<ReceiveQueue>(10, 1);
    UnreliableResponder m_responder;
};
} // namespace

TEST(UnreliableResponder, CountsWhatItPlaced)
{
    UnreliableReceiver receiver(Service::UC, 0xffffff);
    EXPECT_FALSE(receiver.Take(0xffffff, opcode::WRITE_FIRST).drop);
    EXPECT_FALSE(receiver.Take(0, opcode::WRITE_MIDDLE).drop);
    EXPECT_FALSE(receiver.Take(1, opcode::WRITE_LAST).drop);
    EXPECT_FALSE(receiver.Take(2, opcode::WRITE_ONLY).drop);
    EXPECT_EQ(receiver.Get().GetPlacedBytes(), 400);
    EXPECT_EQ(receiver.Get().GetMessages(), 2);
}

TEST(UnreliableResponder, AGapDropsTheRestOfItsMessage)
{
    UnreliableReceiver receiver(Service::UC);
    receiver.Take(0, opcode::WRITE_FIRST);
    EXPECT_EQ(receiver.Take(2, opcode::WRITE_MIDDLE).drop, DropReason::OUT_OF_ORDER); // 1 is lost.
    EXPECT_EQ(receiver.Take(3, opcode::WRITE_MIDDLE).drop, DropReason::OUT_OF_ORDER);
    EXPECT_EQ(receiver.Take(4, opcode::WRITE_LAST).drop, DropReason::OUT_OF_ORDER);
    EXPECT_FALSE(receiver.Take(5, opcode::WRITE_ONLY).drop);
    EXPECT_EQ(receiver.Get().GetMessages(), 1);
}

TEST(UnreliableResponder, AFirstPacketBeginsAnewWhateverItsPsn)
{
    UnreliableReceiver receiver(Service::UC);
    receiver.Take(0, opcode::WRITE_FIRST);
    EXPECT_FALSE(receiver.Take(9, opcode::WRITE_FIRST).drop); // All of 1 to 8 is lost.
    EXPECT_FALSE(receiver.Take(10, opcode::WRITE_LAST).drop);
    EXPECT_EQ(receiver.Get().GetMessages(), 1);
}

TEST(UnreliableResponder, AMessageWhoseFirstPacketIsLostIsDropped)
{
    UnreliableReceiver receiver(Service::UC);
    receiver.Take(0, opcode::WRITE_ONLY);
    EXPECT_EQ(receiver.Take(2, opcode::WRITE_MIDDLE).drop, DropReason::OUT_OF_ORDER);
    EXPECT_EQ(receiver.Take(3, opcode::WRITE_LAST).drop, DropReason::OUT_OF_ORDER);
    EXPECT_EQ(receiver.Get().GetPlacedBytes(), 100);
}

TEST(UnreliableResponder, ADroppedSendLeavesItsReceiveRequest)
{
    UnreliableReceiver receiver(Service::UC);
    receiver.PostReceive(5, 1000);
    receiver.PostReceive(6, 1000);
    receiver.Take(0, opcode::SEND_FIRST);
    receiver.Take(2, opcode::SEND_LAST);
    const UnreliableAnswer next = receiver.Take(3, opcode::SEND_ONLY);
    ASSERT_TRUE(next.completion);
    EXPECT_EQ(next.completion->wrId, 5);
    EXPECT_EQ(receiver.Get().Flush().size(), 1);
}

TEST(UnreliableResponder, DatagramsHaveNoOrder)
{
    UnreliableReceiver receiver(Service::UD);
    for (const uint32_t psn : {5, 3, 5, 0xffffff})
    {
        receiver.PostReceive(psn, 140);
        const UnreliableAnswer answer = receiver.Take(psn, opcode::SEND_ONLY);
        EXPECT_FALSE(answer.drop);
        ASSERT_TRUE(answer.completion);
        EXPECT_EQ(answer.completion->byteLength, 140); // 40 for the GRH.
    }
    EXPECT_EQ(receiver.Get().GetMessages(), 4);
}

TEST(UnreliableResponder, ADatagramWithTheWrongQueueKeyTakesNoReceiveRequest)
{
    UnreliableReceiver receiver(Service::UD);
    receiver.PostReceive(5, 140);
    const UnreliableAnswer refused = receiver.Take(0, opcode::SEND_ONLY, 8);
    EXPECT_EQ(refused.drop, DropReason::REFUSED);
    EXPECT_FALSE(refused.completion || refused.error);
    EXPECT_EQ(receiver.Take(1, opcode::SEND_ONLY).completion->wrId, 5);
}

TEST(UnreliableResponder, WithoutReceiveRequestADatagramIsDropped)
{
    UnreliableReceiver receiver(Service::UD);
    const UnreliableAnswer refused = receiver.Take(0, opcode::SEND_ONLY);
    EXPECT_EQ(refused.drop, DropReason::RECEIVER_NOT_READY);
    EXPECT_FALSE(refused.error);
}

TEST(UnreliableResponder, AReceiveBufferThatIsTooShortStopsTheQueuePair)
{
    UnreliableReceiver receiver(Service::UD);
    receiver.PostReceive(5, 139); // One byte.
    receiver.PostReceive(6, 140);
    const UnreliableAnswer failed = receiver.Take(0, opcode::SEND_ONLY);
    EXPECT_EQ(failed.drop, DropReason::REFUSED);
    ASSERT_TRUE(failed.completion);
    EXPECT_EQ(failed.completion->status, WcStatus::LOC_LEN_ERR);
    EXPECT_EQ(failed.error, AsyncEventType::QP_FATAL);
}

TEST(UnreliableResponder, ForbiddenWritesAreDroppedWithoutAnError)
{
    RequestContext config;
    config.service = Service::UC;
    config.access = memory_access::REMOTE_READ;
    UnreliableResponder responder(config, 0);
    Frame frame{};
    frame.opcode = opcode::Make(Service::UC, opcode::WRITE_ONLY);
    frame.payloadBytes = 1;
    const UnreliableAnswer refused = responder.OnData(frame, nullptr);
    EXPECT_EQ(refused.drop, DropReason::REFUSED);
    EXPECT_FALSE(refused.error);
    EXPECT_EQ(responder.GetPlacedBytes(), 0);
}
