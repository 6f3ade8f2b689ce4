// SPDX-License-Identifier: GPL-2.0-only
#include "nic-test-bench.h"

#include "ns3/ack-clocked-credits.h"
#include "ns3/simple-topologies.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
const DataRate RATE("100Gbps");
const Time DELAY = MicroSeconds(1);

/// 1 Mb/s until 10 us, line rate from then on.
class RisingRate : public CongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::RisingRate")
                                .SetParent<CongestionControl>()
                                .AddConstructor<RisingRate>();
        return tid;
    }

    Ptr<CongestionControl> Fork() const override
    {
        return CreateObject<RisingRate>();
    }

    Feedback GetNeededFeedback() const override
    {
        return Feedback::NONE;
    }

    void Start(const PathInfo&, Time) override
    {
        m_limit.rate = DataRate("1Mbps");
        m_limit.deadline = MicroSeconds(10);
    }

    void OnDeadline(Time) override
    {
        m_limit = {};
    }

    SendLimit GetLimit() const override
    {
        return m_limit;
    }

  private:
    SendLimit m_limit;
};

NS_OBJECT_ENSURE_REGISTERED(RisingRate);

class RdmaNicDesign : public EachNicDesign
{
  protected:
    /// @return the time from the first transmission to the error when nothing ever comes back.
    static Tick GetPatience()
    {
        constexpr Tick US{1'000'000};
        const std::string design = GetParam();
        if (design == "connectx6")
        {
            // 4 us x 2^8, a draw, to 2^14, which is kept: 16 timeouts, since there are 15 retries.
            return (4 * ((1 << 15) - (1 << 8)) + 9 * (4 << 14)) * US;
        }
        if (design == "balboa")
        {
            return (3 * 625 + 10 * 40'000) * US; // 12 retries, three of them early.
        }
        return 100 * ((1 << 8) - 1) * US; // 100 us doubled by each of 7 retries.
    }
};
} // namespace

TEST_P(RdmaNicDesign, ALinkThatIsDownForEverEndsInRetryExceeded)
{
    NicTestBench bench(GetParam());
    bench.Build(MakeStar(2, RATE, DELAY));
    const auto pair = bench.Connect(0, 1);
    bench.GetFabric().SetLinkUp(1, false);
    bench.Post(pair, 1, 1000);
    bench.Post(pair, 2, 1000);
    bench.Run();
    ASSERT_EQ(bench.GetEnded().size(), 2);
    EXPECT_EQ(bench.GetEnded()[0].completion.wrId, 1);
    EXPECT_EQ(bench.GetEnded()[0].completion.status, WcStatus::RETRY_EXC_ERR);
    EXPECT_EQ(bench.GetEnded()[0].completion.qpNumber, pair.srcQp);
    EXPECT_EQ(bench.GetEnded()[0].at, GetPatience());
    EXPECT_EQ(bench.GetEnded()[1].completion.wrId, 2);
    EXPECT_EQ(bench.GetEnded()[1].completion.status, WcStatus::WR_FLUSH_ERR);
    bench.Post(pair, 3, 1000); // Ends at once: the connection is broken.
    ASSERT_EQ(bench.GetEnded().size(), 3);
    EXPECT_EQ(bench.GetEnded()[2].completion.status, WcStatus::WR_FLUSH_ERR);
    bench.ExpectEmpty();
}

