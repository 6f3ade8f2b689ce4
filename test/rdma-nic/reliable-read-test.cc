// SPDX-License-Identifier: GPL-2.0-only

// READs and atomics on reliable connections: their PSNs, their losses, their limits.

#include "verbs-outcome.h"

#include <numeric>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
using Psns = std::vector<uint32_t>;

constexpr uint32_t LONG{5000}; ///< Five packets of 1024 bytes.

class ReliableRead : public EachNicDesign
{
};

/// @return count numbers from first on.
Psns
MakeRun(uint32_t first, uint32_t count)
{
    Psns run(count);
    std::iota(run.begin(), run.end(), first);
    return run;
}

Psns
GetResponsePsns(const FrameLog& log)
{
    Psns psns;
    for (const FrameLog::Entry& entry : log.entries)
    {
        if ((opcode::GetKind(entry.frame.opcode) == OpcodeKind::READ_RESPONSE))
        {
            psns.push_back(entry.frame.psn);
        }
    }
    return psns;
}

/// Loses the first frame from a node for which "isWanted" holds.
template <typename Predicate>
void
LoseOne(VerbsTestBench& bench, uint32_t node, Predicate isWanted)
{
    bench.GetBench().Lose(0,
                          node,
                          [isWanted, isLost = false](const Frame& frame, uint64_t) mutable {
                              const bool isNow = !isLost && isWanted(frame);
                              isLost |= isNow;
                              return isNow;
                          });
}

RequesterStats
GetSent(VerbsTestBench& bench)
{
    return bench.GetNic(0).FindQueuePair(bench.ends[0].qp)->requester->GetStats();
}
} // namespace

TEST_P(ReliableRead, GoesOnAcrossTheWrapOfPsns)
{
    VerbsTestBench bench(GetParam());
    bench.SetInitialPsn(0xfffffd);
    bench.Start();
    bench.ends[0].Fill(0, 2000, 1);
    bench.ends[1].Fill(20'000, LONG, 2);
    const FrameLog requests(bench, 0);
    const FrameLog responses(bench, 1);
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 2000));
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 2, 20'000, LONG, 20'000));
    bench.Post(bench.MakeRequest(WrOpcode::ATOMIC_FETCH_AND_ADD, 3, 40'000, 8, 40'000));
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS, 2 SUCCESS, 3 SUCCESS");
    EXPECT_EQ(bench.ends[1].Read(0, 2000), bench.ends[0].Read(0, 2000));
    EXPECT_EQ(bench.ends[0].Read(20'000, LONG), bench.ends[1].Read(20'000, LONG));
    // The WRITE has fffffd and fffffe; the READ has as many PSNs as its response has packets, or
    // one where responses have PSNs of their own, which begin at the initial PSN too.
    EXPECT_EQ(requests.GetPsns(opcode::READ_REQUEST), (Psns{0xffffff}));
    EXPECT_EQ(requests.GetPsns(opcode::FETCH_ADD), (Psns{IsSelective() ? 0U : 4U}));
    EXPECT_EQ(GetResponsePsns(responses),
              IsSelective() ? (Psns{0xfffffd, 0xfffffe, 0xffffff, 0, 1})
                            : (Psns{0xffffff, 0, 1, 2, 3}));
    bench.GetBench().ExpectEmpty();
}

