// SPDX-License-Identifier: GPL-2.0-only
#include "nic-test-bench.h"

#include "ns3/simple-topologies.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
class ImmediateWithoutMemory : public EachNicDesign
{
};
} // namespace

TEST_P(ImmediateWithoutMemory, AWriteOfSeveralPacketsEndsWithIt)
{
    NicTestBench bench(GetParam());
    bench.Build(MakeBackToBack(DataRate("100Gbps"), NanoSeconds(500)));
    QueuePairInit init;
    init.receiveCompletions = Create<CompletionQueue>(16);
    const uint32_t sender = bench.GetNic(0).CreateQueuePair();
    const uint32_t receiver = bench.GetNic(1).CreateQueuePair(init);
    bench.GetNic(0).Connect(sender, {1, receiver, 1});
    bench.GetNic(1).Connect(receiver, {0, sender, 1});
    ReceiveWorkRequest receive;
    receive.wrId = 9;
    EXPECT_EQ(bench.GetNic(1).PostReceive(receiver, receive), PostResult::OK);
    SendWorkRequest request;
    request.opcode = WrOpcode::RDMA_WRITE_WITH_IMM;
    request.sgList = {{0, 5000, 0}}; // Five packets.
    request.immediate = 77;
    EXPECT_EQ(bench.GetNic(0).PostSend(sender, request), PostResult::OK);
    bench.Run();
    EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 1);
    std::vector<WorkCompletion> received;
    init.receiveCompletions->Poll(16, received);
    ASSERT_EQ(received.size(), 1);
    EXPECT_EQ(received[0].immediate, 77);
    EXPECT_EQ(received[0].byteLength, 5000);
    bench.ExpectEmpty();
}

RDMA_FOR_EACH_NIC_DESIGN(ImmediateWithoutMemory);