TEST_P(RdmaNicDesign, ALinkThatComesBackLetsTheFlowComplete)
{
    NicTestBench bench(GetParam());
    bench.Build(MakeStar(2, RATE, DELAY));
    const auto pair = bench.Connect(0, 1);
    bench.Post(pair, 1, 200'000);
    Simulator::Schedule(MicroSeconds(6), [&] { bench.GetFabric().SetLinkUp(1, false); });
    Simulator::Schedule(MicroSeconds(900), [&] { bench.GetFabric().SetLinkUp(1, true); });
    bench.Run();
    EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 1);
    EXPECT_EQ(bench.GetPlacedBytes(pair), 200'000);
    EXPECT_GT(bench.GetSent(pair).timeouts, 0);
    bench.ExpectEmpty();
}

TEST_P(RdmaNicDesign, FramesForADestroyedQueuePairAreDropped)
{
    NicTestBench bench(GetParam());
    bench.Build(MakeBackToBack(RATE, DELAY));
    const auto pair = bench.Connect(0, 1);
    bench.Post(pair, 1, 1000);
    bench.GetNic(1).DestroyQueuePair(pair.dstQp);
    bench.Run();
    EXPECT_EQ(bench.CountEnded(WcStatus::RETRY_EXC_ERR), 1);
    // The packet and each of its retransmissions.
    EXPECT_EQ(bench.GetDrops(DropReason::UNKNOWN_QP), 1 + bench.GetSent(pair).retransmitted);
    bench.ExpectEmpty();
}

TEST_P(RdmaNicDesign, AQueuePairMayGoWhileItsFramesAreUnderWay)
{
    NicTestBench bench(GetParam());
    bench.Build(MakeBackToBack(RATE, DELAY));
    const auto pair = bench.Connect(0, 1);
    const auto other = bench.Connect(0, 1);
    bench.Post(pair, 1, 10 * 1024);
    bench.Post(other, 2, 10 * 1024);
    Simulator::Schedule(NanoSeconds(500), [&] {
        bench.GetNic(0).DestroyQueuePair(pair.srcQp);
        // The next one must not see the acknowledgments of the old one.
        const auto next = bench.Connect(0, 1);
        EXPECT_NE(next.srcQp, pair.srcQp);
        bench.Post(next, 3, 1024);
    });
    bench.Run();
    ASSERT_EQ(bench.GetEnded().size(), 2);
    EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 2);
    // Each packet that left in 500 ns is acknowledged without a peer.
    EXPECT_EQ(bench.GetDrops(DropReason::UNKNOWN_QP) * 1024, bench.GetPlacedBytes(pair));
    EXPECT_GT(bench.GetDrops(DropReason::UNKNOWN_QP), 0);
    EXPECT_EQ(bench.GetPlacedBytes(other), 10 * 1024);
    bench.ExpectEmpty();
}

TEST_P(RdmaNicDesign, TheNextNicOfAServerDoesNotServeTheLastOnesQueuePairs)
{
    NicTestBench bench(GetParam());
    bench.Build(MakeBackToBack(RATE, DELAY));
    const uint32_t first = bench.GetNic(1).CreateQueuePair();
    const auto pair = bench.Connect(0, 1); // Its number at NIC 1 is free at NIC 0.
    bench.GetNic(1).DestroyQueuePair(first);
    bench.Post(pair, 1, 10 * 1024);
    const auto next = CreateObject<RdmaNic>();
    Simulator::Schedule(NanoSeconds(500), [&] {
        bench.GetNic(1).Dispose();
        next->Start(bench.GetCore(), bench.GetFabric().GetServerDevice(1), 1, 1);
        // Takes the memory of the queue pair that has gone, and its number, at the wrong NIC.
        EXPECT_EQ(bench.GetNic(0).CreateQueuePair(), pair.dstQp);
    });
    bench.Run();
    EXPECT_EQ(bench.CountEnded(WcStatus::RETRY_EXC_ERR), 1);
    // Each packet, and each of its retransmissions.
    EXPECT_EQ(bench.GetDrops(DropReason::UNKNOWN_QP), 10 + bench.GetSent(pair).retransmitted);
    next->Dispose();
    bench.ExpectEmpty();
}

TEST_P(RdmaNicDesign, FramesForAServerWhoseNicHasGoneAreDropped)
{
    NicTestBench bench(GetParam());
    bench.Build(MakeBackToBack(RATE, DELAY));
    const auto pair = bench.Connect(0, 1);
    bench.Post(pair, 1, 10 * 1024);
    Simulator::Schedule(NanoSeconds(500), [&] { bench.GetNic(1).Dispose(); });
    bench.Run();
    EXPECT_EQ(bench.CountEnded(WcStatus::RETRY_EXC_ERR), 1);
    // Each packet, and each of its retransmissions.
    EXPECT_EQ(bench.GetDrops(DropReason::UNKNOWN_QP), 10 + bench.GetSent(pair).retransmitted);
    bench.ExpectEmpty();
}

TEST_P(RdmaNicDesign, AHandlerMayPostAndDestroy)
{
    NicTestBench bench(GetParam());
    bench.Build(MakeBackToBack(RATE, DELAY));
    const auto pair = bench.Connect(0, 1);
    bench.OnEnd([&](const NicTestBench::Ended& ended) {
        if (ended.completion.wrId < 5)
        {
            bench.Post(pair, ended.completion.wrId + 1, 3000);
        }
        else
        {
            bench.GetNic(0).DestroyQueuePair(pair.srcQp);
        }
    });
    bench.Post(pair, 1, 3000);
    bench.Run();
    EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 5);
    EXPECT_EQ(bench.GetPlacedBytes(pair), 15'000);
    EXPECT_FALSE(bench.GetNic(0).FindQueuePair(pair.srcQp));
    bench.ExpectEmpty();
}

