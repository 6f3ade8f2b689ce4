// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/region-tracker.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{
/// Two regions of three blocks.
RegionLayout
MakeLayout()
{
    return RegionLayout::MakeDense(0, 2, 3, 10);
}

/// Takes messages by number, and keeps what is reported as "region/turn: blocks".
class TrackerTest : public testing::Test
{
  protected:
    TrackerTest()
    {
        tracker.SetReportHandler([this](const RegionReport& report) {
            std::string text =
                std::to_string(report.region) + "/" + std::to_string(report.turn) + ":";
            for (const uint32_t block : report.missing)
            {
                text += " " + std::to_string(block);
            }
            reports.push_back(text);
        });
    }

    BlockArrival Take(uint64_t number)
    {
        return tracker.Take(MakeLayout().GetImmediate(number));
    }

    RegionTracker tracker{MakeLayout()};
    std::vector<std::string> reports;
};
} // namespace

TEST_F(TrackerTest, ARegionIsValidWhenAllOfItsBlocksHaveArrived)
{
    EXPECT_TRUE(tracker.GetRegion(0).isQueued);
    EXPECT_FALSE(tracker.GetRegion(0).isValid);
    Take(0);
    Take(1);
    EXPECT_FALSE(tracker.GetRegion(0).isValid);
    EXPECT_EQ(Take(2), BlockArrival::NEW);
    EXPECT_TRUE(tracker.GetRegion(0).isValid);
    EXPECT_FALSE(tracker.GetRegion(0).isQueued);
    for (const uint64_t number : {3, 4, 5})
    {
        Take(number);
    }
    Take(6); // It is overwritten from here on.
    EXPECT_FALSE(tracker.GetRegion(0).isValid);
    EXPECT_TRUE(tracker.GetRegion(0).isQueued);
    EXPECT_EQ(tracker.GetRegion(0).turn, 1U);
    EXPECT_EQ(tracker.GetWhole(), 1U);
    EXPECT_TRUE(tracker.GetRegion(1).isValid);
    EXPECT_EQ(tracker.GetMissing(), 0U);
}

TEST_F(TrackerTest, GapsSayWhichBlocksAreMissing)
{
    for (const uint64_t number : {0, 2, 5, 6, 7, 8, 9})
    {
        EXPECT_EQ(Take(number), BlockArrival::NEW);
    }
    EXPECT_EQ(tracker.GetMissing(), 3U); // 1, 3 and 4.
    EXPECT_EQ(reports, (std::vector<std::string>{"0/0: 1", "1/0: 0 1"}));
    EXPECT_EQ(tracker.GetIncomplete(), 2U);
}

TEST_F(TrackerTest, UsesThatAreLostAsAWholeAreReported)
{
    Take(0);
    EXPECT_EQ(Take(15), BlockArrival::NEW); // Slots 0 to 5: the regions' third turns.
    // Ended: both first turns and both second ones.
    EXPECT_EQ(reports,
              (std::vector<std::string>{"0/0: 1 2", "1/0: 0 1 2", "0/1: 0 1 2", "1/1: 0 1 2"}));
    EXPECT_EQ(tracker.GetMissing(), 14U);
    EXPECT_EQ(tracker.GetRegion(1).turn, 2U);
    EXPECT_EQ(tracker.GetRegion(1).arrived, 1U);
}

TEST_F(TrackerTest, LateAndDuplicateMessagesAreTold)
{
    Take(0);
    Take(2);
    EXPECT_EQ(Take(2), BlockArrival::DUPLICATE);
    EXPECT_EQ(Take(1), BlockArrival::LATE);
    EXPECT_EQ(Take(1), BlockArrival::DUPLICATE);
    EXPECT_EQ(tracker.GetMissing(), 0U);
    EXPECT_EQ(tracker.GetLate(), 1U);
    EXPECT_EQ(tracker.GetDuplicates(), 2U);
    EXPECT_TRUE(tracker.GetRegion(0).isValid);
}

TEST_F(TrackerTest, AMessageForAnEarlierUseOfARegionIsStale)
{
    Take(0);
    Take(6); // Region 0 again.
    EXPECT_EQ(Take(1), BlockArrival::STALE);
    EXPECT_EQ(tracker.GetMissing(), 5U);
    EXPECT_FALSE(tracker.GetRegion(0).isValid);
}

TEST_F(TrackerTest, LabelsThatNameNothingAreInvalid)
{
    EXPECT_EQ(tracker.Take(0x00000800), BlockArrival::INVALID); // Region 2.
    EXPECT_EQ(Take(6 * 4096 - 1), BlockArrival::INVALID);       // Before the first message.
    EXPECT_EQ(tracker.GetMissing(), 0U);
}

TEST_F(TrackerTest, TurnsWrapAroundWithoutALoss)
{
    for (uint64_t number = 0; number < 6 * 4096 + 4; ++number)
    {
        ASSERT_EQ(Take(number), BlockArrival::NEW) << number;
    }
    EXPECT_EQ(tracker.GetMissing(), 0U);
    EXPECT_EQ(tracker.GetRegion(0).turn, 4096U);
    EXPECT_TRUE(reports.empty());
}

TEST(RegionTracker, BlocksBeforeTheFirstMessageAreNotMissing)
{
    RegionTracker tracker(MakeLayout(), 2);
    const RegionLayout layout = MakeLayout();
    for (uint64_t number = 2; number < 9; ++number)
    {
        EXPECT_EQ(tracker.Take(layout.GetImmediate(number)), BlockArrival::NEW);
    }
    EXPECT_EQ(tracker.GetMissing(), 0U);
    EXPECT_EQ(tracker.GetWhole(), 1U); // The first use of region 0, of which one block was sent.
    EXPECT_EQ(tracker.GetIncomplete(), 0U);
}

TEST(RegionTracker, TheFirstMessagesMayBeLostToo)
{
    RegionTracker tracker(MakeLayout(), 1);
    EXPECT_EQ(tracker.Take(MakeLayout().GetImmediate(4)), BlockArrival::NEW);
    EXPECT_EQ(tracker.GetMissing(), 3U);
}
