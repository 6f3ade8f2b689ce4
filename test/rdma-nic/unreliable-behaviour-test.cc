// SPDX-License-Identifier: GPL-2.0-only

// What unreliable services do about losses, wrong keys and order, end to end.

#include "verbs-outcome.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t LONG{3000}; ///< Three packets of 1024 bytes.

QueuePairInit
MakeInit(Service service)
{
    QueuePairInit init;
    init.service = service;
    return init;
}

/// @param packet of nine, three messages of three each, that is lost; all of the second message's
class LostPacket : public testing::TestWithParam<uint64_t>
{
  protected:
    void PostThree(WrOpcode code)
    {
        bench.Start(MakeInit(Service::UC));
        bench.GetBench().Lose(0, 0, [](const Frame&, uint64_t number) {
            return number == GetParam();
        });
        for (const uint32_t number : {1, 2, 3})
        {
            bench.PostReceive(20 + number, 10'000 * number, LONG);
            bench.ends[0].Fill(10'000 * number, LONG, static_cast<uint8_t>(number));
            SendWorkRequest request =
                bench.MakeRequest(code, number, 10'000 * number, LONG, 500'000 + 10'000 * number);
            request.immediate = 100 + number;
            bench.Post(request);
        }
        bench.Run();
    }

    VerbsTestBench bench{"connectx6"};
};
} // namespace

TEST_P(LostPacket, DropsItsSendAndLeavesItsReceiveRequestToTheNext)
{
    PostThree(WrOpcode::SEND_WITH_IMM);
    EXPECT_EQ(Describe(bench.ends[0].PollSends()), "1 SUCCESS, 2 SUCCESS, 3 SUCCESS");
    const auto received = bench.ends[1].PollReceives();
    ASSERT_EQ(received.size(), 2);
    EXPECT_EQ(received[0].wrId, 21);
    EXPECT_EQ(received[0].immediate, 101);
    EXPECT_EQ(received[1].wrId, 22);
    EXPECT_EQ(received[1].immediate, 103); // So the second is the one that was lost.
    EXPECT_EQ(received[1].byteLength, LONG);
    EXPECT_EQ(bench.ends[1].Read(10'000, LONG), bench.ends[0].Read(10'000, LONG));
    EXPECT_EQ(bench.ends[1].Read(20'000, LONG), bench.ends[0].Read(30'000, LONG));
    EXPECT_EQ(bench.ends[1].Read(30'000, LONG), std::vector<uint8_t>(LONG, 0));
    // What came behind the lost packet in its message: two, one or none.
    EXPECT_EQ(bench.GetBench().GetDrops(DropReason::OUT_OF_ORDER), 5 - GetParam());
    EXPECT_EQ(bench.GetState(1), QpState::RTS);
    bench.GetBench().ExpectEmpty();
}

TEST_P(LostPacket, DropsTheImmediateDataOfItsWrite)
{
    PostThree(WrOpcode::RDMA_WRITE_WITH_IMM);
    const auto received = bench.ends[1].PollReceives();
    ASSERT_EQ(received.size(), 2);
    EXPECT_EQ(received[0].immediate, 101);
    EXPECT_EQ(received[1].wrId, 22);
    EXPECT_EQ(received[1].immediate, 103);
    EXPECT_EQ(bench.ends[1].Read(510'000, LONG), bench.ends[0].Read(10'000, LONG));
    EXPECT_EQ(bench.ends[1].Read(530'000, LONG), bench.ends[0].Read(30'000, LONG));
}

INSTANTIATE_TEST_SUITE_P(UnreliableConnection,
                         LostPacket,
                         testing::Values(3, 4, 5),
                         [](const auto& info) { return "Packet" + std::to_string(info.param); });

TEST(UnreliableConnection, AMessageWithoutReceiveRequestIsDroppedWithoutAWord)
{
    VerbsTestBench bench("connectx6");
    bench.Start(MakeInit(Service::UC));
    const FrameLog answers(bench, 1);
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 1, 0, LONG));
    bench.Run();
    EXPECT_EQ(bench.GetBench().GetDrops(DropReason::RECEIVER_NOT_READY), 1);
    EXPECT_EQ(bench.GetBench().GetDrops(DropReason::OUT_OF_ORDER), 2); // The rest of it.
    bench.PostReceive(21, 0, LONG);
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 2, 0, LONG));
    bench.Run();
    const VerbsOutcome outcome = TakeOutcome(bench);
    EXPECT_EQ(outcome.sends[0], "1 SUCCESS, 2 SUCCESS");
    EXPECT_EQ(outcome.receives[1], "21 SUCCESS");
    EXPECT_EQ(outcome.states, "RTS, RTS");
    EXPECT_TRUE(answers.entries.empty());
}

