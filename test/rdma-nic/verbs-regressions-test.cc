// SPDX-License-Identifier: GPL-2.0-only

// What went wrong once.

#include "verbs-outcome.h"

#include "ns3/atomic-replay-cache.h"

using namespace ns3;
using namespace ns3::rdma;

TEST(VerbsRegressions, AnAckBeyondALostAtomicAckIsRemembered)
{
    VerbsTestBench bench("srnic");
    bench.Start();
    bench.GetBench().Lose(0, 1, [isLost = false](const Frame& frame, uint64_t) mutable {
        const bool isNow = !isLost && frame.opcode == opcode::ATOMIC_ACK;
        isLost |= isNow;
        return isNow;
    });
    bench.Post(bench.MakeRequest(WrOpcode::ATOMIC_FETCH_AND_ADD, 1, 0, 8));
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 2, 0, 10, 50'000));
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS, 2 SUCCESS");
    EXPECT_EQ(bench.GetNic(0).FindQueuePair(bench.ends[0].qp)->requester->GetStats().timeouts, 0);
}

TEST(VerbsRegressions, AnAtomicBehindAReadIsAnsweredOnce)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    const FrameLog answers(bench, 1);
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 1, 0, 3000));
    bench.Post(bench.MakeRequest(WrOpcode::ATOMIC_FETCH_AND_ADD, 2, 0, 8));
    bench.Run();
    EXPECT_EQ(answers.GetOpcodes(),
              (std::vector<uint32_t>{opcode::READ_RESPONSE_FIRST,
                                     opcode::READ_RESPONSE_MIDDLE,
                                     opcode::READ_RESPONSE_LAST,
                                     opcode::ATOMIC_ACK}));
}

TEST(VerbsRegressions, AnAtomicHasOnePiece)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    SendWorkRequest add = bench.MakeRequest(WrOpcode::ATOMIC_FETCH_AND_ADD, 1, 0, 4);
    add.sgList.push_back(bench.ends[0].At(100, 4));
    EXPECT_EQ(bench.Post(add), PostResult::INVALID);
}

TEST(VerbsRegressions, AccessThatIsTakenAwayAtRtsIsRefused)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 100));
    bench.Run(); // The responder is there now.
    QueuePairAttributes attributes;
    attributes.access = memory_access::REMOTE_READ;
    ASSERT_TRUE(bench.GetNic(1).ModifyQueuePair(bench.ends[1].qp, QpState::RTS, attributes));
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 2, 0, 100));
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS, 2 REM_ACCESS_ERR");
}

TEST(VerbsRegressions, ABadRequestInSqdWaits)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    const uint32_t qp = bench.ends[0].qp;
    ASSERT_TRUE(bench.GetNic(0).ModifyQueuePair(qp, QpState::SQD));
    SendWorkRequest bad = bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 100);
    bad.sgList[0].localKey = 0;
    bench.Post(bad);
    bench.Run();
    EXPECT_EQ(bench.GetState(0), QpState::SQD);
    ASSERT_TRUE(bench.GetNic(0).ModifyQueuePair(qp, QpState::RTS));
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 LOC_PROT_ERR");
    EXPECT_EQ(bench.GetState(0), QpState::ERR);
}

TEST(VerbsRegressions, ABadRequestDoesNotStopDraining)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 100));
    SendWorkRequest bad = bench.MakeRequest(WrOpcode::RDMA_WRITE, 2, 0, 100);
    bad.sgList[0].localKey = 0;
    bench.Post(bad);
    ASSERT_TRUE(bench.GetNic(0).ModifyQueuePair(bench.ends[0].qp, QpState::SQD));
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS");
    EXPECT_EQ(Describe(bench.events[0]), "SQ_DRAINED");
    EXPECT_EQ(bench.GetState(0), QpState::SQD);
}

TEST(VerbsRegressions, ACompletionQueueThatOverflowsIsAnEvent)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    QueuePairInit init;
    init.sendCompletions = Create<CompletionQueue>(1);
    const uint32_t near = bench.GetNic(0).CreateQueuePair(init);
    const uint32_t far = bench.GetNic(1).CreateQueuePair();
    bench.GetNic(0).Connect(near, {1, far, 1, 0});
    bench.GetNic(1).Connect(far, {0, near, 1, 0});
    for (const uint64_t wrId : {1, 2, 3})
    {
        SendWorkRequest write = bench.MakeRequest(WrOpcode::RDMA_WRITE, wrId, 0, 10);
        bench.GetNic(0).PostSend(near, write);
    }
    bench.Run();
    ASSERT_TRUE(init.sendCompletions->HasOverflowed());
    EXPECT_EQ(Describe(bench.events[0]), "CQ_ERR");
}

TEST(VerbsRegressions, AQueuePairMayBeDestroyedByTheHandlerOfAnEvent)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    bench.GetNic(1).SetAsyncEventHandler(
        [&bench](const AsyncEvent& event) { bench.GetNic(1).DestroyQueuePair(event.qpNumber); });
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 100'000, 0, 1), 1); // Under way.
    SendWorkRequest bad = bench.MakeRequest(WrOpcode::RDMA_WRITE, 2, 0, 100);
    bad.remoteKey = 3;
    bench.Post(bad);
    bench.Run();
    EXPECT_FALSE(bench.GetNic(1).FindQueuePair(bench.ends[1].qp));
    EXPECT_EQ(Describe(bench.ends[1].PollSends()), "1 WR_FLUSH_ERR");
}

