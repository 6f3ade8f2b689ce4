// SPDX-License-Identifier: GPL-2.0-only
#include "verbs-test-bench.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t MTU{1024};

class SlowPathOnBench : public testing::Test
{
  protected:
    /// Runs one message. @param lost whether the data frame of a number is lost
    void Run(NicTestBench& bench,
             uint64_t bytes,
             std::function<bool(const Frame&, uint64_t)> lost = nullptr)
    {
        bench.Build(MakeBackToBack(DataRate("100Gbps"), NanoSeconds(500)));
        m_pair = bench.Connect(0, 1);
        if (lost)
        {
            bench.Lose(0, 0, std::move(lost));
        }
        bench.Post(m_pair, 1, bytes);
        bench.Run();
        EXPECT_EQ(bench.GetEnded().size(), 1);
        EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 1);
        EXPECT_EQ(bench.GetPlacedBytes(m_pair), bytes);
        bench.ExpectEmpty();
    }

    NicTestBench::Pair m_pair{};
};
} // namespace

TEST_F(SlowPathOnBench, SoftwareIsNotNotifiedOfPacketsInOrder)
{
    NicTestBench bench("srnic", true);
    Run(bench, 1000 * MTU);
    for (uint32_t node = 0; node < 2; ++node)
    {
        const SlowPathStats& stats = bench.GetNic(node).GetSlowPathStats();
        EXPECT_EQ(stats.metadata + stats.answers + stats.updates + stats.exits, 0);
        const PcieStats& pcie = bench.GetNic(node).GetHardware()->GetPcie().GetStats();
        EXPECT_EQ(pcie.upBytes[static_cast<std::size_t>(DmaKind::SOFTWARE)], 0);
    }
}

TEST_F(SlowPathOnBench, ALossTakesItsPacketsThroughSoftware)
{
    NicTestBench bench("srnic", true);
    Run(bench, 20 * MTU, [](const Frame&, uint64_t number) { return number == 5; });
    const SlowPathStats& responder = bench.GetNic(1).GetSlowPathStats();
    const SlowPathStats& requester = bench.GetNic(0).GetSlowPathStats();
    // 14 packets came behind the hole, and what filled it; each is reported, and one update, that
    // of the last hole, ends it.
    EXPECT_EQ(responder.metadata, 15);
    EXPECT_EQ(responder.exits, 1);
    EXPECT_GE(responder.updates, 1);
    EXPECT_EQ(bench.GetSent(m_pair).retransmitted, 1);
    // Each of them was answered selectively at once, and that went to the requester's software.
    EXPECT_EQ(requester.answers, 15);
    EXPECT_EQ(requester.metadata, 0);
    const CpuStats& cpu = bench.GetNic(1).GetHardware()->GetCpu().GetStats();
    EXPECT_EQ(cpu.count[static_cast<std::size_t>(CpuTask::RETRANSMISSION)], 15);
}

TEST_F(SlowPathOnBench, AfterAnExitPacketsInOrderAreFastAgain)
{
    NicTestBench bench("srnic", true);
    Run(bench, 20 * MTU, [](const Frame&, uint64_t number) { return number == 5; });
    const uint64_t metadata = bench.GetNic(1).GetSlowPathStats().metadata;
    bench.Post(m_pair, 2, 500 * MTU);
    bench.Run();
    EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 2);
    EXPECT_EQ(bench.GetNic(1).GetSlowPathStats().metadata, metadata);
}

TEST_F(SlowPathOnBench, NoAcknowledgmentCoversMoreThanTheNicHasAccepted)
{
    NicTestBench bench("srnic", true);
    bench.Build(MakeBackToBack(DataRate("100Gbps"), NanoSeconds(500)));
    m_pair = bench.Connect(0, 1);
    Tick notifiedAt = 0;
    uint32_t cumulative = 0;
    bench.Lose(0, 0, [](const Frame&, uint64_t number) { return number == 5; });
    // Looks at each acknowledgment as it leaves, and loses none.
    bench.Lose(0, 1, [&](const Frame& frame, uint64_t) {
        const bool isAck = frame.syndrome != syndrome::NAK_PSN_SEQUENCE;
        const uint32_t expected = isAck ? frame.psn + 1 : frame.psn;
        EXPECT_GE(expected, cumulative); // It never falls.
        cumulative = expected;
        const bool isBehindHole = expected > 5;
        if (isBehindHole && notifiedAt == 0)
        {
            notifiedAt = bench.Now();
            EXPECT_GE(bench.GetNic(1).GetSlowPathStats().updates, 1); // Software has said so.
        }
        return false;
    });
    bench.Post(m_pair, 1, 20 * MTU);
    bench.Run();
    EXPECT_EQ(cumulative, 20);
    EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 1);
}

