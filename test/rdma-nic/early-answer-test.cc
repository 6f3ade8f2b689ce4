// SPDX-License-Identifier: GPL-2.0-only
#include "nic-test-bench.h"

#include "ns3/simple-topologies.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t MTU{4096};

/// @return when the WRITE of one packet ends at its sender, ps, with simple hardware: 100 cycles of
/// 1 ns out and 200 in.
Tick
Write(const std::string& answerBlock, const std::string& answerEntry)
{
    NicTestBench bench("balboa");
    NicTestBench::UseSimpleHardware();
    NicTestBench::Set("RdmaNic::PathMtu", std::to_string(MTU));
    NicTestBench::Set("NicHardware::TransmitBlocks", "mux=400, header=100");
    NicTestBench::Set("NicHardware::ReceiveBlocks", "header=150, arbiter=50");
    NicTestBench::Set("NicHardware::AnswerBlock", answerBlock);
    NicTestBench::Set("NicHardware::AnswerEntry", answerEntry);
    bench.Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)));
    const auto pair = bench.Connect(0, 1);
    bench.Post(pair, 1, MTU);
    bench.Run();
    EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 1);
    return bench.GetEnded().front().at;
}
} // namespace

TEST(EarlyAnswer, LeavesBeforeThePayloadHasArrived)
{
    // A frame of 4170 B: 14 + 20 + 8 + 12 + 16 + 4096 + 4. Behind its first 128 B 4042 B arrive at
    // 80 ps per byte, 323,360 ps; the arbiter behind the header takes 50 ns more.
    EXPECT_EQ(Write("", "") - Write("header", ""), 323'360 + 50'000);
}

TEST(EarlyAnswer, DoesNotPassTheBlocksBeforeItsEntry)
{
    EXPECT_EQ(Write("", "") - Write("", "header"), 400'000);
}

TEST(EarlyAnswer, LeavesNoEarlierThanThePacketIsHandled)
{
    // 373 ns earlier than handled, and only 100 ns of transmit blocks: 100 ns are saved beside the
    // 400 of the multiplexer.
    EXPECT_EQ(Write("", "") - Write("header", "header"), 500'000);
}
