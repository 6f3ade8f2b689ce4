// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/collective-stages.h"
#include "ns3/tree-graph.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3::rdma;

namespace
{

/// Counts of the messages of a graph that do not depend on their order.
class GraphCensus
{
  public:
    explicit GraphCensus(const OperationGraph& graph)
        : connections(graph.MakeConnections()),
          used(connections.size(), 0),
          missing(graph.GetCount(), 0)
    {
        for (uint64_t id = 0; id < graph.GetCount(); ++id)
        {
            const RankMessage message = graph.Get(id);
            messages.push_back(message);
            ++used.at(message.connection);
            sent[message.src] += message.bytes;
            received[message.dst] += message.bytes;
            missing[id] += message.predecessors;
        }
    }

    std::vector<RankMessage> messages;
    std::vector<RankConnection> connections;
    std::vector<uint64_t> used;    ///< Messages by connection.
    std::vector<uint32_t> missing; ///< Predecessors by message.
    std::map<uint32_t, uint64_t> sent;
    std::map<uint32_t, uint64_t> received;
};

/// Runs a graph without times: every message once, none before its predecessors.
void
ExpectToRun(const OperationGraph& graph)
{
    GraphCensus census(graph);
    std::vector<uint64_t> ready;
    for (uint32_t rank = 0; rank < graph.GetRanks(); ++rank)
    {
        graph.ForEachFirst(rank, [&](uint64_t id) {
            EXPECT_EQ(census.messages.at(id).src, rank);
            EXPECT_EQ(census.missing.at(id), 0U);
            ready.push_back(id);
        });
    }
    std::set<uint64_t> done;
    while (!ready.empty())
    {
        const uint64_t id = ready.back();
        ready.pop_back();
        EXPECT_TRUE(done.insert(id).second) << id;
        graph.ForEachDependent(id, [&](uint64_t dependent) {
            const RankMessage& next = census.messages.at(dependent);
            const bool isOfReceiver = next.src == census.messages[id].dst;
            EXPECT_TRUE(isOfReceiver || next.src == census.messages[id].src);
            EXPECT_TRUE(isOfReceiver || graph.HasSenderDependencies());
            ASSERT_GT(census.missing[dependent], 0U);
            if (--census.missing[dependent] == 0)
            {
                ready.push_back(dependent);
            }
        });
    }
    EXPECT_EQ(done.size(), graph.GetCount());
}

void
ExpectConsistentConnections(const OperationGraph& graph)
{
    const GraphCensus census(graph);
    for (uint32_t number = 0; number < census.connections.size(); ++number)
    {
        EXPECT_EQ(census.used[number], census.connections[number].messages);
        for (uint64_t place = 0; place < census.used[number]; ++place)
        {
            const uint64_t id = graph.Find(number, place);
            EXPECT_EQ(census.messages.at(id).connection, number);
            EXPECT_EQ(graph.GetPlace(id), place);
        }
    }
    for (const RankMessage& message : census.messages)
    {
        EXPECT_EQ(message.src, census.connections[message.connection].src);
        EXPECT_EQ(message.dst, census.connections[message.connection].dst);
        EXPECT_NE(message.src, message.dst);
    }
}

/// Calls for every algorithm that takes a number of ranks, with and without NCCL.
template <typename Visitor>
void
ForEachShape(uint32_t ranks, Visitor visit)
{
    for (const CollectiveAlgorithm& algorithm : GetCollectiveAlgorithms())
    {
        const bool isPower = (ranks & (ranks - 1)) == 0;
        const bool hasInner = algorithm.name != "hierarchical" || (ranks % 2 == 0 && ranks > 2);
        if ((algorithm.needsPowerOfTwo && !isPower) || !hasInner)
        {
            continue;
        }
        CollectiveShape shape;
        shape.operation = algorithm.operation;
        shape.algorithm = algorithm.name;
        shape.ranks = ranks;
        shape.bytes = 5'000'003; // No multiple of anything.
        shape.channels = 2;
        shape.slices = 3;
        shape.inner = 2;
        shape.root = ranks - 1;
        shape.rounds.window = 2;
        SCOPED_TRACE(algorithm.operation + " by " + algorithm.name + ", " + std::to_string(ranks));
        visit(algorithm, shape);
        shape.rounds.waitsForCompletion = true;
        visit(algorithm, shape);
        shape.isByNccl = algorithm.isOfNccl;
        visit(algorithm, shape);
        shape.peers.channels = {4, 2};
        visit(algorithm, shape);
        shape.rounds = {};
        visit(algorithm, shape);
    }
}

TEST(OperationGraph, EveryMessageIsPostedOnceAfterItsPredecessors)
{
    for (const uint32_t ranks : {2, 3, 4, 6, 7, 8, 16})
    {
        ForEachShape(ranks, [](const CollectiveAlgorithm& algorithm, const CollectiveShape& shape) {
            for (const CollectiveStage& stage : MakeStages(algorithm, shape))
            {
                for (const CollectiveGroup& group : stage)
                {
                    ExpectToRun(*group.graph);
                    ExpectConsistentConnections(*group.graph);
                }
            }
        });
    }
}

TEST(OperationGraph, RanksSendWhatTheirAlgorithmNeeds)
{
    // Of S bytes and n ranks: S (n - 1) / n per half of an all-reduce and per all-to-all.
    constexpr uint32_t RANKS{8};
    constexpr uint64_t BYTES{uint64_t{RANKS} * 1000};
    constexpr uint64_t HALF{BYTES / RANKS * (RANKS - 1)};
    const std::map<std::string, uint64_t> expected{{"all-reduce ring", 2 * HALF},
                                                   {"all-reduce halving-doubling", 2 * HALF},
                                                   {"all-reduce recursive-doubling", 3 * BYTES},
                                                   {"all-gather ring", HALF},
                                                   {"all-gather recursive-doubling", HALF},
                                                   {"reduce-scatter ring", HALF},
                                                   {"reduce-scatter recursive-halving", HALF},
                                                   {"all-to-all shifted", HALF},
                                                   {"all-to-all pairwise", HALF},
                                                   {"all-to-all nccl", HALF},
                                                   {"send-receive neighbors", BYTES}};
    for (const auto& [name, bytes] : expected)
    {
        SCOPED_TRACE(name);
        CollectiveShape shape;
        shape.operation = name.substr(0, name.find(' '));
        shape.algorithm = name.substr(name.find(' ') + 1);
        shape.ranks = RANKS;
        shape.bytes = BYTES;
        const auto* algorithm = FindCollectiveAlgorithm(shape.operation, shape.algorithm);
        const GraphCensus census(*MakeStages(*algorithm, shape).front().front().graph);
        for (uint32_t rank = 0; rank < RANKS; ++rank)
        {
            EXPECT_EQ(census.sent.at(rank), bytes);
            EXPECT_EQ(census.received.at(rank), bytes);
        }
    }
}

TEST(OperationGraph, PartsOfABufferAddUpToIt)
{
    for (const uint64_t bytes : {uint64_t{1}, uint64_t{7}, uint64_t{1000}, uint64_t{1} << 31})
    {
        uint64_t sum = 0;
        for (uint64_t part = 0; part < 7; ++part)
        {
            EXPECT_LE(GetPartBytes(bytes, 7, part), bytes / 7 + 1);
            sum += GetPartBytes(bytes, 7, part);
        }
        EXPECT_EQ(sum, bytes);
    }
}

TEST(OperationGraph, TheFirstTreeOfNcclIsThatOfItsSource)
{
    // NCCL 2.30, src/graph/trees.cc, for 14 ranks.
    const std::vector<uint32_t> parents{2, 4, 2, 8, 6, 4, 6, 0, 10, 12, 10, 8, 12};
    const Tree tree = MakeNcclTree(14, false);
    EXPECT_EQ(tree[0].parent, TreePlace::NONE);
    EXPECT_EQ(tree[0].children, std::vector<uint32_t>{8});
    for (uint32_t rank = 1; rank < 14; ++rank)
    {
        EXPECT_EQ(tree[rank].parent, parents[rank - 1]) << rank;
    }
}

TEST(OperationGraph, NoRankHasChildrenInBothTreesOfNccl)
{
    for (uint32_t ranks = 2; ranks <= 64; ++ranks)
    {
        const Tree first = MakeNcclTree(ranks, false);
        const Tree second = MakeNcclTree(ranks, true);
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            // The roots have one child each, and may have children in the other tree.
            const bool isRoot =
                first[rank].parent == TreePlace::NONE || second[rank].parent == TreePlace::NONE;
            EXPECT_TRUE(isRoot || first[rank].children.empty() || second[rank].children.empty())
                << rank << " of " << ranks;
            EXPECT_LE(first[rank].children.size(), 2U);
        }
    }
}

