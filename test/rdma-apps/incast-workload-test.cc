// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/incast-workload.h"

#include "../test-files.h"

#include "ns3/simple-topologies.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Servers 0 .. 4 behind switch 5.
const TopologyGraph&
GetHosts()
{
    static const TopologyGraph graph = MakeStar(5, DataRate("100Gbps"), MicroSeconds(1));
    return graph;
}

IncastParameters
MakeParameters()
{
    return {{1, 3}, 0, 64'000, MicroSeconds(10), MicroSeconds(100), 2};
}

std::string
GetFault(const IncastParameters& parameters)
{
    return GetInputError([&] { IncastWorkload(GetHosts(), parameters); });
}

} // namespace

TEST(IncastWorkload, StartsAllSendersAtOnceRoundAfterRound)
{
    IncastWorkload workload(GetHosts(), MakeParameters());
    EXPECT_EQ(workload.GetFlowCount(), 4);
    const std::pair<uint32_t, int64_t> expected[] = {{1, 10'000'000},
                                                     {3, 10'000'000},
                                                     {1, 110'000'000},
                                                     {3, 110'000'000}};
    for (const auto& [src, startPs] : expected)
    {
        const auto flow = workload.Next();
        ASSERT_TRUE(flow.has_value());
        EXPECT_EQ(flow->src, src);
        EXPECT_EQ(flow->dst, 0);
        EXPECT_EQ(flow->bytes, 64'000);
        EXPECT_EQ(flow->startPs, startPs);
    }
    EXPECT_FALSE(workload.Next().has_value());
    EXPECT_FALSE(workload.Next().has_value());
}

TEST(IncastWorkload, ChoosesTheLowestServersWithoutTheReceiver)
{
    EXPECT_EQ(IncastWorkload::ChooseSenders(GetHosts(), 1, 3), (std::vector<uint32_t>{0, 2, 3}));
    EXPECT_EQ(GetInputError([] { IncastWorkload::ChooseSenders(GetHosts(), 1, 5); }),
              "incast: expected 1 to 4 senders (servers other than the receiver), got 5");
    EXPECT_THROW(IncastWorkload::ChooseSenders(GetHosts(), 1, 0), InputError);
}

TEST(IncastWorkload, RefusesNodesThatAreNoServers)
{
    IncastParameters parameters = MakeParameters();
    parameters.receiver = 5;
    EXPECT_EQ(GetFault(parameters), "incast: expected a server as destination, got switch 5");
    parameters.receiver = 9;
    EXPECT_EQ(GetFault(parameters), "incast: expected a server as destination (0 to 4), got 9");
    parameters.receiver = 3;
    EXPECT_EQ(GetFault(parameters),
              "incast: expected two different servers, got a flow from server 3 to itself");
}

TEST(IncastWorkload, RefusesNumbersOutOfRange)
{
    IncastParameters parameters = MakeParameters();
    parameters.senders.clear();
    EXPECT_EQ(GetFault(parameters), "incast: expected at least one sender, got none");
    parameters = MakeParameters();
    parameters.repeats = 0;
    EXPECT_EQ(GetFault(parameters), "incast: expected at least one round, got 0");
    parameters = MakeParameters();
    parameters.period = Time(0);
    EXPECT_EQ(GetFault(parameters), "incast: expected a period above 0 between rounds, got 0 ps");
    parameters.repeats = 1;
    EXPECT_EQ(GetFault(parameters), ""); // One round needs no period.
    parameters = MakeParameters();
    parameters.period = Seconds(10'000);
    parameters.repeats = 1'000;
    EXPECT_EQ(GetFault(parameters),
              "incast: expected a last round at 1000000 s or before, got one that is too late");
}
