// SPDX-License-Identifier: GPL-2.0-only

// Acknowledgments of reliable connections, and congestion notifications, as they leave the NIC.

#include "verbs-outcome.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
using Psns = std::vector<uint32_t>;

/// A frame with CE that one end of the cable sends to the other as if it were its NIC's.
struct Marked
{
    Tick at;
    uint32_t psn;
    bool isCe;
};

/// Sends frames without payload, which need no key, from a node that does not know of them.
void
SendForged(VerbsTestBench& bench, uint32_t from, uint8_t code, const std::vector<Marked>& frames)
{
    for (const Marked& marked : frames)
    {
        Simulator::Schedule(ToTime(marked.at), [&bench, from, code, marked] {
            FramePool& pool = bench.GetBench().GetCore().pool;
            const FrameIndex index = pool.Allocate();
            Frame& frame = pool[index];
            frame = Frame{};
            frame.src = from;
            frame.dst = 1 - from;
            frame.wireBytes = 101; // With 24 of overhead 10 ns.
            frame.srcQp = bench.ends[from].qp;
            frame.dstQp = bench.ends[1 - from].qp;
            frame.psn = marked.psn;
            frame.opcode = code;
            frame.flags =
                marked.isCe ? frame_flag::ECN_CAPABLE | frame_flag::CE : frame_flag::ECN_CAPABLE;
            bench.GetBench().GetFabric().GetLinkPort(0, from).Enqueue(index);
        });
    }
}

/// @return when the frames that a node's CNPs answer had been sent.
std::vector<Tick>
GetCausesOfCnps(const FrameLog& log)
{
    constexpr Tick PATH{10'000 + 500'000};
    std::vector<Tick> causes;
    for (const FrameLog::Entry& entry : log.entries)
    {
        if (entry.frame.opcode == opcode::CNP)
        {
            causes.push_back(entry.at - PATH);
        }
    }
    return causes;
}
} // namespace

TEST(Acknowledgments, CarryTheNumberOfMessagesThatAreComplete)
{
    for (const char* design : {"connectx6", "irn", "srnic"})
    {
        VerbsTestBench bench(design);
        bench.Start();
        const FrameLog answers(bench, 1);
        bench.PostReceive(21, 0, 100);
        bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 3000)); // PSNs 0 to 2.
        bench.Post(bench.MakeRequest(WrOpcode::SEND, 2, 0, 100));
        bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 3, 0, 0));
        bench.Run();
        std::vector<std::pair<uint32_t, uint32_t>> fields;
        for (const FrameLog::Entry& entry : answers.entries)
        {
            fields.emplace_back(entry.frame.psn, entry.frame.ack.msn);
        }
        const std::vector<std::pair<uint32_t, uint32_t>> expected{{0, 0},
                                                                  {1, 0},
                                                                  {2, 1},
                                                                  {3, 2},
                                                                  {4, 3}};
        EXPECT_EQ(fields, expected) << design;
    }
}

TEST(Acknowledgments, OfReadsAndAtomicsCarryItToo)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    const FrameLog answers(bench, 1);
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 1, 0, 2000));
    bench.Run();
    bench.Post(bench.MakeRequest(WrOpcode::ATOMIC_FETCH_AND_ADD, 2, 0, 8));
    bench.Run();
    Psns msns;
    for (const FrameLog::Entry& entry : answers.entries)
    {
        msns.push_back(entry.frame.ack.msn);
    }
    EXPECT_EQ(msns, (Psns{1, 1, 2})); // Both response packets, the atomic's answer.
}

TEST(Acknowledgments, MayBeOnePerFourPacketsAndAtTheEndOfAMessage)
{
    for (const char* design : {"connectx6", "srnic"})
    {
        VerbsTestBench bench(design);
        NicTestBench::Set("RdmaNic::AckInterval", "4");
        bench.Start();
        const FrameLog answers(bench, 1);
        bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 10 * 1024));
        bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 2, 0, 6 * 1024));
        bench.Run();
        EXPECT_EQ(answers.GetPsns(opcode::ACK), (Psns{3, 7, 9, 13, 15})) << design;
        EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS, 2 SUCCESS");
    }
}

TEST(Acknowledgments, ALostOneIsMadeUpForByTheNext)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    bench.GetBench().Lose(0, 1, [](const Frame&, uint64_t number) { return number < 4; });
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 2 * 1024));
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 2, 0, 3 * 1024));
    bench.Run();
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS, 2 SUCCESS");
    const auto queuePair = bench.GetNic(0).FindQueuePair(bench.ends[0].qp);
    EXPECT_EQ(queuePair->requester->GetStats().retransmitted, 0);
}

TEST(CongestionNotification, IsPacedPerQueuePair)
{
    VerbsTestBench bench("connectx6");
    NicTestBench::Set("RdmaNic::CnpInterval", "4us");
    bench.Start();
    const FrameLog answers(bench, 1);
    SendForged(bench,
               0,
               opcode::WRITE_ONLY,
               {{1'000'000, 0, false},
                {2'000'000, 1, true}, // The first at once, the next not before 6 us.
                {5'999'999, 2, true},
                {6'100'000, 3, false},
                {7'000'000, 4, true}, // The next not before 11 us.
                {10'999'999, 5, true},
                {11'100'000, 9, true}}); // Out of order: congestion is congestion.
    bench.Run();
    EXPECT_EQ(GetCausesOfCnps(answers), (std::vector<Tick>{2'000'000, 7'000'000, 11'100'000}));
    EXPECT_EQ(bench.GetNic(1).GetStats().cnpsSent, 3);
}

