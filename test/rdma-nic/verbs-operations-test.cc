// SPDX-License-Identifier: GPL-2.0-only

// Every operation of every service, end to end with real bytes.

#include "verbs-test-bench.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t LONG{10'000}; ///< Ten packets of 1024 bytes.

class VerbsOperations : public EachNicDesign
{
};
} // namespace

TEST_P(VerbsOperations, WriteMovesBytes)
{
    VerbsTestBench bench(GetParam());
    bench.Start();
    bench.ends[0].Fill(0, LONG, 1);
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 7, 0, LONG, 500));
    bench.Run();
    const auto sent = bench.ends[0].PollSends();
    ASSERT_EQ(sent.size(), 1);
    EXPECT_EQ(sent[0].wrId, 7);
    EXPECT_EQ(sent[0].status, WcStatus::SUCCESS);
    EXPECT_EQ(sent[0].opcode, WcOpcode::RDMA_WRITE);
    EXPECT_TRUE(bench.ends[1].PollReceives().empty());
    EXPECT_EQ(bench.ends[1].Read(500, LONG), bench.ends[0].Read(0, LONG));
    bench.GetBench().ExpectEmpty();
}

TEST_P(VerbsOperations, SendFillsTheOldestReceiveRequest)
{
    VerbsTestBench bench(GetParam());
    bench.Start();
    bench.ends[0].Fill(0, LONG, 2);
    bench.PostReceive(21, 4096, LONG + 5);
    bench.PostReceive(22, 40960, LONG);
    SendWorkRequest request = bench.MakeRequest(WrOpcode::SEND_WITH_IMM, 8, 0, LONG);
    request.immediate = 0xdeadbeef;
    bench.Post(request);
    bench.Run();
    EXPECT_EQ(bench.ends[0].PollSends().size(), 1);
    const auto received = bench.ends[1].PollReceives();
    ASSERT_EQ(received.size(), 1);
    EXPECT_EQ(received[0].wrId, 21);
    EXPECT_EQ(received[0].opcode, WcOpcode::RECV);
    EXPECT_EQ(received[0].byteLength, LONG);
    EXPECT_TRUE(received[0].hasImmediate);
    EXPECT_EQ(received[0].immediate, 0xdeadbeef);
    EXPECT_EQ(bench.ends[1].Read(4096, LONG), bench.ends[0].Read(0, LONG));
    bench.GetBench().ExpectEmpty();
}

TEST_P(VerbsOperations, WriteWithImmediateTakesAReceiveRequestAndLeavesItsBufferAlone)
{
    VerbsTestBench bench(GetParam());
    bench.Start();
    bench.ends[0].Fill(0, LONG, 3);
    bench.PostReceive(31, 0, 100);
    SendWorkRequest request = bench.MakeRequest(WrOpcode::RDMA_WRITE_WITH_IMM, 9, 0, LONG, 2000);
    request.immediate = 5;
    bench.Post(request);
    bench.Run();
    const auto received = bench.ends[1].PollReceives();
    ASSERT_EQ(received.size(), 1);
    EXPECT_EQ(received[0].opcode, WcOpcode::RECV_RDMA_WITH_IMM);
    EXPECT_EQ(received[0].immediate, 5);
    EXPECT_EQ(received[0].byteLength, LONG);
    EXPECT_EQ(bench.ends[1].Read(0, 100), std::vector<uint8_t>(100, 0));
    EXPECT_EQ(bench.ends[1].Read(2000, LONG), bench.ends[0].Read(0, LONG));
}

