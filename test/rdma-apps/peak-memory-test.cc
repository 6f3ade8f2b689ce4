// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/peak-memory.h"

#include "ns3/kv-filling.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(PeakMemory, DescribesWhatThisMachineHasNoRoomFor)
{
    const uint64_t memory = GetMachineBytes();
    EXPECT_EQ(DescribeLackOfRoom(4, memory / 4, "stores"), "");
    const std::string gib = std::to_string(memory >> 30);
    EXPECT_EQ(DescribeLackOfRoom(3, memory / 2, "stores"),
              "expected at most 2 stores, for which this machine's " + gib +
                  " GiB have room, got 3");
    EXPECT_EQ(DescribeLackOfRoom(3, 0, "stores"), "");
}

TEST(PeakMemory, PairsUseThePagesThatTheyAreIn)
{
    constexpr uint64_t MEMORY{uint64_t{1} << 30};
    KvFilling filling;
    filling.keyBytes = 8;
    filling.valueBytes = 56;
    // 32 pairs per page of 4096 bytes: a page without a pair has the probability e^-32.
    EXPECT_GE(filling.CountUsedBytes(MEMORY), MEMORY - 1);
    // 1 / 640 of that: 0.05 pairs per page, and 1 - e^-0.05 = 0.04877 of the pages.
    filling.utilization = 0.5 / 640;
    EXPECT_NEAR(static_cast<double>(filling.CountUsedBytes(MEMORY)), 0.048771 * MEMORY, 1e4);
}
