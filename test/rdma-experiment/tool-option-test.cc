// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/tool-option.h"

#include "ns3/nccl-option-table.h"
#include "ns3/perftest-option-table.h"

#include <gtest/gtest.h>
#include <set>

using namespace ns3::rdma;

namespace
{

/// Each name and letter once; only effective options are applied.
template <typename Request>
void
ExpectSound(const std::vector<ToolOption<Request>>& options)
{
    std::set<std::string> names;
    std::set<char> letters;
    for (const auto& option : options)
    {
        SCOPED_TRACE(option.name);
        EXPECT_TRUE(names.insert(option.name).second);
        EXPECT_TRUE(!option.alias || names.insert(option.alias).second);
        EXPECT_TRUE(option.letter == 0 || letters.insert(option.letter).second);
        EXPECT_EQ(option.apply != nullptr, option.use == ToolOptionUse::EFFECTIVE);
        EXPECT_STRNE(option.text, "");
    }
}

} // namespace

TEST(ToolOption, HasEachNameAndLetterOnce)
{
    ExpectSound(GetPerftestOptions());
    ExpectSound(GetNcclOptions());
    ExpectSound(GetNcclVariables());
}

TEST(ToolOption, IsNotedOnceForAllOfARealMachineAndAloneIfItIsNotModelled)
{
    EXPECT_TRUE(DescribeUnused({}).empty());
    EXPECT_EQ(DescribeUnused({{"-d"}}),
              std::vector<std::string>{"-d matters on a real machine only"});
    const std::vector<std::string> expected{"-d, -x and -R matter on a real machine only",
                                            "-S is not modelled: one class"};
    EXPECT_EQ(
        DescribeUnused({{"-d"}, {"-x"}, {"-S", ToolOptionUse::NOT_MODELLED, "one class"}, {"-R"}}),
        expected);
}
