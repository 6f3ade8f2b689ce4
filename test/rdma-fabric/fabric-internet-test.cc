// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-internet.h"

#include "internet-test-bench.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/global-value.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/link-impairment.h"
#include "ns3/simple-topologies.h"
#include "ns3/udp-socket-factory.h"

#include <gmock/gmock.h>
#include <map>
#include <memory>
#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr uint16_t ECHO_PORT{7};

/// Answers each datagram with the same bytes, and asks others.
class UdpEcho
{
  public:
    UdpEcho(Ptr<Node> node, bool hasIpv6)
        : m_socket(Socket::CreateSocket(node, UdpSocketFactory::GetTypeId()))
    {
        m_socket->Bind(hasIpv6 ? Address(Inet6SocketAddress(Ipv6Address::GetAny(), ECHO_PORT))
                               : Address(InetSocketAddress(Ipv4Address::GetAny(), ECHO_PORT)));
        m_socket->SetRecvCallback(MakeCallback(&UdpEcho::Receive, this));
    }

    int Ask(const Address& whom, uint32_t bytes)
    {
        m_isWaiting = true;
        return m_socket->SendTo(Create<Packet>(bytes), 0, whom);
    }

    std::vector<uint32_t> answers; ///< Bytes of each answer.
    Tick answeredAt{0};

  private:
    void Receive(Ptr<Socket> socket)
    {
        Address from;
        while (Ptr<Packet> packet = socket->RecvFrom(from))
        {
            if (m_isWaiting)
            {
                answers.push_back(packet->GetSize());
                answeredAt = ToTick(Simulator::Now());
            }
            else
            {
                socket->SendTo(packet, 0, from);
            }
        }
    }

    Ptr<Socket> m_socket;
    bool m_isWaiting{false};
};

TopologyGraph
MakeBottleneck(uint32_t serversPerSide)
{
    DumbbellParameters parameters;
    parameters.serversPerSide = serversPerSide;
    parameters.hostRate = DataRate("25Gbps");
    parameters.bottleneckRate = DataRate("10Gbps");
    parameters.linkDelay = MicroSeconds(1);
    return MakeDumbbell(parameters);
}

/// Fastest possible end of a TCP flow through a link of 10 Gb/s.
Tick
GetFastestEnd(uint64_t bytes)
{
    // Ethernet 14, IPv4 20, TCP 20 with 12 of timestamps, and 24 around the frame, per 1448 bytes.
    return static_cast<Tick>(bytes / 1448 * (1448 + 90) * 800);
}

class FabricInternetTest : public InternetBench
{
  protected:
    /// Counts the packets with CE that arrive at a server's IP layer.
    void CountMarks(uint32_t server)
    {
        GetNode(server)->GetObject<Ipv4L3Protocol>()->TraceConnectWithoutContext(
            "Rx",
            Callback<void, Ptr<const Packet>, Ptr<Ipv4>, uint32_t>(
                [this](Ptr<const Packet> packet, Ptr<Ipv4>, uint32_t) {
                    Ipv4Header header;
                    packet->PeekHeader(header);
                    m_marks += header.GetEcn() == Ipv4Header::ECN_CE;
                }));
    }

    /// What two TCP flows through a bottleneck end with.
    struct Outcome
    {
        Tick firstEnd;
        Tick secondEnd;
        uint64_t hops;
        uint64_t marks;

        bool operator==(const Outcome& other) const
        {
            return firstEnd == other.firstEnd && secondEnd == other.secondEnd &&
                   hops == other.hops && marks == other.marks;
        }
    };

    /// Two flows of 1.5 MB share 10 Gb/s.
    Outcome RunTwoFlows(const FabricConfig& config)
    {
        Build(MakeBottleneck(2), config);
        CountMarks(2);
        CountMarks(3);
        m_marks = 0;
        TcpFlow one(*m_fabric, 0, 2, 1'500'000);
        TcpFlow other(*m_fabric, 1, 3, 1'500'000);
        Simulator::Run();
        EXPECT_TRUE(one.IsFinished());
        EXPECT_TRUE(other.IsFinished());
        EXPECT_EQ(Core().pool.GetInUse(), 0);
        const Outcome outcome{one.GetEnd(), other.GetEnd(), Core().packetHops, Core().ecnMarks};
        Clear();
        return outcome;
    }

    uint64_t m_marks{0}; ///< As the receiving IP layers saw them.
};

} // namespace

