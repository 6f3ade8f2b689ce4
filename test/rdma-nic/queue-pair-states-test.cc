// SPDX-License-Identifier: GPL-2.0-only

// The states of a queue pair end to end: what may be posted, what is received, what goes on.

#include "verbs-outcome.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t LONG{5000}; ///< Five packets of 1024 bytes.

class QueuePairStates : public EachNicDesign
{
  protected:
    bool Modify(uint32_t node, QpState state, const QueuePairAttributes& attributes = {})
    {
        return bench.GetNic(node).ModifyQueuePair(bench.ends[node].qp, state, attributes);
    }

    PostResult PostWrite(uint64_t wrId, uint32_t bytes = LONG)
    {
        return bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, wrId, 0, bytes));
    }

    /// The connection of an end, for its way from RESET to RTS.
    QueuePairAttributes MakePeer(uint32_t node, uint32_t psn = 0)
    {
        QueuePairAttributes attributes;
        attributes.connection = Connection{1 - node, bench.ends[1 - node].qp, 1, psn};
        return attributes;
    }

    void StartUnreliable(Service service)
    {
        QueuePairInit init;
        init.service = service;
        bench.Start(init);
    }

    VerbsTestBench bench{GetParam()};
};
} // namespace

TEST_P(QueuePairStates, RequestsMayBePostedInSomeStatesOnly)
{
    bench.Start();
    ASSERT_TRUE(Modify(0, QpState::RESET));
    EXPECT_EQ(PostWrite(1), PostResult::INVALID);
    EXPECT_EQ(bench.PostReceive(11, 0, LONG, 0), PostResult::INVALID);
    ASSERT_TRUE(Modify(0, QpState::INIT));
    EXPECT_EQ(PostWrite(1), PostResult::INVALID);
    EXPECT_EQ(bench.PostReceive(11, 0, LONG, 0), PostResult::OK);
    ASSERT_TRUE(Modify(0, QpState::RTR, MakePeer(0)));
    EXPECT_EQ(PostWrite(1), PostResult::INVALID);
    EXPECT_EQ(bench.PostReceive(12, 0, LONG, 0), PostResult::OK);
    ASSERT_TRUE(Modify(0, QpState::RTS));
    EXPECT_EQ(PostWrite(2), PostResult::OK);
    bench.Run();
    ASSERT_TRUE(Modify(0, QpState::SQD));
    EXPECT_EQ(PostWrite(3), PostResult::OK);
    bench.Run();
    ASSERT_TRUE(Modify(0, QpState::ERR));
    EXPECT_EQ(PostWrite(4), PostResult::OK);
    const VerbsOutcome outcome = TakeOutcome(bench);
    EXPECT_EQ(outcome.sends[0], "2 SUCCESS, 3 WR_FLUSH_ERR, 4 WR_FLUSH_ERR");
    EXPECT_EQ(outcome.receives[0], "11 WR_FLUSH_ERR, 12 WR_FLUSH_ERR");
    EXPECT_EQ(outcome.events[0], "SQ_DRAINED");
    EXPECT_EQ(outcome.states, "ERR, RTS");
}

TEST_P(QueuePairStates, ChangesThatAreNotAllowedChangeNothing)
{
    bench.Start();
    EXPECT_FALSE(Modify(0, QpState::INIT)); // From RTS.
    EXPECT_FALSE(Modify(0, QpState::RTR));
    EXPECT_FALSE(Modify(0, QpState::SQE)); // Comes about by itself only.
    QueuePairAttributes odd;
    odd.retryCount = 8; // Three bits.
    EXPECT_FALSE(Modify(0, QpState::SQD, odd));
    EXPECT_EQ(bench.GetState(0), QpState::RTS);
    EXPECT_FALSE(bench.GetNic(0).ModifyQueuePair(12345, QpState::ERR)); // There is none.
    const uint32_t fresh = bench.GetNic(0).CreateQueuePair();
    EXPECT_TRUE(bench.GetNic(0).ModifyQueuePair(fresh, QpState::INIT));
    EXPECT_FALSE(bench.GetNic(0).ModifyQueuePair(fresh, QpState::RTR)); // To whom?
    EXPECT_EQ(bench.GetNic(0).FindQueuePair(fresh)->state, QpState::INIT);
}

