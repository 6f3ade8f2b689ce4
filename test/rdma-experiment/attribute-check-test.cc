// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/attribute-check.h"

#include "../test-files.h"

#include "ns3/class-name.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::rdma;

TEST(AttributeCheck, TakesOnlyTypesOfTheKindThatTheAttributeHolds)
{
    const std::string name = "ns3::rdma::RdmaNic::CongestionControl";
    EXPECT_FALSE(FindSettingFault(name, "ns3::rdma::Dcqcn"));
    const auto wrongKind = FindSettingFault(name, "ns3::rdma::GoBackN");
    ASSERT_TRUE(wrongKind);
    EXPECT_EQ(wrongKind->expected.rfind("a type below ns3::rdma::CongestionControl (nearest: ", 0),
              0U);
    const auto unknown = FindSettingFault(name, "ns3::rdma::Dcqn");
    ASSERT_TRUE(unknown);
    EXPECT_EQ(unknown->expected,
              "a type below ns3::rdma::CongestionControl (nearest: ns3::rdma::Dcqcn; types of a "
              "plug-in need --plugin FILE)");
    EXPECT_EQ(unknown->got, "\"ns3::rdma::Dcqn\"");
}

TEST(AttributeCheck, PointsToTheKeyThatSetsAnAttribute)
{
    const auto fault = FindSettingFault("ns3::rdma::RdmaNic::PathMtu", "512");
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->expected, "the scenario's key $.fabric.mtu instead");
}

TEST(AttributeCheck, ReadsTypesBelowABaseOnly)
{
    const std::string base = "ns3::rdma::LoadBalancer";
    const nlohmann::json child = "ns3::rdma::EcmpBalancer";
    EXPECT_EQ(ReadTypeName(JsonValue(child, "f", "$.x"), base), child);
    const nlohmann::json other = "ns3::Node";
    EXPECT_EQ(
        GetInputError([&] { ReadTypeName(JsonValue(other, "f", "$.x"), base); }),
        "f: $.x: expected a type below ns3::rdma::LoadBalancer (nearest: "
        "ns3::rdma::CongaBalancer, ns3::rdma::DrillBalancer or ns3::rdma::EcmpBalancer; types "
        "of a plug-in need --plugin FILE), got \"ns3::Node\"");
}
