// SPDX-License-Identifier: GPL-2.0-only

// When requests that fail end, to the picosecond, and what makes them fail on some designs only.

#include "verbs-outcome.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick US{1'000'000};

/// Remembers when the next send completion of node 0 comes.
class EndTime
{
  public:
    explicit EndTime(VerbsTestBench& bench)
    {
        bench.ends[0].sends->SetNotifier([this, &bench] { at = bench.GetBench().Now(); });
        bench.ends[0].sends->RequestNotify(false);
    }

    Tick at{0};
};

class CompletionTiming : public EachNicDesign
{
};

/// A SEND of 100 bytes: 58 + 100 and 24 of overhead are 182 B, 14.56 ns at 100 Gb/s; the cable 500
/// ns; a NAK of 58 + 4 and 24 are 86 B, 6.88 ns; the cable again.
constexpr Tick RNR_ROUND{14'560 + 500'000 + 6'880 + 500'000};
} // namespace

TEST(CompletionTiming, TheTimerExpiresOnceMoreThanItMayBeRetried)
{
    for (const uint8_t retries : {0, 3, 7})
    {
        VerbsTestBench bench("connectx6");
        QueuePairAttributes attributes;
        attributes.timeout = 5;
        attributes.retryCount = retries;
        bench.Start({}, attributes);
        const EndTime end(bench);
        bench.GetBench().GetFabric().SetLinkUp(0, false);
        bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 100));
        bench.Run();
        // 4.096 us x 2^5 = 131.072 us from the packet on, the same after each retry.
        EXPECT_EQ(end.at, 131'072'000 * (retries + 1)) << unsigned{retries};
        EXPECT_EQ(TakeOutcome(bench).sends[0], "1 RETRY_EXC_ERR");
        const RequesterStats& sent =
            bench.GetNic(0).FindQueuePair(bench.ends[0].qp)->requester->GetStats();
        EXPECT_EQ(sent.timeouts, retries + 1U);
        EXPECT_EQ(sent.retransmitted, retries);
    }
}

TEST(CompletionTiming, ATimeoutOfZeroWaitsForEver)
{
    VerbsTestBench bench("connectx6");
    QueuePairAttributes attributes;
    attributes.timeout = 0;
    bench.Start({}, attributes);
    bench.GetBench().GetFabric().SetLinkUp(0, false);
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 100));
    bench.Run(); // Nothing is left to happen.
    EXPECT_EQ(TakeOutcome(bench).sends[0], "");
    EXPECT_EQ(bench.GetState(0), QpState::RTS);
}

TEST(CompletionTiming, AReadResponseOfAnAtomicDoesNotFit)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    FramePool& pool = bench.GetBench().GetCore().pool;
    const FrameIndex index = pool.Allocate();
    Frame& frame = pool[index];
    frame = Frame{};
    frame.src = 1;
    frame.wireBytes = 70;
    frame.dstQp = bench.ends[0].qp;
    frame.opcode = opcode::READ_RESPONSE_ONLY;
    frame.syndrome = syndrome::ACK;
    frame.payloadBytes = 8;
    bench.GetBench().GetFabric().GetLinkPort(0, 1).Enqueue(index);
    bench.Post(bench.MakeRequest(WrOpcode::ATOMIC_FETCH_AND_ADD, 1, 0, 8));
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 2, 0, 8));
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 BAD_RESP_ERR, 2 WR_FLUSH_ERR");
    EXPECT_EQ(bench.GetState(0), QpState::ERR);
    bench.GetBench().ExpectEmpty();
}

TEST_P(CompletionTiming, AReceiverThatIsNotReadySaysHowLongToWait)
{
    // SRNIC's 8 bytes of metadata on the SEND and 8 of echo on the NAK, IRN's 4 on the NAK.
    const std::string design = GetParam();
    const Tick extra = design == "srnic" ? 2 * 640 : design == "irn" ? 320 : 0;
    VerbsTestBench bench(design);
    QueuePairAttributes attributes;
    attributes.rnrRetry = 2;
    attributes.minRnrTimer = 12; // 0.64 ms.
    bench.Start({}, attributes);
    const EndTime end(bench);
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 1, 0, 100));
    bench.Run();
    // Three rounds with a wait after the first two.
    EXPECT_EQ(end.at, 3 * (RNR_ROUND + extra) + 2 * 640 * US);
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 RNR_RETRY_EXC_ERR");
    EXPECT_EQ(bench.GetBench().GetDrops(DropReason::RECEIVER_NOT_READY), 3);
}

TEST_P(CompletionTiming, WithSevenRnrRetriesItWaitsUntilTheReceiverIsReady)
{
    VerbsTestBench bench(GetParam());
    QueuePairAttributes attributes;
    attributes.rnrRetry = 7;
    attributes.retryCount = 0;  // An RNR NAK is no timeout.
    attributes.minRnrTimer = 1; // 10 us.
    bench.Start({}, attributes);
    bench.ends[0].Fill(0, 3000, 9);
    bench.Post(bench.MakeRequest(WrOpcode::SEND, 1, 0, 3000));
    Simulator::Schedule(MilliSeconds(1), [&bench] { bench.PostReceive(21, 0, 3000); });
    bench.Run();
    const VerbsOutcome outcome = TakeOutcome(bench);
    EXPECT_EQ(outcome.sends[0], "1 SUCCESS");
    EXPECT_EQ(outcome.receives[1], "21 SUCCESS");
    EXPECT_EQ(outcome.states, "RTS, RTS");
    EXPECT_EQ(bench.ends[1].Read(0, 3000), bench.ends[0].Read(0, 3000));
    // Rounds of more than 11 us and less than 13 us each, for 1 ms.
    const uint64_t naks =
        bench.GetNic(0).FindQueuePair(bench.ends[0].qp)->requester->GetStats().rnrNaks;
    EXPECT_GT(naks, 1000U / 13);
    EXPECT_LE(naks, 1000U / 11 + 1);
    bench.GetBench().ExpectEmpty();
}

TEST(CompletionTiming, ProgressEndsTheCountOfRnrRetries)
{
    VerbsTestBench bench("connectx6");
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

RDMA_FOR_EACH_NIC_DESIGN(CompletionTiming);
