// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-switch.h"

#include "fabric-test-bench.h"

#include "ns3/fat-tree-topology.h"
#include "ns3/simple-topologies.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Eight senders 0 .. 7 and a sink, 8, at 100 Gb/s on one switch, node 9.
class FabricSwitchTest : public FabricBench
{
  protected:
    static constexpr uint32_t SENDERS{8};
    static constexpr uint32_t SINK{SENDERS};

    void BuildStar(Time delay = MicroSeconds(1), const FabricConfig& config = {})
    {
        Build(MakeStar(SENDERS + 1, DataRate("100Gbps"), delay), config);
    }

    /// All senders send the sink so many frames of the largest size, as fast as they can.
    void StartIncast(uint32_t framesEach)
    {
        for (uint32_t server = 0; server < SENDERS; ++server)
        {
            Server(server).Blast(MakeFrame(server, SINK, 0, 3, 1500), framesEach);
        }
    }

    const SharedBuffer& Buffer()
    {
        return m_fabric->GetSwitch(SENDERS + 1)->GetBuffer();
    }

    /// Notes when the port of a server begins to send each data frame.
    std::vector<Tick>& WatchStarts(uint32_t server)
    {
        Server(server).GetPort().GetTraces().transmit.ConnectWithoutContext(
            Callback<void, const Frame&>(
                [this](const Frame&) { m_starts.push_back(Core().engine->Now()); }));
        return m_starts;
    }

    /// Expects that nothing was lost and that everybody has calmed down.
    void ExpectLossless(uint32_t framesEach)
    {
        EXPECT_EQ(Server(SINK).arrivals.size(), SENDERS * framesEach);
        for (std::size_t reason = 0; reason < DROP_REASONS; ++reason)
        {
            EXPECT_EQ(CountDrops(static_cast<DropReason>(reason)), 0) << reason;
        }
        EXPECT_EQ(Core().losslessDrops, 0);
        EXPECT_EQ(Core().pool.GetInUse(), 0);
        EXPECT_EQ(Buffer().GetTotalUsed(), 0);
        for (uint32_t server = 0; server < SENDERS; ++server)
        {
            EXPECT_FALSE(Server(server).GetPort().IsAnyPaused()) << server;
        }
    }

    std::vector<Tick> m_starts;
};

/// Propagation delays in nanoseconds: the headroom follows them.
class PfcDelays : public FabricSwitchTest, public testing::WithParamInterface<int>
{
};

/// @return the longest time between two neighbors.
Tick
GetLongestGap(const std::vector<Tick>& times)
{
    Tick longest = 0;
    for (std::size_t i = 1; i < times.size(); ++i)
    {
        longest = std::max(longest, times[i] - times[i - 1]);
    }
    return longest;
}

} // namespace

TEST_F(FabricSwitchTest, ForwardsAnIdleFrameWithoutDelay)
{
    BuildStar();
    Server(0).Send(MakeFrame(0, 5));
    Simulator::Run();
    // Store and forward: twice (81,920 + 1,000,000) ps.
    EXPECT_EQ(Server(5).GetTimes(), (std::vector<Tick>{2'163'840}));
    EXPECT_EQ(Core().packetHops, 2);
}

TEST_F(FabricSwitchTest, KeepsTheOrderOfEachSender)
{
    BuildStar();
    StartIncast(50);
    Simulator::Run();
    std::vector<uint32_t> next(SENDERS, 0);
    for (const Arrival& arrival : Server(SINK).arrivals)
    {
        EXPECT_EQ(arrival.frame.psn, next[arrival.frame.src]++);
    }
    EXPECT_EQ(Server(SINK).arrivals.size(), SENDERS * 50);
}