TEST_F(FabricInternetTest, EchoesDatagrams)
{
    Build(MakeStar(3, DataRate("100Gbps"), MicroSeconds(1)));
    UdpEcho client(GetNode(0), false);
    UdpEcho server(GetNode(2), false);
    client.Ask(InetSocketAddress(MakeIpv4Address(2), ECHO_PORT), 934);
    Simulator::Run();
    EXPECT_EQ(client.answers, (std::vector<uint32_t>{934}));
    // 934 + UDP 8 + IPv4 20 + Ethernet 14 + 24 around it: 1000 bytes of 80 ps, and 1 us, on four
    // links.
    EXPECT_EQ(client.answeredAt, 4 * (80'000 + 1'000'000));
    EXPECT_EQ(Core().packetHops, 4); // There was no address resolution.
}

TEST_F(FabricInternetTest, SplitsADatagramThatIsLargerThanTheMtu)
{
    Build(MakeStar(3, DataRate("100Gbps"), MicroSeconds(1)));
    UdpEcho client(GetNode(0), false);
    UdpEcho server(GetNode(2), false);
    client.Ask(InetSocketAddress(MakeIpv4Address(2), ECHO_PORT), 4000);
    Simulator::Run();
    EXPECT_EQ(client.answers, (std::vector<uint32_t>{4000}));
    EXPECT_EQ(Core().packetHops, 4 * 3); // 4008 bytes in fragments of 1480.
}

TEST_F(FabricInternetTest, ReachesTheOwnServerWithoutTheFabric)
{
    Build(MakeStar(2, DataRate("100Gbps"), MicroSeconds(1)));
    UdpEcho echo(GetNode(0), false);
    echo.Ask(InetSocketAddress(Ipv4Address::GetLoopback(), ECHO_PORT), 10);
    echo.Ask(InetSocketAddress(MakeIpv4Address(0), ECHO_PORT), 20);
    Simulator::Run();
    EXPECT_THAT(echo.answers, testing::UnorderedElementsAre(10, 20)); // It received its own.
    EXPECT_EQ(Core().packetHops, 0);
}

TEST_F(FabricInternetTest, MovesEveryByteOfATcpFlow)
{
    Build(MakeBottleneck(1));
    constexpr uint64_t BYTES{7'240'000};
    TcpFlow flow(*m_fabric, 0, 1, BYTES);
    Simulator::Run();
    EXPECT_EQ(flow.GetReceived(), BYTES);
    EXPECT_GT(flow.GetEnd(), GetFastestEnd(BYTES));
    // Slow start on a round trip of 6 us costs little: the flow uses nine tenths of the link.
    EXPECT_LT(flow.GetEnd(), GetFastestEnd(BYTES) * 10 / 9);
    EXPECT_EQ(CountDrops(DropReason::IP_QUEUE_FULL), 0);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(FabricInternetTest, RunsIpv6WithoutNeighborDiscovery)
{
    Build(MakeBottleneck(1), {}, true);
    UdpEcho client(GetNode(0), true);
    UdpEcho server(GetNode(1), true);
    // Later than ns-3's checks for duplicate addresses.
    Simulator::Schedule(Seconds(5), [&] {
        client.Ask(Inet6SocketAddress(MakeIpv6Address(1), ECHO_PORT), 900);
    });
    std::unique_ptr<TcpFlow> flow;
    Simulator::Schedule(Seconds(6), [&] {
        flow = std::make_unique<TcpFlow>(*m_fabric, 0, 1, 1'000'000, 5000, true);
    });
    Simulator::Stop(Seconds(20));
    Simulator::Run();
    EXPECT_EQ(client.answers, (std::vector<uint32_t>{900}));
    EXPECT_TRUE(flow->IsFinished());
    EXPECT_EQ(CountDrops(DropReason::NO_ROUTE), 0);
}

TEST_F(FabricInternetTest, CountsOverflowsOfAServersQueueAndFinishesAllTheSame)
{
    // No link is slower than the sender's own: its queue is the one that fills.
    Set("FabricDevice::IpQueueBytes", "30000");
    Build(MakeStar(2, DataRate("10Gbps"), MicroSeconds(1)));
    TcpFlow flow(*m_fabric, 0, 1, 5'000'000);
    Simulator::Run();
    EXPECT_TRUE(flow.IsFinished());
    EXPECT_GT(CountDrops(DropReason::IP_QUEUE_FULL), 0);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(FabricInternetTest, SurvivesALinkThatLosesDuplicatesAndReorders)
{
    Build(MakeBottleneck(1));
    for (std::size_t link = 0; link < m_fabric->GetGraph().links.size(); ++link)
    {
        for (const uint32_t end : {0U, 1U})
        {
            auto impairment = CreateObjectWithAttributes<LinkImpairment>("LossRate",
                                                                         DoubleValue(0.003),
                                                                         "DuplicateRate",
                                                                         DoubleValue(0.01),
                                                                         "ReorderRate",
                                                                         DoubleValue(0.01));
            impairment->SetStream(RandomStream(1, 2 * link + end));
            m_fabric->GetLinkPort(link, end).SetLossModel(impairment);
        }
    }
    TcpFlow flow(*m_fabric, 0, 1, 500'000);
    Simulator::Run();
    EXPECT_TRUE(flow.IsFinished());
    EXPECT_GT(CountDrops(DropReason::LINK_LOSS), 0);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}

TEST_F(FabricInternetTest, CarriesMarksToTheReceiversIpLayer)
{
    Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue("On"));
    FabricConfig config;
    config.ecn[10'000'000'000] = {30'000, 30'000, 1};
    const Outcome outcome = RunTwoFlows(config);
    EXPECT_GT(outcome.marks, 0);
    EXPECT_EQ(m_marks, outcome.marks);
}

TEST_F(FabricInternetTest, CarriesMarksUnderTrueChecksums)
{
    // With checksums ns-3 drops a packet whose header was changed without its checksum.
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue("On"));
    FabricConfig config;
    config.ecn[10'000'000'000] = {30'000, 30'000, 1};
    const Outcome outcome = RunTwoFlows(config);
    EXPECT_GT(outcome.marks, 0);
    EXPECT_EQ(m_marks, outcome.marks);
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
}

TEST_F(FabricInternetTest, KeepsTheQueueOfEcnFlowsShorterThanThatOfOthers)
{
    const auto measure = [this](const std::string& useEcn) {
        Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue(useEcn));
        FabricConfig config;
        config.ecn[10'000'000'000] = {30'000, 30'000, 1};
        Build(MakeBottleneck(2), config);
        TcpFlow one(*m_fabric, 0, 2, 1'500'000);
        TcpFlow other(*m_fabric, 1, 3, 1'500'000);
        uint64_t peak = 0;
        const auto& port = m_fabric->GetLinkPort(m_fabric->GetGraph().links.size() - 1, 0);
        for (int us = 0; us < 5000; us += 10)
        {
            Simulator::Schedule(MicroSeconds(us),
                                [&] { peak = std::max<uint64_t>(peak, port.GetQueueBytes(0)); });
        }
        Simulator::Run();
        Clear();
        return peak;
    };
    EXPECT_LT(2 * measure("On"), measure("Off"));
}

TEST_F(FabricInternetTest, RepeatsItself)
{
    Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue("On"));
    FabricConfig config;
    config.ecn[10'000'000'000] = {20'000, 80'000, 0.5};
    const Outcome first = RunTwoFlows(config);
    EXPECT_GT(first.marks, 0);
    EXPECT_EQ(RunTwoFlows(config), first);
    config.seed = 2; // The switch draws other lots.
    EXPECT_FALSE(RunTwoFlows(config) == first);
}

TEST_F(FabricInternetTest, SpreadsFlowsOverEqualPathsAndKeepsEachOnOne)
{
    // Servers 0 and 1 behind switches 2 and 3, with four switches in between.
    TopologyGraph graph;
    graph.isSwitch = {false, false, true, true, true, true, true, true};
    const DataRate rate("10Gbps");
    graph.links = {{0, 2, rate, MicroSeconds(1), 0}, {1, 3, rate, MicroSeconds(1), 0}};
    for (uint32_t spine = 4; spine < 8; ++spine)
    {
        graph.links.push_back({2, spine, rate, MicroSeconds(1), 0});
        graph.links.push_back({spine, 3, rate, MicroSeconds(1), 0});
    }
    Build(graph);
    std::map<uint32_t, std::set<std::size_t>> paths; // By entropy, hence by flow.
    std::set<std::size_t> used;
    for (std::size_t link = 2; link < graph.links.size(); link += 2)
    {
        m_fabric->GetLinkPort(link, 0).GetTraces().transmit.ConnectWithoutContext(
            Callback<void, const Frame&>([&, link](const Frame& frame) {
                paths[frame.entropy].insert(link);
                used.insert(link);
            }));
    }
    std::vector<std::unique_ptr<TcpFlow>> flows;
    for (uint16_t port = 6000; port < 6032; ++port)
    {
        flows.push_back(std::make_unique<TcpFlow>(*m_fabric, 0, 1, 100'000, port));
    }
    Simulator::Run();
    for (const auto& flow : flows)
    {
        EXPECT_TRUE(flow->IsFinished());
    }
    EXPECT_EQ(paths.size(), 32);
    for (const auto& [entropy, links] : paths)
    {
        EXPECT_EQ(links.size(), 1) << entropy;
    }
    // 32 flows miss one of four paths with probability 4 x 0.75^32 = 0.0004.
    EXPECT_EQ(used.size(), 4);
}

TEST_F(FabricInternetTest, FreesWhatIsUnderWayWhenTheSimulationEnds)
{
    Build(MakeBottleneck(1));
    TcpFlow flow(*m_fabric, 0, 1, 5'000'000);
    Simulator::Stop(MilliSeconds(1));
    Simulator::Run();
    EXPECT_GT(Core().pool.GetInUse(), 0);
    EXPECT_FALSE(flow.IsFinished());
    Clear(); // Under a leak checker this is the test.
}

TEST_F(FabricInternetTest, LeavesAStackThatIsThereAlone)
{
    Build(MakeStar(2, DataRate("100Gbps"), MicroSeconds(1)));
    const Ptr<Ipv4> before = GetNode(0)->GetObject<Ipv4>();
    FabricInternet().Install(*m_fabric, {0, 1});
    EXPECT_EQ(GetNode(0)->GetObject<Ipv4>(), before);
    EXPECT_EQ(before->GetNInterfaces(), 2); // lo and the port.
}
