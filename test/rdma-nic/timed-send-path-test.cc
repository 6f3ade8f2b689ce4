// SPDX-License-Identifier: GPL-2.0-only
#include "verbs-test-bench.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t MTU{1024};
constexpr Tick US{1'000'000};

/// Two NICs with NicTestBench::UseSimpleHardware() and all of SRNIC's defaults of WqeFetcher: 8
/// work requests per fetch, 16 KiB per turn, the unused are dropped.
class TimedSendPathOnBench : public testing::Test
{
  protected:
    TimedSendPathOnBench()
    {
        NicTestBench::UseSimpleHardware();
    }

    void Start()
    {
        m_bench.Build(MakeBackToBack(DataRate("100Gbps"), NanoSeconds(500)));
        m_pair = m_bench.Connect(0, 1);
    }

    const SendPathStats& GetTurns()
    {
        return m_bench.GetNic(0).GetSendPathStats();
    }

    const WqeFetchStats& GetFetches()
    {
        return m_bench.GetNic(0).GetHardware()->GetWqeFetcher().GetStats();
    }

    uint64_t GetReads(DmaKind kind)
    {
        const PcieStats& stats = m_bench.GetNic(0).GetHardware()->GetPcie().GetStats();
        return stats.downBytes[static_cast<std::size_t>(kind)];
    }

    NicTestBench m_bench{"srnic"};
    NicTestBench::Pair m_pair{};
};
} // namespace

TEST_F(TimedSendPathOnBench, AMessageBeyondTheBurstIsFetchedOncePerTurn)
{
    NicTestBench::Set("RdmaNic::CongestionControl", "ns3::rdma::NoCongestionControl");
    Start();
    m_bench.Post(m_pair, 1, 64 * MTU);
    m_bench.Run();
    // 16 packets per turn: four turns, and a fetch in each; the first three drop what they fetched.
    EXPECT_EQ(GetTurns().turns, 4);
    EXPECT_EQ(GetTurns().emptyTurns, 0);
    EXPECT_EQ(GetTurns().packets, 64);
    EXPECT_EQ(GetFetches().fetches, 4);
    EXPECT_EQ(GetFetches().fetched, 4);
    EXPECT_EQ(GetFetches().dropped, 3);
}

TEST_F(TimedSendPathOnBench, ATurnUsesEightSmallWorkRequests)
{
    Start();
    for (uint64_t message = 0; message < 20; ++message)
    {
        m_bench.Post(m_pair, message, 64);
    }
    m_bench.Run();
    // The host rings for each message alone, 100 ns apart; a turn takes 1 us and more.  The first
    // doorbell makes a turn for itself; then 8, 8 and 3 wait.
    EXPECT_EQ(GetTurns().packets, 20);
    EXPECT_EQ(GetFetches().fetched, 20);
    EXPECT_EQ(GetFetches().dropped, 0);
    EXPECT_EQ(GetFetches().fetches, 4);
    EXPECT_EQ(m_bench.CountEnded(WcStatus::SUCCESS), 20);
}

TEST_F(TimedSendPathOnBench, WhatTheBurstLeavesOverIsDroppedAndFetchedAgain)
{
    NicTestBench::Set("RdmaNic::CongestionControl", "ns3::rdma::NoCongestionControl");
    NicTestBench::Set("HostCpu::PostCost", "0ns");
    NicTestBench::Set("HostCpu::DoorbellCost", "0ns");
    Start();
    for (uint64_t message = 0; message < 8; ++message)
    {
        m_bench.Post(m_pair, message, 8 * MTU);
    }
    m_bench.Run();
    // Two messages of 8 KiB per turn.  The first doorbell makes a turn for message 0 alone; the
    // turns behind it fetch 7, 5, 3 and 1 and drop 5, 3, 1 and 0.
    EXPECT_EQ(GetFetches().fetches, 5);
    EXPECT_EQ(GetFetches().fetched, 1 + 7 + 5 + 3 + 1);
    EXPECT_EQ(GetFetches().dropped, 5 + 3 + 1);
    EXPECT_EQ(GetReads(DmaKind::WQE), 17 * 64);
}

TEST_F(TimedSendPathOnBench, NothingIsFetchedWithoutCredit)
{
    // A window of one packet: each acknowledgment is credit for the next turn.
    NicTestBench::Set("RdmaNic::CongestionControl", "ns3::rdma::NoCongestionControl");
    NicTestBench::Set("RdmaNic::BdpFlowControl", "true");
    Start();
    m_bench.Post(m_pair, 1, 200 * MTU);
    m_bench.Run();
    EXPECT_EQ(m_bench.CountEnded(WcStatus::SUCCESS), 1);
    EXPECT_EQ(GetTurns().packets, 200);
    EXPECT_EQ(GetFetches().fetches, GetTurns().turns);
    EXPECT_EQ(GetTurns().emptyTurns, 0); // It joined the schedule queue only with credit.
    EXPECT_EQ(GetFetches().dropped, GetFetches().fetched - 1);
}

