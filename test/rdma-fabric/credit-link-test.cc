// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/credit-link.h"

#include "fabric-test-bench.h"

#include "ns3/link-retry.h"
#include "ns3/loss-models.h"
#include "ns3/pause-cycle.h"
#include "ns3/simple-topologies.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// A frame of 1000 bytes: (1000 + 24) x 80 ps at 100 Gb/s. It takes 8 credits of 128 bytes.
constexpr Tick FRAME{81'920};
constexpr uint32_t CELLS_OF_FRAME{8};
constexpr uint32_t CELL{128};
constexpr Tick DELAY{1'000'000};
/// A CF_Update: 8 x 80 ps.
constexpr Tick UPDATE{640};
/// From the begin of a frame until its credits are back: the frame, the update, both ways.
constexpr Tick ROUND_TRIP{FRAME + DELAY + UPDATE + DELAY};

/// Servers on links with credits, without PFC.
class CreditLinkTest : public FabricBench
{
  protected:
    /// @param frames of 1000 bytes for which there is credit
    static Ptr<CreditLink> MakeCredits(uint32_t frames, uint32_t spacingBytes = 800)
    {
        return CreateObjectWithAttributes<CreditLink>(
            "Credits",
            UintegerValue(uint64_t{frames} * CELLS_OF_FRAME * CELL),
            "CfMinSpacing",
            UintegerValue(spacingBytes));
    }

    static FabricConfig MakeConfig(const TopologyGraph& graph,
                                   std::vector<Ptr<const LinkPolicy>> policies)
    {
        FabricConfig config;
        config.maxFrameBytes = 1000;
        for (std::size_t link = 0; link < graph.links.size(); ++link)
        {
            config.linkPolicies.push_back({link, policies});
        }
        return config;
    }

    void BuildWith(const TopologyGraph& graph, Ptr<CreditLink> credits)
    {
        Build(graph, MakeConfig(graph, {credits}));
    }

    /// One link of 100 Gb/s and 1 us.
    void Connect(Ptr<CreditLink> credits)
    {
        BuildWith(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)), credits);
    }

    /// Loses frames that leave by a server's port, by their kind and number from 0.
    void Lose(uint32_t server, bool areMessages, uint64_t first, uint64_t last)
    {
        auto loss = CreateObject<ScriptedLoss>();
        loss->SetScript(
            [areMessages, first, last, count = uint64_t{0}](const Frame& frame, uint64_t) mutable {
                if (IsLinkMessage(frame) != areMessages)
                {
                    return false;
                }
                const uint64_t number = count++;
                return first <= number && number <= last;
            });
        Server(server).GetPort().SetLossModel(loss);
    }

    uint64_t CountArrivals()
    {
        uint64_t count = 0;
        for (const auto& server : m_servers)
        {
            count += server->arrivals.size();
        }
        return count;
    }
};

using Times = std::vector<Tick>;

/// Servers 0 to 4 at switches 5 to 9, which are a ring: links 5 to 9.
TopologyGraph
MakeRing()
{
    TopologyGraph graph;
    graph.isSwitch = {false, false, false, false, false, true, true, true, true, true};
    const DataRate rate("100Gbps");
    for (uint32_t server = 0; server < 5; ++server)
    {
        graph.links.push_back({server, 5 + server, rate, MicroSeconds(1)});
    }
    for (uint32_t server = 0; server < 5; ++server)
    {
        graph.links.push_back({5 + server, 5 + (server + 1) % 5, rate, MicroSeconds(1)});
    }
    return graph;
}

} // namespace

