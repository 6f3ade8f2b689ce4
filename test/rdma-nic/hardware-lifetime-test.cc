// SPDX-License-Identifier: GPL-2.0-only

// Queue pairs that are reset, destroyed or broken while doorbells, turns, packets and completions
// are under way.

#include "verbs-outcome.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t REQUESTS{10};

/// Ends a connection at each of many times, so that each thing is under way at one of them.
class HardwareLifetime : public EachNicDesign
{
  protected:
    using Deed = std::function<void(VerbsTestBench&)>;

    /// Posts SENDs, loses one in ten frames and does something at a time. @return the bench after
    void Run(Time when, const Deed& deed, const Deed& check)
    {
        SCOPED_TRACE(when.GetNanoSeconds());
        VerbsTestBench bench(GetParam(), true);
        bench.Start();
        bench.GetBench().Lose(0, 0, [](const Frame&, uint64_t number) { return number % 10 == 3; });
        for (uint64_t i = 0; i < REQUESTS; ++i)
        {
            bench.PostReceive(i, i * 4000, 4000);
            bench.Post(bench.MakeRequest(WrOpcode::SEND, i, 0, 3000));
        }
        Simulator::Schedule(when, [&] { deed(bench); });
        Simulator::Stop(Seconds(10));
        bench.Run();
        check(bench);
        EXPECT_EQ(bench.GetBench().GetCore().pool.GetInUse(), 0);
    }

    void RunAtManyTimes(const Deed& deed, const Deed& check)
    {
        for (uint32_t ns = 1; ns < 15'000; ns += 173)
        {
            Run(NanoSeconds(ns), deed, check);
        }
    }

    /// The next life of a connection: one SEND.
    static void Reuse(VerbsTestBench& bench)
    {
        for (uint32_t node = 0; node < 2; ++node)
        {
            bench.GetNic(node).Connect(bench.ends[node].qp,
                                       {1 - node, bench.ends[1 - node].qp, 1, 5000});
        }
        bench.PostReceive(100, 0, 100);
        bench.Post(bench.MakeRequest(WrOpcode::SEND, 100, 0, 100));
    }

    static void Reset(VerbsTestBench& bench)
    {
        for (uint32_t node = 0; node < 2; ++node)
        {
            bench.GetNic(node).ModifyQueuePair(bench.ends[node].qp, QpState::RESET);
            bench.ends[node].PollSends();
            bench.ends[node].PollReceives();
        }
    }
};

/// Whether the completions are those of one life: in order, each once, SUCCESS before flushes.
void
ExpectInOrder(const std::vector<WorkCompletion>& completions, uint64_t first)
{
    bool hasFailed = false;
    for (std::size_t i = 0; i < completions.size(); ++i)
    {
        EXPECT_EQ(completions[i].wrId, first + i);
        hasFailed |= completions[i].status != WcStatus::SUCCESS;
        EXPECT_EQ(completions[i].status != WcStatus::SUCCESS, hasFailed);
    }
}
} // namespace

TEST_P(HardwareLifetime, ADestroyedQueuePairCompletesNothingMore)
{
    RunAtManyTimes(
        [](VerbsTestBench& bench) {
            for (uint32_t node = 0; node < 2; ++node)
            {
                bench.ends[node].PollSends();
                bench.ends[node].PollReceives();
                bench.GetNic(node).DestroyQueuePair(bench.ends[node].qp);
            }
        },
        [](VerbsTestBench& bench) {
            for (uint32_t node = 0; node < 2; ++node)
            {
                EXPECT_EQ(bench.ends[node].PollSends().size(), 0);
                EXPECT_EQ(bench.ends[node].PollReceives().size(), 0);
            }
        });
}

TEST_P(HardwareLifetime, AResetQueuePairServesItsNextLife)
{
    for (const Time& pause : {NanoSeconds(0), MicroSeconds(5)})
    {
        SCOPED_TRACE(pause.GetNanoSeconds());
        RunAtManyTimes(
            [pause](VerbsTestBench& bench) {
                Reset(bench);
                if (pause.IsZero())
                {
                    Reuse(bench);
                }
                else
                {
                    Simulator::Schedule(pause, [&bench] { Reuse(bench); });
                }
            },
            [](VerbsTestBench& bench) {
                const auto sends = bench.ends[0].PollSends();
                const auto receives = bench.ends[1].PollReceives();
                ASSERT_EQ(sends.size(), 1);
                ASSERT_EQ(receives.size(), 1);
                EXPECT_EQ(sends[0].wrId, 100);
                EXPECT_EQ(sends[0].status, WcStatus::SUCCESS);
                EXPECT_EQ(receives[0].wrId, 100);
            });
    }
}

TEST_P(HardwareLifetime, AnErrorFlushesTheRestInOrder)
{
    RunAtManyTimes(
        [](VerbsTestBench& bench) {
            for (uint32_t node = 0; node < 2; ++node)
            {
                bench.GetNic(node).ModifyQueuePair(bench.ends[node].qp, QpState::ERR);
            }
        },
        [](VerbsTestBench& bench) {
            const auto sends = bench.ends[0].PollSends();
            const auto receives = bench.ends[1].PollReceives();
            EXPECT_EQ(sends.size(), REQUESTS);
            EXPECT_EQ(receives.size(), REQUESTS);
            ExpectInOrder(sends, 0);
            ExpectInOrder(receives, 0);
        });
}

RDMA_FOR_EACH_NIC_DESIGN(HardwareLifetime);
