// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-border.h"

#include "fabric-test-bench.h"

#include "ns3/double.h"
#include "ns3/loss-models.h"
#include "ns3/simple-topologies.h"

#include <algorithm>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr std::size_t HEAD{24};

/// A dumbbell of two servers on each side, cut at the link between its switches.
class FabricBorder : public FabricBench
{
  protected:
    void SetUp() override
    {
        FabricBench::SetUp();
        const DataRate rate("100Gbps");
        m_graph = MakeDumbbell({2, rate, DataRate("40Gbps"), MicroSeconds(1)});
        m_graph.links.back().delay = MicroSeconds(3);
        Build(m_graph);
    }

    /// Delivers what is in the outbox, as another rank would. @return how many frames
    uint32_t Deliver()
    {
        uint32_t count = 0;
        for (const ByteBuffer& buffer : m_outbox.GetBuffers())
        {
            ByteReader reader(buffer);
            reader.Skip(HEAD);
            for (; reader.GetLeft() > 0; ++count)
            {
                FramePool& pool = Core().pool;
                const FrameArrival arrival = UnpackFrame(reader, pool, m_outbox.TakePlace(pool));
                Core().engine->Schedule(arrival.when, arrival.owner, arrival.frame);
            }
        }
        m_outbox.FreePlaces(Core().pool);
        m_outbox.Clear();
        return count;
    }

    TopologyGraph m_graph;
    FrameOutbox m_outbox{2, HEAD};
};

} // namespace

TEST_F(FabricBorder, FramesForAnotherRankGoToTheOutboxAndArriveInTimeFromThere)
{
    Server(0).Blast(MakeFrame(0, 2), 10);
    Server(1).Blast(MakeFrame(1, 0), 10);
    Simulator::Run();
    const std::vector<Tick> undivided = Server(2).GetTimes();
    ASSERT_EQ(undivided.size(), 10);
    const Tick start = Core().engine->Now();

    OpenBorders(*m_fabric, FabricPartition(m_graph, 2), m_outbox);
    Server(0).Blast(MakeFrame(0, 2), 10);
    Server(1).Blast(MakeFrame(1, 0), 10);
    Simulator::Run();
    EXPECT_EQ(Server(2).arrivals.size(), 10); // No more than before.
    EXPECT_EQ(Server(0).arrivals.size(), 20); // These do not cross.
    EXPECT_EQ(Core().pool.GetInUse(), 10);    // Places for frames that arrive.
    // Two links to the switches, of which one is 40 Gb/s: 1024 bytes in 81.92 and 204.8 ns.
    EXPECT_EQ(m_outbox.GetEarliest(), start + 1'000'000 + 81'920 + 3'000'000 + 204'800);
    const std::size_t size = m_outbox.GetBuffers()[1].GetSize();
    EXPECT_EQ(size, HEAD + 10 * (8 + 4 + sizeof(Frame)));
    EXPECT_EQ(m_outbox.GetBuffers()[0].GetSize(), HEAD);
    EXPECT_EQ(Deliver(), 10);
    EXPECT_EQ(m_outbox.GetEarliest(), TICK_NEVER);
    Simulator::Run();
    const std::vector<Tick> all = Server(2).GetTimes();
    ASSERT_EQ(all.size(), 20);
    for (std::size_t i = 0; i < 10; ++i)
    {
        EXPECT_EQ(all[10 + i] - start, undivided[i]);
    }
}

TEST_F(FabricBorder, ABorderLosesAndDropsAsAnyLink)
{
    OpenBorders(*m_fabric, FabricPartition(m_graph, 2), m_outbox);
    const std::size_t border = m_graph.links.size() - 1;
    auto loss = CreateObjectWithAttributes<UniformLoss>("LossRate", DoubleValue(0.5));
    loss->SetStream(RandomStream(1, 1));
    m_fabric->GetLinkPort(border, 0).SetLossModel(loss);
    Server(0).Blast(MakeFrame(0, 2, 0, 3, 60), 100);
    // The last frame sets out across the border after 1 us and 100 times 16.8 ns; none arrives
    // before 4 us, when another rank would hand them over.
    RunUntil(4'000'000);
    const uint64_t lost = CountDrops(DropReason::LINK_LOSS);
    EXPECT_GT(lost, 25);
    EXPECT_LT(lost, 75);
    EXPECT_EQ(Deliver(), 100 - lost);
    m_fabric->SetLinkUp(border, false);
    Simulator::Run(); // What was on the wire is lost at the other end.
    EXPECT_EQ(CountDrops(DropReason::LINK_DOWN), 100 - lost);
}

TEST_F(FabricBorder, LooksAheadByDelayAndSmallestFrameOfTheBorder)
{
    // 60 bytes and 24 of overhead at 40 Gb/s, 200 ps each.
    EXPECT_EQ(GetLookahead(*m_fabric, FabricPartition(m_graph, 2)), 3'000'000 + 84 * 200);
    EXPECT_EQ(GetLookahead(*m_fabric, FabricPartition(m_graph, 1)), TICK_NEVER);
}

TEST(FrameOutbox, GivesThePlacesOfSentFramesToThoseThatArriveAndFreesTheRest)
{
    FramePool pool;
    FrameOutbox outbox(2, HEAD);
    std::vector<FrameIndex> sent;
    for (int i = 0; i < 20; ++i)
    {
        sent.push_back(pool.Allocate());
        pool[sent.back()].flags = 0;
        outbox.Add(1, pool, {1000, 7, sent.back()});
    }
    EXPECT_EQ(pool.GetInUse(), 20U);
    for (int i = 0; i < 15; ++i) // The place of the frame that was sent last comes first.
    {
        EXPECT_EQ(outbox.TakePlace(pool), sent[19 - i]);
    }
    outbox.FreePlaces(pool);
    EXPECT_EQ(pool.GetInUse(), 15U); // Those that have arrived.
    const FrameIndex another = outbox.TakePlace(pool);
    EXPECT_EQ(pool.GetInUse(), 16U);
    EXPECT_EQ(std::count(sent.begin(), sent.begin() + 5, another), 1); // One of the freed ones.
}

TEST(FrameOutbox, ADetailOfASentFrameIsFreed)
{
    FramePool pool;
    FrameOutbox outbox(2, HEAD);
    const FrameIndex frame = pool.Allocate();
    pool[frame].flags = 0;
    pool.AddDetail(frame).isPlain = true;
    pool.AddIntStack(frame, 4); // Leaks unless it is freed.
    outbox.Add(1, pool, {1000, 7, frame});
    EXPECT_EQ(pool.FindDetail(pool[outbox.TakePlace(pool)]), nullptr);
}
