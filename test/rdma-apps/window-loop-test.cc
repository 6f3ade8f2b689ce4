// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/window-loop.h"

#include "../rdma-fabric/fabric-test-bench.h"
#include "rank-fakes.h"

#include "ns3/fabric-border.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/input-error.h"
#include "ns3/simple-topologies.h"

#include <algorithm>
#include <functional>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Work that is decided about at some times, and notes what it is asked.
class NotingClient : public WindowClient
{
  public:
    WindowState GetState(bool isDue) const override
    {
        WindowState state;
        state.done = 3;
        state.progress = isDue ? 5 : 0;
        return state;
    }

    void Pack(uint32_t, ByteBuffer& buffer) override
    {
        buffer.Put(++m_packed);
    }

    void Unpack(ByteReader& reader) override
    {
        EXPECT_EQ(reader.Get<int>(), ++m_unpacked); // The mirror has sent it back.
        EXPECT_EQ(reader.GetLeft(), 0);
    }

    void OnWindow(const WindowState& all, Tick end) override
    {
        if (end > 0 && !all.isStopped) // Else before the first window, or within one.
        {
            EXPECT_LT(all.now, end);
            EXPECT_GE(all.nextTime, end);
        }
        done = all.done;
    }

    Tick GetDecisionTime() const override
    {
        return decisions.empty() ? TICK_NEVER : decisions.front();
    }

    bool Decide(const WindowState& all) override
    {
        onDue();
        progress.push_back(all.progress);
        decisions.erase(decisions.begin());
        return goesOn;
    }

    Tick GetSampleTime() const override
    {
        return nextSample;
    }

    void Sample() override
    {
        onDue();
        samples.push_back(nextSample);
        nextSample += samplePeriod;
    }

    void SkipIdle(const WindowState& all) override
    {
        nextSample = skipsIdle ? std::max(nextSample, all.nextTime) : nextSample;
    }

    std::function<void()> onDue{[] {}}; ///< At each sample and decision.
    Tick samplePeriod{100};
    std::vector<Tick> decisions;
    bool skipsIdle{false};
    Tick nextSample{TICK_NEVER};
    std::vector<Tick> samples; ///< When it was asked to look.
    bool goesOn{true};
    std::vector<uint64_t> progress; ///< At each decision.
    uint64_t done{0};

  private:
    int m_packed{0};
    int m_unpacked{0};
};

/// Two servers on one link; with a mirror, the second is another rank's, but simulated here.
class WindowLoopTest : public FabricBench
{
  protected:
    void SetUp() override
    {
        FabricBench::SetUp();
        m_graph = MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1));
        Build(m_graph);
    }

    void Cut()
    {
        OpenBorders(*m_fabric, FabricPartition(m_graph, 2), m_outbox);
    }

    Tick Lookahead() const
    {
        return GetLookahead(*m_fabric, FabricPartition(m_graph, 2));
    }

    std::vector<std::size_t> m_atDue; ///< Messages under way at each sample and decision.
    TopologyGraph m_graph;
    FrameOutbox m_outbox{2, WindowLoop::GetHeadBytes()};
    MirrorGroup m_mirror;
    NotingClient m_client;
};

TEST(WindowEnd, IsALookaheadAfterTheEarliestEventUnlessADecisionIsDue)
{
    EXPECT_EQ(WindowLoop::GetWindowEnd(100, 10, TICK_NEVER), 110);
    EXPECT_EQ(WindowLoop::GetWindowEnd(100, 10, 110), 110);
    EXPECT_EQ(WindowLoop::GetWindowEnd(100, 10, 105), 105);
    EXPECT_EQ(WindowLoop::GetWindowEnd(100, 10, 50), 50); // Nothing happens until then.
    EXPECT_EQ(WindowLoop::GetWindowEnd(TICK_NEVER, 10, 105), 105);
    EXPECT_EQ(WindowLoop::GetWindowEnd(TICK_NEVER - 5, 10, TICK_NEVER), TICK_NEVER);
    EXPECT_EQ(WindowLoop::GetWindowEnd(100, TICK_NEVER, TICK_NEVER), TICK_NEVER);
}

