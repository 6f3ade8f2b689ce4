// SPDX-License-Identifier: GPL-2.0-only
#include "../rdma-nic/nic-test-bench.h"

#include "ns3/per-flow-queue-pairs.h"
#include "ns3/persistent-queue-pairs.h"
#include "ns3/simple-topologies.h"

#include <optional>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Two servers with a NIC each.
class QueuePairProviderTest : public testing::Test
{
  protected:
    QueuePairProviderTest()
    {
        m_bench.Build(m_topology);
        m_nics = {&m_bench.GetNic(0), &m_bench.GetNic(1)};
        m_endpoints.emplace(m_bench.GetCore().endpoints, m_nics);
    }

    PerFlowQueuePairs MakePerFlow(std::function<bool(uint32_t)> isHere)
    {
        m_numbers.emplace(std::vector<uint32_t>{0, 0});
        return {*m_endpoints,
                m_nics,
                std::move(isHere),
                *m_numbers,
                0,
                WrOpcode::RDMA_WRITE,
                {},
                nullptr,
                nullptr};
    }

    bool Exists(uint32_t server, uint32_t queuePair)
    {
        return m_bench.GetNic(server).FindQueuePair(queuePair).has_value();
    }

    TopologyGraph m_topology{MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1))};
    NicTestBench m_bench{"srnic"};
    std::vector<Ptr<RdmaNic>> m_nics;
    std::optional<FlowEndpoints> m_endpoints;
    std::optional<QueuePairNumbers> m_numbers;
};

} // namespace

TEST_F(QueuePairProviderTest, EachFlowHasAQueuePairOfItsOwnUntilItIsClosed)
{
    PerFlowQueuePairs provider = MakePerFlow([](uint32_t) { return true; });
    const FlowQueuePair first = provider.Open(0, {0, 1, 5000, 0});
    const FlowQueuePair second = provider.Open(1, {0, 1, 5000, 0});
    EXPECT_NE(first.srcQp, second.srcQp);
    EXPECT_FALSE(first.isShared);
    EXPECT_TRUE(provider.Post(0, first, 5000, 7));
    m_bench.Run();
    ASSERT_EQ(m_bench.GetEnded().size(), 1U);
    EXPECT_EQ(m_bench.GetEnded()[0].completion.wrId, 7U);
    EXPECT_EQ(provider.TakeStats(0, 0, first.srcQp).packets, 5U); // ceil(5000 / 1024)
    provider.Close(0, 0, first.srcQp);
    EXPECT_FALSE(Exists(0, first.srcQp));
    EXPECT_TRUE(Exists(1, first.dstQp)); // FlowTeardown destroys it.
    EXPECT_TRUE(Exists(0, second.srcQp));
}

TEST_F(QueuePairProviderTest, ARankMakesTheEndsOfItsOwnServersAndAllNumbers)
{
    PerFlowQueuePairs all = MakePerFlow([](uint32_t) { return false; });
    const FlowQueuePair elsewhere = all.Open(0, {0, 1, 100, 0});
    EXPECT_FALSE(Exists(0, elsewhere.srcQp));
    PerFlowQueuePairs provider = MakePerFlow([](uint32_t endpoint) { return endpoint == 1; });
    const FlowQueuePair made = provider.Open(0, {0, 1, 100, 0});
    EXPECT_EQ(made.srcQp, elsewhere.srcQp);
    EXPECT_EQ(made.dstQp, elsewhere.dstQp);
    EXPECT_FALSE(Exists(0, made.srcQp));
    EXPECT_TRUE(Exists(1, made.dstQp));
}

TEST_F(QueuePairProviderTest, ASharedQueuePairOutlivesItsOperations)
{
    const FlowGraph graph({{"a", 0, 1, 3000, {}, 0, "one"}, {"b", 0, 1, 2000, {0}, 0, "one"}},
                          m_topology);
    std::vector<uint32_t> received;
    QueuePairNumbers numbers({0, 0});
    PersistentQueuePairs provider(
        graph,
        *m_endpoints,
        m_nics,
        [](uint32_t) { return true; },
        numbers,
        0,
        {},
        [&received](uint32_t operation) { received.push_back(operation); });
    for (uint32_t operation = 0; operation < 2; ++operation)
    {
        const FlowQueuePair made = provider.Open(operation, {});
        EXPECT_TRUE(made.isShared);
        EXPECT_EQ(provider.GetPathNumber(operation), 0U); // That of the first operation.
        provider.Expect(operation);
        EXPECT_TRUE(provider.Post(operation, made, graph.Get(operation).bytes, operation));
        m_bench.Run();
        // 3000 bytes are three packets of up to 1024, 2000 bytes two: each has its own count.
        EXPECT_EQ(provider.TakeStats(operation, 0, made.srcQp).packets, 3U - operation);
        provider.Close(operation, 0, made.srcQp);
        EXPECT_TRUE(Exists(0, made.srcQp));
    }
    EXPECT_EQ(received, (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(provider.MeasureSharedProgress(), 5000U);
}