TEST_P(QueuePairStates, PacketsThatComeInInitAreDroppedAndArriveLater)
{
    bench.Start();
    ASSERT_TRUE(Modify(1, QpState::RESET));
    ASSERT_TRUE(Modify(1, QpState::INIT));
    bench.ends[0].Fill(0, 100, 3);
    PostWrite(1, 100);
    Simulator::Schedule(MicroSeconds(10), [this] {
        EXPECT_EQ(bench.GetBench().GetDrops(DropReason::REFUSED), 1);
        ASSERT_TRUE(Modify(1, QpState::RTR, MakePeer(1)));
    });
    bench.Run();
    const VerbsOutcome outcome = TakeOutcome(bench);
    EXPECT_EQ(outcome.sends[0], "1 SUCCESS"); // The timer has sent it again.
    EXPECT_EQ(outcome.states, "RTS, RTR");
    EXPECT_EQ(bench.GetBench().GetDrops(DropReason::REFUSED), 1);
    EXPECT_EQ(bench.ends[1].Read(0, 100), bench.ends[0].Read(0, 100));
}

TEST_P(QueuePairStates, SqdFinishesWhatWasBegunNotifiesOnceAndResumesAtRts)
{
    bench.Start();
    std::vector<Tick> drainedAt;
    bench.GetNic(0).SetAsyncEventHandler([this, &drainedAt](const AsyncEvent& event) {
        bench.events[0].push_back(event.type);
        drainedAt.push_back(bench.GetBench().Now());
    });
    PostWrite(1, 100'000); // About 8.5 us.
    PostWrite(2);
    Simulator::Schedule(MicroSeconds(2), [this] {
        ASSERT_TRUE(Modify(0, QpState::SQD));
        EXPECT_EQ(PostWrite(3), PostResult::OK); // Waits.
    });
    bench.Run();
    EXPECT_EQ(Describe(bench.ends[0].PollSends()), "1 SUCCESS");
    EXPECT_EQ(Describe(bench.events[0]), "SQ_DRAINED");
    ASSERT_EQ(drainedAt.size(), 1);
    // 98 packets of at least 1024 + 58 + 24 bytes at 100 Gb/s are 8.67 us; then the last ACK.
    EXPECT_GT(drainedAt[0], 8'670'000);
    bench.Run();
    ASSERT_TRUE(Modify(0, QpState::RTS));
    bench.Run();
    EXPECT_EQ(Describe(bench.ends[0].PollSends()), "2 SUCCESS, 3 SUCCESS");
    EXPECT_EQ(bench.events[0].size(), 1);
    ASSERT_TRUE(Modify(0, QpState::SQD)); // Nothing is under way: drained at once.
    EXPECT_EQ(bench.events[0].size(), 2);
}

TEST_P(QueuePairStates, SqdStillReceives)
{
    bench.Start();
    ASSERT_TRUE(Modify(0, QpState::SQD));
    bench.PostReceive(11, 0, LONG, 0);
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 1, 0, LONG, 0, 1), 1);
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 2, 0, LONG, 0, 1), 1);
    bench.Run();
    const VerbsOutcome outcome = TakeOutcome(bench);
    EXPECT_EQ(outcome.sends[1], "1 SUCCESS, 2 SUCCESS");
    EXPECT_EQ(outcome.receives[0], "11 SUCCESS");
}

