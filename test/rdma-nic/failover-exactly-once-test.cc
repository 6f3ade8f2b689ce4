// SPDX-License-Identifier: GPL-2.0-only

// Requests that are not idempotent while their queue pair changes its port: the responder executes
// each once, whether the request or its answer was lost.

#include "verbs-test-bench.h"

#include <algorithm>
#include <numeric>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr uint64_t REQUESTS{16};

struct ExactlyOnceCase
{
    const char* preset;
    const char* selector;
};

class FailoverExactlyOnce : public testing::TestWithParam<ExactlyOnceCase>
{
  protected:
    /// Posts requests; the link of an end's port 0 goes down at a time, and up 3 ms later.
    /// @return packets that the requester has sent again
    uint64_t Run(VerbsTestBench& bench, Tick at, uint32_t end)
    {
        bench.SetPlanes(2);
        bench.GetBench().Set("RdmaNic::PathSelector",
                             std::string("ns3::rdma::") + GetParam().selector);
        QueuePairAttributes attributes;
        attributes.maxReadsAndAtomics = 4;
        attributes.maxDestReadsAndAtomics = 4;
        bench.Start({}, attributes);
        Fabric& fabric = bench.GetBench().GetFabric();
        const uint32_t endpoint = bench.GetNic(end).GetEndpoint(0);
        std::size_t link = 0;
        while (fabric.GetGraph().links[link].a != endpoint &&
               fabric.GetGraph().links[link].b != endpoint)
        {
            ++link;
        }
        Simulator::Schedule(PicoSeconds(at), [&fabric, link] { fabric.SetLinkUp(link, false); });
        Simulator::Schedule(PicoSeconds(at) + MilliSeconds(3),
                            [&fabric, link] { fabric.SetLinkUp(link, true); });
        for (uint64_t number = 0; number < REQUESTS; ++number)
        {
            SendWorkRequest add =
                bench.MakeRequest(WrOpcode::ATOMIC_FETCH_AND_ADD, number, 8 * number, 8);
            add.compareAdd = 1;
            bench.Post(add);
            bench.PostReceive(number, 4096 + number, 1);
            bench.Post(bench.MakeRequest(WrOpcode::SEND, number, 1024 + number, 1));
        }
        m_sent.clear();
        // Timers expire later: what has been executed by then without an answer, is sent again.
        Simulator::Schedule(PicoSeconds(at) + MicroSeconds(10), [this, &bench] {
            CollectSent(bench);
            const auto completed =
                std::count_if(m_sent.begin(), m_sent.end(), [](const WorkCompletion& one) {
                    return one.opcode == WcOpcode::FETCH_ADD;
                });
            const uint64_t executed = bench.ends[1].memory->Read64(bench.ends[1].region.address);
            EXPECT_GE(executed, completed);
            m_unanswered += executed - completed;
        });
        VerbsTestBench::Run();
        CollectSent(bench);
        return bench.GetNic(0).FindQueuePair(bench.ends[0].qp)->requester->GetStats().retransmitted;
    }

    void CollectSent(const VerbsTestBench& bench)
    {
        const auto sent = bench.ends[0].PollSends();
        m_sent.insert(m_sent.end(), sent.begin(), sent.end());
    }

    std::vector<WorkCompletion> m_sent; ///< Completions of the requester.
    uint64_t m_unanswered{0};           ///< Atomics of all runs whose answer was lost.
};

// A cut each 400 ns within the first 20 us, at either end: the 32 requests take about 15 us, so
// that some cuts lose requests and some lose answers.
TEST_P(FailoverExactlyOnce, AtomicsAndSendsAreExecutedOnce)
{
    uint64_t resent = 0;
    for (uint32_t end = 0; end < 2; ++end)
    {
        for (Tick at = 1'000'000; at < 20'000'000; at += 400'000)
        {
            VerbsTestBench bench(GetParam().preset);
            resent += Run(bench, at, end);
            std::vector<uint64_t> original;
            for (uint64_t number = 0; number < REQUESTS; ++number)
            {
                original.push_back(
                    bench.ends[0].memory->Read64(bench.ends[0].region.address + 8 * number));
            }
            std::vector<uint64_t> expected(REQUESTS);
            std::iota(expected.begin(), expected.end(), 0);
            EXPECT_EQ(original, expected) << at;
            EXPECT_EQ(bench.ends[1].memory->Read64(bench.ends[1].region.address), REQUESTS) << at;
            EXPECT_EQ(bench.ends[1].PollReceives().size(), REQUESTS) << at;
            EXPECT_EQ(m_sent.size(), 2 * REQUESTS) << at;
            for (const WorkCompletion& completion : m_sent)
            {
                EXPECT_EQ(completion.status, WcStatus::SUCCESS) << at;
            }
        }
    }
    EXPECT_GT(resent, 0U);
    EXPECT_GT(m_unanswered, 0U);
}

INSTANTIATE_TEST_SUITE_P(OfAllKinds,
                         FailoverExactlyOnce,
                         testing::Values(ExactlyOnceCase{"connectx6", "FailoverPath"},
                                         ExactlyOnceCase{"connectx6", "FailbackPath"},
                                         ExactlyOnceCase{"irn", "FailoverPath"},
                                         ExactlyOnceCase{"srnic", "FailbackPath"}));

} // namespace