TEST_P(ReliableRead, ALostRequestIsSentAgain)
{
    VerbsTestBench bench(GetParam());
    bench.Start();
    bench.ends[1].Fill(0, LONG, 3);
    const FrameLog requests(bench, 0);
    LoseOne(bench, 0, [](const Frame& frame) { return frame.opcode == opcode::READ_REQUEST; });
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 1, 20'000, LONG));
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 2, 0, 10, 50'000));
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS, 2 SUCCESS");
    EXPECT_EQ(bench.ends[0].Read(20'000, LONG), bench.ends[1].Read(0, LONG));
    EXPECT_EQ(requests.GetPsns(opcode::READ_REQUEST), (Psns{0, 0}));
    EXPECT_EQ(GetSent(bench).timeouts, 0); // The WRITE behind it came out of order.
    bench.GetBench().ExpectEmpty();
}

TEST_P(ReliableRead, ALostAtomicAckIsAnsweredFromTheReplayCache)
{
    VerbsTestBench bench(GetParam());
    bench.Start();
    bench.ends[1].memory->Write64(bench.ends[1].region.address, 100);
    const FrameLog answers(bench, 1);
    LoseOne(bench, 1, [](const Frame& frame) { return frame.opcode == opcode::ATOMIC_ACK; });
    SendWorkRequest add = bench.MakeRequest(WrOpcode::ATOMIC_FETCH_AND_ADD, 1, 0, 8);
    add.compareAdd = 5;
    bench.Post(add);
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS");
    EXPECT_EQ(answers.GetPsns(opcode::ATOMIC_ACK), (Psns{0, 0}));
    EXPECT_EQ(bench.ends[1].memory->Read64(bench.ends[1].region.address), 105); // Once.
    EXPECT_EQ(bench.ends[0].memory->Read64(bench.ends[0].region.address), 100);
    EXPECT_EQ(GetSent(bench).timeouts, 1);
}

TEST_P(ReliableRead, AnAckBeyondAnAtomicShowsThatItsAnswerWasLost)
{
    VerbsTestBench bench(GetParam());
    bench.Start();
    LoseOne(bench, 1, [](const Frame& frame) { return frame.opcode == opcode::ATOMIC_ACK; });
    SendWorkRequest add = bench.MakeRequest(WrOpcode::ATOMIC_FETCH_AND_ADD, 1, 0, 8);
    add.compareAdd = 5;
    bench.Post(add);
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 2, 0, 10, 50'000));
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS, 2 SUCCESS");
    EXPECT_EQ(bench.ends[1].memory->Read64(bench.ends[1].region.address), 5);
    if (!IsSelective())
    {
        EXPECT_EQ(GetSent(bench).timeouts, 0);
    }
}

TEST_P(ReliableRead, NeverAsksForMoreAtOnceThanItMay)
{
    VerbsTestBench bench(GetParam());
    QueuePairAttributes attributes;
    attributes.maxReadsAndAtomics = 2;
    attributes.maxDestReadsAndAtomics = 2;
    bench.Start({}, attributes);
    const FrameLog requests(bench, 0);
    const FrameLog responses(bench, 1);
    for (uint64_t wrId = 1; wrId <= 8; ++wrId)
    {
        const bool isAtomic = wrId % 4 == 0;
        bench.Post(
            bench.MakeRequest(isAtomic ? WrOpcode::ATOMIC_FETCH_AND_ADD : WrOpcode::RDMA_READ,
                              wrId,
                              0,
                              isAtomic ? 8 : LONG));
    }
    bench.Run();
    EXPECT_EQ(bench.ends[0].PollSends().size(), 8);
    std::vector<Tick> asked;
    for (const FrameLog::Entry& entry : requests.entries)
    {
        if (opcode::IsRequest(entry.frame.opcode))
        {
            asked.push_back(entry.at);
        }
    }
    std::vector<Tick> answered;
    for (const FrameLog::Entry& entry : responses.entries)
    {
        const uint8_t code = entry.frame.opcode;
        if (code == opcode::ATOMIC_ACK ||
            ((opcode::GetKind(code) == OpcodeKind::READ_RESPONSE) && opcode::IsLast(code)))
        {
            answered.push_back(entry.at + 500'000); // The cable.
        }
    }
    ASSERT_EQ(asked.size(), 8);
    ASSERT_EQ(answered.size(), 8);
    EXPECT_LT(asked[1], answered[0]); // Two at once,
    for (std::size_t place = 2; place < asked.size(); ++place)
    {
        EXPECT_GT(asked[place], answered[place - 2]) << place; // never three.
    }
}

TEST_P(ReliableRead, OfADeadPeerEndsInError)
{
    VerbsTestBench bench(GetParam());
    bench.Start();
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 1, 0, 100'000));
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 2, 0, LONG));
    // The responses are under way: about 8.5 us of them.
    Simulator::Schedule(MicroSeconds(4),
                        [&bench] { bench.GetBench().GetFabric().SetLinkUp(0, false); });
    bench.Run();
    const VerbsOutcome outcome = TakeOutcome(bench);
    EXPECT_EQ(outcome.sends[0], "1 RETRY_EXC_ERR, 2 WR_FLUSH_ERR");
    EXPECT_EQ(bench.GetState(0), QpState::ERR);
    bench.GetBench().ExpectEmpty();
}

TEST_P(ReliableRead, WhoseResponsesAllGetLostEndsInError)
{
    VerbsTestBench bench(GetParam());
    bench.Start();
    bench.GetBench().Lose(0, 1, [](const Frame& frame, uint64_t) {
        return (opcode::GetKind(frame.opcode) == OpcodeKind::READ_RESPONSE);
    });
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 1, 0, LONG));
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 RETRY_EXC_ERR");
}

RDMA_FOR_EACH_NIC_DESIGN(ReliableRead);

