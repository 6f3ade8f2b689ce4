// SPDX-License-Identifier: GPL-2.0-only
#include "verbs-outcome.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t MTU{1024};

/// An unreliable connection between two NICs with simple hardware; the receiver has no receive
/// request until the test posts one.
class EmptyQueueStallOnBench : public testing::Test
{
  protected:
    EmptyQueueStallOnBench()
    {
        NicTestBench::UseSimpleHardware();
        NicTestBench::Set("ReceiveWqeCache::EmptyTimeout", "100us");
    }

    void Start(Service service = Service::UC)
    {
        QueuePairInit init;
        init.service = service;
        m_bench.Start(init);
        m_bench.GetNic(1).GetPlacedTrace().ConnectWithoutContext(Callback<void, const Frame&, Time>(
            [this](const Frame&, Time at) { m_placed.push_back(ToTick(at)); }));
    }

    void Write(uint64_t wrId, bool hasImmediate, uint32_t bytes = MTU)
    {
        m_bench.Post(
            m_bench.MakeRequest(hasImmediate ? WrOpcode::RDMA_WRITE_WITH_IMM : WrOpcode::RDMA_WRITE,
                                wrId,
                                0,
                                bytes));
    }

    void PostReceiveAt(Tick when, uint64_t wrId)
    {
        Simulator::Schedule(ToTime(when), [this, wrId] { m_bench.PostReceive(wrId, 0, MTU); });
    }

    uint64_t GetDrops(DropReason reason)
    {
        return m_bench.GetBench().GetDrops(reason);
    }

    EmptyQueueStats GetStats()
    {
        return m_bench.GetNic(1).GetHardware()->GetReceiveWqeCache().GetEmptyStats();
    }

    VerbsTestBench m_bench{"connectx6"};
    std::vector<Tick> m_placed;
};
} // namespace

TEST_F(EmptyQueueStallOnBench, AMessageWaitsForAReceiveRequestAndIsNotDropped)
{
    Start();
    Write(1, true);
    PostReceiveAt(50'000'000, 21);
    VerbsTestBench::Run();
    EXPECT_EQ(Describe(m_bench.ends[1].PollReceives()), "21 SUCCESS");
    EXPECT_EQ(GetDrops(DropReason::RECEIVER_NOT_READY), 0);
    ASSERT_EQ(m_placed.size(), 1);
    // The chip reads the queue again each 1 us and 64 bytes, 8 ns; the message then reads its
    // request, 1 us, and is written, 0.4 us and 128 ns.
    EXPECT_GT(m_placed[0], 50'000'000 + 1'528'000);
    EXPECT_LT(m_placed[0], 50'000'000 + 1'528'000 + 2 * 1'020'000);
    EXPECT_EQ(GetStats().waits, 1);
    EXPECT_EQ(GetStats().timeouts, 0);
    m_bench.GetBench().ExpectEmpty();
}

TEST_F(EmptyQueueStallOnBench, AfterTheTimeoutTheMessageIsDropped)
{
    Start();
    Write(1, true);
    Write(2, true);
    PostReceiveAt(150'000'000, 21);
    VerbsTestBench::Run();
    // The first is dropped some 100 us after its arrival; the second begins to wait then.
    EXPECT_EQ(Describe(m_bench.ends[1].PollReceives()), "21 SUCCESS");
    EXPECT_EQ(GetDrops(DropReason::RECEIVER_NOT_READY), 1);
    EXPECT_EQ(GetStats().waits, 2);
    EXPECT_EQ(GetStats().timeouts, 1);
    m_bench.GetBench().ExpectEmpty();
}

TEST_F(EmptyQueueStallOnBench, PacketsBehindItWaitToo)
{
    Start();
    Write(1, true);
    Write(2, false); // Needs no receive request.
    PostReceiveAt(50'000'000, 21);
    VerbsTestBench::Run();
    ASSERT_EQ(m_placed.size(), 2);
    EXPECT_GT(m_placed[1], 50'000'000);
    EXPECT_EQ(GetStats().waits, 1);
}

TEST_F(EmptyQueueStallOnBench, WithoutATimeoutTheMessageIsDroppedAndNothingWaits)
{
    NicTestBench::Set("ReceiveWqeCache::EmptyTimeout", "0s");
    Start();
    Write(1, true);
    Write(2, false);
    PostReceiveAt(50'000'000, 21);
    VerbsTestBench::Run();
    EXPECT_EQ(GetDrops(DropReason::RECEIVER_NOT_READY), 1);
    ASSERT_EQ(m_placed.size(), 1);
    EXPECT_LT(m_placed[0], 10'000'000);
    EXPECT_EQ(GetStats().waits, 0);
}

TEST_F(EmptyQueueStallOnBench, AReliableConnectionIsToldToComeAgainInstead)
{
    Start(Service::RC);
    Write(1, true);
    PostReceiveAt(50'000'000, 21);
    VerbsTestBench::Run();
    EXPECT_EQ(Describe(m_bench.ends[1].PollReceives()), "21 SUCCESS");
    EXPECT_EQ(GetStats().waits, 0);
}

TEST_F(EmptyQueueStallOnBench, TheFullBufferPausesTheLinkAndNothingIsLost)
{
    NicTestBench::Set("ReceiveBuffer::Capacity", "65536");
    NicTestBench::Set("ReceiveBuffer::PauseAt", "32768");
    NicTestBench::Set("ReceiveBuffer::ResumeAt", "16384");
    Start();
    Write(1, true);
    Write(2, false, 500 * MTU); // 500 KiB behind it do not fit into 64 KiB.
    PostReceiveAt(80'000'000, 21);
    VerbsTestBench::Run();
    EXPECT_EQ(m_placed.size(), 501);
    EXPECT_GE(m_bench.GetBench().GetCore().pfcPauses, 1);
    EXPECT_EQ(GetDrops(DropReason::RECEIVE_BUFFER_FULL), 0);
    m_bench.GetBench().ExpectEmpty();
}

TEST_F(EmptyQueueStallOnBench, WithoutPausesTheFullBufferDrops)
{
    NicTestBench::Set("ReceiveBuffer::Capacity", "65536");
    Start();
    Write(1, true);
    Write(2, false, 500 * MTU);
    PostReceiveAt(80'000'000, 21);
    VerbsTestBench::Run();
    EXPECT_GT(GetDrops(DropReason::RECEIVE_BUFFER_FULL), 400);
}
