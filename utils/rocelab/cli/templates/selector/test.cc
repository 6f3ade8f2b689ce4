// SPDX-License-Identifier: GPL-2.0-only
#include "template-name.cc"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// @return the next values, as many as there are.
std::vector<uint32_t>
Take(const Ptr<TemplateName>& selector)
{
    std::vector<uint32_t> values;
    for (int i = 0; i < 16; ++i)
    {
        values.push_back(selector->GetNext(0, Seconds(0)));
    }
    return values;
}
} // namespace

TEST(TemplateName, ValuesAreUsedInTurn)
{
    auto selector = CreateObject<TemplateName>();
    selector->Start(EntropyFacts());
    const std::vector<uint32_t> values = Take(selector);
    EXPECT_EQ(Take(selector), values);
}

TEST(TemplateName, AMarkReplacesOneValue)
{
    auto selector = CreateObject<TemplateName>();
    selector->Start(EntropyFacts());
    std::vector<uint32_t> values = Take(selector);
    selector->OnFeedback(values[5], RouteSignal::GOOD, Seconds(0));
    EXPECT_EQ(Take(selector), values);
    selector->OnFeedback(values[5], RouteSignal::MARKED, Seconds(0));
    const std::vector<uint32_t> after = Take(selector);
    EXPECT_NE(after[5], values[5]);
    values[5] = after[5];
    EXPECT_EQ(after, values);
}
