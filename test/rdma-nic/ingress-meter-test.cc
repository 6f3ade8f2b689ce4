// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ingress-meter.h"

#include "nic-test-bench.h"

#include "ns3/simple-topologies.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t FRAME{1000};

/// 50 Gb/s: a frame of 1000 bytes takes 160 ns.
Ptr<IngressMeter>
Make(uint64_t capacity, uint64_t congested = 0, const std::string& rate = "50Gbps")
{
    auto meter = CreateObject<IngressMeter>();
    meter->SetAttribute("Rate", StringValue(rate));
    meter->SetAttribute("Capacity", UintegerValue(capacity));
    meter->SetAttribute("CongestedBytes", UintegerValue(congested));
    return meter;
}

struct FaultCase
{
    const char* name;
    uint64_t capacity;
    uint64_t congested;
    const char* rate;
    const char* fault;
};

const FaultCase FAULT_CASES[] = {
    {"Good", 20'000, 20'000, "1Mbps", ""},
    {"NoMeter", 0, 0, "96.6Gbps", ""},
    {"BelowAFrame", 16'383, 0, "50Gbps", "Capacity: expected 0 or at least 16384, got 16383"},
    {"CongestedBeyondCapacity", 20'000, 20'001, "50Gbps", "at most the Capacity, 20000, got 20001"},
    {"CongestedWithoutMeter", 0, 1, "50Gbps", "at most the Capacity, 0, got 1"},
};

class IngressMeterFault : public testing::TestWithParam<FaultCase>
{
};
} // namespace

TEST_P(IngressMeterFault, IsNamedWithItsAttribute)
{
    const FaultCase& param = GetParam();
    const std::string fault = Make(param.capacity, param.congested, param.rate)->FindFault();
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
    meter->Start();
    for (Tick now = 160'000; now <= 1'600'000; now += 160'000)
    {
        EXPECT_TRUE(meter->Admit(now, FRAME));
    }
    EXPECT_EQ(meter->GetStats().peakBytes, 0);
}

