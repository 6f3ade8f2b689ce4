// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric.h"

#include "fabric-test-bench.h"

#include "ns3/default-buffer.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/simple-topologies.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

// A data frame of 1000 bytes takes 81,920 ps at 100 Gb/s and 20,480 at 400 Gb/s; an acknowledgment
// of 60 bytes 6,720 and 1,680.  With 1 us each way, a hop there and back costs:
constexpr Tick HOST_HOP{2'000'000 + 81'920 + 6'720};
constexpr Tick FABRIC_HOP{2'000'000 + 20'480 + 1'680};

using Path = PortPath;

class FabricTest : public FabricBench
{
  protected:
    void BuildTree(uint32_t servers)
    {
        Build(FatTreeTopology::Build(
            {servers, DataRate("100Gbps"), DataRate("400Gbps"), MicroSeconds(1)}));
    }

    /// Notes each port that a frame leaves by.
    void TraceAllPorts()
    {
        for (std::size_t link = 0; link < m_fabric->GetGraph().links.size(); ++link)
        {
            for (const uint32_t end : {0, 1})
            {
                const FabricPort* port = &m_fabric->GetLinkPort(link, end);
                m_fabric->GetLinkPort(link, end).GetTraces().transmit.ConnectWithoutContext(
                    Callback<void, const Frame&>(
                        [this, port](const Frame&) { m_taken.push_back(port); }));
            }
        }
    }

    /// @return the ports that a frame really leaves by.
    Path Travel(uint32_t src, uint32_t dst, uint32_t entropy)
    {
        m_taken.clear();
        Frame frame = MakeFrame(src, dst);
        frame.entropy = entropy;
        Server(src).Send(frame);
        Simulator::Run();
        return m_taken;
    }

    /// Sends a data frame and its acknowledgment through the empty network. @return how long.
    Tick MeasureRtt(uint32_t src, uint32_t dst)
    {
        const Tick start = Core().engine->Now();
        Server(src).Send(MakeFrame(src, dst));
        Simulator::Run();
        Server(dst).Send(MakeFrame(dst, src, 0, 3, 60));
        Simulator::Run();
        return Server(src).arrivals.back().time - start;
    }

    Path m_taken;
};

/// Servers, and the longest round trip by hand.
class BaseRtt : public FabricTest, public testing::WithParamInterface<std::pair<uint32_t, Tick>>
{
};

} // namespace

TEST_P(BaseRtt, IsWhatTheFarthestServersMeasure)
{
    const auto& [servers, rtt] = GetParam();
    BuildTree(servers);
    EXPECT_EQ(m_fabric->GetMaxBaseRtt(1000, 60), rtt);
    EXPECT_EQ(MeasureRtt(0, servers - 1), rtt);
}

// One switch, ToR - aggregate - ToR, and ToR - aggregate - core - aggregate - ToR.
INSTANTIATE_TEST_SUITE_P(Fabric,
                         BaseRtt,
                         testing::Values(std::pair(16, 2 * HOST_HOP),
                                         std::pair(64, 2 * HOST_HOP + 2 * FABRIC_HOP),
                                         std::pair(256, 2 * HOST_HOP + 2 * FABRIC_HOP),
                                         std::pair(1024, 2 * HOST_HOP + 4 * FABRIC_HOP)));

TEST_F(FabricTest, ComputesTheRoundTripBackToBack)
{
    Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)));
    EXPECT_EQ(m_fabric->GetMaxBaseRtt(1000, 60), HOST_HOP);
    EXPECT_EQ(MeasureRtt(0, 1), HOST_HOP);
}

TEST_F(FabricTest, FindsTheDearestPairWhereLinksDiffer)
{
    // The two slow servers share a switch; the cheap ones are far apart.
    TopologyGraph graph =
        MakeDumbbell({3, DataRate("100Gbps"), DataRate("100Gbps"), MicroSeconds(1)});
    graph.links[0].delay = MicroSeconds(50);
    graph.links[2].delay = MicroSeconds(40);
    Build(graph);
    // Servers 0 and 2, by two links of 2 x 50 and 2 x 40 us.
    const Tick frames = 81'920 + 6'720;
    EXPECT_EQ(m_fabric->GetMaxBaseRtt(1000, 60), 180'000'000 + 2 * frames);
    EXPECT_EQ(MeasureRtt(0, 2), 180'000'000 + 2 * frames);
}

