// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-fault.h"

#include "fabric-test-bench.h"

#include "ns3/loss-models.h"
#include "ns3/simple-topologies.h"

#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

class LinkFaultTest : public FabricBench
{
  protected:
    void SetUp() override
    {
        Build(MakeStar(2, DataRate("100Gbps"), MicroSeconds(1)));
    }

    Ptr<LinkFault> MakeFault(const Ptr<LossModel>& former = nullptr)
    {
        auto fault = CreateObject<LinkFault>(*m_fabric->GetCore().engine, former);
        fault->SetStream(RandomStream(1, 2));
        return fault;
    }
};

TEST_F(LinkFaultTest, LosesNothingAtFirst)
{
    const Ptr<LinkFault> fault = MakeFault();
    EXPECT_EQ(fault->GetLoss(), 0);
    EXPECT_EQ(fault->Decide(Frame{}).arrivals, 1U);
}

TEST_F(LinkFaultTest, ACutLosesAllUntilItEnds)
{
    const Ptr<LinkFault> fault = MakeFault();
    fault->SetCut(true);
    EXPECT_EQ(fault->Decide(Frame{}).arrivals, 0U);
    fault->SetCut(false);
    EXPECT_EQ(fault->Decide(Frame{}).arrivals, 1U);
}

TEST_F(LinkFaultTest, TheLossGrowsInProportionToTime)
{
    const Ptr<LinkFault> fault = MakeFault();
    std::vector<double> losses;
    Simulator::Schedule(MicroSeconds(10),
                        [&] { fault->ChangeLoss(0.1, 0.5, ToTick(MicroSeconds(40))); });
    for (const int at : {5, 11, 20, 30, 50, 90})
    {
        Simulator::Schedule(MicroSeconds(at), [&] { losses.push_back(fault->GetLoss()); });
    }
    Simulator::Run();
    // 0.4 in 40 us: 0.01 per us from 10 us on.
    const std::vector<double> expected{0, 0.11, 0.2, 0.3, 0.5, 0.5};
    ASSERT_EQ(losses.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        EXPECT_NEAR(losses[i], expected[i], 1e-12) << i;
    }
}

TEST_F(LinkFaultTest, LosesTheShareOfFramesThatItsLossIs)
{
    const Ptr<LinkFault> fault = MakeFault();
    fault->ChangeLoss(0, 0.3, 0);
    int lost = 0;
    for (int i = 0; i < 100'000; ++i)
    {
        lost += fault->IsLost(Frame{}) ? 1 : 0;
    }
    EXPECT_NEAR(lost, 30'000, 5 * 145); // sigma = sqrt(1e5 * 0.3 * 0.7) = 145.
}

TEST_F(LinkFaultTest, FramesThatPassMeetTheFormerModel)
{
    const auto former = CreateObject<ScriptedLoss>();
    former->SetAttribute("Frames", StringValue("0"));
    const Ptr<LinkFault> fault = MakeFault(former);
    fault->SetCut(true);
    EXPECT_EQ(fault->Decide(Frame{}).arrivals, 0U); // Not counted by the former model.
    EXPECT_NE(fault->FindUnused(), "");
    fault->SetCut(false);
    EXPECT_EQ(fault->Decide(Frame{}).arrivals, 0U); // Its frame 0.
    EXPECT_EQ(fault->Decide(Frame{}).arrivals, 1U);
    EXPECT_EQ(fault->FindUnused(), "");
}

} // namespace