TEST_F(CreditLinkTest, ThroughputIsCreditsPerRoundTrip)
{
    // Credits for w frames: the first w follow each other. Frame i is released when it arrives, at
    // start + FRAME + DELAY, and its update arrives UPDATE + DELAY later: then frame i + w starts.
    // Updates are FRAME apart, which is more than their spacing (800 x 80 ps). So frame i starts at
    // floor(i / w) round trips and (i mod w) frames, and w x 8 x 128 bytes cross per round trip.
    for (const uint32_t window : {1U, 3U, 20U})
    {
        Clear();
        Connect(MakeCredits(window));
        constexpr uint32_t COUNT{80};
        Server(0).Blast(MakeFrame(0, 1), COUNT);
        Simulator::Run();
        Times expected;
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            expected.push_back(i / window * ROUND_TRIP + (i % window + 1) * FRAME + DELAY);
        }
        EXPECT_EQ(Server(1).GetTimes(), expected) << window;
        EXPECT_GT(Core().linkWaits, 0U);
        EXPECT_EQ(Core().pool.GetInUse(), 0U);
    }
}

TEST_F(CreditLinkTest, QueuedFramesNeedTheirOwnSizeOnly)
{
    // 24 credits: three frames of 8. The owner's largest frame would need 12.
    TopologyGraph graph = MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1));
    FabricConfig config = MakeConfig(graph, {MakeCredits(3)});
    config.maxFrameBytes = 1500;
    Build(graph, config);
    for (uint32_t psn = 0; psn < 6; ++psn)
    {
        Server(0).Send(MakeFrame(0, 1, psn));
    }
    Simulator::Run();
    EXPECT_EQ(Server(1).GetTimes(),
              (Times{FRAME + DELAY,
                     2 * FRAME + DELAY,
                     3 * FRAME + DELAY,
                     ROUND_TRIP + FRAME + DELAY,
                     ROUND_TRIP + 2 * FRAME + DELAY,
                     ROUND_TRIP + 3 * FRAME + DELAY}));
}

TEST_F(CreditLinkTest, CreditsForARoundTripKeepTheLinkBusy)
{
    // ROUND_TRIP / FRAME = 25.4: with 26 frames the first update comes before the 27th frame.
    Connect(MakeCredits(26));
    Server(0).Blast(MakeFrame(0, 1), 200);
    Simulator::Run();
    EXPECT_EQ(Server(1).arrivals.back().time, 200 * FRAME + DELAY);
    EXPECT_EQ(Server(1).arrivals.size(), 200U);
}

TEST_F(CreditLinkTest, SparseUpdatesCoverAllFramesInBetween)
{
    // Updates are 6400 x 80 ps = 512 ns apart. Frames 0 to 2 arrive within 512 ns of each other:
    // the first update is for frame 0, the second one, 512 ns later, for frames 1 and 2.
    constexpr Tick SPACING{512'000};
    Connect(MakeCredits(3, 6400));
    Server(0).Blast(MakeFrame(0, 1), 6);
    Simulator::Run();
    EXPECT_EQ(Server(1).GetTimes(),
              (Times{FRAME + DELAY,
                     2 * FRAME + DELAY,
                     3 * FRAME + DELAY,
                     ROUND_TRIP + FRAME + DELAY,
                     ROUND_TRIP + SPACING + FRAME + DELAY,
                     ROUND_TRIP + SPACING + 2 * FRAME + DELAY}));
}

TEST_F(CreditLinkTest, UpdatesTakeEightBytesOfTheOtherDirection)
{
    Connect(MakeCredits(40));
    Server(0).Blast(MakeFrame(0, 1), 100);
    Server(1).Blast(MakeFrame(1, 0), 100);
    Simulator::Run();
    // Each of the two directions carries 100 frames and 100 updates.
    EXPECT_EQ(Server(0).GetPort().GetCounters()->sentBytes, 100 * (1024 + 8));
    // The first frame arrives after FRAME + DELAY; by then 14 frames have begun (14 x 81,920 =
    // 1,146,880 ps). Each later frame is delayed by the update of the frame that came in before it:
    // the 100th begins after 99 frames and 100 - 14 updates.
    EXPECT_EQ(Server(1).arrivals.back().time, 100 * FRAME + 86 * UPDATE + DELAY);
}

TEST_F(CreditLinkTest, OtherClassesAreNotHeldBack)
{
    Connect(MakeCredits(1));
    for (uint32_t psn = 0; psn < 3; ++psn)
    {
        Server(0).Send(MakeFrame(0, 1, psn, 3));
        Server(0).Send(MakeFrame(0, 1, 10 + psn, 2));
    }
    Simulator::Run();
    EXPECT_EQ(Server(1).GetPsns(), (std::vector<uint32_t>{0, 10, 11, 12, 1, 2}));
}

TEST_F(CreditLinkTest, AClassThatASmallFrameOpensIsPulledAgain)
{
    // 12 credits: one frame of 8, and a queued one of 64 bytes, which takes one.
    const TopologyGraph graph = MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1));
    const auto credits =
        CreateObjectWithAttributes<CreditLink>("Credits", UintegerValue(12 * CELL));
    Build(graph, MakeConfig(graph, {credits}));
    Server(0).Blast(MakeFrame(0, 1), 3);
    // A frame of another class is on the wire while the small frame is queued and the credits of
    // the first frame come back: the class is open before and after that.
    At(ROUND_TRIP - 2'000, [this] {
        Server(0).Send(MakeFrame(0, 1, 100, 2, 9000));
        Server(0).Send(MakeFrame(0, 1, 200, 3, 64));
    });
    Simulator::Run();
    EXPECT_EQ(Server(1).GetPsns(), (std::vector<uint32_t>{0, 100, 200, 1, 2}));
}

