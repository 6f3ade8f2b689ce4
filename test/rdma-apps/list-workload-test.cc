// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/list-workload.h"

#include "../test-files.h"

#include "ns3/simple-topologies.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Servers 0 .. 2 behind switch 3.
const TopologyGraph&
GetHosts()
{
    static const TopologyGraph graph = MakeStar(3, DataRate("100Gbps"), MicroSeconds(1));
    return graph;
}

} // namespace

TEST(ListWorkload, SortsByStartAndKeepsTheOrderOfTies)
{
    ListWorkload workload(GetHosts(), {{0, 1, 10, 500}, {1, 2, 20, 0}, {2, 0, 30, 500}});
    EXPECT_EQ(workload.GetFlowCount(), 3);
    for (const uint64_t bytes : {20, 10, 30})
    {
        const auto flow = workload.Next();
        ASSERT_TRUE(flow.has_value());
        EXPECT_EQ(flow->bytes, bytes);
    }
    EXPECT_FALSE(workload.Next().has_value());
}

TEST(ListWorkload, NamesTheFlowThatCannotRun)
{
    const std::pair<FlowArrival, const char*> cases[] = {
        {{0, 0, 10, 0}, "two different servers, got a flow from server 0 to itself"},
        {{3, 0, 10, 0}, "a server as source, got switch 3"},
        {{0, 4, 10, 0}, "a server as destination (0 to 2), got 4"},
        {{0, 1, 10, -1}, "a start at 0 or later, got -1 ps"},
    };
    for (const auto& [flow, message] : cases)
    {
        EXPECT_EQ(GetInputError([&] {
                      ListWorkload(GetHosts(), {{0, 1, 10, 0}, flow});
                  }),
                  std::string("flows[1]: expected ") + message);
    }
}
