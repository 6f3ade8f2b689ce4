// SPDX-License-Identifier: GPL-2.0-only
#include "nic-test-bench.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick NS{1000};

/// PCIe of 125 ps per byte without TLP overhead: reads take 1000 ns, writes 400 ns, stores 300 ns;
/// 100 cycles of 1 ns from payload to port, 200 from port to DMA; a core posts in 40 ns, rings in
/// 60 ns and polls in 40 ns (defaults).
class NicHardwareAlone : public testing::Test
{
  protected:
    ~NicHardwareAlone() override
    {
        m_hardware->Dispose();
        Config::Reset();
    }

    NicHardware& Start()
    {
        NicTestBench::UseSimpleHardware();
        m_hardware = NicHardware::Make(NicDesign());
        m_hardware->Start(1, 0);
        return *m_hardware;
    }

    Ptr<NicHardware> m_hardware;
};
} // namespace

TEST(NicHardwareCycle, IsExactBelowANanosecond)
{
    // Registered before the program sets a resolution below nanoseconds.
    const auto hardware = CreateObject<NicHardware>();
    TimeValue cycle;
    hardware->GetAttribute("Cycle", cycle);
    EXPECT_EQ(cycle.Get(), PicoSeconds(3333));
    EXPECT_FALSE(hardware->SetAttributeFailSafe("Cycle", StringValue("99ps")));
    EXPECT_TRUE(hardware->SetAttributeFailSafe("Cycle", StringValue("100ps")));
}

TEST_F(NicHardwareAlone, ADoorbellTakesPostingRingingAndAStore)
{
    NicHardware& hardware = Start();
    // 40 + 60 ns of the core, 300 ns of the store and 8 B in 1 ns.
    EXPECT_EQ(hardware.Ring(0, 5, 1, 0), (40 + 60 + 300 + 1) * NS);
    // Three posted together: 3 x 40 + 60. A pushed work request of 64 B: 8 ns.
    EXPECT_EQ(hardware.Ring(1'000'000, 5, 3, 64), 1'000'000 + (120 + 60 + 300 + 8) * NS);
}

TEST_F(NicHardwareAlone, OneCoreRingsOneDoorbellAfterTheOther)
{
    NicHardware& hardware = Start();
    hardware.Ring(0, 5, 1, 0);
    EXPECT_EQ(hardware.Ring(0, 5, 1, 0), (200 + 301) * NS);
    EXPECT_EQ(hardware.Ring(0, 6, 1, 0), (100 + 301) * NS); // Another core.
}

TEST_F(NicHardwareAlone, ACompletionIsWrittenAndPolled)
{
    NicHardware& hardware = Start();
    EXPECT_EQ(hardware.Complete(0, 5), (8 + 400 + 40) * NS); // 64 B in 8 ns.
}

TEST_F(NicHardwareAlone, AnInterruptComesBeforeThePoll)
{
    NicTestBench::Set("NicHardware::Interrupts", "true");
    NicHardware& hardware = Start();
    EXPECT_EQ(hardware.Complete(0, 5), (8 + 400 + 2000 + 40) * NS);
}

TEST_F(NicHardwareAlone, AnAcknowledgmentTakesTheTransmitPipeline)
{
    EXPECT_EQ(Start().GetControlLatency(), 100 * NS);
}

TEST_F(NicHardwareAlone, AnIdleRoundTripIsTheSumOfItsParts)
{
    NicHardware& hardware = Start();
    // Fetch of 8 x 64 B: 1064 ns.  1024 B in two reads of 64 ns: 1128 ns.  Both pipelines, for the
    // packet and its acknowledgment.
    EXPECT_EQ(hardware.GetIdleRoundTrip(1024, 1098, DataRate("100Gbps")),
              (1064 + 1128 + 2 * (100 + 200)) * NS);
    EXPECT_EQ(hardware.GetPcie().GetStats().reads, 0); // To ask is free.
}

TEST_F(NicHardwareAlone, AnAnswerBlockThatIsNotAReceiveBlockIsAFault)
{
    NicTestBench::UseSimpleHardware();
    NicTestBench::Set("NicHardware::AnswerBlock", "out");
    m_hardware = NicHardware::Make(NicDesign());
    EXPECT_EQ(m_hardware->FindFault(),
              "ns3::rdma::NicHardware::AnswerBlock: expected one of in, got out");
}

TEST_F(NicHardwareAlone, AnAnswerEntryThatIsNotATransmitBlockIsAFault)
{
    NicTestBench::UseSimpleHardware();
    NicTestBench::Set("NicHardware::AnswerEntry", "in");
    m_hardware = NicHardware::Make(NicDesign());
    EXPECT_EQ(m_hardware->FindFault(),
              "ns3::rdma::NicHardware::AnswerEntry: expected one of out, got in");
}
