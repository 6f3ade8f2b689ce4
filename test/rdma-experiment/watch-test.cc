// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/watch-text.h"
#include "ns3/watched-client.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

using Phase = JobState::Phase;

/// 50 of 100 flows after 1.5 ms, 7 under way, 2 MB acknowledged.
RunProgress
MakeProgress()
{
    RunProgress progress{50, 100, 1'500'000'000, 10'000'000, {}};
    progress.view.flowsActive = 7;
    progress.view.ackedBytes = 2'000'000;
    progress.view.drops = 3;
    progress.view.discards = 5;
    progress.view.pauses = 1;
    progress.view.AddQueue({64, 0, 10'600'000});
    progress.view.AddQueue({65, 69, 999});
    return progress;
}

JobState
MakeState(const std::string& name, Phase phase, const RunProgress& progress)
{
    JobState state;
    state.name = name;
    state.phase = phase;
    state.progress = progress;
    state.seconds = 2;
    return state;
}

/// A rank of two.
class FakeGroup : public RankGroup
{
  public:
    explicit FakeGroup(uint32_t rank)
        : m_rank(rank)
    {
    }

    uint32_t GetRank() const override
    {
        return m_rank;
    }

    uint32_t GetCount() const override
    {
        return 2;
    }

  private:
    uint32_t m_rank;
};

/// Sends a number to each rank.
class NumberClient : public WindowClient
{
  public:
    WindowState GetState(bool) const override
    {
        return {};
    }

    void Pack(uint32_t, ByteBuffer& buffer) override
    {
        buffer.Put(42);
    }

    void Unpack(ByteReader& reader) override
    {
        EXPECT_EQ(reader.Get<int>(), 42);
        ++unpacked;
    }

    void OnWindow(const WindowState&, Tick) override
    {
    }

    Tick GetDecisionTime() const override
    {
        return 17;
    }

    bool Decide(const WindowState&) override
    {
        return false;
    }

    int unpacked{0};
};

RunView
LookAtOneFlow()
{
    RunView view;
    view.flowsActive = 1;
    view.AddQueue({9, 8, 100});
    return view;
}

} // namespace

TEST(RunView, KeepsTheFiveFullestQueuesInTheirOrder)
{
    RunView view;
    for (uint64_t bytes = 1; bytes <= 7; ++bytes)
    {
        view.AddQueue({static_cast<uint32_t>(bytes), 0, bytes * 10});
    }
    view.AddQueue({100, 0, 70}); // As full as the first: behind it.
    view.AddQueue({101, 0, 0});
    std::vector<uint32_t> nodes;
    for (const QueueDepth& queue : view.fullest)
    {
        nodes.push_back(queue.node);
    }
    EXPECT_EQ(nodes, (std::vector<uint32_t>{7, 100, 6, 5, 4}));
}

TEST(RunView, AddsWhatAnotherRankSees)
{
    RunView view = MakeProgress().view;
    view.Add(LookAtOneFlow());
    EXPECT_EQ(view.flowsActive, 8);
    EXPECT_EQ(view.fullest[1].bytes, 999);
    EXPECT_EQ(view.fullest[2].node, 9);
}

TEST(WatchText, GoodputIsPayloadPerSimulatedTime)
{
    RunProgress later = MakeProgress();
    later.simulatedPs += 100'000; // 100 ns.
    later.view.ackedBytes += 1250;
    EXPECT_DOUBLE_EQ(GetGoodputGbps(MakeProgress(), later), 100);
    EXPECT_EQ(GetGoodputGbps(later, later), 0);
}

TEST(WatchText, ShowsEachRunThatIsUnderWayWithItsQueues)
{
    const std::vector<JobState> jobs{MakeState("irn", Phase::ENDED, {}),
                                     MakeState("srnic", Phase::RUNNING, MakeProgress()),
                                     MakeState("balboa", Phase::WAITING, {})};
    // 1.5 of 3 are done after 14 s.
    const std::vector<std::string> expected{
        "1 of 3 done, 0:14 left",
        "NIC         flows done    active   simulated       goodput     drops  discards    pauses",
        "srnic           50/100         7    1.500 ms    812.5 Gb/s         3         5         1",
        "  fullest queues: 64>0 10.6 MB, 65>69 999 B"};
    EXPECT_EQ(FormatWatch(jobs, {0, 812.5, 0}, 14, 100, 24), expected);
}

TEST(WatchText, FitsTheTerminal)
{
    const std::vector<JobState> jobs{MakeState("srnic", Phase::RUNNING, MakeProgress())};
    const auto lines = FormatWatch(jobs, {1}, 14, 10, 3);
    ASSERT_EQ(lines.size(), 3);
    EXPECT_EQ(lines[2], "srnic     ");
}

TEST(WatchText, IsOneLinePerRunElsewhere)
{
    // Half is done after 2 s.
    EXPECT_EQ(FormatWatchLine(MakeState("srnic", Phase::RUNNING, MakeProgress()), 812.5),
              "srnic: 1.500 ms simulated, 50/100 flows done, 7 active, goodput 812.5 Gb/s, 3 "
              "drops, 5 discards, 1 pauses, fullest queues: 64>0 10.6 MB, 65>69 999 B, 0:02 left");
    EXPECT_EQ(FormatWatchLine(MakeState("irn", Phase::RUNNING, {5, 0, 1'000'000, 0, {}}), 0),
              "irn: 0.001 ms simulated, 5 flows done, 0 active, goodput 0.0 Gb/s, 0 drops, 0 "
              "discards, 0 pauses, fullest queues: none");
}

TEST(WatchedClient, TakesTheViewOfAnotherRankAlong)
{
    NumberClient numbers;
    const FakeGroup second(1);
    WatchedClient sender(numbers, second, LookAtOneFlow);
    ByteBuffer message;
    sender.Pack(0, message);
    const std::size_t whole = message.GetSize();
    ByteBuffer next;
    sender.Pack(0, next);
    EXPECT_EQ(next.GetSize(), whole); // The view is too recent for another: it says so.

    const FakeGroup first(0);
    WatchedClient receiver(numbers, first, [] { return RunView{2, 30, 0, 0, {}}; });
    for (const ByteBuffer* buffer : {&message, &next})
    {
        ByteReader reader(buffer->GetData(), buffer->GetSize());
        receiver.Unpack(reader);
        EXPECT_EQ(reader.GetLeft(), 0);
    }
    EXPECT_EQ(numbers.unpacked, 2);
    EXPECT_EQ(receiver.GetView().flowsActive, 3);
    EXPECT_EQ(receiver.GetView().ackedBytes, 30);
    EXPECT_EQ(receiver.GetView().fullest[0].node, 9);
}

TEST(WatchedClient, SendsOtherRanksWhatItsClientSends)
{
    NumberClient numbers;
    const FakeGroup first(0);
    WatchedClient client(numbers, first, LookAtOneFlow);
    ByteBuffer message;
    client.Pack(1, message);
    EXPECT_EQ(message.GetSize(), sizeof(int));
    EXPECT_EQ(client.GetDecisionTime(), 17);
    EXPECT_EQ(client.GetSampleTime(), TICK_NEVER);
    EXPECT_FALSE(client.Decide({}));
}
