// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-bench.h"

#include "ns3/fabric-switch.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/link-retry.h"
#include "ns3/simple-topologies.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr Tick DELAY{1'000'000};
/// At 100 Gb/s, framing of 24 bytes included: of a frame of 1000 bytes, its first 64, and 60 bytes.
constexpr Tick FRAME{81'920};
constexpr Tick HEAD{7'040};
constexpr Tick SHORT{6'720};
/// At 400 Gb/s.
constexpr Tick FAST_HEAD{1'760};
constexpr Tick FAST_SHORT{1'680};

/// Switches that cut through.
class CutThrough : public FabricBench
{
  protected:
    void SetUp() override
    {
        FabricBench::SetUp();
        SetDefault("CutThrough", "true");
    }

    void BuildStar(const FabricConfig& config = {})
    {
        Build(MakeStar(3, DataRate("100Gbps"), PicoSeconds(DELAY)), config);
    }

    void BuildTree(uint32_t servers)
    {
        Build(FatTreeTopology::Build(
            {servers, DataRate("100Gbps"), DataRate("400Gbps"), PicoSeconds(DELAY)}));
    }
};

} // namespace

TEST_F(CutThrough, AFrameLeavesTheSwitchWhenItsHeadHasArrived)
{
    BuildStar();
    Server(0).Send(MakeFrame(0, 2));
    Simulator::Run();
    EXPECT_EQ(Server(2).GetTimes(), (std::vector<Tick>{HEAD + DELAY + FRAME + DELAY}));
}

TEST_F(CutThrough, AFrameShorterThanAHeadIsForwardedWhole)
{
    BuildStar();
    Server(0).Send(MakeFrame(0, 2, 0, 3, 60));
    Simulator::Run();
    EXPECT_EQ(Server(2).GetTimes(), (std::vector<Tick>{2 * (SHORT + DELAY)}));
}

TEST_F(CutThrough, FramesOfTwoSendersFollowEachOtherAtTheRateOfTheLink)
{
    BuildStar();
    Server(0).Send(MakeFrame(0, 2));
    Server(1).Send(MakeFrame(1, 2));
    Simulator::Run();
    constexpr Tick FIRST{HEAD + DELAY + FRAME + DELAY};
    EXPECT_EQ(Server(2).GetTimes(), (std::vector<Tick>{FIRST, FIRST + FRAME}));
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(CutThrough, AFrameFromALinkThatIsSlowerThanAnotherPortIsStored)
{
    BuildTree(64);
    Server(0).Send(MakeFrame(0, 63));
    Simulator::Run();
    // Stored at the first switch, whose uplinks are faster; cut through at the other two.
    EXPECT_EQ(Server(63).GetTimes(), (std::vector<Tick>{2 * FRAME + 2 * FAST_HEAD + 4 * DELAY}));
}

TEST_F(CutThrough, AFrameFromALinkOfAReducedRateIsStored)
{
    FabricConfig config;
    config.reducedRates.push_back({0, 0, DataRate("50Gbps")});
    BuildStar(config);
    Server(0).Send(MakeFrame(0, 2));
    Server(2).Send(MakeFrame(2, 0));
    Simulator::Run();
    EXPECT_EQ(Server(2).GetTimes(), (std::vector<Tick>{2 * FRAME + DELAY + FRAME + DELAY}));
    EXPECT_EQ(Server(0).GetTimes(), (std::vector<Tick>{HEAD + DELAY + FRAME + DELAY}));
}

TEST_F(CutThrough, ALinkThatRetransmitsStoresFrames)
{
    FabricConfig config;
    config.maxFrameBytes = 1000;
    config.linkPolicies.push_back({0, {CreateObject<LinkRetry>()}});
    BuildStar(config);
    EXPECT_EQ(Server(0).GetPort().GetHeadTime(1000), FRAME);
    EXPECT_EQ(Server(1).GetPort().GetHeadTime(1000), HEAD);
}

TEST_F(CutThrough, AFrameThatIsSentWhenALinkHasComeUpIsNotCutOff)
{
    BuildStar();
    At(100'000, [this] { m_fabric->SetLinkUpOnly(0, false); });
    At(500'000, [this] { m_fabric->SetLinkUpOnly(0, true); });
    At(50'000, [this] { Server(0).Send(MakeFrame(0, 2, 1)); }); // On the wire when the link fails.
    At(500'001, [this] { Server(0).Send(MakeFrame(0, 2, 2)); });
    Simulator::Run();
    EXPECT_EQ(Server(2).GetPsns(), (std::vector<uint32_t>{2}));
    EXPECT_EQ(CountDrops(DropReason::LINK_DOWN), 1);
}

TEST_F(CutThrough, TheBaseRoundTripIsThatOfTheFarthestServers)
{
    // As BaseRtt of fabric-test.cc: there with 1000 bytes and back with 60.
    constexpr Tick BOTH_HOSTS{2 * (FRAME + SHORT) + 4 * DELAY};
    constexpr Tick FAST_HOP{FAST_HEAD + FAST_SHORT + 2 * DELAY};
    for (const auto& [servers, rtt] : {std::pair{16U, HEAD + FRAME + 2 * SHORT + 4 * DELAY},
                                       std::pair{64U, BOTH_HOSTS + 2 * FAST_HOP},
                                       std::pair{1024U, BOTH_HOSTS + 4 * FAST_HOP}})
    {
        BuildTree(servers);
        EXPECT_EQ(m_fabric->GetMaxBaseRtt(1000, 60), rtt);
        Server(0).Send(MakeFrame(0, servers - 1));
        Simulator::Run();
        const Tick sentAt = Core().engine->Now();
        Server(servers - 1).Send(MakeFrame(servers - 1, 0, 0, 3, 60));
        Simulator::Run();
        const Tick back = Server(0).arrivals.back().time - sentAt;
        EXPECT_EQ(Server(servers - 1).arrivals.back().time + back, rtt);
        Clear();
    }
}
