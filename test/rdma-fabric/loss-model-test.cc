// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/loss-model.h"

#include "fabric-test-bench.h"

#include "ns3/double.h"
#include "ns3/loss-models.h"
#include "ns3/simple-topologies.h"

#include <algorithm>
#include <cmath>
#include <iterator>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr int FRAMES{200'000};

/// @return for each of so many frames whether the model loses it.
std::vector<bool>
Draw(LossModel& model, int frames)
{
    std::vector<bool> losses;
    for (int i = 0; i < frames; ++i)
    {
        losses.push_back(model.IsLost(Frame{}));
    }
    return losses;
}

double
GetRate(const std::vector<bool>& losses)
{
    return static_cast<double>(std::count(losses.begin(), losses.end(), true)) / losses.size();
}

Ptr<GilbertElliottLoss>
MakeGilbertElliott(double toBad, double toGood, double lossGood, double lossBad)
{
    auto model = CreateObjectWithAttributes<GilbertElliottLoss>("ToBad",
                                                                DoubleValue(toBad),
                                                                "ToGood",
                                                                DoubleValue(toGood),
                                                                "LossGood",
                                                                DoubleValue(lossGood),
                                                                "LossBad",
                                                                DoubleValue(lossBad));
    model->SetStream(RandomStream(1, 2));
    return model;
}

/// A star whose links lose three frames in ten.
class LossyStar : public FabricBench
{
  protected:
    /// Server 0 sends 500 frames to 1; @return which arrive while others send other traffic too.
    std::vector<uint32_t> RunBeside(const std::vector<std::pair<uint32_t, uint32_t>>& others)
    {
        TopologyGraph graph = MakeStar(4, DataRate("100Gbps"), MicroSeconds(1));
        for (GraphLink& link : graph.links)
        {
            link.lossRate = 0.3;
        }
        Build(graph);
        Server(0).Blast(MakeFrame(0, 1), 500);
        for (const auto& [src, dst] : others)
        {
            Server(src).Blast(MakeFrame(src, dst), 700);
        }
        Simulator::Run();
        const std::vector<uint32_t> psns = Server(1).GetPsns();
        m_others = Server(3).GetPsns();
        m_linkLosses = CountDrops(DropReason::LINK_LOSS);
        Clear();
        return psns;
    }

    uint64_t m_linkLosses{0};
    std::vector<uint32_t> m_others; ///< What arrived at server 3.
};

} // namespace

TEST(UniformLoss, LosesItsShareOfFrames)
{
    for (const double rate : {0.0, 0.001, 0.1, 0.5, 1.0})
    {
        auto model = CreateObjectWithAttributes<UniformLoss>("LossRate", DoubleValue(rate));
        model->SetStream(RandomStream(1, 1));
        // Binomial: sigma of the share is sqrt(p (1 - p) / n).
        const double sigma = std::sqrt(rate * (1 - rate) / FRAMES);
        EXPECT_NEAR(GetRate(Draw(*model, FRAMES)), rate, 5 * sigma) << rate;
    }
}

TEST(UniformLoss, RepeatsItsLossesForTheSameStream)
{
    auto first = CreateObjectWithAttributes<UniformLoss>("LossRate", DoubleValue(0.3));
    auto second = CreateObjectWithAttributes<UniformLoss>("LossRate", DoubleValue(0.3));
    first->SetStream(RandomStream(4, 1));
    second->SetStream(RandomStream(4, 1));
    EXPECT_EQ(Draw(*first, 1000), Draw(*second, 1000));
    second->SetStream(RandomStream(4, 2));
    EXPECT_NE(Draw(*first, 1000), Draw(*second, 1000));
}

TEST(GilbertElliottLoss, LosesNothingByDefault)
{
    EXPECT_EQ(GetRate(Draw(*CreateObject<GilbertElliottLoss>(), 1000)), 0);
}

