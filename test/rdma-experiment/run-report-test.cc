// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/run-report.h"

#include "ns3/peak-memory.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3::rdma;

TEST(RunReport, FlowsEndInOneOfFourWords)
{
    EXPECT_STREQ(GetFlowStatusName(FlowStatus::COMPLETED), "completed");
    EXPECT_STREQ(GetFlowStatusName(FlowStatus::FAILED), "failed");
    EXPECT_STREQ(GetFlowStatusName(FlowStatus::STALLED), "stalled");
    EXPECT_STREQ(GetFlowStatusName(FlowStatus::UNFINISHED), "unfinished");
}

TEST(PeakMemory, GrowsWithWhatIsTouchedAndNeverShrinks)
{
    constexpr std::size_t BYTES{64U << 20U};
    const uint64_t before = GetPeakRssBytes();
    {
        std::vector<char> touched(BYTES, 1);
        EXPECT_EQ(touched[BYTES / 2], 1);
        // The peak may have been higher before, in another test of this process.
        EXPECT_GE(GetPeakRssBytes(), std::max<uint64_t>(before, BYTES));
    }
    EXPECT_GE(GetPeakRssBytes(), std::max<uint64_t>(before, BYTES));
}
