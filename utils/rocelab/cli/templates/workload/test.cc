// SPDX-License-Identifier: GPL-2.0-only
#include "template-name.cc"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

TEST(TemplateName, EachServerSendsToTheNextButOneInEachRound)
{
    TemplateNameSource source({4, 5, 6}, 1000, 2, 2, MicroSeconds(10));
    EXPECT_EQ(source.GetFlowCount(), 6U);
    std::vector<uint32_t> receivers;
    int64_t lastStart = -1;
    while (const auto flow = source.Next())
    {
        receivers.push_back(flow->dst);
        lastStart = flow->startPs;
    }
    EXPECT_EQ(receivers, (std::vector<uint32_t>{6, 4, 5, 6, 4, 5}));
    EXPECT_EQ(lastStart, 10'000'000);
}
