// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-queue.h"

#include "ns3/get-kernel.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
class KernelQueueTest : public testing::Test
{
  protected:
    void Push(uint32_t queuePair, uint8_t byte, Tick now, bool isLocal = false)
    {
        const std::vector<uint8_t> bytes(3, byte);
        KernelInput input;
        input.queuePair = queuePair;
        input.isLocal = isLocal;
        input.bytes = ByteView(bytes); // Gone when this returns.
        m_queue.Push(input, now);
    }

    KernelQueue m_queue{CreateObject<GetKernel>()};
};
} // namespace

TEST_F(KernelQueueTest, KeepsACopyOfItsPacketsInTheirOrder)
{
    Push(1, 0xaa, 10);
    Push(2, 0xbb, 20);
    EXPECT_EQ(m_queue.GetSize(), 2U);
    const KernelQueue::Packet first = m_queue.Pop();
    EXPECT_EQ(first.input.queuePair, 1U);
    EXPECT_EQ(first.input.at, 10); // Since when it has waited.
    EXPECT_EQ(first.input.bytes.Copy(), (std::vector<uint8_t>{0xaa, 0xaa, 0xaa}));
    EXPECT_EQ(m_queue.Pop().input.bytes.Copy(), (std::vector<uint8_t>{0xbb, 0xbb, 0xbb}));
    EXPECT_EQ(m_queue.GetSize(), 0U);
}

TEST_F(KernelQueueTest, IsReadyWithAPacketWhenItsKernelIs)
{
    EXPECT_FALSE(m_queue.IsReady(0));
    Push(1, 0, 0);
    EXPECT_TRUE(m_queue.IsReady(0));
    m_queue.SetReadyAt(100);
    EXPECT_FALSE(m_queue.IsReady(99));
    EXPECT_TRUE(m_queue.IsReady(100));
    m_queue.SetReadyAt(TICK_NEVER);
    EXPECT_FALSE(m_queue.IsReady(1'000'000));
}

TEST_F(KernelQueueTest, PlansOneRunAndAnEarlierOneReplacesIt)
{
    EXPECT_EQ(m_queue.PlanRun(0), TICK_NEVER); // No packet.
    Push(1, 0, 0);
    m_queue.SetReadyAt(TICK_NEVER);
    EXPECT_EQ(m_queue.PlanRun(0), TICK_NEVER); // The kernel takes none.
    m_queue.SetReadyAt(100);
    EXPECT_EQ(m_queue.PlanRun(0), 100);
    EXPECT_EQ(m_queue.PlanRun(0), TICK_NEVER); // An event is under way.
    m_queue.SetReadyAt(50);
    EXPECT_EQ(m_queue.PlanRun(60), 60); // Not before now.
    EXPECT_TRUE(m_queue.TakeRun(60));
    EXPECT_FALSE(m_queue.TakeRun(100)); // The event that was replaced.
    EXPECT_EQ(m_queue.PlanRun(60), 60);
}

TEST_F(KernelQueueTest, RemovesThePacketsOfAQueuePairButNotTheHostsOwnCalls)
{
    Push(1, 0xaa, 0);
    Push(2, 0xbb, 0);
    Push(1, 0xcc, 0, true);
    Push(1, 0xdd, 0);
    m_queue.Remove(1);
    ASSERT_EQ(m_queue.GetSize(), 2U);
    EXPECT_EQ(m_queue.Pop().bytes[0], 0xbb);
    EXPECT_EQ(m_queue.Pop().bytes[0], 0xcc);
}
