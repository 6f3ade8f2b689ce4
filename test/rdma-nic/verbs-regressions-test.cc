// SPDX-License-Identifier: GPL-2.0-only

// What went wrong once.

#include "verbs-outcome.h"

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
    bench.GetBench().GetFabric().GetServerDevice(0).GetPort().GetTransmitTrace()
        .ConnectWithoutContext(Callback<void, const Frame&>(tap));
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