TEST_F(CreditLinkTest, NothingIsDroppedForLackOfRoom)
{
    SetDefault("BufferSize", "65536");
    const TopologyGraph graph = MakeStar(5, DataRate("100Gbps"), MicroSeconds(1));
    for (const bool hasCredits : {false, true})
    {
        Clear();
        const auto policies = hasCredits ? std::vector<Ptr<const LinkPolicy>>{MakeCredits(8)}
                                         : std::vector<Ptr<const LinkPolicy>>();
        Build(graph, hasCredits ? MakeConfig(graph, policies) : FabricConfig());
        for (uint32_t server = 1; server < 5; ++server)
        {
            Server(server).Blast(MakeFrame(server, 0), 100);
        }
        Simulator::Run();
        EXPECT_EQ(CountDrops(DropReason::BUFFER_FULL) == 0, hasCredits);
        EXPECT_EQ(Server(0).arrivals.size() == 400, hasCredits);
        if (hasCredits)
        {
            // The link to server 0 has credits for 8 frames per round trip; a round trip is 25.4
            // frames.
            EXPECT_EQ(Server(0).arrivals.back().time,
                      Server(0).arrivals.front().time + 49 * ROUND_TRIP + 7 * FRAME);
        }
        EXPECT_EQ(Core().pool.GetInUse(), 0U);
    }
}

