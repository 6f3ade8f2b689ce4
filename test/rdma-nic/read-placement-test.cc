// SPDX-License-Identifier: GPL-2.0-only
#include "verbs-test-bench.h"

#include "ns3/double.h"
#include "ns3/link-impairment.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t BYTES{5000}; ///< Five packets: four of 1024 bytes, one of 904.

/// NICs with simple hardware, whose READ responses take PCIe writes at node 0.
class ReadPlacement : public EachNicDesign
{
  protected:
    ReadPlacement()
    {
        NicTestBench::UseSimpleHardware();
    }

    /// Reads BYTES with node 0. @param impairment of the responses' direction; null: none
    void Read(Ptr<LossModel> impairment)
    {
        m_bench.Start();
        m_bench.ends[1].Fill(0, BYTES, 3);
        m_bench.GetNic(0).GetPlacedTrace().ConnectWithoutContext(Callback<void, const Frame&, Time>(
            [this](const Frame& frame, Time) { m_placed.push_back(frame.payloadBytes); }));
        m_bench.GetBench().GetFabric().GetLinkPort(0, 1).SetLossModel(impairment);
        m_bench.Post(m_bench.MakeRequest(WrOpcode::RDMA_READ, 1, 0, BYTES));
        m_bench.Run();
        EXPECT_EQ(m_bench.ends[0].PollSends().at(0).status, WcStatus::SUCCESS);
        EXPECT_EQ(m_bench.ends[0].Read(0, BYTES), m_bench.ends[1].Read(0, BYTES));
        m_bench.GetBench().ExpectEmpty();
    }

    void ExpectPlacedOnce()
    {
        EXPECT_EQ(m_placed, (std::vector<uint32_t>{1024, 1024, 1024, 1024, 904}));
        const PcieStats& pcie = m_bench.GetNic(0).GetHardware()->GetPcie().GetStats();
        EXPECT_EQ(pcie.upBytes[static_cast<std::size_t>(DmaKind::PAYLOAD)], BYTES);
    }

    VerbsTestBench m_bench{GetParam()};
    std::vector<uint32_t> m_placed;
};
} // namespace

TEST_P(ReadPlacement, EachResponseIsWrittenToTheHostOnce)
{
    Read(nullptr);
    ExpectPlacedOnce();
}

TEST_P(ReadPlacement, ADuplicateResponseIsNotWrittenAgain)
{
    auto duplicates = CreateObject<LinkImpairment>();
    duplicates->SetAttribute("DuplicateRate", DoubleValue(1));
    Read(duplicates);
    ExpectPlacedOnce();
}

RDMA_FOR_EACH_NIC_DESIGN(ReadPlacement);

TEST(ReadPlacementOfARefusedResponse, IsNone)
{
    // The third response is lost: the two behind it are refused and come again.  5000 bytes are
    // written, not 5000 + 1024 + 904.
    VerbsTestBench bench("connectx6");
    NicTestBench::UseSimpleHardware();
    bench.Start();
    uint64_t placed = 0;
    bench.GetNic(0).GetPlacedTrace().ConnectWithoutContext(Callback<void, const Frame&, Time>(
        [&placed](const Frame& frame, Time) { placed += frame.payloadBytes; }));
    bench.GetBench().Lose(0, 1, [](const Frame&, uint64_t number) { return number == 2; });
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 1, 0, BYTES));
    bench.Run();
    EXPECT_EQ(bench.ends[0].PollSends().at(0).status, WcStatus::SUCCESS);
    EXPECT_EQ(placed, BYTES);
}
