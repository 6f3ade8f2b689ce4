// SPDX-License-Identifier: GPL-2.0-only

// What the fields of work requests and of queue pairs' queues do, end to end.

#include "verbs-outcome.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t LONG{5000}; ///< Five packets of 1024 bytes.

class WorkRequestPosting : public EachNicDesign
{
  protected:
    SendWorkRequest MakeWrite(uint64_t wrId, uint32_t bytes = LONG)
    {
        return bench.MakeRequest(WrOpcode::RDMA_WRITE, wrId, 0, bytes);
    }

    VerbsTestBench bench{GetParam()};
};

/// Two queue pairs of node 1 that share a receive queue, one each to two of node 0.
class SharedReceives : public WorkRequestPosting
{
  protected:
    void StartShared(uint32_t requests)
    {
        QueuePairInit init;
        init.sharedReceiveQueue = shared;
        bench.Start(init);
        for (const uint32_t node : {0, 1})
        {
            const VerbsEnd& end = bench.ends[node];
            QueuePairInit mine;
            mine.domain = end.domain;
            mine.sendCompletions = end.sends;
            mine.receiveCompletions = end.receives;
            mine.sharedReceiveQueue = node == 1 ? shared : nullptr;
            second[node] = bench.GetNic(node).CreateQueuePair(mine);
        }
        for (const uint32_t node : {0, 1})
        {
            bench.GetNic(node).Connect(second[node], {1 - node, second[1 - node], 2});
        }
        for (uint64_t wrId = 21; wrId < 21 + requests; ++wrId)
        {
            ReceiveWorkRequest request;
            request.wrId = wrId;
            request.sgList = {bench.ends[1].At(0, LONG)};
            ASSERT_EQ(shared->Post(request), PostResult::OK);
        }
    }

    void Send(uint64_t wrId, bool isSecond)
    {
        const SendWorkRequest request = bench.MakeRequest(WrOpcode::SEND, wrId, 0, 100);
        bench.GetNic(0).PostSend(isSecond ? second[0] : bench.ends[0].qp, request);
    }

    Ptr<ReceiveQueue> shared = Create<ReceiveQueue>(100, 1);
    uint32_t second[2]{};
};
} // namespace

TEST_P(WorkRequestPosting, ALinkedListIsPostedUpToTheFirstBadOne)
{
    bench.Start();
    SendWorkRequest last = MakeWrite(4);
    SendWorkRequest bad = bench.MakeRequest(WrOpcode::ATOMIC_FETCH_AND_ADD, 3, 0, 7); // Not 8.
    SendWorkRequest second = MakeWrite(2);
    SendWorkRequest first = MakeWrite(1);
    first.next = &second;
    second.next = &bad;
    bad.next = &last;
    const SendWorkRequest* found = nullptr;
    EXPECT_EQ(bench.GetNic(0).PostSend(bench.ends[0].qp, first, &found), PostResult::INVALID);
    EXPECT_EQ(found, &bad);
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS, 2 SUCCESS");
    EXPECT_EQ(bench.GetState(0), QpState::RTS);
}

TEST_P(WorkRequestPosting, LinkedReceiveRequestsArePostedUpToTheFirstBadOne)
{
    QueuePairInit init;
    init.capabilities.maxReceiveSge = 1;
    bench.Start(init);
    const Sge piece = bench.ends[1].At(0, LONG);
    const ReceiveWorkRequest bad{22, {piece, piece}, nullptr};
    const ReceiveWorkRequest first{21, {piece}, &bad};
    const ReceiveWorkRequest* found = nullptr;
    EXPECT_EQ(bench.GetNic(1).PostReceive(bench.ends[1].qp, first, &found), PostResult::INVALID);
    EXPECT_EQ(found, &bad);
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 1, 0, LONG));
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).receives[1], "21 SUCCESS");
}

TEST_P(WorkRequestPosting, AFullQueueTakesMoreWhenTheOldestHasEnded)
{
    QueuePairInit init;
    init.capabilities.maxSendRequests = 2;
    init.capabilities.maxReceiveRequests = 1;
    bench.Start(init);
    EXPECT_EQ(bench.Post(MakeWrite(1)), PostResult::OK);
    EXPECT_EQ(bench.Post(MakeWrite(2)), PostResult::OK);
    EXPECT_EQ(bench.Post(MakeWrite(3)), PostResult::FULL);
    EXPECT_EQ(bench.PostReceive(21, 0, 10), PostResult::OK);
    EXPECT_EQ(bench.PostReceive(22, 0, 10), PostResult::FULL);
    bench.Run();
    EXPECT_EQ(bench.Post(MakeWrite(4)), PostResult::OK);
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS, 2 SUCCESS, 4 SUCCESS");
}

TEST_P(WorkRequestPosting, UnsignalledSuccessIsSilentAndErrorsAreNot)
{
    bench.Start();
    for (const uint64_t wrId : {1, 2, 3, 4})
    {
        SendWorkRequest request = MakeWrite(wrId);
        request.isSignaled = wrId == 2;
        request.remoteKey += wrId == 3;
        bench.Post(request);
    }
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "2 SUCCESS, 3 REM_ACCESS_ERR, 4 WR_FLUSH_ERR");
}