TEST_F(CreditLinkTest, CreditsOfLostFramesAreRecovered)
{
    Connect(MakeCredits(3));
    Lose(0, false, 0, 2);
    Server(0).Blast(MakeFrame(0, 1), 4);
    Simulator::Run();
    // All credits are lost. The CC_Update (84 x 80 ps) begins 256 us after the first frame; its
    // answer opens the class.
    ASSERT_EQ(Server(1).GetPsns(), (std::vector<uint32_t>{3}));
    EXPECT_EQ(Server(1).arrivals[0].time,
              256'000'000 + 6'720 + DELAY + UPDATE + DELAY + FRAME + DELAY);
    EXPECT_EQ(Core().pool.GetInUse(), 0U);
}

TEST_F(CreditLinkTest, ALostUpdateIsRepairedByTheNextOne)
{
    Connect(MakeCredits(3));
    Lose(1, true, 0, 0);
    Server(0).Blast(MakeFrame(0, 1), 5);
    Simulator::Run();
    // The update of frame 1, FRAME later, reports the credits of two frames.
    EXPECT_EQ(Server(1).GetTimes(),
              (Times{FRAME + DELAY,
                     2 * FRAME + DELAY,
                     3 * FRAME + DELAY,
                     ROUND_TRIP + 2 * FRAME + DELAY,
                     ROUND_TRIP + 3 * FRAME + DELAY}));
}

TEST_F(CreditLinkTest, ALostLastUpdateIsRepeatedOnRequest)
{
    Connect(MakeCredits(1));
    Lose(1, true, 0, 0);
    Server(0).Blast(MakeFrame(0, 1), 2);
    Simulator::Run();
    ASSERT_EQ(Server(1).arrivals.size(), 2U);
    EXPECT_EQ(Server(1).arrivals[1].time,
              256'000'000 + 6'720 + DELAY + UPDATE + DELAY + FRAME + DELAY);
}

TEST_F(CreditLinkTest, CreditsSurviveARandomLinkInBothDirections)
{
    Connect(MakeCredits(4));
    for (uint32_t server = 0; server < 2; ++server)
    {
        auto loss = CreateObjectWithAttributes<UniformLoss>("LossRate", DoubleValue(0.05));
        loss->SetStream(RandomStream(7, server));
        Server(server).GetPort().SetLossModel(loss);
        Server(server).Blast(MakeFrame(server, 1 - server), 500);
    }
    Simulator::Run();
    // All frames have left, and all but the lost ones have arrived.
    EXPECT_EQ(CountArrivals() + CountDrops(DropReason::LINK_LOSS), 1000U);
    EXPECT_GT(CountDrops(DropReason::LINK_LOSS), 20U);
    EXPECT_EQ(Core().pool.GetInUse(), 0U);
}

TEST_F(CreditLinkTest, ALinkThatWasDownKeepsItsCredits)
{
    Connect(MakeCredits(3));
    Server(0).Blast(MakeFrame(0, 1), 9);
    At(10'000, [this] { m_fabric->SetLinkUpOnly(0, false); }); // Frames 0 to 2 are lost.
    At(300'000'000, [this] { m_fabric->SetLinkUpOnly(0, true); });
    Simulator::Run();
    // While the link is down frames leave as without credits; those in flight have taken some,
    // which are recovered.
    EXPECT_EQ(Server(1).arrivals.size() + CountDrops(DropReason::LINK_DOWN), 9U);
    Server(0).Blast(MakeFrame(0, 1), 9);
    Simulator::Run();
    EXPECT_GE(Server(1).arrivals.size(), 9U);
    EXPECT_EQ(Core().pool.GetInUse(), 0U);
}

TEST_F(CreditLinkTest, ARingWithoutACycleOfBuffersDoesNotDeadlock)
{
    BuildWith(MakeRing(), MakeCredits(2));
    for (uint32_t server = 0; server < 5; ++server)
    {
        // Frames pass one link of the ring: no buffer of the ring waits for another one.
        Server(server).Blast(MakeFrame(server, (server + 1) % 5), 500);
    }
    Simulator::Run();
    EXPECT_EQ(CountArrivals(), 5 * 500U);
    EXPECT_TRUE(FindPauseWaits(*m_fabric).empty());
}

TEST_F(CreditLinkTest, ACycleOfBuffersDeadlocksAndIsNamed)
{
    BuildWith(MakeRing(), MakeCredits(2));
    for (uint32_t server = 0; server < 5; ++server)
    {
        Server(server).Blast(MakeFrame(server, (server + 2) % 5), 500);
    }
    RunUntil(10'000'000'000); // 10 ms.
    EXPECT_LT(CountArrivals(), 5 * 500U);
    const std::vector<PortClass> cycle = FindPauseCycle(FindPauseWaits(*m_fabric));
    ASSERT_EQ(cycle.size(), 5U);
    for (uint32_t i = 0; i < 5; ++i)
    {
        EXPECT_EQ(cycle[i], (PortClass{5 + i, 0, 3}));
    }
    EXPECT_FALSE(Core().engine->HasWork()); // CC_Updates only repeat what is known.
    EXPECT_FALSE(Core().engine->IsEmpty());
    EXPECT_EQ(CountDrops(DropReason::BUFFER_FULL), 0U);
}