TEST_F(FabricSwitchTest, DropsWhatExceedsTheShareOfTheBuffer)
{
    // 300,000 bytes of shared memory, alpha 1: n ingress queues settle at 1 / (1 + n) each.
    SetDefault("BufferSize", "300000");
    SetDefault("QueueReserve", "0");
    FabricConfig config;
    config.headroom[100'000'000'000] = 0;
    config.alpha[100'000'000'000] = 1;
    BuildStar(MicroSeconds(1), config);
    uint64_t mostUsed = 0;
    for (uint32_t server = 0; server < SENDERS; ++server)
    {
        FabricPort* ingress = Server(server).GetPort().GetPeer();
        ingress->GetTraces().drop.ConnectWithoutContext(Callback<void, const Frame&, DropReason>(
            [this, &mostUsed, server](const Frame& frame, DropReason reason) {
                EXPECT_EQ(reason, DropReason::BUFFER_FULL);
                EXPECT_EQ(frame.src, server);
                mostUsed = std::max(mostUsed, Buffer().GetTotalUsed());
            }));
    }
    StartIncast(100);
    Simulator::Run();
    // 8/9 of the memory, give or take a frame per queue.
    EXPECT_NEAR(static_cast<double>(mostUsed), 300'000 * 8.0 / 9, SENDERS * 1500);
    EXPECT_GT(CountDrops(DropReason::BUFFER_FULL), 0);
    EXPECT_EQ(Server(SINK).arrivals.size() + CountDrops(DropReason::BUFFER_FULL), 800);
    EXPECT_EQ(Core().pfcPauses, 0);
    EXPECT_EQ(Core().losslessDrops, 0); // Nothing is lossless without PFC.
    EXPECT_EQ(Buffer().GetTotalUsed(), 0);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(FabricSwitchTest, DropsFramesWithoutRoute)
{
    BuildStar();
    Server(0).Send(MakeFrame(0, SENDERS + 1)); // A switch is no destination.
    Simulator::Run();
    EXPECT_EQ(CountDrops(DropReason::NO_ROUTE), 1);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_P(PfcDelays, LosesNothingUnderIncastWithReverseTraffic)
{
    SetDefault("PfcEnabled", "true");
    SetDefault("BufferSize", "2097152");
    BuildStar(NanoSeconds(GetParam()));
    std::vector<Tick>& starts = WatchStarts(0);
    StartIncast(400);
    // Pauses wait behind the largest frames on their way back to the senders.
    for (uint32_t server = 0; server < SENDERS; ++server)
    {
        for (uint32_t psn = 0; psn < 100; ++psn)
        {
            Server(SINK).Send(MakeFrame(SINK, server, psn, 3, 1500));
        }
    }
    Simulator::Run();
    ExpectLossless(400);
    EXPECT_GT(Core().pfcPauses, 0);
    // At 1/8 of the rate a sender stands still for most of the time: (1500 + 24) x 80 ps a frame.
    EXPECT_EQ(starts.size(), 400);
    EXPECT_GT(GetLongestGap(starts), 10 * 121'920);
}

INSTANTIATE_TEST_SUITE_P(FabricSwitch, PfcDelays, testing::Values(0, 100, 1000, 5000));

TEST_F(FabricSwitchTest, LosesFramesUnderPauseWithoutHeadroom)
{
    SetDefault("PfcEnabled", "true");
    SetDefault("BufferSize", "1048576");
    FabricConfig config;
    config.headroom[100'000'000'000] = 0;
    BuildStar(MicroSeconds(1), config);
    StartIncast(400);
    Simulator::Run();
    EXPECT_GT(Core().losslessDrops, 0);
    EXPECT_EQ(Core().losslessDrops, CountDrops(DropReason::BUFFER_FULL));
    EXPECT_EQ(Server(SINK).arrivals.size() + Core().losslessDrops, SENDERS * 400);
}

TEST_F(FabricSwitchTest, LosesNothingWithPauseAcrossTwoSwitches)
{
    // The left switch is paused by the right one and pauses the senders in turn.
    SetDefault("PfcEnabled", "true");
    SetDefault("BufferSize", "1048576");
    const DataRate rate("100Gbps");
    Build(MakeDumbbell({8, rate, rate, MicroSeconds(1)}));
    for (uint32_t server = 0; server < 8; ++server)
    {
        Server(server).Blast(MakeFrame(server, 8 + server % 2, 0, 3, 1500), 200);
        Server(8 + server).Blast(MakeFrame(8 + server, 9, 0, 3, 1500), server == 1 ? 0 : 200);
    }
    Simulator::Run();
    EXPECT_EQ(Server(8).arrivals.size(), 4 * 200);
    EXPECT_EQ(Server(9).arrivals.size(), 11 * 200);
    EXPECT_EQ(CountDrops(DropReason::BUFFER_FULL), 0);
    EXPECT_GT(Core().pfcPauses, 0);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(FabricSwitchTest, NeitherLosesNorDeadlocksUnderPauseOnAFatTree)
{
    // All 64 servers send to four hot ones, one in each rack; pauses spread through the tree.
    SetDefault("PfcEnabled", "true");
    SetDefault("BufferSize", "2097152");
    Build(FatTreeTopology::Build({64, DataRate("100Gbps"), DataRate("400Gbps"), MicroSeconds(1)}));
    for (uint32_t server = 0; server < 64; ++server)
    {
        Frame frame = MakeFrame(server, (server % 4) * 16 + 15, 0, 3, 1500);
        frame.entropy = RandomStream::Scramble(server);
        Server(server).Blast(frame, frame.dst == server ? 0 : 150);
    }
    Simulator::Run();
    std::size_t arrivals = 0;
    for (const uint32_t hot : {15, 31, 47, 63})
    {
        arrivals += Server(hot).arrivals.size();
    }
    // Server 63 is the only one that would send to itself: 63 % 4 = 3, and 3 x 16 + 15 = 63.
    EXPECT_EQ(arrivals, 63 * 150);
    EXPECT_EQ(CountDrops(DropReason::BUFFER_FULL), 0);
    EXPECT_GT(Core().pfcPauses, 100);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(FabricSwitchTest, RepeatsAPauseThatLastsLongerThanItsQuanta)
{
    SetDefault("PfcEnabled", "true");
    SetDefault("BufferSize", "1048576");
    SetDefault("PauseQuanta", "64"); // 64 x 512 bits at 100 Gb/s: 327,680 ps.
    BuildStar();
    std::vector<Tick>& starts = WatchStarts(0);
    // The sink takes nothing for 65535 quanta, 335.5 us: the queues stay as they are.
    Server(SINK).GetPort().SendPause(3, 65535);
    StartIncast(400);
    RunUntil(50'000'000);
    EXPECT_TRUE(Server(0).GetPort().IsPaused(3));
    const std::size_t before = starts.size();
    // Every sender gets a PAUSE again each half of the quanta: 250 us / 163.84 ns = 1525 times.
    const uint64_t pauses = Core().pfcPauses;
    RunUntil(300'000'000);
    EXPECT_TRUE(Server(0).GetPort().IsPaused(3));
    EXPECT_EQ(starts.size(), before);
    EXPECT_NEAR(static_cast<double>(Core().pfcPauses - pauses), SENDERS * 1525.0, SENDERS);
    Simulator::Run();
    ExpectLossless(400);
}

TEST_F(FabricSwitchTest, NeitherPausesNorSparesPrioritiesThatAreNotLossless)
{
    SetDefault("PfcEnabled", "true");
    SetDefault("BufferSize", "524288");
    BuildStar();
    for (uint32_t server = 0; server < SENDERS; ++server)
    {
        Server(server).Blast(MakeFrame(server, SINK, 0, 2, 1500), 200);
    }
    Simulator::Run();
    EXPECT_EQ(Core().pfcPauses, 0);
    EXPECT_GT(CountDrops(DropReason::BUFFER_FULL), 0);
    EXPECT_EQ(Core().losslessDrops, 0);
    EXPECT_EQ(Server(SINK).arrivals.size() + CountDrops(DropReason::BUFFER_FULL), 1600);
}

TEST_F(FabricSwitchTest, PausesOnlyThePriorityThatIsCongested)
{
    SetDefault("PfcEnabled", "true");
    SetDefault("BufferSize", "1048576");
    SetDefault("LosslessPriorities", "24"); // 3 and 4; twice the headroom.
    BuildStar();
    StartIncast(200);
    RunUntil(20'000'000);
    EXPECT_TRUE(Server(0).GetPort().IsPaused(3));
    EXPECT_FALSE(Server(0).GetPort().IsPaused(4));
    Server(0).Send(MakeFrame(0, 1, 7, 4));
    const Tick sent = Core().engine->Now();
    Simulator::Run();
    // Priority 4 overtakes: at most one frame and some pauses are in its way.
    ASSERT_EQ(Server(1).arrivals.size(), 1);
    EXPECT_LE(Server(1).arrivals[0].time - sent, 2'163'840 + 2 * 121'920);
    ExpectLossless(200);
}

TEST_F(FabricSwitchTest, FindsAnotherWayForAFrameWhoseRouteChangesWhileItIsUnderWay)
{
    Build(FatTreeTopology::Build({64, DataRate("100Gbps"), DataRate("400Gbps"), MicroSeconds(1)}));
    constexpr uint32_t FAR{63}; // Below another switch than server 0.
    // The frame leaves server 0 at 0 and reaches its switch, which it was routed for then, after
    // 1 us and 0.12 us of serialization. In between, the link that it was to go on by breaks.
    const FabricPort* uplink = m_fabric->FindPath(0, FAR, 0).at(1);
    std::size_t link = 0;
    while (&m_fabric->GetLinkPort(link, 0) != uplink && &m_fabric->GetLinkPort(link, 1) != uplink)
    {
        ++link;
    }
    Server(0).Send(MakeFrame(0, FAR, 0, 3, 1500));
    Simulator::Schedule(NanoSeconds(500), [&] { m_fabric->SetLinkUp(link, false); });
    Simulator::Run();
    EXPECT_NE(m_fabric->FindPath(0, FAR, 0).at(1), uplink);
    EXPECT_EQ(Server(FAR).arrivals.size(), 1);
    EXPECT_EQ(CountDrops(DropReason::LINK_DOWN), 0);
}

TEST_F(FabricSwitchTest, FindsAnotherWayHoweverOftenRoutesChangeWhileAFrameIsUnderWay)
{
    const TopologyGraph graph =
        FatTreeTopology::Build({64, DataRate("100Gbps"), DataRate("400Gbps"), MicroSeconds(1)});
    Build(graph);
    constexpr uint32_t FAR{63};
    const FabricPort* uplink = m_fabric->FindPath(0, FAR, 0).at(1);
    std::size_t link = 0;
    while (&m_fabric->GetLinkPort(link, 0) != uplink && &m_fabric->GetLinkPort(link, 1) != uplink)
    {
        ++link;
    }
    Server(0).Send(MakeFrame(0, FAR, 0, 3, 1500));
    // Down, and 255 changes of an unused link: as many as a byte can count.
    Simulator::Schedule(NanoSeconds(500), [&] {
        m_fabric->SetLinkUp(link, false);
        const std::size_t other = graph.links.size() - 1;
        ASSERT_NE(other, link);
        for (int change = 0; change < 255; ++change)
        {
            m_fabric->SetLinkUp(other, change % 2 == 0);
        }
        m_fabric->SetLinkUp(other, true);
    });
    Simulator::Run();
    EXPECT_EQ(Server(FAR).arrivals.size(), 1);
    EXPECT_EQ(CountDrops(DropReason::LINK_DOWN), 0);
}