TEST_F(TimedSendPathOnBench, TurnsOfOneQueuePairDoNotOverlap)
{
    NicTestBench::Set("RdmaNic::CongestionControl", "ns3::rdma::NoCongestionControl");
    NicTestBench::Set("WqeFetcher::Decision", "500ns");
    Start();
    constexpr uint64_t MESSAGES{800};
    Tick last = 0;
    m_bench.OnEnd([&last](const NicTestBench::Ended& ended) { last = ended.at; });
    for (uint64_t message = 0; message < MESSAGES; ++message)
    {
        m_bench.Post(m_pair, message, 64);
    }
    m_bench.Run();
    // A turn of 8: 1 us, 64 ns for 512 B, 500 ns.  100 turns one after the other, and less than 10
    // us for the way of the last messages.
    const Tick turn = US + 64'000 + 500'000;
    EXPECT_GE(last, 100 * turn);
    EXPECT_LE(last, 101 * turn + 10 * US);
}

TEST_F(TimedSendPathOnBench, TurnsOfDifferentQueuePairsOverlap)
{
    NicTestBench::Set("WqeFetcher::Decision", "500ns");
    Start();
    std::vector<NicTestBench::Pair> pairs{m_pair};
    while (pairs.size() < 10)
    {
        pairs.push_back(m_bench.Connect(0, 1));
    }
    Tick last = 0;
    m_bench.OnEnd([&last](const NicTestBench::Ended& ended) { last = ended.at; });
    for (const NicTestBench::Pair& pair : pairs)
    {
        m_bench.Post(pair, 1, 64);
    }
    m_bench.Run();
    EXPECT_EQ(GetTurns().turns, 10);
    EXPECT_LE(last, 6 * US); // One after the other, ten turns alone would take 15 us.
}

TEST_F(TimedSendPathOnBench, ANicThatKeepsWorkRequestsFetchesEachOnce)
{
    NicTestBench::Set("RdmaNic::CongestionControl", "ns3::rdma::NoCongestionControl");
    NicTestBench::Set("WqeFetcher::KeepsWqes", "true");
    Start();
    for (uint64_t message = 0; message < 40; ++message)
    {
        m_bench.Post(m_pair, message, 20 * MTU);
    }
    m_bench.Run();
    EXPECT_EQ(GetFetches().fetched, 40);
    EXPECT_EQ(GetFetches().dropped, 0);
    EXPECT_EQ(m_bench.CountEnded(WcStatus::SUCCESS), 40);
}

TEST_F(TimedSendPathOnBench, CardMemorySparesPcieOnResends)
{
    for (const bool isUsed : {false, true})
    {
        SCOPED_TRACE(isUsed);
        NicTestBench bench("balboa");
        NicTestBench::UseSimpleHardware();
        NicTestBench::Set("CardMemory::KeepsPayload", isUsed ? "true" : "false");
        bench.Build(MakeBackToBack(DataRate("100Gbps"), NanoSeconds(500)));
        const auto pair = bench.Connect(0, 1);
        bench.Lose(0, 0, [](const Frame&, uint64_t number) { return number == 3; });
        bench.Post(pair, 1, 10 * MTU);
        bench.Run();
        EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 1);
        const uint64_t resent = bench.GetSent(pair).retransmitted;
        EXPECT_GT(resent, 0);
        const PcieStats& pcie = bench.GetNic(0).GetHardware()->GetPcie().GetStats();
        EXPECT_EQ(pcie.downBytes[static_cast<std::size_t>(DmaKind::PAYLOAD)],
                  (10 + (isUsed ? 0 : resent)) * MTU);
    }
}

TEST(TimedSendPath, UsesOrDropsWhatATurnHasFetchedAlsoWithLoss)
{
    // Entries of the retry queue and new work requests share the eight of a turn: each that was
    // fetched is one packet sent, since no message here is longer, or is dropped.
    VerbsTestBench bench("srnic", true);
    bench.Start();
    bench.GetBench().Lose(0, 0, [](const Frame&, uint64_t number) { return number % 7 == 3; });
    for (uint64_t i = 0; i < 200; ++i)
    {
        bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, i, i * 1000, 1000));
    }
    bench.Run();
    const auto& stats = bench.GetNic(0).GetHardware()->GetWqeFetcher().GetStats();
    const auto& sent = bench.GetNic(0).FindQueuePair(bench.ends[0].qp)->requester->GetStats();
    EXPECT_EQ(stats.fetched - stats.dropped, sent.packets + sent.retransmitted);
}