TEST_P(QueuePairStates, AfterSqeAnUnreliableConnectionGoesOnWithTheNextPsn)
{
    StartUnreliable(Service::UC);
    const FrameLog log(bench, 0);
    bench.ends[0].Fill(0, LONG, 4);
    PostWrite(1); // PSNs 0 to 4.
    SendWorkRequest bad = bench.MakeRequest(WrOpcode::RDMA_WRITE, 2, 0, LONG);
    bad.sgList[0].localKey = 0x99;
    bench.Post(bad);
    bench.Run();
    EXPECT_EQ(bench.GetState(0), QpState::SQE);
    PostWrite(3);
    // Receiving goes on.
    bench.PostReceive(11, 0, 100, 0);
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 4, 0, 100, 0, 1), 1);
    bench.Run();
    ASSERT_TRUE(Modify(0, QpState::RTS));
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 5, 0, LONG, 20'000));
    bench.Run();
    const VerbsOutcome outcome = TakeOutcome(bench);
    EXPECT_EQ(outcome.sends[0], "1 SUCCESS, 2 LOC_PROT_ERR, 3 WR_FLUSH_ERR, 5 SUCCESS");
    EXPECT_EQ(outcome.receives[0], "11 SUCCESS");
    EXPECT_EQ(outcome.states, "RTS, RTS");
    std::vector<uint32_t> psns;
    for (const FrameLog::Entry& entry : log.entries)
    {
        psns.push_back(entry.frame.psn);
    }
    EXPECT_EQ(psns, (std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(bench.ends[1].Read(20'000, LONG), bench.ends[0].Read(0, LONG));
}

TEST_P(QueuePairStates, AfterSqeADatagramQueuePairSendsAgain)
{
    StartUnreliable(Service::UD);
    bench.PostReceive(21, 0, 200);
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 1, 0, 2000)); // Beyond the MTU.
    bench.Run();
    ASSERT_EQ(bench.GetState(0), QpState::SQE);
    ASSERT_TRUE(Modify(0, QpState::RTS));
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 2, 0, 100));
    bench.Run();
    const VerbsOutcome outcome = TakeOutcome(bench);
    EXPECT_EQ(outcome.sends[0], "1 LOC_LEN_ERR, 2 SUCCESS");
    EXPECT_EQ(outcome.receives[1], "21 SUCCESS");
}

TEST_P(QueuePairStates, FromErrorThroughResetToRtsWorksAgain)
{
    bench.Start();
    bench.PostReceive(21, 0, LONG);
    SendWorkRequest bad = bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, LONG);
    bad.remoteKey = 0x99;
    bench.Post(bad);
    bench.Run();
    const VerbsOutcome failed = TakeOutcome(bench);
    EXPECT_EQ(failed.states, "ERR, ERR");
    EXPECT_EQ(failed.receives[1], "21 WR_FLUSH_ERR");
    for (const uint32_t node : {0, 1})
    {
        for (const QpState state : {QpState::RESET, QpState::INIT, QpState::RTR, QpState::RTS})
        {
            ASSERT_TRUE(Modify(node, state, MakePeer(node, 1000)));
        }
    }
    const FrameLog log(bench, 0);
    bench.ends[0].Fill(0, LONG, 5);
    bench.PostReceive(22, 50'000, LONG);
    PostWrite(2);
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 3, 0, LONG));
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 4, 90'000, LONG, 50'000));
    bench.Run();
    const VerbsOutcome outcome = TakeOutcome(bench);
    EXPECT_EQ(outcome.sends[0], "2 SUCCESS, 3 SUCCESS, 4 SUCCESS");
    EXPECT_EQ(outcome.receives[1], "22 SUCCESS");
    EXPECT_EQ(outcome.states, "RTS, RTS");
    EXPECT_EQ(log.entries.front().frame.psn, 1000);
    EXPECT_EQ(bench.ends[0].Read(90'000, LONG), bench.ends[0].Read(0, LONG));
    bench.GetBench().ExpectEmpty();
}

TEST_P(QueuePairStates, ResetForgetsWithoutCompletions)
{
    bench.Start();
    bench.PostReceive(11, 0, LONG, 0);
    PostWrite(1, 100'000);
    Simulator::Schedule(MicroSeconds(2), [this] { ASSERT_TRUE(Modify(0, QpState::RESET)); });
    bench.Run();
    const VerbsOutcome outcome = TakeOutcome(bench);
    EXPECT_EQ(outcome.sends[0], "");
    EXPECT_EQ(outcome.receives[0], "");
    EXPECT_EQ(outcome.states, "RESET, RTS");
    bench.GetBench().ExpectEmpty();
}

RDMA_FOR_EACH_NIC_DESIGN(QueuePairStates);