TEST(OperationGraph, NcclsOrderOfAnAllToAllGoesInGrowingSteps)
{
    // Modulo 8: 1, 3, 6, 10 = 2, 15 = 7, 21 = 5, 28 = 4. With 6 ranks 6 and 7 are left out.
    const auto list = [](uint32_t ranks) {
        const AllToAllGraph graph(ranks, 1000, {AllToAllOrder::NCCL, UINT32_MAX, false});
        std::vector<uint32_t> receivers;
        graph.ForEachFirst(0, [&](uint64_t id) { receivers.push_back(graph.Get(id).dst); });
        return receivers;
    };
    EXPECT_EQ(list(8), (std::vector<uint32_t>{1, 3, 6, 2, 7, 5, 4}));
    EXPECT_EQ(list(6), (std::vector<uint32_t>{1, 3, 2, 5, 4}));
}

TEST(OperationGraph, SkewedPartsAreProportionalToTheirPopularity)
{
    // Exponent 1: 1, 1/2 and 1/3, hence 600, 300 and 200 of 1100 bytes.
    const auto sizes = AllToAllGraph::MakeSkewed(3, 1100, 1);
    EXPECT_EQ(sizes, (AllToAllGraph::Sizes{600, 300, 200, 600, 300, 200, 600, 300, 200}));
    const auto even = AllToAllGraph::MakeSkewed(4, 1000, 0);
    EXPECT_TRUE(std::all_of(even.begin(), even.end(), [](uint64_t size) { return size == 250; }));
}

} // namespace