TEST_P(WorkRequestPosting, AQueuePairMaySignalEverything)
{
    QueuePairInit init;
    init.isEverythingSignaled = true;
    bench.Start(init);
    for (const uint64_t wrId : {1, 2})
    {
        SendWorkRequest request = MakeWrite(wrId);
        request.isSignaled = false;
        bench.Post(request);
    }
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS, 2 SUCCESS");
}

TEST_P(WorkRequestPosting, InlineBytesAreThoseOfTheTimeOfPosting)
{
    bench.Start();
    for (const bool isInline : {false, true})
    {
        bench.ends[0].Fill(0, 200, 1);
        const auto before = bench.ends[0].Read(0, 200);
        SendWorkRequest request = MakeWrite(1, 200);
        request.isInline = isInline;
        request.sgList[0].localKey = isInline ? 0 : request.sgList[0].localKey; // Needs no key.
        bench.GetNic(0).ModifyQueuePair(bench.ends[0].qp, QpState::SQD);
        ASSERT_EQ(bench.Post(request), PostResult::OK);
        bench.ends[0].Fill(0, 200, 2);
        const auto after = bench.ends[0].Read(0, 200);
        bench.GetNic(0).ModifyQueuePair(bench.ends[0].qp, QpState::RTS);
        bench.Run();
        EXPECT_EQ(bench.ends[1].Read(0, 200), isInline ? before : after);
    }
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS, 1 SUCCESS");
}

TEST_P(WorkRequestPosting, InlineBytesHaveALimit)
{
    bench.Start();
    SendWorkRequest request = MakeWrite(1, 220); // The default of the queue pair.
    request.isInline = true;
    EXPECT_EQ(bench.Post(request), PostResult::OK);
    request.sgList[0].length = 221;
    EXPECT_EQ(bench.Post(request), PostResult::INVALID);
}