TEST_F(WindowLoopTest, AloneItRunsEverythingInOneWindow)
{
    Server(0).Blast(MakeFrame(0, 1), 100);
    WindowLoop loop(RankGroup::GetSolo(), Core(), m_client, TICK_NEVER);
    loop.Run();
    EXPECT_EQ(Server(1).arrivals.size(), 100);
    EXPECT_EQ(loop.GetWindows(), 1);
    EXPECT_EQ(loop.GetState().done, 3);
    EXPECT_EQ(loop.GetState().nextTime, TICK_NEVER);
}

TEST_F(WindowLoopTest, FramesThroughOtherRanksArriveAsInOneRun)
{
    const Tick start = Core().engine->Now();
    Server(0).Blast(MakeFrame(0, 1), 100);
    Simulator::Run();
    const std::vector<Tick> expected = Server(1).GetTimes();
    const Tick again = Core().engine->Now();
    Cut();
    Server(0).Blast(MakeFrame(0, 1), 100);
    WindowLoop loop(m_mirror, Core(), m_client, Lookahead());
    loop.Run();
    const std::vector<Tick> all = Server(1).GetTimes();
    ASSERT_EQ(all.size(), 200);
    for (std::size_t i = 0; i < 100; ++i)
    {
        EXPECT_EQ(all[100 + i] - again, expected[i] - start);
    }
    // 100 frames of 81.92 ns, then 1 us to the last arrival, in windows of 1.00672 us / 2.
    EXPECT_GE(loop.GetWindows(), 18);
    EXPECT_LE(loop.GetWindows(), 22);
    EXPECT_EQ(m_mirror.exchanges, static_cast<int>(loop.GetWindows()) + 1);
    EXPECT_EQ(m_mirror.mostUnderWay, 2U); // Each window but the first runs before the last arrives.
    EXPECT_EQ(loop.GetState().done, 6);   // The mirror has done as much.
}

