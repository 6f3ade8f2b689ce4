// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ingress-meter.h"

#include "nic-test-bench.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/simple-topologies.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t FRAME{1000};
constexpr uint32_t SENDER{2};

/// 50 Gb/s: a frame of 1000 bytes takes 160 ns. Stalls are 10 us apart, take 800 ns and lose all.
Ptr<IngressMeter>
Make(uint64_t capacity, const std::string& rate = "50Gbps")
{
    auto meter = CreateObject<IngressMeter>();
    meter->SetAttribute("Rate", StringValue(rate));
    meter->SetAttribute("Capacity", UintegerValue(capacity));
    meter->SetAttribute("StallInterval", StringValue("10us"));
    meter->SetAttribute("StallDuration", StringValue("800ns"));
    meter->SetAttribute("StallLoss", DoubleValue(1));
    return meter;
}

/// Frames at 100 Gb/s, one per 80 ns. @return how many were discarded
uint64_t
SendAtLineRate(IngressMeter& meter, uint32_t frames)
{
    uint64_t discards = 0;
    for (uint32_t i = 1; i <= frames; ++i)
    {
        discards += !meter.Admit(Tick{i} * 80'000, SENDER, FRAME);
    }
    return discards;
}

struct FaultCase
{
    const char* name;
    uint64_t capacity;
    const char* fault;
};

const FaultCase FAULT_CASES[] = {
    {"Good", 16'384, ""},
    {"NoMeter", 0, ""},
    {"BelowAFrame", 16'383, "Capacity: expected 0 or at least 16384, got 16383"},
};

class IngressMeterFault : public testing::TestWithParam<FaultCase>
{
};
} // namespace

TEST_P(IngressMeterFault, IsNamedWithItsAttribute)
{
    const FaultCase& param = GetParam();
    const std::string fault = Make(param.capacity)->FindFault();
    EXPECT_EQ(fault.empty(), *param.fault == '\0') << fault;
    EXPECT_NE(fault.find(param.fault), std::string::npos) << fault;
}

TEST(IngressMeter, RefusesARateAtWhichTimesWouldNotFit)
{
    const auto meter = CreateObject<IngressMeter>();
    EXPECT_FALSE(meter->SetAttributeFailSafe("Rate", StringValue("0bps")));
    EXPECT_FALSE(meter->SetAttributeFailSafe("Rate", StringValue("999999bps")));
    EXPECT_TRUE(meter->SetAttributeFailSafe("Rate", StringValue("1Mbps")));
}

INSTANTIATE_TEST_SUITE_P(All,
                         IngressMeterFault,
                         testing::ValuesIn(FAULT_CASES),
                         [](const auto& info) { return info.param.name; });

TEST(IngressMeter, HoldsNothingThatComesNoFasterThanItDrains)
{
    const auto meter = Make(20'000);
    meter->Start(RandomStream(1, 1));
    for (Tick now = 160'000; now <= 1'600'000; now += 160'000)
    {
        EXPECT_TRUE(meter->Admit(now, SENDER, FRAME));
    }
    EXPECT_EQ(meter->GetStats().peakBytes, 0);
}

TEST(IngressMeter, OnlyTheExcessStays)
{
    const auto meter = Make(20'000);
    meter->Start(RandomStream(1, 1));
    // Frames at 100 Gb/s, one per 80 ns; each adds 80 ns of draining, half a frame.
    EXPECT_TRUE(meter->Admit(1'000'000, SENDER, FRAME));
    EXPECT_TRUE(meter->Admit(1'080'000, SENDER, FRAME));
    EXPECT_TRUE(meter->Admit(1'160'000, SENDER, FRAME));
    EXPECT_EQ(meter->GetStats().peakBytes, 1000);
    EXPECT_TRUE(meter->Admit(1'240'000, SENDER, FRAME));
    EXPECT_EQ(meter->GetStats().peakBytes, 1500); // 500 of the 1000 were left.
    EXPECT_TRUE(meter->Admit(2'000'000, SENDER, FRAME));
    EXPECT_EQ(meter->GetStats().peakBytes, 1500); // Nothing was.
}

TEST(IngressMeter, EachSenderHasABucketOfItsOwn)
{
    const auto meter = Make(20'000);
    meter->Start(RandomStream(1, 1));
    // Two senders at 50 Gb/s each fill the port and neither bucket: 800 us, 80 mean intervals.
    for (uint32_t i = 1; i <= 10'000; ++i)
    {
        EXPECT_TRUE(meter->Admit(Tick{i + 1} * 80'000, SENDER + i % 2, FRAME));
    }
    EXPECT_EQ(meter->GetStats().peakBytes, 0);
    EXPECT_EQ(meter->GetStats().stalls, 0);
    EXPECT_EQ(meter->GetStats().frames, 10'000);
}

TEST(IngressMeter, TheLevelStopsAtTheCapacity)
{
    const auto meter = Make(20'000);
    meter->Start(RandomStream(1, 1));
    SendAtLineRate(*meter, 1000);
    EXPECT_EQ(meter->GetStats().peakBytes, 20'000);
    // 20,000 bytes are drained in 3.2 us, so 4 us later the bucket is empty, not merely below.
    EXPECT_TRUE(meter->Admit(1000 * 80'000 + 4'000'000, SENDER, FRAME));
    EXPECT_TRUE(meter->Admit(1000 * 80'000 + 4'080'000, SENDER, FRAME));
    EXPECT_EQ(meter->GetStats().peakBytes, 20'000);
}

TEST(IngressMeter, ABucketThatIsNotFullNeverStalls)
{
    const auto meter = Make(20'000);
    meter->Start(RandomStream(1, 1));
    // 40 frames add 500 bytes each but the first; the pause of 4 us drains all: 10,000 times.
    Tick now = 0;
    for (uint32_t i = 0; i < 10'000; ++i)
    {
        for (uint32_t k = 0; k < 40; ++k)
        {
            ASSERT_TRUE(meter->Admit(now += 80'000, SENDER, FRAME));
        }
        now += 4'000'000;
    }
    EXPECT_EQ(meter->GetStats().stalls, 0);
}

TEST(IngressMeter, AFullBucketStallsAtTheMeanInterval)
{
    const auto meter = Make(20'000);
    meter->Start(RandomStream(1, 1));
    // 20 ms: 2000 stalls, +- 3 x sqrt(2000). Each loses the 10 frames of 800 ns, but for the 8 %
    // that begin within the one before and so share a part with it.
    const uint64_t discards = SendAtLineRate(*meter, 250'000);
    const IngressStats stats = meter->GetStats();
    EXPECT_NEAR(static_cast<double>(stats.stalls), 2000, 135);
    EXPECT_EQ(stats.discards, discards);
    EXPECT_LE(discards, 10 * stats.stalls);
    EXPECT_GE(discards, 9 * stats.stalls);
}

TEST(IngressMeter, AStallLosesItsShareOfTheFrames)
{
    const auto meter = Make(20'000);
    meter->SetAttribute("StallLoss", DoubleValue(0.25));
    meter->Start(RandomStream(1, 1));
    // About 2.4 of the 9.6 frames.
    const uint64_t discards = SendAtLineRate(*meter, 250'000);
    EXPECT_NEAR(static_cast<double>(discards) / static_cast<double>(meter->GetStats().stalls),
                2.4,
                0.2);
}

TEST(IngressMeter, ASeedDecidesAboutStalls)
{
    const auto count = [](uint64_t seed) {
        const auto meter = Make(20'000);
        meter->Start(RandomStream(seed, 1));
        return SendAtLineRate(*meter, 50'000);
    };
    EXPECT_EQ(count(1), count(1));
    EXPECT_NE(count(1), count(2));
}

namespace
{
/// A sender whose payload comes at 64 Gb/s, PCIe's rate, into a meter of 40 Gb/s and 20,000 bytes.
class IngressMeterOnBench : public testing::Test
{
  protected:
    static constexpr uint32_t MTU{1024};

    IngressMeterOnBench()
    {
        NicTestBench::UseSimpleHardware();
        NicTestBench::Set("IngressMeter::Rate", "40Gbps");
        NicTestBench::Set("IngressMeter::Capacity", "20000");
        NicTestBench::Set("IngressMeter::StallInterval", "10us");
        NicTestBench::Set("IngressMeter::StallDuration", "300ns");
        NicTestBench::Set("IngressMeter::StallLoss", "1");
    }

    /// So many queue pairs write so many packets each to the last server.
    /// @param senders servers that have the queue pairs, in turn
    std::vector<NicTestBench::Pair> Send(uint32_t packets,
                                         uint32_t queuePairs = 1,
                                         uint32_t senders = 1)
    {
        m_receiver = senders;
        m_bench.Build(senders == 1 ? MakeBackToBack(DataRate("100Gbps"), NanoSeconds(500))
                                   : MakeStar(senders + 1, DataRate("100Gbps"), NanoSeconds(500)));
        std::vector<NicTestBench::Pair> pairs;
        for (uint32_t i = 0; i < queuePairs; ++i)
        {
            pairs.push_back(m_bench.Connect(i % senders, m_receiver));
            m_bench.Post(pairs.back(), 1 + i, packets * MTU);
        }
        m_bench.Run();
        EXPECT_EQ(m_bench.CountEnded(WcStatus::SUCCESS), queuePairs); // They have recovered.
        for (const auto& pair : pairs)
        {
            EXPECT_EQ(m_bench.GetPlacedBytes(pair), packets * MTU);
        }
        m_bench.ExpectEmpty();
        return pairs;
    }

    IngressStats GetStats()
    {
        return m_bench.GetNic(m_receiver).GetHardware()->GetIngressMeter().GetStats();
    }

    NicTestBench m_bench{"connectx5"};
    uint32_t m_receiver{1};
};
} // namespace

TEST_F(IngressMeterOnBench, ABurstThatFitsIsNotDiscarded)
{
    // Each packet of 1086 bytes comes in 128 ns, in which 640 are drained: 29 x 446 bytes stay.
    const auto pairs = Send(30);
    EXPECT_EQ(GetStats().discards, 0);
    EXPECT_NEAR(static_cast<double>(GetStats().peakBytes), 12'934, 1086);
    EXPECT_EQ(m_bench.GetSent(pairs[0]).retransmitted, 0);
}

TEST_F(IngressMeterOnBench, ALoneConnectionLosesFramesAndRecovers)
{
    const auto pairs = Send(2000); // 256 us.
    EXPECT_GT(GetStats().stalls, 5);
    EXPECT_GE(GetStats().discards, GetStats().stalls);
    EXPECT_EQ(m_bench.GetDrops(DropReason::INGRESS_FULL), GetStats().discards);
    EXPECT_GE(m_bench.GetSent(pairs[0]).retransmitted, GetStats().discards);
    EXPECT_LE(GetStats().peakBytes, 20'000);
}

TEST_F(IngressMeterOnBench, TwoConnectionsOfOneSenderLoseFramesToo)
{
    // 68 Gb/s with headers are 34 for each connection, but the sender has 68, above the rate of 40.
    Send(2000, 2);
    EXPECT_GT(GetStats().stalls, 5);
    EXPECT_GE(GetStats().discards, GetStats().stalls);
}

TEST_F(IngressMeterOnBench, TwoSendersBelowTheRateLoseNothing)
{
    // 76 Gb/s of the line, 38 for each sender.
    NicTestBench::Set("RdmaNic::PortRateLimit", "38Gbps");
    const auto pairs = Send(2000, 2, 2);
    EXPECT_EQ(GetStats().stalls, 0);
    EXPECT_EQ(GetStats().discards, 0);
    EXPECT_EQ(m_bench.GetSent(pairs[0]).retransmitted, 0);
    EXPECT_EQ(m_bench.GetSent(pairs[1]).retransmitted, 0);
}

TEST_F(IngressMeterOnBench, ALossIsReportedByACnpIfAsked)
{
    NicTestBench::Set("RdmaNic::CnpOnMissingPsn", "true");
    NicTestBench::Set("RdmaNic::CnpInterval", "0us");
    NicTestBench::Set("NicHardware::NakDelay", "0us");
    Send(2000);
    const uint64_t cnps = m_bench.GetNic(1).GetStats().cnpsSent;
    EXPECT_GT(cnps, 0);
    EXPECT_LE(cnps, GetStats().discards); // One per gap, whatever arrives behind it.
}

TEST_F(IngressMeterOnBench, ALossIsNotReportedByACnpByDefault)
{
    Send(2000);
    EXPECT_GT(GetStats().discards, 0);
    EXPECT_EQ(m_bench.GetNic(1).GetStats().cnpsSent, 0);
}

TEST(MaxOutstanding, BelowTheRoundTripPausesTheSender)
{
    NicTestBench::UseSimpleHardware();
    NicTestBench::Set("NicHardware::MaxOutstanding", "4096");
    NicTestBench bench("connectx5");
    bench.Build(MakeBackToBack(DataRate("100Gbps"), NanoSeconds(500)));
    const auto pair = bench.Connect(0, 1);
    bench.Post(pair, 1, 400 * 1024); // Four packets per round trip of more than 3 us: 11 Gb/s.
    bench.Run();
    EXPECT_EQ(bench.GetSent(pair).retransmitted, 0);
    EXPECT_GT(bench.GetEnded()[0].at, 100 * 3'000'000);
}
