// SPDX-License-Identifier: GPL-2.0-only

// What consumers may do when they are notified, and what states and attributes then mean.

#include "verbs-outcome.h"

using namespace ns3;
using namespace ns3::rdma;

TEST(VerbsConsumers, ALimitHandlerMayDestroyTheQueuePair)
{
    VerbsTestBench bench("connectx6");
    QueuePairInit init;
    init.sharedReceiveQueue = Create<ReceiveQueue>(10, 1);
    bench.Start(init);
    for (const uint64_t wrId : {1, 2, 3})
    {
        ReceiveWorkRequest receive;
        receive.wrId = wrId;
        receive.sgList = {bench.ends[1].At(100 * wrId, 100)};
        init.sharedReceiveQueue->Post(receive);
    }
    init.sharedReceiveQueue->SetLimit(3, [&bench] {
        bench.GetNic(1).DestroyQueuePair(bench.ends[1].qp);
    });
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 1, 0, 100));
    bench.Run();
    EXPECT_FALSE(bench.GetNic(1).FindQueuePair(bench.ends[1].qp));
    EXPECT_EQ(Describe(bench.ends[1].PollReceives()), "1 SUCCESS"); // Told before.
}

TEST(VerbsConsumers, WhatAConsumerPostsAfterAFailureEndsBehindTheRest)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    std::vector<uint64_t> completed;
    const auto sends = bench.ends[0].sends;
    sends->SetNotifier([&] {
        sends->RequestNotify(false);
        for (const WorkCompletion& completion : bench.ends[0].PollSends())
        {
            completed.push_back(completion.wrId);
            if (completion.wrId == 1)
            {
                bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 4, 0, 10));
            }
        }
    });
    sends->RequestNotify(false);
    for (const uint64_t wrId : {1, 2, 3})
    {
        SendWorkRequest write = bench.MakeRequest(WrOpcode::RDMA_WRITE, wrId, 0, 10);
        write.remoteKey = wrId == 1 ? 7 : write.remoteKey;
        bench.Post(write);
    }
    bench.Run();
    EXPECT_EQ(completed, (std::vector<uint64_t>{1, 2, 3, 4}));
}

TEST(VerbsConsumers, AReceiverThatIsResetByAHandlerStartsAnew)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    bench.PostReceive(11, 0, 50);
    bench.ends[1].receives->SetNotifier([&bench] {
        QueuePairAttributes attributes;
        attributes.connection = Connection{0, bench.ends[0].qp, 1, 0};
        for (const QpState state : {QpState::RESET, QpState::INIT, QpState::RTR, QpState::RTS})
        {
            ASSERT_TRUE(bench.GetNic(1).ModifyQueuePair(bench.ends[1].qp, state, attributes));
        }
        bench.PostReceive(12, 0, 100);
    });
    bench.ends[1].receives->RequestNotify(false);
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 1, 0, 100)); // Longer than the buffer.
    bench.Run();
    EXPECT_EQ(bench.GetState(1), QpState::RTS);
    EXPECT_EQ(Describe(bench.ends[1].PollReceives()), "11 LOC_LEN_ERR");
}

TEST(VerbsConsumers, AQueuePairDrainsToTheEndOfTheMessage)
{
    VerbsTestBench bench("connectx6");
    NicTestBench::Set("RdmaNic::CongestionControl", "ns3::rdma::AckClockedCredits");
    NicTestBench::Set("AckClockedCredits::Budget", "1024"); // A packet per round trip.
    bench.Start();
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 5000));
    std::vector<std::string> order;
    bench.GetNic(0).SetAsyncEventHandler([&](const AsyncEvent&) {
        order.push_back(Describe(bench.ends[0].PollSends()) + " and drained");
    });
    bench.GetNic(0).ModifyQueuePair(bench.ends[0].qp, QpState::SQD);
    bench.Run();
    EXPECT_EQ(order, (std::vector<std::string>{"1 SUCCESS and drained"}));
}

TEST(VerbsConsumers, AReadInFlightDoesNotCutAWaitForTheReceiverShort)
{
    VerbsTestBench bench("srnic");
    QueuePairAttributes attributes;
    attributes.minRnrTimer = 0; // 655.36 ms.
    bench.Start({}, attributes);
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 1, 0, 50'000));
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 2, 0, 100));
    Simulator::Schedule(MilliSeconds(100), [&bench] { bench.PostReceive(21, 0, 100); });
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS, 2 SUCCESS");
}