TEST_P(RdmaNicDesign, BothEndsMaySend)
{
    NicTestBench bench(GetParam());
    bench.Build(MakeBackToBack(RATE, DELAY));
    const auto there = bench.Connect(0, 1);
    const NicTestBench::Pair back{1, there.dstQp, 0, there.srcQp};
    bench.Post(there, 1, 100'000);
    bench.Post(back, 2, 50'000);
    bench.Run();
    EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 2);
    EXPECT_EQ(bench.GetPlacedBytes(there), 100'000);
    EXPECT_EQ(bench.GetPlacedBytes(back), 50'000);
    bench.ExpectEmpty();
}

TEST_P(RdmaNicDesign, CoalescedAcknowledgmentsAreEnough)
{
    NicTestBench bench(GetParam());
    NicTestBench::Set("RdmaNic::AckInterval", "8");
    bench.Build(MakeBackToBack(RATE, DELAY));
    const auto pair = bench.Connect(0, 1);
    uint64_t answers = 0;
    bench.Lose(0, 1, [&answers](const Frame&, uint64_t) { return ++answers == 0; });
    bench.Post(pair, 1, 100 * 1024);
    bench.Run();
    EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 1);
    EXPECT_EQ(answers, 13); // 12 x 8 packets, and the end of the message.
    EXPECT_EQ(bench.GetSent(pair).retransmitted, 0);
}

RDMA_FOR_EACH_NIC_DESIGN(RdmaNicDesign);

TEST(RdmaNic, PacesAQueuePairAtItsRate)
{
    NicTestBench bench("connectx6");
    NicTestBench::Set("Dcqcn::IncreasePeriod", "1s"); // The rate only falls while packets leave.
    FabricConfig config;
    config.ecn[50'000'000'000] = {0, 1, 1}; // Whatever waits for the bottleneck is marked.
    bench.Build(MakeDumbbell({1, RATE, DataRate("50Gbps"), DELAY}), config);
    const auto pair = bench.Connect(0, 1);
    double sentAt = 0;
    double sentBits = 0;
    double before = 1;
    uint32_t paced = 0;
    uint32_t cut = 0;
    bench.Lose(0, 0, [&](const Frame& frame, uint64_t) {
        const auto now = static_cast<double>(bench.Now());
        const auto& requester = *bench.GetNic(0).FindQueuePair(pair.srcQp)->requester;
        const DataRate rate = requester.GetCongestionControl().GetLimit().rate;
        const auto bitsPerPs = static_cast<double>(rate.GetBitRate()) / 1e12;
        paced += rate < RATE;
        // A cut meanwhile lengthens what is left of the wait.
        cut += bitsPerPs < before && rate < RATE;
        EXPECT_GE(now, sentAt + sentBits / before - 1);
        EXPECT_LE(now, sentAt + sentBits / bitsPerPs + 1);
        before = bitsPerPs;
        sentAt = now;
        sentBits = (frame.wireBytes + 24) * 8; // 24 bytes of framing count at the wire.
        return false;
    });
    bench.Post(pair, 1, 400 * 1024);
    bench.Run();
    EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 1);
    EXPECT_GT(paced, 200);
    EXPECT_GT(cut, 1);
    EXPECT_LT(cut, paced / 2); // Most waits are exact: both bounds are the same.
}

class RisingRateNic : public testing::TestWithParam<bool>
{
};

TEST_P(RisingRateNic, SendsAPacketThatWaitsWhenItsRateRises)
{
    NicTestBench bench("connectx6", GetParam());
    NicTestBench::Set("RdmaNic::CongestionControl", "ns3::rdma::RisingRate");
    bench.Build(MakeBackToBack(RATE, DELAY));
    const auto pair = bench.Connect(0, 1);
    bench.Post(pair, 1, 3 * 1024);
    bench.Run();
    ASSERT_EQ(bench.GetEnded().size(), 1);
    // The second packet would wait for 1122 bytes at 1 Mb/s, 9 ms. At 10 us line rate pays them
    // off within 90 ns; then two packets, two links of 1 us and, with hardware, less than 4 us.
    constexpr Tick US{1'000'000};
    EXPECT_GT(bench.GetEnded()[0].at, 12 * US);
    EXPECT_LT(bench.GetEnded()[0].at, 16 * US);
    bench.ExpectEmpty();
}

INSTANTIATE_TEST_SUITE_P(Hardware, RisingRateNic, testing::Bool());

TEST(RdmaNic, ManyQueuePairsTakeTurns)
{
    NicTestBench bench("connectx6");
    bench.Build(MakeBackToBack(RATE, DELAY));
    std::vector<uint32_t> order;
    bench.Lose(0, 0, [&](const Frame& frame, uint64_t) {
        order.push_back(frame.srcQp);
        return false;
    });
    std::vector<NicTestBench::Pair> pairs;
    for (uint32_t i = 0; i < 3; ++i)
    {
        pairs.push_back(bench.Connect(0, 1));
    }
    for (const auto& pair : pairs)
    {
        bench.Post(pair, 1, 3 * 1024);
    }
    bench.Run();
    // The first one found the port idle; from then on all three take turns.
    const uint32_t a = pairs[0].srcQp;
    const uint32_t b = pairs[1].srcQp;
    const uint32_t c = pairs[2].srcQp;
    EXPECT_EQ(order, (std::vector<uint32_t>{a, a, b, c, a, b, c, b, c}));
}

TEST(RdmaNic, FramesSayWhatTheyAre)
{
    NicTestBench bench("srnic");
    bench.Build(MakeBackToBack(RATE, DELAY));
    const auto pair = bench.Connect(0, 1, 0xffffff);
    std::vector<Frame> data;
    std::vector<Frame> answers;
    for (const uint32_t end : {0, 1})
    {
        bench.Lose(0, end, [&, end](const Frame& frame, uint64_t) {
            (end == 0 ? data : answers).push_back(frame);
            return false;
        });
    }
    bench.Post(pair, 1, 1025);
    bench.Run();
    ASSERT_EQ(data.size(), 2);
    ASSERT_EQ(answers.size(), 2);
    EXPECT_EQ(data[0].opcode, opcode::WRITE_FIRST);
    EXPECT_EQ(data[1].opcode, opcode::WRITE_LAST);
    EXPECT_EQ(data[0].psn, 0xffffff);
    EXPECT_EQ(data[1].psn, 0);
    EXPECT_EQ(data[0].wireBytes, 78 + 1024);
    EXPECT_EQ(data[1].wireBytes, 78 + 4); // One byte, padded.
    EXPECT_EQ(data[1].payloadBytes, 1);
    EXPECT_EQ(data[0].src, 0);
    EXPECT_EQ(data[0].dst, 1);
    EXPECT_EQ(data[0].dstQp, pair.dstQp);
    EXPECT_EQ(data[0].priority, 3);
    EXPECT_EQ(data[0].flags, frame_flag::ECN_CAPABLE | frame_flag::ACK_REQUEST);
    EXPECT_EQ(answers[0].opcode, opcode::ACK);
    EXPECT_EQ(answers[0].psn, 0xffffff);
    EXPECT_EQ(answers[0].ack.msn, 0);
    EXPECT_EQ(answers[1].psn, 0);
    EXPECT_EQ(answers[1].ack.msn, 1);
    EXPECT_EQ(answers[1].syndrome, 0x1f);
    EXPECT_EQ(answers[1].wireBytes, 70);
    EXPECT_EQ(answers[1].src, 1);
    EXPECT_EQ(answers[1].dstQp, pair.srcQp);
    EXPECT_EQ(answers[1].flags, 0); // Not ECN capable: acknowledgments are never marked.
    EXPECT_EQ(answers[1].sendTime, data[1].sendTime);
}

TEST(RdmaNic, NicsOfOneDesignShareItUnlessTheirLinksDiffer)
{
    UseFabricSimulator();
    {
        TopologyGraph graph = MakeStar(3, DataRate("100Gbps"), MicroSeconds(1));
        graph.links.at(2).rate = DataRate("25Gbps");
        const auto fabric = CreateObject<Fabric>();
        fabric->Build(graph, {});
        std::vector<Ptr<RdmaNic>> nics;
        for (const uint32_t server : graph.GetServers())
        {
            const auto nic = nics.empty() ? CreateObjectWithAttributes<RdmaNic>(
                                                "CongestionControl",
                                                TypeIdValue(AckClockedCredits::GetTypeId()))
                                          : nics.front()->Copy();
            nic->Start(fabric->GetCore(), fabric->GetServerDevice(server), server, 8'000'000);
            nics.push_back(nic);
        }
        const auto getRate = [&nics](uint32_t from, uint32_t to) {
            const uint32_t qp = nics[from]->CreateQueuePair();
            nics[from]->Connect(qp, {to, 2, 0});
            nics[from]->PostWrite(qp, 1, 1);
            const Requester* requester = nics[from]->FindQueuePair(qp)->requester;
            return requester->GetCongestionControl().GetLimit().rate;
        };
        EXPECT_EQ(getRate(1, 0), DataRate("100Gbps"));
        EXPECT_EQ(getRate(2, 0), DataRate("25Gbps")); // Credits pace at line rate.
        for (const auto& nic : nics)
        {
            nic->Dispose();
        }
        fabric->Dispose();
    }
    Simulator::Destroy();
}