TEST(GoBackNRead, ALostResponseIsAskedForAgainFromTheMissingPacketOn)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    bench.ends[1].Fill(0, 10'240, 4);
    const FrameLog requests(bench, 0);
    const FrameLog responses(bench, 1);
    LoseOne(bench, 1, [](const Frame& frame) { return frame.psn == 2; });
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 1, 20'000, 10'240));
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS");
    EXPECT_EQ(bench.ends[0].Read(20'000, 10'240), bench.ends[1].Read(0, 10'240));
    EXPECT_EQ(requests.GetPsns(opcode::READ_REQUEST), (Psns{0, 2}));
    ASSERT_EQ(requests.entries.size(), 2);
    EXPECT_EQ(requests.entries[1].frame.messageBytes, 8 * 1024);
    EXPECT_EQ(requests.entries[1].frame.remoteAddress, VerbsEnd::BASE + 2 * 1024);
    // All ten had left when the second request came: 0.9 us, less than a round trip.
    Psns expected = MakeRun(0, 10);
    const Psns again = MakeRun(2, 8);
    expected.insert(expected.end(), again.begin(), again.end());
    EXPECT_EQ(GetResponsePsns(responses), expected);
    EXPECT_EQ(GetSent(bench).timeouts, 0);
}

TEST(GoBackNRead, ARepeatedRequestTakesBackWhatWasNotSentYet)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    const FrameLog responses(bench, 1);
    LoseOne(bench, 1, [](const Frame& frame) { return frame.psn == 2; });
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 1, 0, 200 * 1024));
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS");
    const Psns psns = GetResponsePsns(responses);
    const Psns again = MakeRun(2, 198);
    // A round trip is 1.1 us, a packet 88 ns: 12 more have left after the next one has.
    ASSERT_GT(psns.size(), 198);
    EXPECT_LE(psns.size(), 198 + 4 + 13U);
    EXPECT_EQ(Psns(psns.end() - 198, psns.end()), again);
}

TEST(GoBackNRead, AcknowledgmentsDoNotOvertakeResponses)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    const FrameLog answers(bench, 1);
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 1, 0, 3000));
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 2, 0, 10, 50'000));
    bench.Run();
    EXPECT_EQ(answers.GetOpcodes(),
              (Psns{opcode::READ_RESPONSE_FIRST,
                    opcode::READ_RESPONSE_MIDDLE,
                    opcode::READ_RESPONSE_LAST,
                    opcode::ACK}));
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS, 2 SUCCESS");
}

TEST(GoBackNRead, AForbiddenWriteBehindAReadIsRefusedAfterTheResponse)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 1, 0, 100'000));
    SendWorkRequest write = bench.MakeRequest(WrOpcode::RDMA_WRITE, 2, 0, 100);
    write.remoteKey = bench.ends[1].region.localKey;
    bench.Post(write);
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench),
              (VerbsOutcome{{"1 SUCCESS, 2 REM_ACCESS_ERR", ""},
                            {"", ""},
                            "ERR, ERR",
                            {"", "QP_ACCESS_ERR"}}));
    bench.GetBench().ExpectEmpty();
}

TEST(GoBackNRead, AReadBeyondTheRespondersLimitIsAnInvalidRequest)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    QueuePairAttributes few;
    few.maxDestReadsAndAtomics = 2;
    ASSERT_TRUE(bench.GetNic(1).ModifyQueuePair(bench.ends[1].qp, QpState::RTS, few));
    for (const uint64_t wrId : {1, 2, 3, 4})
    {
        bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, wrId, 0, 50'000));
    }
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench),
              (VerbsOutcome{{"1 SUCCESS, 2 SUCCESS, 3 REM_INV_REQ_ERR, 4 WR_FLUSH_ERR", ""},
                            {"", ""},
                            "ERR, ERR",
                            {"", "QP_REQ_ERR"}}));
}

TEST(AcknowledgedRead, EachResponsePacketIsAcknowledgedAndALostOneIsSentAgainAlone)
{
    for (const char* design : {"irn", "srnic"})
    {
        VerbsTestBench bench(design);
        bench.Start();
        bench.ends[1].Fill(0, LONG, 5);
        const FrameLog requests(bench, 0);
        const FrameLog responses(bench, 1);
        LoseOne(bench, 1, [](const Frame& frame) {
            return (opcode::GetKind(frame.opcode) == OpcodeKind::READ_RESPONSE) && frame.psn == 2;
        });
        bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 1, 20'000, LONG));
        bench.Run();
        EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS") << design;
        EXPECT_EQ(bench.ends[0].Read(20'000, LONG), bench.ends[1].Read(0, LONG)) << design;
        EXPECT_EQ(requests.GetPsns(opcode::READ_REQUEST), (Psns{0})) << design;
        EXPECT_EQ(GetResponsePsns(responses), (Psns{0, 1, 2, 3, 4, 2})) << design;
        // 0 and 1 in order, 3 and 4 out of order (2 is expected), then all.
        EXPECT_EQ(requests.GetPsns(opcode::READ_ACK), (Psns{0, 1, 2, 2, 4})) << design;
        EXPECT_EQ(responses.GetPsns(opcode::ACK), (Psns{0})) << design; // Of the request.
        bench.GetBench().ExpectEmpty();
    }
}