TEST(GilbertElliottLoss, HasTheLongRunRateOfItsFormula)
{
    struct Case
    {
        double toBad, toGood, lossGood, lossBad;
    };

    for (const Case& c : {Case{0.01, 0.25, 0, 1},
                          Case{0.02, 0.1, 0.001, 0.5},
                          Case{0.5, 0.5, 0.2, 0.8},
                          Case{0.9, 0.6, 0, 1}})
    {
        auto model = MakeGilbertElliott(c.toBad, c.toGood, c.lossGood, c.lossBad);
        const double sum = c.toBad + c.toGood;
        const double rate = (c.toGood * c.lossGood + c.toBad * c.lossBad) / sum;
        // Frames k apart are correlated: covariance (lossBad - lossGood)^2 b (1 - b) x^k with
        // b = toBad / sum and x = 1 - sum, which adds twice its sum over k to the variance.
        const double bad = c.toBad / sum;
        const double spread = c.lossBad - c.lossGood;
        const double covariance = spread * spread * bad * (1 - bad) * (1 - sum) / sum;
        const double sigma = std::sqrt((rate * (1 - rate) + 2 * covariance) / FRAMES);
        EXPECT_NEAR(GetRate(Draw(*model, FRAMES)), rate, 5 * sigma) << c.toBad;
    }
}

TEST(GilbertElliottLoss, HasBurstsOfTheMeanLengthOfItsBadState)
{
    // With lossBad 1 and lossGood 0 a burst is one stay in the bad state: geometric with mean
    // 1 / toGood = 4 and sigma sqrt(1 - toGood) / toGood = 3.46.
    constexpr double TO_GOOD{0.25};
    const std::vector<bool> losses = Draw(*MakeGilbertElliott(0.02, TO_GOOD, 0, 1), FRAMES);
    double lost = 0;
    double bursts = 0;
    for (std::size_t i = 1; i < losses.size(); ++i)
    {
        lost += losses[i];
        bursts += losses[i] && !losses[i - 1];
    }
    ASSERT_GT(bursts, 3000); // 200,000 / (50 + 4).
    EXPECT_NEAR(lost / bursts, 4, 5 * std::sqrt(1 - TO_GOOD) / TO_GOOD / std::sqrt(bursts));
}

TEST(ScriptedLoss, NumbersTheFramesFromZero)
{
    auto model = CreateObject<ScriptedLoss>();
    EXPECT_FALSE(model->IsLost(Frame{})); // Without a script nothing is lost or counted.
    model->SetScript([](const Frame& frame, uint64_t number) {
        return number == 1 || number == 3 || frame.psn == 9;
    });
    EXPECT_EQ(Draw(*model, 5), (std::vector<bool>{false, true, false, true, false}));
    EXPECT_TRUE(model->IsLost(MakeFrame(0, 1, 9)));
}

TEST(ScriptedLoss, TellsWhichFrameNeverCame)
{
    auto model = CreateObject<ScriptedLoss>();
    EXPECT_EQ(model->FindUnused(), "");
    model->SetAttribute("Frames", StringValue("0,5,7-9"));
    Draw(*model, 6); // 0 to 5.
    EXPECT_EQ(model->FindUnused(),
              "ns3::rdma::ScriptedLoss::Frames: frame 7 never came, 6 frames were sent");
    Draw(*model, 3);
    EXPECT_EQ(model->FindUnused(),
              "ns3::rdma::ScriptedLoss::Frames: frame 9 never came, 9 frames were sent");
    Draw(*model, 1);
    EXPECT_EQ(model->FindUnused(), "");
}

TEST_F(LossyStar, LosesTheSameFramesWhateverElseIsSent)
{
    const std::vector<uint32_t> alone = RunBeside({});
    EXPECT_EQ(m_linkLosses, 500 - alone.size());
    // Two links of 0.7 each: 245 of 500 arrive, sigma sqrt(500 x 0.49 x 0.51) = 11.2.
    EXPECT_NEAR(static_cast<double>(alone.size()), 245, 5 * 11.2);
    EXPECT_EQ(RunBeside({{2, 3}}), alone);         // Links without traffic of server 0.
    EXPECT_EQ(RunBeside({{1, 0}, {3, 2}}), alone); // The other directions of the same links.
}

TEST_F(LossyStar, LosesOtherFramesOnOtherLinks)
{
    const std::vector<uint32_t> here = RunBeside({{2, 3}});
    // Either pair of links lets 0.49 through, so both let 0.24 of the first 500 through: 120,
    // sigma sqrt(500 x 0.24 x 0.76) = 9.5.  With one stream for all they would lose the same.
    std::vector<uint32_t> both;
    std::set_intersection(here.begin(),
                          here.end(),
                          m_others.begin(),
                          m_others.end(),
                          std::back_inserter(both));
    EXPECT_NEAR(static_cast<double>(both.size()), 120, 5 * 9.5);
}
