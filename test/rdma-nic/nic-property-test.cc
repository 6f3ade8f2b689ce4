// SPDX-License-Identifier: GPL-2.0-only
#include "nic-test-bench.h"

#include "ns3/random-stream.h"
#include "ns3/simple-topologies.h"

#include <array>
#include <map>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// One queue pair's share of a random mix.
struct Traffic
{
    NicTestBench::Pair pair;
    uint64_t posted{0};
    uint64_t bytes{0};
    uint64_t ended{0};
};

/// A random mix of messages and queue pairs on a small fabric with losses.
class RandomMix : public EachNicDesign
{
  protected:
    void Run(uint64_t seed)
    {
        SCOPED_TRACE(seed);
        m_random = RandomStream(seed, 0);
        NicTestBench bench(GetParam());
        NicTestBench::Set("RdmaNic::PathMtu", std::to_string(256 + Draw(2000)));
        NicTestBench::Set("RdmaNic::AckInterval", std::to_string(1 + Draw(4)));
        NicTestBench::Set("RdmaNic::RetryCount", "30"); // No connection is to break here.
        NicTestBench::SetPfc(Draw(2) == 0);
        TopologyGraph graph =
            MakeDumbbell({2, DataRate("100Gbps"), DataRate("40Gbps"), NanoSeconds(Draw(3000))});
        for (GraphLink& link : graph.links)
        {
            link.lossRate = 0.0001 * static_cast<double>(Draw(500));
        }
        FabricConfig config;
        config.seed = seed;
        config.ecn[40'000'000'000] = {10'000, 40'000, 0.5};
        bench.Build(graph, config);

        std::vector<Traffic> mix(1 + Draw(6));
        std::map<std::pair<uint32_t, uint32_t>, Traffic*> bySender;
        for (Traffic& traffic : mix)
        {
            const uint32_t src = Draw(4);
            const uint32_t dst = (src + 1 + Draw(3)) % 4;
            traffic.pair = bench.Connect(src, dst, Draw(1U << 24));
            bySender[{src, traffic.pair.srcQp}] = &traffic;
        }
        bench.OnEnd([&](const NicTestBench::Ended& ended) {
            Traffic& traffic = *bySender.at({ended.node, ended.completion.qpNumber});
            EXPECT_EQ(ended.completion.status, WcStatus::SUCCESS);
            EXPECT_EQ(ended.completion.wrId, traffic.ended); // In order, each once.
            ++traffic.ended;
        });
        const uint32_t messages = 10 + Draw(30);
        for (uint32_t i = 0; i < messages; ++i)
        {
            Traffic& traffic = mix[Draw(static_cast<uint32_t>(mix.size()))];
            const uint64_t bytes = 1 + Draw(1U << (1 + Draw(16)));
            Simulator::Schedule(NanoSeconds(Draw(200'000)), [&bench, &traffic, bytes] {
                bench.Post(traffic.pair, traffic.posted, bytes);
                ++traffic.posted;
                traffic.bytes += bytes;
            });
        }
        bench.Run();
        for (const Traffic& traffic : mix)
        {
            EXPECT_EQ(traffic.ended, traffic.posted);
            EXPECT_EQ(bench.GetPlacedBytes(traffic.pair), traffic.bytes);
        }
        EXPECT_EQ(bench.GetEnded().size(), messages);
        bench.ExpectEmpty();
    }

    uint32_t Draw(uint32_t below)
    {
        return static_cast<uint32_t>((uint64_t{m_random.Next32()} * below) >> 32);
    }

    RandomStream m_random;
};
} // namespace

TEST_P(RandomMix, EveryMessageCompletesOnceAndInOrder)
{
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        Run(seed);
    }
}

RDMA_FOR_EACH_NIC_DESIGN(RandomMix);
