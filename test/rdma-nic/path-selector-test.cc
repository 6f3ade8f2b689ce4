// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/path-selector.h"

#include "ns3/failover-path.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

std::vector<uint32_t>
ChoosePorts(const PortStates& ports, uint32_t count)
{
    const auto selector = CreateObject<FixedPath>();
    std::vector<uint32_t> chosen;
    for (uint32_t connection = 0; connection < count; ++connection)
    {
        chosen.push_back(selector->ChoosePort(connection, ports));
    }
    return chosen;
}

} // namespace

TEST(PathSelector, NicsAreAssignedInTurn)
{
    const auto selector = CreateObject<FixedPath>();
    EXPECT_EQ(selector->ChooseNic(0, 10), 0);
    EXPECT_EQ(selector->ChooseNic(9, 10), 9);
    EXPECT_EQ(selector->ChooseNic(10, 10), 0);
}

TEST(PathSelector, PortsThatAreUpAreAssignedInTurn)
{
    EXPECT_EQ(ChoosePorts({3, 0b111}, 4), (std::vector<uint32_t>{0, 1, 2, 0}));
    EXPECT_EQ(ChoosePorts({3, 0b101}, 4), (std::vector<uint32_t>{0, 2, 0, 2}));
    EXPECT_EQ(ChoosePorts({3, 0b100}, 2), (std::vector<uint32_t>{2, 2}));
}

TEST(PathSelector, AllPortsAreAssignedWhileNoneIsUp)
{
    EXPECT_EQ(ChoosePorts({2, 0}, 3), (std::vector<uint32_t>{0, 1, 0}));
}

TEST(PathSelector, AFixedPathStays)
{
    EXPECT_FALSE(CreateObject<FixedPath>()->Move({0, 3, {2, 0b10}}));
}

TEST(PathSelector, FailoverLeavesAPortWhoseLinkIsDown)
{
    const auto selector = CreateObject<FailoverPath>();
    EXPECT_EQ(selector->Move({0, 0, {2, 0b10}}), 1U);
    EXPECT_EQ(selector->Move({2, 0, {4, 0b0011}}), 0U); // The next one that is up.
    EXPECT_FALSE(selector->Move({0, 0, {2, 0}}));       // No other is.
    EXPECT_FALSE(selector->Move({0, 0, {1, 0}}));
}

TEST(PathSelector, FailoverLeavesAPortAfterExpiries)
{
    const auto selector = CreateObject<FailoverPath>();
    EXPECT_FALSE(selector->Move({0, 1, {2, 0b11}}));
    EXPECT_EQ(selector->Move({0, 2, {2, 0b11}}), 1U);
    selector->SetAttribute("Expiries", UintegerValue(1));
    EXPECT_EQ(selector->Move({1, 1, {2, 0b11}}), 0U);
}

TEST(PathSelector, OnlyFailbackReturns)
{
    for (const ReturnCause cause : {ReturnCause::LINK_UP, ReturnCause::RETRY})
    {
        EXPECT_FALSE(CreateObject<FixedPath>()->GetReturnDelay(cause));
        EXPECT_FALSE(CreateObject<FailoverPath>()->GetReturnDelay(cause));
    }
    const auto selector = CreateObject<FailbackPath>();
    EXPECT_EQ(selector->GetReturnDelay(ReturnCause::LINK_UP), Time(0));
    EXPECT_EQ(selector->GetReturnDelay(ReturnCause::RETRY), MilliSeconds(500));
    selector->SetAttribute("RetryDelay", TimeValue(Time(0)));
    EXPECT_FALSE(selector->GetReturnDelay(ReturnCause::RETRY)); // Never, not at once.
}
