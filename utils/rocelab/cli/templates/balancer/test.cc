// SPDX-License-Identifier: GPL-2.0-only
#include "template-name.cc"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

TEST(TemplateName, AllPortsAreUsedAboutAsOften)
{
    auto balancer = CreateObject<TemplateName>();
    balancer->SetAttribute("Samples", UintegerValue(1)); // Needs no queues: ports are random.
    SwitchView view;
    view.seed = 1;
    balancer->Start(view);
    Frame frame;
    std::vector<int> counts(4);
    for (int i = 0; i < 4000; ++i)
    {
        ++counts.at(balancer->Choose(frame, {nullptr, 4}, 0));
    }
    for (const int count : counts)
    {
        EXPECT_NEAR(count, 1000, 5 * 27.4); // Five standard deviations: sqrt(4000 x 1/4 x 3/4).
    }
}