TEST_P(WorkRequestPosting, AFencedWriteWaitsForTheReadBeforeIt)
{
    for (const bool isFenced : {false, true})
    {
        VerbsTestBench fenced(GetParam());
        fenced.Start();
        const FrameLog requests(fenced, 0);
        const FrameLog responses(fenced, 1);
        fenced.Post(fenced.MakeRequest(WrOpcode::RDMA_READ, 1, 0, LONG));
        SendWorkRequest write = fenced.MakeRequest(WrOpcode::RDMA_WRITE, 2, 10'000, 10);
        write.isFenced = isFenced;
        fenced.Post(write);
        fenced.Run();
        EXPECT_EQ(TakeOutcome(fenced).sends[0], "1 SUCCESS, 2 SUCCESS");
        Tick writeAt = 0;
        for (const FrameLog::Entry& entry : requests.entries)
        {
            writeAt = entry.frame.opcode == opcode::WRITE_ONLY ? entry.at : writeAt;
        }
        Tick lastResponseAt = 0;
        for (const FrameLog::Entry& entry : responses.entries)
        {
            lastResponseAt = (opcode::GetKind(entry.frame.opcode) == OpcodeKind::READ_RESPONSE)
                                 ? entry.at
                                 : lastResponseAt;
        }
        ASSERT_GT(lastResponseAt, 0);
        ASSERT_GT(writeAt, 0);
        EXPECT_EQ(writeAt > lastResponseAt, isFenced);
    }
}

TEST_P(WorkRequestPosting, ASolicitedMessageNotifiesAQueueArmedForSuch)
{
    bench.Start();
    std::vector<uint32_t> waiting; // Completions that were there at each notification.
    const Ptr<CompletionQueue> queue = bench.ends[1].receives;
    queue->SetNotifier([&waiting, queue] { waiting.push_back(queue->GetCount()); });
    queue->RequestNotify(true);
    for (const uint64_t wrId : {1, 2, 3, 4})
    {
        bench.PostReceive(20 + wrId, 0, LONG);
        SendWorkRequest request = bench.MakeRequest(WrOpcode::SEND, wrId, 0, LONG);
        request.isSolicited = wrId == 3;
        bench.Post(request);
    }
    bench.Run();
    EXPECT_EQ(waiting, (std::vector<uint32_t>{3}));
    EXPECT_EQ(TakeOutcome(bench).receives[1], "21 SUCCESS, 22 SUCCESS, 23 SUCCESS, 24 SUCCESS");
}

TEST_P(WorkRequestPosting, PiecesAreGatheredAndScattered)
{
    bench.Start();
    bench.ends[0].Fill(0, LONG, 1);
    SendWorkRequest request = bench.MakeRequest(WrOpcode::SEND, 1, 0, 1000);
    request.sgList.push_back(bench.ends[0].At(1000, 0)); // An empty piece is none.
    request.sgList.push_back(bench.ends[0].At(1000, 3001));
    request.sgList.push_back(bench.ends[0].At(4001, 999));
    ReceiveWorkRequest receive;
    receive.wrId = 21;
    receive.sgList = {bench.ends[1].At(0, 7),
                      bench.ends[1].At(7, 4000),
                      bench.ends[1].At(4007, 3000)};
    bench.GetNic(1).PostReceive(bench.ends[1].qp, receive);
    bench.Post(request);
    bench.Run();
    EXPECT_EQ(bench.ends[1].Read(0, LONG), bench.ends[0].Read(0, LONG));
    bench.ends[1].Fill(0, LONG, 2);
    request.opcode = WrOpcode::RDMA_READ;
    request.wrId = 2;
    bench.Post(request);
    bench.Run();
    EXPECT_EQ(bench.ends[0].Read(0, LONG), bench.ends[1].Read(0, LONG));
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS, 2 SUCCESS");
}

TEST_P(WorkRequestPosting, EmptyMessagesNeedNoMemory)
{
    bench.Start();
    bench.PostReceive(21, 0, 0);
    bench.PostReceive(22, 0, 0);
    for (const WrOpcode code :
         {WrOpcode::SEND, WrOpcode::RDMA_WRITE, WrOpcode::RDMA_READ, WrOpcode::RDMA_WRITE_WITH_IMM})
    {
        SendWorkRequest request;
        request.wrId = static_cast<uint64_t>(code);
        request.opcode = code;
        EXPECT_EQ(bench.Post(request), PostResult::OK);
    }
    bench.Run();
    const VerbsOutcome outcome = TakeOutcome(bench);
    EXPECT_EQ(outcome.sends[0], "2 SUCCESS, 0 SUCCESS, 4 SUCCESS, 1 SUCCESS");
    EXPECT_EQ(outcome.receives[1], "21 SUCCESS, 22 SUCCESS");
}

TEST_P(SharedReceives, ServeWhicheverQueuePairComesFirst)
{
    StartShared(5);
    Send(1, false);
    bench.Run();
    Send(2, true);
    bench.Run();
    Send(3, false);
    bench.Run();
    const auto received = bench.ends[1].PollReceives();
    EXPECT_EQ(Describe(received), "21 SUCCESS, 22 SUCCESS, 23 SUCCESS");
    ASSERT_EQ(received.size(), 3);
    EXPECT_EQ(received[0].qpNumber, bench.ends[1].qp);
    EXPECT_EQ(received[1].qpNumber, second[1]);
    EXPECT_EQ(received[2].qpNumber, bench.ends[1].qp);
    EXPECT_EQ(shared->GetCount(), 2);
    // A queue pair with a shared queue has none to post to.
    EXPECT_EQ(bench.PostReceive(30, 0, 10), PostResult::INVALID);
}

TEST_P(SharedReceives, TellOnceWhenFewAreLeft)
{
    StartShared(5);
    std::vector<uint32_t> left;
    shared->SetLimit(3, [this, &left] { left.push_back(shared->GetCount()); });
    for (const uint64_t wrId : {1, 2, 3, 4, 5})
    {
        Send(wrId, wrId % 2 == 0);
    }
    bench.Run();
    EXPECT_EQ(left, (std::vector<uint32_t>{2})); // Fewer than three, for the first time.
    EXPECT_EQ(bench.ends[1].PollReceives().size(), 5);
}

TEST_P(SharedReceives, StayForTheOthersWhenOneQueuePairFails)
{
    StartShared(3);
    bench.GetNic(1).ModifyQueuePair(bench.ends[1].qp, QpState::ERR);
    EXPECT_EQ(Describe(bench.events[1]), "LAST_WQE_REACHED");
    EXPECT_EQ(TakeOutcome(bench).receives[1], ""); // None was taken by the failed one.
    Send(1, true);
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).receives[1], "21 SUCCESS");
    EXPECT_EQ(shared->GetCount(), 2);
}

TEST_P(SharedReceives, TheOneInUseIsFlushedWithItsQueuePair)
{
    StartShared(0);
    for (const uint64_t wrId : {21, 22})
    {
        ReceiveWorkRequest request;
        request.wrId = wrId;
        request.sgList = {bench.ends[1].At(0, 100'000)};
        ASSERT_EQ(shared->Post(request), PostResult::OK);
    }
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 1, 0, 100'000)); // About 8.5 us.
    Simulator::Schedule(MicroSeconds(4), [this] {
        bench.GetNic(1).ModifyQueuePair(bench.ends[1].qp, QpState::ERR);
    });
    bench.Run();
    const VerbsOutcome outcome = TakeOutcome(bench);
    EXPECT_EQ(outcome.receives[1], "21 WR_FLUSH_ERR");
    EXPECT_EQ(outcome.events[1], "LAST_WQE_REACHED");
    EXPECT_EQ(outcome.sends[0], "1 RETRY_EXC_ERR"); // There is no peer any more.
    EXPECT_EQ(shared->GetCount(), 1);
}

RDMA_FOR_EACH_NIC_DESIGN(WorkRequestPosting);
RDMA_FOR_EACH_NIC_DESIGN(SharedReceives);