TEST(VerbsConsumers, FewerRetriesThanWereMadeEndTheConnection)
{
    VerbsTestBench bench("srnic");
    bench.Start();
    bench.GetBench().GetFabric().SetLinkUp(0, false);
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 100));
    Simulator::Schedule(MilliSeconds(2), [&bench] { // After 100 + 200 + 400 + 800 us: four retries.
        QueuePairAttributes few;
        few.retryCount = 2;
        bench.GetNic(0).ModifyQueuePair(bench.ends[0].qp, QpState::RTS, few);
    });
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 RETRY_EXC_ERR");
    EXPECT_EQ(bench.GetNic(0).FindQueuePair(bench.ends[0].qp)->requester->GetStats().timeouts, 5);
}

TEST(VerbsConsumers, AQueueKeyMayChangeAtRts)
{
    VerbsTestBench bench("connectx6");
    QueuePairInit init;
    init.service = Service::UD;
    QueuePairAttributes attributes;
    attributes.queueKey = 7;
    bench.Start(init, attributes);
    bench.PostReceive(1, 0, 200);
    bench.PostReceive(2, 0, 200);
    SendWorkRequest send = bench.MakeRequest(WrOpcode::SEND, 1, 0, 100);
    send.remoteQueueKey = 7;
    bench.Post(send);
    bench.Run();
    attributes.queueKey = 8;
    ASSERT_TRUE(bench.GetNic(1).ModifyQueuePair(bench.ends[1].qp, QpState::RTS, attributes));
    send.remoteQueueKey = 8;
    bench.Post(send);
    bench.Run();
    EXPECT_EQ(Describe(bench.ends[1].PollReceives()), "1 SUCCESS, 2 SUCCESS");
}

TEST(VerbsConsumers, AnAtomicWithoutResourcesIsRefusedBeforeItIsCarriedOut)
{
    VerbsTestBench bench("connectx6");
    QueuePairAttributes none;
    none.maxDestReadsAndAtomics = 0;
    bench.Start({}, none);
    SendWorkRequest add = bench.MakeRequest(WrOpcode::ATOMIC_FETCH_AND_ADD, 1, 0, 8);
    add.compareAdd = 5;
    bench.Post(add);
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 REM_INV_REQ_ERR");
    EXPECT_EQ(bench.ends[1].memory->Read64(bench.ends[1].region.address), 0);
}

TEST(VerbsConsumers, AResetForgetsThePeer)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    const uint32_t qp = bench.ends[0].qp;
    ASSERT_TRUE(bench.GetNic(0).ModifyQueuePair(qp, QpState::RESET));
    ASSERT_TRUE(bench.GetNic(0).ModifyQueuePair(qp, QpState::INIT));
    EXPECT_FALSE(bench.GetNic(0).ModifyQueuePair(qp, QpState::RTR)); // With whom?
}

TEST(VerbsConsumers, ATimerOfAQueuePairThatBeganAnewDoesNoHarm)
{
    VerbsTestBench bench("connectx6");
    QueuePairInit init;
    init.service = Service::UC;
    bench.Start(init);
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 100));
    FramePool& pool = bench.GetBench().GetCore().pool;
    const FrameIndex index = pool.Allocate(); // A CNP: from now on DCQCN has a deadline.
    pool[index] = Frame{};
    pool[index].src = 1;
    pool[index].wireBytes = 74;
    pool[index].dstQp = bench.ends[0].qp;
    pool[index].opcode = opcode::CNP;
    bench.GetBench().GetFabric().GetLinkPort(0, 1).Enqueue(index);
    Simulator::Schedule(MicroSeconds(2), [&bench] {
        SendWorkRequest bad = bench.MakeRequest(WrOpcode::RDMA_WRITE, 2, 0, 100);
        bad.sgList[0].localKey = 0;
        bench.Post(bad);
        ASSERT_EQ(bench.GetState(0), QpState::SQE);
        ASSERT_TRUE(bench.GetNic(0).ModifyQueuePair(bench.ends[0].qp, QpState::RTS));
    });
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS, 2 LOC_PROT_ERR");
}