TEST_F(WindowLoopTest, SamplesWhenAllEventsBeforeHaveRunAndNoneAfter)
{
    std::vector<Tick> atEvents; // Samples that were there at each event.
    for (const Tick when : {99, 100, 250, 330})
    {
        At(when, [this, &atEvents] { atEvents.push_back(m_client.samples.size()); });
    }
    m_client.nextSample = 100;
    m_client.decisions = {5'000}; // Long after all is over.
    WindowLoop loop(RankGroup::GetSolo(), Core(), m_client, TICK_NEVER);
    loop.Run();
    EXPECT_EQ(atEvents, (std::vector<Tick>{0, 1, 2, 3}));
    EXPECT_EQ(m_client.samples, (std::vector<Tick>{100, 200, 300, 400}));
    EXPECT_TRUE(m_client.decisions.empty());
}

TEST_F(WindowLoopTest, BeatsInWindowsWithoutEventsToo)
{
    At(1'000'000, [] {});
    m_client.nextSample = 100; // 10,000 samples before the event.
    WindowLoop loop(RankGroup::GetSolo(), Core(), m_client, TICK_NEVER);
    int beats = 0;
    const auto simulator = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
    simulator->SetHeartbeat([&beats] {
        if (++beats == 3)
        {
            Simulator::Stop();
        }
    });
    loop.Run();
    simulator->SetHeartbeat(nullptr);
    EXPECT_EQ(beats, 3);
    EXPECT_TRUE(loop.GetState().isStopped);
    EXPECT_LT(m_client.samples.size(), 1000U);
}

TEST_F(WindowLoopTest, SaysHowLongNothingHappens)
{
    At(1'000, [] {});
    m_client.nextSample = 100;
    m_client.skipsIdle = true;
    WindowLoop loop(RankGroup::GetSolo(), Core(), m_client, TICK_NEVER);
    loop.Run();
    // The last one before the event, and the first one behind it.
    EXPECT_EQ(m_client.samples, (std::vector<Tick>{1'000, 1'100}));
}

TEST_F(WindowLoopTest, DecidesWhenAllEventsBeforeHaveRun)
{
    std::vector<int> order;
    At(100, [&order] { order.push_back(100); });
    At(200, [&order] { order.push_back(200); });
    m_client.decisions = {201, 300};
    WindowLoop loop(RankGroup::GetSolo(), Core(), m_client, TICK_NEVER);
    m_client.goesOn = false;
    loop.Run();
    EXPECT_EQ(order, (std::vector<int>{100, 200}));
    EXPECT_EQ(m_client.progress, std::vector<uint64_t>{5});
    EXPECT_EQ(m_client.decisions, std::vector<Tick>{300}); // The first has ended the run.
}

TEST_F(WindowLoopTest, DecisionsComeAfterTheLastEventToo)
{
    m_client.decisions = {500, 1000};
    WindowLoop loop(m_mirror, Core(), m_client, 10);
    Cut();
    loop.Run();
    EXPECT_EQ(m_client.progress, (std::vector<uint64_t>{10, 10})); // Two ranks' together.
}

TEST_F(WindowLoopTest, AllMessagesAreReceivedWhereRanksSampleAndDecide)
{
    Cut();
    Server(0).Blast(MakeFrame(0, 1), 100);
    m_client.nextSample = 2'000'000; // 2 us, of some 10 us.
    m_client.samplePeriod = 3'000'000;
    m_client.decisions = {1'500'000, 20'000'000};
    m_client.onDue = [this] { m_atDue.push_back(m_mirror.CountUnderWay()); };
    WindowLoop loop(m_mirror, Core(), m_client, Lookahead());
    loop.Run();
    EXPECT_GE(m_atDue.size(), 3U);
    EXPECT_EQ(std::count(m_atDue.begin(), m_atDue.end(), 0U), m_atDue.size());
    EXPECT_EQ(m_mirror.mostUnderWay, 2U); // Between them a window runs ahead.
}

TEST_F(WindowLoopTest, AStopIsKnownToTheOthersOneWindowLater)
{
    Cut();
    At(100, [] { Simulator::Stop(); });
    At(700'000, [] { FAIL() << "it goes on"; }); // In the window after it.
    WindowLoop loop(m_mirror, Core(), m_client, 1'000'000);
    loop.Run();
    EXPECT_TRUE(loop.GetState().isStopped);
    EXPECT_EQ(loop.GetState().now, 100);
    EXPECT_EQ(loop.GetWindows(), 2);
    EXPECT_EQ(m_mirror.CountUnderWay(), 0U);
}

TEST_F(WindowLoopTest, StopEndsTheRunAtOnce)
{
    WindowLoop loop(RankGroup::GetSolo(), Core(), m_client, TICK_NEVER);
    At(100, [] { Simulator::Stop(); });
    At(200, [] { FAIL() << "it goes on"; });
    loop.Run();
    EXPECT_TRUE(loop.GetState().isStopped);
    EXPECT_EQ(loop.GetState().now, 100);
    EXPECT_EQ(loop.GetState().nextTime, 200);
}

TEST_F(WindowLoopTest, WhatFailsInAWindowIsThrownAfterTheExchange)
{
    Cut();
    At(100, [] { throw InputError("line 7: expected a number"); });
    WindowLoop loop(m_mirror, Core(), m_client, 10);
    try
    {
        loop.Run();
        FAIL() << "not thrown";
    }
    catch (const RankError& error)
    {
        EXPECT_EQ(std::string(error.what()), "line 7: expected a number");
        EXPECT_TRUE(error.IsInput());
    }
    // At the start; of the window; of the next one, which the other rank runs meanwhile.
    EXPECT_EQ(m_mirror.exchanges, 3);
}

TEST_F(WindowLoopTest, AloneItThrowsWhatWasThrown)
{
    At(100, [] { throw InputError("line 7: expected a number"); });
    WindowLoop loop(RankGroup::GetSolo(), Core(), m_client, TICK_NEVER);
    EXPECT_THROW(loop.Run(), InputError);
}

} // namespace
