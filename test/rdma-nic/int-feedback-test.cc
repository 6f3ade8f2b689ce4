// SPDX-License-Identifier: GPL-2.0-only

// What a congestion control hears from a network, derived by hand.

#include "nic-test-bench.h"
#include "recording-policies.h"

#include "ns3/fat-tree-topology.h"
#include "ns3/simple-topologies.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
NS_OBJECT_ENSURE_REGISTERED(RecordingControl);

constexpr uint64_t RATE{100'000'000'000};
constexpr Tick DELAY{1'000'000};

// 58 bytes of headers, 42 of INT, 24 of framing; 80 ps per byte.
constexpr Tick FULL{(58 + 42 + 1024 + 24) * 80};
constexpr Tick FIRST{FULL + 16 * 80}; ///< With a RETH.
constexpr Tick ACK{(58 + 4 + 42 + 24) * 80};

class IntFeedback : public testing::Test
{
  protected:
    explicit IntFeedback(const std::string& preset = "balboa")
        : m_bench(preset)
    {
        NicTestBench::Set("RdmaNic::CongestionControl", "ns3::rdma::RecordingControl");
    }

    const RecordingControl& GetControl(const NicTestBench::Pair& pair)
    {
        const auto queuePair = m_bench.GetNic(pair.src).FindQueuePair(pair.srcQp);
        return dynamic_cast<const RecordingControl&>(queuePair->requester->GetCongestionControl());
    }

    void BuildTree(uint32_t servers)
    {
        FatTreeParameters parameters;
        parameters.servers = servers;
        parameters.linkDelay = ToTime(DELAY);
        m_bench.Build(FatTreeTopology::Build(parameters));
    }

    NicTestBench m_bench;
};
} // namespace

TEST_F(IntFeedback, EachAcknowledgmentBringsThePathOfItsPacket)
{
    m_bench.Build(MakeStar(2, DataRate("100Gbps"), ToTime(DELAY)));
    const auto pair = m_bench.Connect(0, 1);
    m_bench.Post(pair, 1, 2 * 1024);
    m_bench.Run();
    const auto& acks = GetControl(pair).acks;
    ASSERT_EQ(acks.size(), 2);
    EXPECT_EQ(acks[0].path, std::vector<IntHop>({{FIRST + DELAY, 0, RATE, 0}}));
    EXPECT_EQ(acks[1].path,
              std::vector<IntHop>({{2 * FIRST + DELAY, FIRST / 80, RATE, 0}})); // Right behind it.
    // There and back, over two links each: the bytes of both headers count.
    EXPECT_EQ(acks[0].ack.rtt, ToTime(2 * FIRST + 2 * ACK + 4 * DELAY));
    EXPECT_EQ(acks[0].ack.hostTime, Time(0));
    m_bench.ExpectEmpty();
}

TEST_F(IntFeedback, AFatTreeHasFiveHopsAndTheHeaderRoomForThem)
{
    BuildTree(1024);
    const auto pair = m_bench.Connect(0, 1023);
    m_bench.Post(pair, 1, 100);
    m_bench.Run();
    ASSERT_EQ(GetControl(pair).acks.size(), 1);
    EXPECT_EQ(GetControl(pair).acks[0].path.size(), 5);
    EXPECT_EQ(GetControl(pair).started.hops, 5);
}

TEST_F(IntFeedback, AQueuePairHasItsOwnPath)
{
    BuildTree(64);
    const auto near = m_bench.Connect(0, 1);
    const auto far = m_bench.Connect(0, 63);
    m_bench.Post(near, 1, 10);
    m_bench.Post(far, 1, 10);
    m_bench.Run();
    const PathInfo& one = GetControl(near).started;
    const PathInfo& three = GetControl(far).started;
    EXPECT_EQ(one.hops, 1);
    EXPECT_EQ(three.hops, 3);
    EXPECT_LT(one.ownRtt, three.ownRtt);
    EXPECT_EQ(three.ownRtt, three.baseRtt); // No pair is farther apart.
}

TEST_F(IntFeedback, LostAndResentPacketsLeaveNothingBehind)
{
    m_bench.Build(MakeStar(2, DataRate("100Gbps"), ToTime(DELAY)));
    m_bench.Lose(0, 0, [](const Frame&, uint64_t number) { return number % 3 == 1; });
    const auto pair = m_bench.Connect(0, 1);
    m_bench.Post(pair, 1, 50'000);
    m_bench.Run();
    EXPECT_EQ(m_bench.CountEnded(WcStatus::SUCCESS), 1);
    for (const auto& acks : GetControl(pair).acks)
    {
        EXPECT_EQ(acks.path.size(), 1); // NAKs too.
    }
    m_bench.ExpectEmpty();
}

namespace
{
class IntFeedbackOfHardware : public IntFeedback
{
  protected:
    IntFeedbackOfHardware()
        : IntFeedback("connectx6")
    {
        NicTestBench::UseSimpleHardware();
    }
};
} // namespace

TEST_F(IntFeedbackOfHardware, TheHostsShareIsWhatBothChipsTake)
{
    m_bench.Build(MakeStar(2, DataRate("100Gbps"), ToTime(DELAY)));
    const auto pair = m_bench.Connect(0, 1);
    m_bench.Post(pair, 1, 100);
    m_bench.Run();
    ASSERT_EQ(GetControl(pair).acks.size(), 1);
    const AckEvent& ack = GetControl(pair).acks[0].ack;
    // Receive pipeline and way out there, receive pipeline here (UseSimpleHardware()).
    EXPECT_EQ(ack.hostTime, NanoSeconds(200 + 100 + 200));
    // One packet of 100 B with a RETH; store and forward. The sender stamps it before it reads the
    // payload (1000 ns and 125 ps per byte), which counts as fabric with its way out of 100 ns.
    constexpr Tick ONLY{(58 + 16 + 42 + 100 + 24) * 80};
    constexpr Tick WAY_OUT{1'012'500 + 100'000};
    EXPECT_EQ(ack.GetFabricTime(), ToTime(WAY_OUT + 2 * ONLY + 2 * ACK + 4 * DELAY));
}