TEST(CongestionNotification, MayComeExactlyAnIntervalLater)
{
    VerbsTestBench bench("connectx6");
    NicTestBench::Set("RdmaNic::CnpInterval", "4us");
    bench.Start();
    const FrameLog answers(bench, 1);
    SendForged(bench, 0, opcode::WRITE_ONLY, {{2'000'000, 0, true}, {6'000'000, 1, true}});
    bench.Run();
    EXPECT_EQ(GetCausesOfCnps(answers), (std::vector<Tick>{2'000'000, 6'000'000}));
}

TEST(CongestionNotification, NamesTheQueuePairThatMustSlowDown)
{
    VerbsTestBench bench("connectx6");
    bench.Start();
    const FrameLog answers(bench, 1);
    SendForged(bench, 0, opcode::SEND_ONLY, {{1'000'000, 7, true}}); // Dropped, but marked.
    bench.Run();
    const auto cnp = std::find_if(answers.entries.begin(),
                                  answers.entries.end(),
                                  [](const auto& e) { return e.frame.opcode == opcode::CNP; });
    ASSERT_NE(cnp, answers.entries.end());
    EXPECT_EQ(cnp->frame.dst, 0);
    EXPECT_EQ(cnp->frame.dstQp, bench.ends[0].qp);
    EXPECT_EQ(cnp->frame.priority, 6);
    EXPECT_EQ(cnp->frame.wireBytes, 58 + 16); // 16 reserved bytes behind the BTH.
}

TEST(CongestionNotification, IsSentForReadResponsesToo)
{
    VerbsTestBench bench("connectx6");
    NicTestBench::Set("RdmaNic::CnpInterval", "4us");
    bench.Start();
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 10)); // Node 0 has a requester.
    const FrameLog answers(bench, 0);
    // Their PSNs were never asked for: marked all the same.
    SendForged(bench,
               1,
               opcode::READ_RESPONSE_MIDDLE,
               {{2'000'000, 500, true}, {3'000'000, 501, true}, {7'000'000, 502, false}});
    bench.Run();
    EXPECT_EQ(GetCausesOfCnps(answers), (std::vector<Tick>{2'000'000}));
    EXPECT_EQ(TakeOutcome(bench).sends[0], "1 SUCCESS");
}

TEST(CongestionNotification, SlowsTheSenderDown)
{
    VerbsTestBench bench("connectx6");
    // The paper's rule: alpha is 1 at the first CNP, which halves the rate at once (Zhu et al.
    // 2015, Eq. 1).
    NicTestBench::Set("Dcqcn::AlphaRule", "ns3::rdma::PerCnpAlpha");
    bench.Start();
    SendForged(bench, 1, opcode::CNP, {{100'000, 0, false}});
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 100'000));
    const FrameLog log(bench, 0);
    Tick gap = 0;
    Simulator::Schedule(MicroSeconds(4), [&log, &gap] {
        const auto& entries = log.entries;
        gap = entries[entries.size() - 1].at - entries[entries.size() - 2].at;
    });
    bench.Run();
    // A middle packet is 58 + 1024 + 24 = 1106 B: 176.96 ns at 50 Gb/s.
    EXPECT_EQ(gap, 176'960);
}

TEST(CongestionNotification, IsNotForDesignsThatEchoCe)
{
    VerbsTestBench bench("srnic");
    bench.Start();
    const FrameLog answers(bench, 1);
    SendForged(bench, 0, opcode::WRITE_ONLY, {{1'000'000, 0, false}, {2'000'000, 1, true}});
    bench.Run();
    EXPECT_TRUE(GetCausesOfCnps(answers).empty());
    ASSERT_EQ(answers.entries.size(), 2);
    EXPECT_EQ(answers.entries[0].frame.flags & frame_flag::CE_ECHO, 0);
    EXPECT_NE(answers.entries[1].frame.flags & frame_flag::CE_ECHO, 0);
}

TEST(CongestionNotification, OfReadResponsesIsEchoedInTheirAcknowledgments)
{
    VerbsTestBench bench("srnic");
    bench.Start();
    const FrameLog answers(bench, 0);
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 1, 0, 4 * 1024));
    // Beyond all that is asked for: kept out of order and answered at once.
    SendForged(bench, 1, opcode::READ_RESPONSE_MIDDLE, {{100'000, 50, true}});
    bench.Run();
    std::vector<bool> isEchoed;
    for (const FrameLog::Entry& entry : answers.entries)
    {
        if (entry.frame.opcode == opcode::READ_ACK)
        {
            isEchoed.push_back((entry.frame.flags & frame_flag::CE_ECHO) != 0);
        }
    }
    EXPECT_EQ(isEchoed, (std::vector<bool>{true, false, false, false, false}));
    EXPECT_TRUE(GetCausesOfCnps(answers).empty());
}
