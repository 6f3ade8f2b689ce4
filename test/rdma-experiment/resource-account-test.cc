// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/resource-account.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{
const ResourceLine&
Find(const std::vector<ResourceLine>& lines, const std::string& name)
{
    return *std::find_if(lines.begin(), lines.end(), [&name](const ResourceLine& line) {
        return line.name == name;
    });
}
} // namespace

TEST(ResourceAccount, ThePublishedVersionsAreTable3)
{
    const ResourceLine slow = AccountResources({500, 16384, 8}).back();
    EXPECT_EQ(slow.basis, ResourceBasis::STATED);
    EXPECT_EQ(slow.luts, 92'000);
    EXPECT_DOUBLE_EQ(slow.blocks, 181);
    EXPECT_EQ(slow.flipFlops, 115'000);
    const ResourceLine fast = AccountResources({500, 16384, 64}).back();
    EXPECT_EQ(fast.luts, 122'000);
    EXPECT_DOUBLE_EQ(fast.blocks, 402);
}

TEST(ResourceAccount, TheLastLineIsTheSumOfTheOthers)
{
    for (const uint32_t queuePairs : {1U, 500U, 16'000U})
    {
        const auto lines = AccountResources({queuePairs, 1024, 16});
        double sum = 0;
        for (std::size_t i = 0; i + 1 < lines.size(); ++i)
        {
            sum += lines[i].blocks;
        }
        EXPECT_NEAR(lines.back().blocks, sum, 1e-9) << queuePairs;
    }
}

TEST(ResourceAccount, QueuePairsCostMemoryAndNoLogic)
{
    const auto few = AccountResources({500, 16384, 8});
    const auto many = AccountResources({16'000, 16384, 8});
    EXPECT_EQ(many.back().luts, few.back().luts);
    EXPECT_EQ(many.back().flipFlops, few.back().flipFlops);
    EXPECT_GT(many.back().blocks, few.back().blocks);
    EXPECT_EQ(many.back().basis, ResourceBasis::SUM);
    EXPECT_EQ(Find(many, "TLB").blocks, Find(few, "TLB").blocks);
    // At least their bits: 15,500 queue pairs more, blocks of 36 Kb.
    EXPECT_GE(many.back().blocks - few.back().blocks, 15'500.0 * GetQueuePairBits() / 36'864 - 1);
}

TEST(ResourceAccount, WidthsBetweenTheVersionsAreFitted)
{
    const ResourceLine between = AccountResources({500, 16384, 32}).back();
    EXPECT_EQ(between.basis, ResourceBasis::FITTED);
    // On the line from 8 to 64 bytes: 24 of 56 of the way from 92,000 to 122,000.
    EXPECT_NEAR(*between.luts, 92'000 + 30'000 * 24.0 / 56, 1);
}
