// SPDX-License-Identifier: GPL-2.0-only
#include "template-name.cc"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

TEST(TemplateName, OnlyDataBeyondTheThresholdIsDropped)
{
    auto policy = CreateObject<TemplateName>();
    EXPECT_EQ(policy->Choose(200'000, true, true), Admission::QUEUE);
    EXPECT_EQ(policy->Choose(200'001, true, true), Admission::DROP);
    EXPECT_EQ(policy->Choose(200'001, false, true), Admission::QUEUE);
}

TEST(TemplateName, AFullBufferDropsEverything)
{
    auto policy = CreateObject<TemplateName>();
    EXPECT_EQ(policy->Choose(1000, true, false), Admission::DROP);
    EXPECT_EQ(policy->Choose(1000, false, false), Admission::DROP);
}
