// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/region-layout.h"

#include "ns3/verbs-error.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{
struct LabelCase
{
    uint64_t number;
    uint32_t immediate;
    uint64_t address;
};

// Three regions of two blocks of 100 bytes at 1000.  Turn << 20 | region << 10 | block.
const LabelCase LABELS[] = {
    {0, 0x00000000, 1000},
    {1, 0x00000001, 1100},
    {2, 0x00000400, 1200},
    {5, 0x00000801, 1500},
    {6, 0x00100000, 1000}, // The first region's second turn.
    {6ULL * 4095 + 5, 0xfff00801, 1500},
    {6ULL * 4096, 0x00000000, 1000}, // Labels begin anew.
};

std::string
GetFault(std::vector<uint64_t> addresses, uint32_t blocks, uint32_t blockBytes)
{
    try
    {
        const RegionLayout layout(std::move(addresses), blocks, blockBytes);
    }
    catch (const VerbsError& error)
    {
        return error.what();
    }
    return "none";
}
} // namespace

TEST(RegionLayout, MessagesFillRegionsInTurnAndImmediateDataSaysWhere)
{
    const RegionLayout layout = RegionLayout::MakeDense(1000, 3, 2, 100);
    for (const LabelCase& one : LABELS)
    {
        EXPECT_EQ(layout.GetImmediate(one.number), one.immediate) << one.number;
        EXPECT_EQ(layout.GetAddress(one.number), one.address) << one.number;
        EXPECT_EQ(layout.GetNumber(RegionLayout::Decode(one.immediate)),
                  one.number % layout.GetModulus());
    }
    EXPECT_EQ(layout.GetModulus(), 6U * 4096);
}

TEST(RegionLayout, LabelsOfOtherBlocksAreNotValid)
{
    const RegionLayout layout = RegionLayout::MakeDense(0, 3, 2, 100);
    EXPECT_TRUE(layout.IsValid(RegionLayout::Decode(0xfff00801)));
    EXPECT_FALSE(layout.IsValid(RegionLayout::Decode(0x00000c00))); // Region 3.
    EXPECT_FALSE(layout.IsValid(RegionLayout::Decode(0x00000002))); // Block 2.
}

TEST(RegionLayout, OverlappingRegionsAreRefused)
{
    EXPECT_EQ(GetFault({4000, 1000, 1199}, 2, 100),
              "memory regions 1 (0x3e8 to 0x4af) and 2 (0x4af to 0x576) overlap");
    EXPECT_EQ(GetFault({4000, 1000, 1200}, 2, 100), "none");
    EXPECT_EQ(GetFault({8, 8}, 1, 1), "memory regions 0 (0x8 to 0x8) and 1 (0x8 to 0x8) overlap");
}

TEST(RegionLayout, MoreThanLabelsCanNameAreRefused)
{
    EXPECT_EQ(GetFault({}, 1, 1), "expected 1 to 1024 memory regions of a queue pair, got 0");
    EXPECT_EQ(GetFault({0}, 1025, 1),
              "expected memory regions of 1 to 1024 blocks of at least a byte, got 1025 of 1");
    EXPECT_EQ(GetFault({0}, 1024, 1), "none");
    EXPECT_NE(GetFault({0}, 1, 0), "none");
}
