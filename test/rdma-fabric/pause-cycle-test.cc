// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pause-cycle.h"

#include "fabric-test-bench.h"

#include <array>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

PortClass
Port(uint32_t link)
{
    return {link, 0, 3};
}

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

class PauseCycleTest : public FabricBench
{
  protected:
    /// Each server sends to the second one clockwise.
    void StartRing(const char* buffer)
    {
        SetDefault("PfcEnabled", "true");
        SetDefault("BufferSize", buffer);
        FabricConfig config;
        config.alpha[100'000'000'000] = 1.0 / 16;
        Build(MakeRing(), config);
        for (uint32_t server = 0; server < 5; ++server)
        {
            Server(server).Blast(MakeFrame(server, (server + 2) % 5, 0, 3, 1500), 1000);
        }
    }
};

} // namespace

TEST(PauseCycle, IsFoundAmongPortsThatWaitForEachOther)
{
    EXPECT_TRUE(FindPauseCycle({}).empty());
    // 1 waits for 2, which waits for none.
    EXPECT_TRUE(FindPauseCycle({{Port(1), Port(2)}}).empty());
    // 4 and 7 wait for the cycle of 6, 5 and 9, and are not part of it.
    const std::vector<PortClass> cycle = FindPauseCycle({{Port(4), Port(6)},
                                                         {Port(6), Port(5)},
                                                         {Port(7), Port(4)},
                                                         {Port(5), Port(9)},
                                                         {Port(9), Port(6)},
                                                         {Port(9), Port(3)}});
    EXPECT_EQ(cycle, (std::vector<PortClass>{Port(5), Port(9), Port(6)}));
}

TEST_F(PauseCycleTest, NamesThePortsOfADeadlockedRing)
{
    StartRing("1048576");
    RunUntil(10'000'000'000); // 10 ms; without pauses all frames need less than 1 ms.
    std::size_t arrivals = 0;
    for (uint32_t server = 0; server < 5; ++server)
    {
        arrivals += Server(server).arrivals.size();
    }
    EXPECT_LT(arrivals, 5 * 1000);
    const std::vector<PortClass> cycle = FindPauseCycle(FindPauseWaits(*m_fabric));
    ASSERT_EQ(cycle.size(), 5U);
    for (uint32_t i = 0; i < 5; ++i)
    {
        // Port 0 of a switch leads to its server. Of switches 6 to 9, port 1 leads back; switch 5
        // has the links to 6 and 9, in this order.
        const PausedPort named = NamePort(*m_fabric, cycle[i]);
        EXPECT_EQ(named.node, 5 + i);
        EXPECT_EQ(named.to, 5 + (i + 1) % 5);
        EXPECT_EQ(named.port, i == 0 ? 1U : 2U);
        EXPECT_EQ(named.priority, 3U);
    }
    EXPECT_FALSE(Core().engine->HasWork()); // Nothing but pauses is left.
    EXPECT_FALSE(Core().engine->IsEmpty());
}

TEST_F(PauseCycleTest, FindsNoneWhereEverythingArrives)
{
    StartRing("33554432");
    EXPECT_TRUE(Core().engine->HasWork());
    Simulator::Run();
    for (uint32_t server = 0; server < 5; ++server)
    {
        EXPECT_EQ(Server(server).arrivals.size(), 1000U);
    }
    EXPECT_TRUE(FindPauseWaits(*m_fabric).empty());
}
