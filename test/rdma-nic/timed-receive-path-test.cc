// SPDX-License-Identifier: GPL-2.0-only
#include "verbs-test-bench.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t MTU{1024};

/// Two NICs of BALBOA, which drops and goes back, with hardware that is easy to count.
class TimedReceivePathOnBench : public testing::Test
{
  protected:
    TimedReceivePathOnBench()
    {
        NicTestBench::UseSimpleHardware();
    }

    /// Sends 200 packets. @return drops for a reason
    uint64_t Send(DropReason reason)
    {
        m_bench.Build(MakeBackToBack(DataRate("100Gbps"), NanoSeconds(500)));
        const auto pair = m_bench.Connect(0, 1);
        m_bench.Post(pair, 1, 200 * MTU);
        m_bench.Run();
        EXPECT_EQ(m_bench.CountEnded(WcStatus::SUCCESS), 1); // It has recovered.
        EXPECT_EQ(m_bench.GetPlacedBytes(pair), 200 * MTU);
        EXPECT_EQ(m_bench.GetNic(1).GetHardware()->GetReceiveBuffer().GetHeld(), 0);
        m_bench.ExpectEmpty();
        return m_bench.GetDrops(reason);
    }

    NicTestBench m_bench{"balboa"};
};
} // namespace

TEST_F(TimedReceivePathOnBench, DropsNothingWhenTheHostIsFaster)
{
    EXPECT_EQ(Send(DropReason::RECEIVE_BUFFER_FULL), 0);
}

TEST_F(TimedReceivePathOnBench, AFullBufferDropsAndIsEmptiedAgain)
{
    // Packets come at 64 Gb/s, PCIe's rate at the sender: in 2 us 16 KB, and 8 find room.
    NicTestBench::Set("ReceiveBuffer::Capacity", "8192");
    NicTestBench::Set("NicHardware::ReceiveBlocks", "in=2000");
    EXPECT_GT(Send(DropReason::RECEIVE_BUFFER_FULL), 0);
    EXPECT_EQ(m_bench.GetDrops(DropReason::NO_RECEIVE_CREDITS), 0);
}

TEST_F(TimedReceivePathOnBench, APacketWithoutCreditsIsDroppedAndComesAgain)
{
    NicTestBench::Set("ReceiveBuffer::Credits", "4096");
    NicTestBench::Set("NicHardware::ReceiveBlocks", "in=2000");
    EXPECT_GT(Send(DropReason::NO_RECEIVE_CREDITS), 0);
    EXPECT_EQ(m_bench.GetDrops(DropReason::RECEIVE_BUFFER_FULL), 0);
}

TEST_F(TimedReceivePathOnBench, AMissingContextHoldsUpThePacketsBehindIt)
{
    NicTestBench::Set("ContextCache::Entries", "16");
    m_bench.Build(MakeBackToBack(DataRate("100Gbps"), NanoSeconds(500)));
    const auto warm = m_bench.Connect(0, 1);
    const auto cold = m_bench.Connect(0, 1);
    std::vector<std::pair<uint32_t, Tick>> placed;
    m_bench.GetNic(1).GetPlacedTrace().ConnectWithoutContext(Callback<void, const Frame&, Time>(
        [&](const Frame& frame, Time at) { placed.emplace_back(frame.dstQp, ToTick(at)); }));
    m_bench.Post(warm, 1, 64);
    m_bench.Run();
    placed.clear();
    m_bench.Post(cold, 2, 64);
    // The cold queue pair's doorbell rings 401 ns from now; context, work request and payload take
    // 1047, 1008 and 1008 ns.  This one's turn is 1047 ns shorter: its packet comes 50 ns later.
    Simulator::Schedule(NanoSeconds(1097), [&] { m_bench.Post(warm, 3, 64); });
    m_bench.Run();
    ASSERT_EQ(placed.size(), 2);
    EXPECT_EQ(placed[0].first, cold.dstQp);
    EXPECT_EQ(placed[1].first, warm.dstQp);
    // Its own way would be 50 ns behind; the context of the first is there a microsecond later.
    EXPECT_LT(placed[1].second - placed[0].second, 50'000);
    EXPECT_EQ(m_bench.GetNic(1).GetHardware()->GetContextCache().GetStats().misses, 2);
}