TEST(VerbsRegressions, AQueuePairMayBeDestroyedByTheHandlerOfItsDraining)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    bench.GetNic(0).SetAsyncEventHandler(
        [&bench](const AsyncEvent& event) { bench.GetNic(0).DestroyQueuePair(event.qpNumber); });
    bench.GetNic(0).ModifyQueuePair(bench.ends[0].qp, QpState::SQD); // Uses it after it is gone.
    bench.Run();
    EXPECT_FALSE(bench.GetNic(0).FindQueuePair(bench.ends[0].qp));
}

TEST(VerbsRegressions, TheNewestResultOfAPsnCounts)
{
    AtomicReplayCache cache(4);
    cache.Add(Psn(5), 1);
    cache.Add(Psn(5), 2);
    EXPECT_EQ(cache.Find(Psn(5)), 2);
}

TEST(VerbsRegressions, AQueuePairThatIsResetByAHandlerStartsAnew)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    bench.PostReceive(11, 0, 100, 0);
    bench.ends[0].sends->SetNotifier([&bench] {
        QueuePairAttributes attributes;
        attributes.connection = Connection{1, bench.ends[1].qp, 1, 0};
        for (const QpState state : {QpState::RESET, QpState::INIT, QpState::RTR, QpState::RTS})
        {
            ASSERT_TRUE(bench.GetNic(0).ModifyQueuePair(bench.ends[0].qp, state, attributes));
        }
        bench.PostReceive(12, 0, 100, 0);
    });
    bench.ends[0].sends->RequestNotify(false);
    SendWorkRequest bad = bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 100);
    bad.sgList[0].localKey = 0;
    bench.Post(bad);
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).receives[0], "11 WR_FLUSH_ERR"); // Posted before the failure.
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 3, 0, 100, 0, 1), 1);
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).receives[0], "12 SUCCESS");
}

TEST(VerbsRegressions, ProgressEndsTheCountOfRnrRetriesOnSelectiveDesigns)
{
    VerbsTestBench bench("srnic");
    QueuePairAttributes attributes;
    attributes.rnrRetry = 1;
    attributes.minRnrTimer = 20; // 10.24 ms.
    bench.Start({}, attributes);
    for (const uint64_t wrId : {1, 2, 3})
    {
        bench.Post(bench.MakeRequest(WrOpcode::SEND, wrId, 0, 100));
        // Each is refused once and accepted at its second try, 10.24 ms later.
        Simulator::Schedule(MilliSeconds(10 * wrId), [&bench] { bench.PostReceive(21, 0, 100); });
    }
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS, 2 SUCCESS, 3 SUCCESS");
    EXPECT_EQ(bench.GetNic(0).FindQueuePair(bench.ends[0].qp)->requester->GetStats().rnrNaks, 3);
}

TEST(VerbsRegressions, AnUnsolicitedResponseDoesNotCompleteTheNextRead)
{
    VerbsTestBench bench("srnic");
    bench.Start();
    bench.ends[1].Fill(0, 5000, 1);
    bench.Post(bench.MakeRequest(WrOpcode::ATOMIC_FETCH_AND_ADD, 1, 0, 8, 8000));
    FramePool& pool = bench.GetBench().GetCore().pool;
    const FrameIndex index = pool.Allocate();
    Frame& frame = pool[index];
    frame = Frame{};
    frame.src = 1;
    frame.dst = 0;
    frame.wireBytes = 100;
    frame.dstQp = bench.ends[0].qp;
    frame.opcode = opcode::READ_RESPONSE_ONLY;
    frame.syndrome = syndrome::ACK;
    frame.payloadBytes = 8;
    bench.GetBench().GetFabric().GetLinkPort(0, 1).Enqueue(index);
    bench.Run();
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 2, 20'000, 5000));
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS, 2 SUCCESS");
    EXPECT_EQ(bench.ends[0].Read(20'000, 5000), bench.ends[1].Read(0, 5000));
}

TEST(VerbsRegressions, DatagramsPostedFromCompletionsLeaveOneAfterAnother)
{
    VerbsTestBench bench("connectx6");
    QueuePairInit init;
    init.service = Service::UD;
    bench.Start(init);
    std::vector<Tick> left;
    const std::function<void(const Frame&)> tap = [&](const Frame&) {
        left.push_back(bench.GetBench().Now());
    };
    bench.GetBench()
        .GetFabric()
        .GetServerDevice(0)
        .GetPort()
        .GetTraces()
        .transmit.ConnectWithoutContext(Callback<void, const Frame&>(tap));
    uint64_t next = 0;
    const auto sends = bench.ends[0].sends;
    sends->SetNotifier([&] {
        sends->RequestNotify(false);
        for (const auto& completion : bench.ends[0].PollSends())
        {
            EXPECT_EQ(completion.status, WcStatus::SUCCESS);
            if (++next < 4)
            {
                bench.Post(bench.MakeRequest(WrOpcode::SEND, next, 0, 1000));
            }
        }
    });
    sends->RequestNotify(false);
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 0, 0, 1000));
    bench.Run();
    // 58 + 8 + 1000 + 24 = 1090 bytes of 80 ps each.
    EXPECT_EQ(left, (std::vector<Tick>{0, 87200, 174400, 261600}));
}

TEST(VerbsRegressions, AnUnreliableWriteSaysItsLengthOnEachDesign)
{
    for (const char* design : {"connectx6", "irn", "srnic"})
    {
        VerbsTestBench bench(design);
        QueuePairInit init;
        init.service = Service::UC;
        bench.Start(init);
        const FrameLog sent(bench, 0);
        bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 100));
        bench.Run();
        ASSERT_EQ(sent.entries.size(), 1);
        EXPECT_EQ(sent.entries[0].frame.messageBytes, 100) << design;
    }
}