TEST_P(VerbsOperations, ReadFetchesBytes)
{
    VerbsTestBench bench(GetParam());
    bench.Start();
    bench.ends[1].Fill(300, LONG, 4);
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 10, 70'000, LONG, 300));
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 11, 90'000, 10, 300));
    bench.Run();
    const auto sent = bench.ends[0].PollSends();
    ASSERT_EQ(sent.size(), 2);
    EXPECT_EQ(sent[0].wrId, 10);
    EXPECT_EQ(sent[0].opcode, WcOpcode::RDMA_READ);
    EXPECT_EQ(sent[0].byteLength, LONG);
    EXPECT_EQ(sent[1].wrId, 11);
    EXPECT_EQ(bench.ends[0].Read(70'000, LONG), bench.ends[1].Read(300, LONG));
    EXPECT_EQ(bench.ends[0].Read(90'000, 10), bench.ends[1].Read(300, 10));
    bench.GetBench().ExpectEmpty();
}

TEST_P(VerbsOperations, AtomicsReturnTheOriginalValue)
{
    VerbsTestBench bench(GetParam());
    bench.Start();
    HostMemory& remote = *bench.ends[1].memory;
    const uint64_t address = bench.ends[1].region.address;
    remote.Write64(address, 40);
    SendWorkRequest add = bench.MakeRequest(WrOpcode::ATOMIC_FETCH_AND_ADD, 1, 0, 8);
    add.compareAdd = 2;
    bench.Post(add); // 40 -> 42.
    SendWorkRequest swap = bench.MakeRequest(WrOpcode::ATOMIC_CMP_AND_SWP, 2, 8, 8);
    swap.compareAdd = 42;
    swap.swap = 7;
    bench.Post(swap); // 42 -> 7.
    swap.wrId = 3;
    swap.sgList = {bench.ends[0].At(16, 8)};
    swap.swap = 9;
    bench.Post(swap); // Not 42: stays 7.
    bench.Run();
    EXPECT_EQ(bench.ends[0].PollSends().size(), 3);
    const uint64_t local = bench.ends[0].region.address;
    EXPECT_EQ(bench.ends[0].memory->Read64(local), 40);
    EXPECT_EQ(bench.ends[0].memory->Read64(local + 8), 42);
    EXPECT_EQ(bench.ends[0].memory->Read64(local + 16), 7);
    EXPECT_EQ(remote.Read64(address), 7);
    bench.GetBench().ExpectEmpty();
}

TEST_P(VerbsOperations, UnreliableConnectionsSendAndWrite)
{
    VerbsTestBench bench(GetParam());
    QueuePairInit init;
    init.service = Service::UC;
    bench.Start(init);
    bench.ends[0].Fill(0, LONG, 5);
    bench.PostReceive(1, 100'000, LONG);
    bench.PostReceive(2, 0, 0);
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 1, 0, LONG));
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE_WITH_IMM, 2, 0, LONG, 200'000));
    EXPECT_EQ(bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 3, 0, LONG)), PostResult::INVALID);
    bench.Run();
    EXPECT_EQ(bench.ends[0].PollSends().size(), 2);
    EXPECT_EQ(bench.ends[1].PollReceives().size(), 2);
    EXPECT_EQ(bench.ends[1].Read(100'000, LONG), bench.ends[0].Read(0, LONG));
    EXPECT_EQ(bench.ends[1].Read(200'000, LONG), bench.ends[0].Read(0, LONG));
    bench.GetBench().ExpectEmpty();
}

TEST_P(VerbsOperations, DatagramsCarryOnePacketBehindRoomForTheGrh)
{
    VerbsTestBench bench(GetParam());
    QueuePairInit init;
    init.service = Service::UD;
    QueuePairAttributes attributes;
    attributes.queueKey = 0x1234;
    bench.Start(init, attributes);
    bench.ends[0].Fill(0, 1000, 6);
    bench.PostReceive(1, 0, 1040);
    SendWorkRequest request = bench.MakeRequest(WrOpcode::SEND, 1, 0, 1000);
    request.remoteQueueKey = 0x1234;
    bench.Post(request);
    bench.Run();
    EXPECT_EQ(bench.ends[0].PollSends().size(), 1);
    const auto received = bench.ends[1].PollReceives();
    ASSERT_EQ(received.size(), 1);
    EXPECT_EQ(received[0].byteLength, 1040);
    EXPECT_EQ(received[0].srcQp, bench.ends[0].qp);
    EXPECT_EQ(bench.ends[1].Read(40, 1000), bench.ends[0].Read(0, 1000));
    bench.GetBench().ExpectEmpty();
}

RDMA_FOR_EACH_NIC_DESIGN(VerbsOperations);