TEST_F(SlowPathOnBench, ARefusedKeptPacketDoesNotHideTheOneThatFilledTheGap)
{
    // SENDs 0 to 9 for 5 receive requests; the third is lost.  When it comes again, it is accepted,
    // and the kept sixth is refused in the same moment: software must still be notified of the
    // third.
    VerbsTestBench bench("srnic", true);
    QueuePairAttributes attributes;
    attributes.minRnrTimer = 1;
    bench.Start({}, attributes);
    bench.GetBench().Lose(0, 0, [](const Frame&, uint64_t number) { return number == 2; });
    for (uint64_t message = 0; message < 5; ++message)
    {
        bench.PostReceive(message, message * 1000, 1000);
    }
    for (uint64_t message = 0; message < 10; ++message)
    {
        bench.Post(bench.MakeRequest(WrOpcode::SEND, message, 0, 1000));
    }
    Simulator::Schedule(MicroSeconds(100), [&bench] {
        for (uint64_t message = 5; message < 10; ++message)
        {
            bench.PostReceive(message, message * 1000, 1000);
        }
    });
    bench.Run();
    EXPECT_EQ(bench.ends[0].PollSends().size(), 10);
    EXPECT_EQ(bench.ends[1].PollReceives().size(), 10);
    EXPECT_EQ(bench.GetState(0), QpState::RTS);
    EXPECT_EQ(bench.GetNic(1).GetSlowPathStats().exits, 1);
}

TEST_F(SlowPathOnBench, NakDelayDelaysGoingBack)
{
    Tick ends[2];
    for (const uint32_t isDelayed : {0, 1})
    {
        NicTestBench bench("connectx6", true);
        NicTestBench::Set("NicHardware::NakDelay", isDelayed ? "50us" : "0us");
        Run(bench, 20 * MTU, [](const Frame&, uint64_t number) { return number == 5; });
        ends[isDelayed] = bench.GetEnded().front().at;
        EXPECT_EQ(bench.GetNic(0).GetSlowPathStats().answers, isDelayed);
    }
    EXPECT_EQ(ends[1] - ends[0], 50'000'000);
}

TEST_F(SlowPathOnBench, ALossCutsTheRateOnceSinceItsCnpDoesNotOvertakeTheNak)
{
    // The CNP and the retransmission fall within one DecreasePeriod, 4 us after which the rate is
    // cut. Alpha is 1023/1024 at the CNP, with g = 5/1024: after one update that counts the second
    // CNP and three without it is 0.98447, so that the rate is 100 Gb/s (1 - 0.98447 / 2). Two cuts
    // 17 us apart would leave 27 Gb/s.
    NicTestBench bench("cx5-measured", true);
    NicTestBench::Set("IngressMeter::Capacity", "0");
    // After the cut, and before the first increase, which comes 300 us behind it.
    double rate = 0;
    Simulator::Schedule(MicroSeconds(150), [&] {
        const auto queuePair = bench.GetNic(0).FindQueuePair(m_pair.srcQp);
        rate = static_cast<double>(
            queuePair->requester->GetCongestionControl().GetLimit().rate.GetBitRate());
    });
    Run(bench, 500 * MTU, [](const Frame&, uint64_t number) { return number == 5; });
    EXPECT_EQ(bench.GetNic(1).GetStats().cnpsSent, 1);
    EXPECT_EQ(bench.GetNic(0).GetSlowPathStats().answers, 2); // CNP and NAK.
    EXPECT_NEAR(rate, 50.777e9, 0.001e9);
}
