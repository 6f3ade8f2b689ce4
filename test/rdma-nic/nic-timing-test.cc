// SPDX-License-Identifier: GPL-2.0-only
#include "nic-test-bench.h"

#include "ns3/fat-tree-topology.h"
#include "ns3/simple-topologies.h"

#include <algorithm>
#include <map>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t MTU{1024};
constexpr Tick DELAY{1'000'000}; ///< Of each link: 1 us.
constexpr Tick HOST{80};         ///< Picoseconds per byte at 100 Gb/s.
constexpr Tick FABRIC{20};       ///< At 400 Gb/s.

/// Headers after BTH: on the first packet of a WRITE, on the others, on an acknowledgment.
struct Headers
{
    uint32_t first;
    uint32_t next;
    uint32_t ack;
};

/// Bytes on the wire of all packets of a message, and of its largest and its acknowledgment.
struct Sizes
{
    uint64_t sum{0};
    uint64_t largest{0};
    uint64_t ack{0};
};

/// Counted on its own, without the project's classes: 58 bytes up to BTH and ICRC, 24 of framing.
Sizes
GetSizes(const std::string& design, uint64_t bytes)
{
    static const std::map<std::string, Headers> HEADERS{{"connectx6", {16, 0, 4}},
                                                        {"irn", {16, 16, 8}},
                                                        {"srnic", {20, 20, 12}},
                                                        {"balboa", {16, 0, 4}}};
    const Headers& headers = HEADERS.at(design);
    Sizes sizes;
    sizes.ack = 58 + headers.ack + 24;
    for (uint64_t offset = 0; offset < bytes; offset += MTU)
    {
        const uint64_t payload = std::min<uint64_t>(MTU, bytes - offset);
        const uint64_t packet =
            58 + (offset == 0 ? headers.first : headers.next) + (payload + 3) / 4 * 4 + 24;
        sizes.sum += packet;
        sizes.largest = std::max(sizes.largest, packet);
    }
    return sizes;
}

constexpr uint64_t MESSAGES[] = {1, MTU, MTU + 1, 10 * MTU, 1'000'000};

/**
 * A message that is alone goes through a tandem of ports, of which the first and
 * the last are the slowest.  Each port is busy with one packet at a time, so the last bit arrives
 * after the longest way through the grid of packets and ports: all packets on the slow ports, and
 * the largest one on every other port, or its head if the switch there cuts through.  The
 * acknowledgment of the last packet then comes back; the ones before it are shorter than the gaps
 * between data packets and never hold it up.
 */
class NicTiming : public EachNicDesign
{
  protected:
    /// @return the part of a frame that a switch reads before it forwards it, framing included.
    static uint64_t GetHead(uint64_t wireBytes)
    {
        return std::min<uint64_t>(64 + 24, wireBytes);
    }

    /// @return when the message from server 0 to another completes.
    Tick Measure(const TopologyGraph& graph, uint32_t dst, uint64_t bytes) const
    {
        NicTestBench bench(GetParam());
        NicTestBench::Set("RdmaNic::CongestionControl", "ns3::rdma::NoCongestionControl");
        NicTestBench::Set("FabricSwitch::CutThrough", m_cutsThrough ? "true" : "false");
        bench.Build(graph);
        const auto pair = bench.Connect(0, dst);
        bench.Post(pair, 1, bytes);
        bench.Run();
        EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 1);
        EXPECT_EQ(bench.GetPlacedBytes(pair), bytes);
        EXPECT_EQ(bench.GetSent(pair).retransmitted, 0);
        bench.ExpectEmpty();
        return bench.GetEnded().at(0).at;
    }

    bool m_cutsThrough{false}; ///< The switches.
};
} // namespace

TEST_P(NicTiming, BackToBackTakesTheFormulasTime)
{
    const TopologyGraph graph = MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1));
    for (const uint64_t bytes : MESSAGES)
    {
        const Sizes sizes = GetSizes(GetParam(), bytes);
        const auto expected = static_cast<Tick>(sizes.sum + sizes.ack) * HOST + 2 * DELAY;
        EXPECT_EQ(Measure(graph, 1, bytes), expected) << bytes << " bytes";
    }
}

TEST_P(NicTiming, AStarTakesTheFormulasTime)
{
    const TopologyGraph graph = MakeStar(3, DataRate("100Gbps"), MicroSeconds(1));
    for (const uint64_t bytes : MESSAGES)
    {
        const Sizes sizes = GetSizes(GetParam(), bytes);
        const auto expected =
            static_cast<Tick>(sizes.sum + sizes.largest + 2 * sizes.ack) * HOST + 4 * DELAY;
        EXPECT_EQ(Measure(graph, 2, bytes), expected) << bytes << " bytes";
    }
}

TEST_P(NicTiming, AFatTreeTakesTheFormulasTime)
{
    const TopologyGraph graph =
        FatTreeTopology::Build({64, DataRate("100Gbps"), DataRate("400Gbps"), MicroSeconds(1)});
    for (const uint64_t bytes : MESSAGES)
    {
        const Sizes sizes = GetSizes(GetParam(), bytes);
        const auto slow = static_cast<Tick>(sizes.sum + sizes.largest + 2 * sizes.ack) * HOST;
        const auto fast = static_cast<Tick>(2 * sizes.largest + 2 * sizes.ack) * FABRIC;
        EXPECT_EQ(Measure(graph, 63, bytes), slow + fast + 8 * DELAY) << bytes << " bytes";
    }
}

TEST_P(NicTiming, AStarThatCutsThroughTakesTheFormulasTime)
{
    m_cutsThrough = true;
    const TopologyGraph graph = MakeStar(3, DataRate("100Gbps"), MicroSeconds(1));
    for (const uint64_t bytes : MESSAGES)
    {
        const Sizes sizes = GetSizes(GetParam(), bytes);
        const auto expected =
            static_cast<Tick>(sizes.sum + GetHead(sizes.largest) + sizes.ack + GetHead(sizes.ack)) *
                HOST +
            4 * DELAY;
        EXPECT_EQ(Measure(graph, 2, bytes), expected) << bytes << " bytes";
    }
}

TEST_P(NicTiming, AFatTreeThatCutsThroughStoresTheFramesOfItsServers)
{
    m_cutsThrough = true;
    const TopologyGraph graph =
        FatTreeTopology::Build({64, DataRate("100Gbps"), DataRate("400Gbps"), MicroSeconds(1)});
    for (const uint64_t bytes : MESSAGES)
    {
        const Sizes sizes = GetSizes(GetParam(), bytes);
        const auto slow = static_cast<Tick>(sizes.sum + sizes.largest + 2 * sizes.ack) * HOST;
        const auto fast =
            static_cast<Tick>(2 * GetHead(sizes.largest) + 2 * GetHead(sizes.ack)) * FABRIC;
        EXPECT_EQ(Measure(graph, 63, bytes), slow + fast + 8 * DELAY) << bytes << " bytes";
    }
}

RDMA_FOR_EACH_NIC_DESIGN(NicTiming);

TEST(NicTiming, TheClockStartsWhenTheRequestIsPosted)
{
    NicTestBench bench("connectx6");
    bench.Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)));
    const auto pair = bench.Connect(0, 1);
    Simulator::Schedule(MicroSeconds(5), [&] { bench.Post(pair, 1, 1); });
    bench.Run();
    // Data 58 + 16 + 4 + 24 = 102 bytes, acknowledgment 86: 15.04 ns on the wire, 2 us under way.
    EXPECT_EQ(bench.GetEnded().at(0).at, 5'000'000 + 2'000'000 + 15'040);
}