TEST(IngressMeter, OnlyTheExcessStays)
{
    const auto meter = Make(20'000);
    meter->Start();
    // Frames at 100 Gb/s, one per 80 ns; each adds 80 ns of draining, half a frame.
    EXPECT_TRUE(meter->Admit(1'000'000, FRAME));
    EXPECT_TRUE(meter->Admit(1'080'000, FRAME));
    EXPECT_TRUE(meter->Admit(1'160'000, FRAME));
    EXPECT_EQ(meter->GetStats().peakBytes, 1000);
    EXPECT_TRUE(meter->Admit(1'240'000, FRAME));
    EXPECT_EQ(meter->GetStats().peakBytes, 1500); // 500 of the 1000 were left.
    EXPECT_TRUE(meter->Admit(2'000'000, FRAME));
    EXPECT_EQ(meter->GetStats().peakBytes, 1500); // Nothing was.
}

TEST(IngressMeter, DiscardsWhatDoesNotFitAndTakesWhatDoesLater)
{
    const auto meter = Make(20'000, 19'000);
    meter->Start();
    // All at once: the first is drained as it comes, 20 fill it.
    for (int i = 0; i < 21; ++i)
    {
        EXPECT_TRUE(meter->Admit(1'000'000, FRAME)) << i;
    }
    EXPECT_FALSE(meter->Admit(1'000'000, FRAME));
    EXPECT_FALSE(meter->Admit(1'159'999, FRAME)); // One frame less a picosecond is drained.
    EXPECT_TRUE(meter->Admit(1'160'000, FRAME));
    EXPECT_EQ(meter->GetStats().frames, 24);
    EXPECT_EQ(meter->GetStats().discards, 2);
    EXPECT_EQ(meter->GetStats().congested, 3); // 19,000 and 20,000 bytes, and the last one.
    EXPECT_EQ(meter->GetStats().peakBytes, 20'000);
}

namespace
{
/// A sender whose payload comes at 64 Gb/s, PCIe's rate, into a meter of 32 Gb/s and 20,000 bytes.
class IngressMeterOnBench : public testing::Test
{
  protected:
    static constexpr uint32_t MTU{1024};

    IngressMeterOnBench()
    {
        NicTestBench::UseSimpleHardware();
        NicTestBench::Set("IngressMeter::Rate", "32Gbps");
        NicTestBench::Set("IngressMeter::Capacity", "20000");
    }

    NicTestBench::Pair Send(uint32_t packets)
    {
        m_bench.Build(MakeBackToBack(DataRate("100Gbps"), NanoSeconds(500)));
        const auto pair = m_bench.Connect(0, 1);
        m_bench.Post(pair, 1, packets * MTU);
        m_bench.Run();
        EXPECT_EQ(m_bench.CountEnded(WcStatus::SUCCESS), 1); // It has recovered.
        EXPECT_EQ(m_bench.GetPlacedBytes(pair), packets * MTU);
        m_bench.ExpectEmpty();
        return pair;
    }

    IngressStats GetStats()
    {
        return m_bench.GetNic(1).GetHardware()->GetIngressMeter().GetStats();
    }

    NicTestBench m_bench{"connectx5"};
};
} // namespace

TEST_F(IngressMeterOnBench, ABurstThatFitsIsNotDiscarded)
{
    // Each packet of 1086 bytes comes in 128 ns, in which 512 are drained: 29 x 574 bytes wait.
    const auto pair = Send(30);
    EXPECT_EQ(GetStats().discards, 0);
    EXPECT_NEAR(static_cast<double>(GetStats().peakBytes), 16'646, 1086);
    EXPECT_EQ(m_bench.GetSent(pair).retransmitted, 0);
}

TEST_F(IngressMeterOnBench, ALongerBurstIsDiscardedAndComesAgain)
{
    const auto pair = Send(200);
    EXPECT_GT(GetStats().discards, 0);
    EXPECT_EQ(m_bench.GetDrops(DropReason::INGRESS_FULL), GetStats().discards);
    EXPECT_GT(m_bench.GetSent(pair).retransmitted, GetStats().discards);
    EXPECT_LE(GetStats().peakBytes, 20'000);
}

TEST_F(IngressMeterOnBench, ASenderThatMayHaveLittleOutstandingWastesLess)
{
    const auto resent = [this](const char* bytes) {
        NicTestBench::Set("NicHardware::MaxOutstanding", bytes);
        return m_bench.GetSent(Send(400)).retransmitted;
    };
    // A lost packet takes all behind it along: 16 packets at most with the limit.
    const uint64_t limited = resent("16384");
    EXPECT_LE(limited, 16 * GetStats().discards);
    EXPECT_GT(limited, 0);
}

TEST_F(IngressMeterOnBench, ALimitBelowTheRoundTripPausesTheSender)
{
    NicTestBench::Set("NicHardware::MaxOutstanding", "4096");
    const auto pair = Send(400); // Four packets per round trip of more than 3 us: below 11 Gb/s.
    EXPECT_EQ(GetStats().discards, 0);
    EXPECT_EQ(m_bench.GetSent(pair).retransmitted, 0);
    EXPECT_GT(m_bench.GetEnded()[0].at, 100 * 3'000'000);
}

TEST_F(IngressMeterOnBench, ACongestedOneMakesTheReceiverSendCnps)
{
    NicTestBench::Set("IngressMeter::CongestedBytes", "10000");
    NicTestBench::Set("RdmaNic::CnpInterval", "1us");
    Send(60);
    EXPECT_GT(GetStats().congested, 0);
    EXPECT_GT(m_bench.GetNic(1).GetStats().cnpsSent, 0);
}

TEST_F(IngressMeterOnBench, OneThatIsNotCongestedSendsNone)
{
    NicTestBench::Set("IngressMeter::CongestedBytes", "20000");
    Send(20);
    EXPECT_EQ(GetStats().congested, 0);
    EXPECT_EQ(m_bench.GetNic(1).GetStats().cnpsSent, 0);
}