TEST(FabricDefaults, AreThoseOfTheSrnicSimulator)
{
    constexpr uint64_t GBPS{1'000'000'000};
    // Kmin 4 and kmax 16 kB per Gb/s.
    EXPECT_EQ(Fabric::GetDefaultEcn(100 * GBPS).kminBytes, 400'000);
    EXPECT_EQ(Fabric::GetDefaultEcn(100 * GBPS).kmaxBytes, 1'600'000);
    EXPECT_EQ(Fabric::GetDefaultEcn(400 * GBPS).kminBytes, 1'600'000);
    EXPECT_EQ(Fabric::GetDefaultEcn(400 * GBPS).kmaxBytes, 6'400'000);
    EXPECT_EQ(Fabric::GetDefaultEcn(400 * GBPS).pmax, 0.2);
    // Shift 3 at the server links' rate and 1 at four times that; never above the whole.
    EXPECT_EQ(Fabric::GetDefaultAlpha(100 * GBPS, 100 * GBPS), 1.0 / 8);
    EXPECT_EQ(Fabric::GetDefaultAlpha(400 * GBPS, 100 * GBPS), 1.0 / 2);
    EXPECT_EQ(Fabric::GetDefaultAlpha(25 * GBPS, 100 * GBPS), 1.0 / 8);
    EXPECT_EQ(Fabric::GetDefaultAlpha(1600 * GBPS, 100 * GBPS), 1);
    // Rate x delay x 3 at 1 us.
    EXPECT_EQ(Fabric::GetDefaultHeadroom(100 * GBPS, 1'000'000, 1500), 37'500);
    EXPECT_EQ(Fabric::GetDefaultHeadroom(400 * GBPS, 1'000'000, 1500), 150'000);
    // Two delays (250 bytes) and four frames where the link is short.
    EXPECT_EQ(Fabric::GetDefaultHeadroom(100 * GBPS, 10'000, 1500), 6'250);
    EXPECT_EQ(Fabric::GetDefaultHeadroom(100 * GBPS, 0, 1500), 6'000);
}

TEST(FabricDefaults, SetAsideMemoryForEachPortOfTheLargestSwitch)
{
    const TopologyGraph graph =
        FatTreeTopology::Build({64, DataRate("100Gbps"), DataRate("400Gbps"), MicroSeconds(1)});
    // A ToR without PFC: 20 x 4096 of reserve.
    FabricConfig config;
    EXPECT_EQ(Fabric::GetSetAside(graph, config), 81'920);
    // With PFC: 16 x (4096 + 37,500) + 4 x (4096 + 150,000); an aggregate has four large ports
    // only.
    config.attributes.Set("ns3::rdma::FabricSwitch::PfcEnabled", "true");
    EXPECT_EQ(Fabric::GetSetAside(graph, config), 665'536 + 616'384);
    // A headroom that the configuration has is set aside with and without PFC.
    config.attributes.Set("ns3::rdma::FabricSwitch::PfcEnabled", "false");
    config.headroom[100'000'000'000] = 0;
    config.headroom[400'000'000'000] = 1'000'000;
    config.attributes.Set("ns3::rdma::FabricSwitch::QueueReserve", "10");
    // Now they are equal but for the reserve of the ToR's 16 small ports.
    EXPECT_EQ(Fabric::GetSetAside(graph, config), 4'000'000 + 200);
    config.attributes.Set("ns3::rdma::FabricSwitch::LosslessPriorities", "24"); // Two of them.
    EXPECT_EQ(Fabric::GetSetAside(graph, config), 2 * (4'000'000 + 200));
}

TEST(FabricDefaults, GrowTheBufferWithTheRatesOfTheLargestSwitch)
{
    constexpr uint64_t MEBIBYTE{1 << 20};
    const auto get = [](const TopologyGraph& graph) {
        return GetDefaultBuffer(graph, FabricConfig()) / MEBIBYTE;
    };
    // Up to 6.7 Tb/s per switch: the trees of SRNIC at 100 and 400 Gb/s have 6.4 at most.
    for (const uint32_t servers : {16, 64, 256, 1024, 4096})
    {
        EXPECT_EQ(get(FatTreeTopology::Build(
                      {servers, DataRate("100Gbps"), DataRate("400Gbps"), MicroSeconds(1)})),
                  32);
    }
    EXPECT_EQ(get(MakeStar(67, DataRate("100Gbps"), MicroSeconds(1))), 32);
    // 128 x 100 Gb/s x 5 kB per Gb/s are 64 MB, that is 61.04 MiB: Tomahawk 3.
    EXPECT_EQ(get(MakeStar(128, DataRate("100Gbps"), MicroSeconds(1))), 62);
    EXPECT_EQ(get(MakeStar(16, DataRate("800Gbps"), MicroSeconds(1))), 62);
    // 4096 x 800 Gb/s: 16.384 GB, that is 15,625 MiB.
    EXPECT_EQ(get(MakeStar(4096, DataRate("800Gbps"), MicroSeconds(1))), 15'625);
}

TEST(FabricDefaults, GrowTheBufferWithTheHeadroomOfLongLinks)
{
    // 3 x 100 Gb/s x 100 us of headroom and 4096 bytes of reserve for each of 8 ports, twice:
    // 60,065,536 bytes are 57.3 MiB. By rate these ports need 4 MB.
    FabricConfig config;
    config.attributes.Set("ns3::rdma::FabricSwitch::PfcEnabled", "true");
    const TopologyGraph graph = MakeStar(8, DataRate("100Gbps"), MicroSeconds(100));
    EXPECT_EQ(GetDefaultBuffer(graph, config), uint64_t{58} << 20);
}

TEST_F(FabricTest, SendsFramesAlongThePathsThatItReturns)
{
    BuildTree(64);
    TraceAllPorts();
    RandomStream random(8, 8);
    for (int i = 0; i < 200; ++i)
    {
        const uint32_t src = random.Next32() % 64;
        const uint32_t dst = (src + 1 + random.Next32() % 63) % 64;
        const uint32_t entropy = random.Next32();
        const Path path = m_fabric->FindPath(src, dst, entropy);
        ASSERT_EQ(path.size(), src / 16 == dst / 16 ? 2 : 4);
        ASSERT_EQ(Travel(src, dst, entropy), path);
        ASSERT_EQ(m_fabric->FindPath(src, dst, entropy), path);
    }
    EXPECT_EQ(Core().drops.Get(DropReason::NO_ROUTE), 0);
}

TEST_F(FabricTest, RoutesAroundALinkThatIsDown)
{
    // Links 64 .. 67 are the uplinks of the first ToR of 64 servers.
    BuildTree(64);
    TraceAllPorts();
    uint32_t entropy = 0;
    const auto usesFirst = [this](const Path& path) {
        const FabricPort* uplink = &m_fabric->GetLinkPort(64, 0);
        return std::find(path.begin(), path.end(), uplink) != path.end();
    };
    while (!usesFirst(m_fabric->FindPath(0, 63, entropy)))
    {
        ++entropy;
    }
    const Path before = m_fabric->FindPath(0, 63, entropy);
    m_fabric->SetLinkUp(64, false);
    EXPECT_FALSE(m_fabric->GetLinkPort(64, 1).IsLinkUp());
    const Path detour = m_fabric->FindPath(0, 63, entropy);
    EXPECT_EQ(detour.size(), 4);
    EXPECT_FALSE(usesFirst(detour));
    EXPECT_EQ(Travel(0, 63, entropy), detour);
    // The way back avoids it as well.
    for (uint32_t back = 0; back < 100; ++back)
    {
        const Path path = m_fabric->FindPath(63, 0, back);
        ASSERT_EQ(path.size(), 4);
        ASSERT_NE(path[2], &m_fabric->GetLinkPort(64, 1));
    }
    m_fabric->SetLinkUp(64, true);
    EXPECT_EQ(m_fabric->FindPath(0, 63, entropy), before);
    EXPECT_EQ(Travel(0, 63, entropy), before);
    EXPECT_EQ(Server(63).arrivals.size(), 2);
}

TEST_F(FabricTest, HasNoPathToAServerThatIsCutOff)
{
    BuildTree(16);
    m_fabric->SetLinkUp(5, false); // The link of server 5.
    EXPECT_TRUE(m_fabric->FindPath(0, 5, 0).empty());
    Server(0).Send(MakeFrame(0, 5));
    Simulator::Run();
    EXPECT_EQ(CountDrops(DropReason::NO_ROUTE), 1);
    Server(5).Send(MakeFrame(5, 0));
    Simulator::Run();
    EXPECT_EQ(CountDrops(DropReason::LINK_DOWN), 1);
    m_fabric->SetLinkUp(5, true);
    EXPECT_EQ(m_fabric->FindPath(0, 5, 0).size(), 2);
    Server(0).Send(MakeFrame(0, 5));
    Simulator::Run();
    EXPECT_EQ(Server(5).arrivals.size(), 1);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(FabricTest, SpreadsFlowsOverParallelLinks)
{
    TopologyGraph graph;
    graph.isSwitch = {false, false, true, true};
    const auto link = [&graph](uint32_t a, uint32_t b) {
        graph.links.push_back({a, b, DataRate("100Gbps"), MicroSeconds(1)});
    };
    link(0, 2);
    link(1, 3);
    link(2, 3);
    link(2, 3);
    Build(graph);
    uint32_t byFirst = 0;
    for (uint32_t entropy = 0; entropy < 1000; ++entropy)
    {
        const Path path = m_fabric->FindPath(0, 1, entropy);
        ASSERT_EQ(path.size(), 3);
        byFirst += path[1] == &m_fabric->GetLinkPort(2, 0);
    }
    EXPECT_NEAR(byFirst, 500, 5 * 15.8); // sqrt(1000 / 4).
}

TEST_F(FabricTest, DeliversBetweenAllServers)
{
    BuildTree(64);
    // Server s sends to all others, the nearest number first.
    for (uint32_t src = 0; src < 64; ++src)
    {
        for (uint32_t step = 1; step < 64; ++step)
        {
            Frame frame = MakeFrame(src, (src + step) % 64);
            frame.entropy = RandomStream::Scramble(src * 64 + step);
            Server(src).Send(frame);
        }
    }
    Simulator::Run();
    for (uint32_t server = 0; server < 64; ++server)
    {
        std::vector<bool> isHeard(64, false);
        for (const Arrival& arrival : Server(server).arrivals)
        {
            EXPECT_EQ(arrival.frame.dst, server);
            isHeard[arrival.frame.src] = true;
        }
        EXPECT_EQ(std::count(isHeard.begin(), isHeard.end(), true), 63) << server;
    }
    // Of 63 targets 15 are behind the same ToR (2 hops), 48 behind another (4 hops).
    EXPECT_EQ(Core().packetHops, 64 * (15 * 2 + 48 * 4));
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(FabricTest, ShowsItsPortsAsNetDevices)
{
    BuildTree(16);
    const NodeContainer& nodes = m_fabric->GetNodes();
    ASSERT_EQ(nodes.GetN(), 17);
    EXPECT_EQ(nodes.Get(3)->GetNDevices(), 1);
    EXPECT_EQ(nodes.Get(16)->GetNDevices(), 16);
    const Ptr<NetDevice> device = nodes.Get(3)->GetDevice(0);
    const Ptr<Channel> channel = device->GetChannel();
    ASSERT_EQ(channel->GetNDevices(), 2);
    EXPECT_EQ(channel->GetDevice(0), device);
    EXPECT_EQ(channel->GetDevice(1), nodes.Get(16)->GetDevice(3));
    EXPECT_EQ(channel->GetDevice(1)->GetNode(), nodes.Get(16));
    EXPECT_TRUE(device->IsPointToPoint());
    EXPECT_TRUE(device->IsLinkUp());
    m_fabric->SetLinkUp(3, false);
    EXPECT_FALSE(device->IsLinkUp());
    EXPECT_FALSE(channel->GetDevice(1)->IsLinkUp());
    EXPECT_EQ(nodes.Get(16)->GetObject<FabricSwitch>(), m_fabric->GetSwitch(16));
    EXPECT_EQ(m_fabric->GetSwitch(3), nullptr);
    EXPECT_NE(device->GetAddress(), channel->GetDevice(1)->GetAddress());
}