TEST(UnreliableConnection, AReceiveBufferThatIsTooShortStopsTheReceiverAlone)
{
    VerbsTestBench bench("connectx6");
    bench.Start(MakeInit(Service::UC));
    bench.PostReceive(21, 0, LONG - 1);
    bench.PostReceive(22, 0, LONG);
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 1, 0, LONG));
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 2, 0, LONG));
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench),
              (VerbsOutcome{{"1 SUCCESS, 2 SUCCESS", ""},
                            {"", "21 LOC_LEN_ERR, 22 WR_FLUSH_ERR"},
                            "RTS, ERR",
                            {"", "QP_FATAL"}}));
}

TEST(UnreliableConnection, AForbiddenWriteIsDroppedWithoutAWord)
{
    VerbsTestBench bench("connectx6");
    bench.Start(MakeInit(Service::UC));
    bench.ends[0].Fill(0, LONG, 1);
    SendWorkRequest request = bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, LONG);
    request.remoteKey += 1;
    bench.Post(request);
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 2, 0, LONG, 10'000));
    bench.Run();
    const VerbsOutcome outcome = TakeOutcome(bench);
    EXPECT_EQ(outcome.sends[0], "1 SUCCESS, 2 SUCCESS");
    EXPECT_EQ(outcome.states, "RTS, RTS");
    EXPECT_EQ(outcome.events[1], "");
    EXPECT_EQ(bench.ends[1].Read(0, LONG), std::vector<uint8_t>(LONG, 0));
    EXPECT_EQ(bench.ends[1].Read(10'000, LONG), bench.ends[0].Read(0, LONG));
}

TEST(UnreliableConnection, AMessageEndsWhenItsLastPacketHasLeft)
{
    VerbsTestBench bench("connectx6");
    bench.Start(MakeInit(Service::UC));
    bench.GetBench().GetFabric().SetLinkUp(0, false); // It does not arrive.
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, LONG));
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS");
    EXPECT_EQ(bench.GetState(0), QpState::RTS);
}

TEST(UnreliableDatagram, OneWithTheWrongQueueKeyIsDropped)
{
    VerbsTestBench bench("connectx6");
    QueuePairAttributes attributes;
    attributes.queueKey = 7;
    bench.Start(MakeInit(Service::UD), attributes);
    bench.PostReceive(21, 0, 1000);
    for (const uint32_t key : {8, 0, 7})
    {
        SendWorkRequest request = bench.MakeRequest(WrOpcode::SEND_WITH_IMM, key, 0, 100);
        request.remoteQueueKey = key;
        request.immediate = key;
        bench.Post(request);
    }
    bench.Run();
    EXPECT_EQ(Describe(bench.ends[0].PollSends()), "8 SUCCESS, 0 SUCCESS, 7 SUCCESS");
    const auto received = bench.ends[1].PollReceives();
    ASSERT_EQ(received.size(), 1);
    EXPECT_EQ(received[0].immediate, 7);
    EXPECT_EQ(bench.GetBench().GetDrops(DropReason::REFUSED), 2);
    EXPECT_EQ(bench.GetState(1), QpState::RTS);
}

TEST(UnreliableDatagram, LossesConcernNoOther)
{
    VerbsTestBench bench("srnic");
    bench.Start(MakeInit(Service::UD));
    bench.GetBench().Lose(0, 0, [](const Frame&, uint64_t number) { return number % 2 == 1; });
    for (const uint64_t wrId : {1, 2, 3, 4, 5})
    {
        bench.PostReceive(20 + wrId, 0, 1000);
        SendWorkRequest request = bench.MakeRequest(WrOpcode::SEND_WITH_IMM, wrId, 0, 100);
        request.immediate = static_cast<uint32_t>(wrId);
        bench.Post(request);
    }
    bench.Run();
    std::vector<uint32_t> immediates;
    for (const WorkCompletion& completion : bench.ends[1].PollReceives())
    {
        immediates.push_back(completion.immediate);
    }
    EXPECT_EQ(immediates, (std::vector<uint32_t>{1, 3, 5}));
    EXPECT_EQ(bench.GetBench().GetDrops(DropReason::OUT_OF_ORDER), 0);
}

TEST(UnreliableDatagram, ComesFromWhicheverQueuePairSendsIt)
{
    VerbsTestBench bench("connectx6");
    bench.Start(MakeInit(Service::UD));
    QueuePairInit init = MakeInit(Service::UD);
    init.sendCompletions = bench.ends[0].sends;
    init.domain = bench.ends[0].domain;
    const uint32_t other = bench.GetNic(0).CreateQueuePair(init);
    for (const QpState state : {QpState::INIT, QpState::RTR, QpState::RTS})
    {
        ASSERT_TRUE(bench.GetNic(0).ModifyQueuePair(other, state));
    }
    bench.PostReceive(21, 0, 1000);
    bench.PostReceive(22, 0, 1000);
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 1, 0, 100));
    bench.GetNic(0).PostSend(other, bench.MakeRequest(WrOpcode::SEND, 2, 0, 100));
    bench.Run();
    const auto received = bench.ends[1].PollReceives();
    ASSERT_EQ(received.size(), 2);
    EXPECT_EQ(received[0].srcQp, bench.ends[0].qp);
    EXPECT_EQ(received[1].srcQp, other);
}
