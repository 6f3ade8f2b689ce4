// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/run-report.h"

#include "ns3/fabric-core.h"
#include "ns3/peak-memory.h"
#include "ns3/rdma-nic.h"

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

TEST(RunReport, CountersAreReadFromTheFabricAndTheFlows)
{
    FabricCore core;
    core.drops.Count(DropReason::LINK_LOSS);
    core.drops.Count(DropReason::OUT_OF_ORDER);
    core.drops.Count(DropReason::OUT_OF_ORDER);
    core.trims = 3;
    core.lastHopTrims = 4;
    core.trimmedDrops = 5;
    core.ecnMarks = 6;
    core.pfcPauses = 7;
    core.packetHops = 8;
    core.pauseStorms = 11;
    core.pauseStormsEnded = 13;
    core.linkWaits = 14;
    core.linkReplays = 15;
    const std::vector<ns3::Ptr<RdmaNic>> nics{nullptr}; // A switch.
    const CounterSource source{core, nics, {9, 12, 2}, 10};
    // One drop in the fabric, two at servers; of 12 timeouts 2 were idle.
    const std::vector<uint64_t> expected{1, 2, 3, 4, 5, 6, 7, 11, 13, 14, 15, 0, 9, 12, 10, 8, 10};
    ASSERT_EQ(GetRunCounters().size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        EXPECT_EQ(GetRunCounters()[i].read(source), expected[i]) << GetRunCounters()[i].name;
    }
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
