// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-check.h"

#include "ns3/simple-topologies.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// A flow on servers 0 .. 2 behind switch 3, and what stands behind "got" if it cannot run.
struct FlowCase
{
    const char* name;
    FlowArrival flow;
    const char* got;
};

const FlowCase FLOW_CASES[] = {
    {"Sound", {0, 2, 1, 0}, ""},
    {"FromASwitch", {3, 0, 10, 0}, "switch 3"},
    {"ToASwitch", {0, 3, 10, 0}, "switch 3"},
    {"FromNowhere", {4, 0, 10, 0}, "4"},
    {"ToNowhere", {0, 4'000'000'000, 10, 0}, "4000000000"},
    {"ToItself", {1, 1, 10, 0}, "a flow from server 1 to itself"},
    {"BeforeTheBegin", {0, 1, 10, -1}, "-1 ps"},
};

class FlowCases : public testing::TestWithParam<FlowCase>
{
};

} // namespace

TEST_P(FlowCases, FindsTheFault)
{
    const TopologyGraph graph = MakeStar(3, DataRate("100Gbps"), MicroSeconds(1));
    const auto fault = FindFlowFault(graph, GetParam().flow);
    EXPECT_EQ(fault ? fault->got : "", GetParam().got);
}

INSTANTIATE_TEST_SUITE_P(FlowCheck, FlowCases, testing::ValuesIn(FLOW_CASES), [](const auto& info) {
    return std::string(info.param.name);
});
