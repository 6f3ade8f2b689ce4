// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-graph.h"

#include "../test-files.h"

#include "ns3/simple-topologies.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

FlowOperation
Make(const std::string& id,
     uint32_t src,
     uint32_t dst,
     std::vector<uint32_t> after = {},
     const std::string& queuePair = "")
{
    return {id, src, dst, 1000, std::move(after), 0, queuePair};
}

FlowGraph
MakeGraph(std::vector<FlowOperation> operations)
{
    return {std::move(operations), MakeStar(4, DataRate("100Gbps"), MicroSeconds(1))};
}

} // namespace

TEST(FlowGraph, ListsTheDependentsOfAnOperation)
{
    const FlowGraph graph =
        MakeGraph({Make("a", 0, 1), Make("b", 1, 2, {0}), Make("c", 1, 3, {0, 1})});
    EXPECT_EQ(graph.GetDependents(0), (std::vector<uint32_t>{1, 2}));
    EXPECT_EQ(graph.GetDependents(1), (std::vector<uint32_t>{2}));
    EXPECT_TRUE(graph.GetDependents(2).empty());
}

TEST(FlowGraph, QueuePairsAreCountedByServerInTheOrderOfTheList)
{
    // Server 1 receives of 0, sends to 2, shares one with 3; the order of the list counts, though
    // the last operation begins first.
    const FlowGraph graph = MakeGraph({Make("a", 0, 1, {4}),
                                       Make("b", 1, 2, {0}),
                                       Make("c", 1, 3, {0}, "q"),
                                       Make("d", 1, 3, {2}, "q"),
                                       Make("e", 3, 1)});
    const auto getPlaces = [&graph](uint32_t operation) {
        const FlowGraph::Connection& connection = graph.GetConnection(operation);
        return std::make_pair(connection.srcPlace, connection.dstPlace);
    };
    EXPECT_EQ(getPlaces(0), std::make_pair(0U, 0U));
    EXPECT_EQ(getPlaces(1), std::make_pair(1U, 0U));
    EXPECT_EQ(getPlaces(2), std::make_pair(2U, 0U));
    EXPECT_EQ(getPlaces(3), getPlaces(2));
    EXPECT_EQ(getPlaces(4), std::make_pair(1U, 3U));
    EXPECT_EQ(graph.GetConnections().size(), 4U);
    EXPECT_FALSE(graph.GetConnection(1).isShared);
    EXPECT_TRUE(graph.GetConnection(3).isShared);
    EXPECT_EQ(graph.GetConnection(3).first, 2U);
}

TEST(FlowGraph, ACircleIsNamedWithoutWhatOnlyWaitsForIt)
{
    const auto find = [](std::vector<FlowOperation> operations) {
        return GetInputError([&operations] { MakeGraph(operations); });
    };
    // "d" waits for the circle of b and c and is in none.
    EXPECT_EQ(
        find(
            {Make("d", 0, 1, {1}), Make("b", 0, 1, {2, 3}), Make("c", 0, 1, {1}), Make("a", 0, 1)}),
        "operations[2]: expected operations that do not wait for themselves, got \"c\" after "
        "\"b\" after \"c\"");
    std::vector<FlowOperation> ring;
    for (uint32_t i = 0; i < 20; ++i)
    {
        ring.push_back(Make(std::to_string(i), 0, 1, {(i + 1) % 20}));
    }
    EXPECT_EQ(find(ring),
              "operations[0]: expected operations that do not wait for themselves, got \"0\" after "
              "\"1\" after \"2\" after \"3\" after \"4\" after \"5\" after \"6\" after \"7\" after "
              "others");
}
