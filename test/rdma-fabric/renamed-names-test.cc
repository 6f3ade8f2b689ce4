// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/renamed-names.h"

#include "ns3/attribute-fault.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(RenamedNames, AFormerAttributeIsAnErrorThatStatesItsPresentName)
{
    RegisterRenamed({{"ns3::rdma::Former::Size", "ns3::rdma::FabricSwitch::BufferSize"},
                     {"ns3::rdma::FormerType", "ns3::rdma::EcmpBalancer"}});
    EXPECT_EQ(FindNewName("ns3::rdma::Former::Size"), "ns3::rdma::FabricSwitch::BufferSize");
    EXPECT_FALSE(FindNewName("ns3::rdma::FabricSwitch::BufferSize"));
    const auto attribute = FindAttributeFault("ns3::rdma::Former::Size", "1");
    ASSERT_TRUE(attribute);
    EXPECT_EQ(attribute->expected, "ns3::rdma::FabricSwitch::BufferSize");
    EXPECT_EQ(attribute->got, "the former name ns3::rdma::Former::Size");
    const auto ofType = FindAttributeFault("ns3::rdma::FormerType::Seed", "1");
    ASSERT_TRUE(ofType);
    EXPECT_EQ(ofType->expected, "ns3::rdma::EcmpBalancer::Seed");
}

TEST(RenamedNames, AFormerTypeIsAnErrorThatStatesTheKindOfThePresentOne)
{
    RegisterRenamed({{"ns3::rdma::FormerBalancer", "ns3::rdma::EcmpBalancer"}});
    const auto fault = FindTypeFault("ns3::rdma::FormerBalancer", "ns3::rdma::LossModel");
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->expected, "ns3::rdma::EcmpBalancer, a class below ns3::rdma::LoadBalancer");
    EXPECT_EQ(fault->got, "the former name ns3::rdma::FormerBalancer");
}
