// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/tlb.h"

#include "ns3/pinned-memory.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t PAGE{2 << 20};
} // namespace

TEST(Tlb, HoldsThirtyTwoGigabytes)
{
    auto tlb = CreateObject<Tlb>();
    EXPECT_TRUE(tlb->Pin(0, uint64_t{32} << 30)); // StRoM section 4.3.
    EXPECT_EQ(tlb->GetUsed(), 16384);
    EXPECT_FALSE(tlb->Pin(uint64_t{32} << 30, 1));
    EXPECT_TRUE(tlb->Pin(5, 100)); // Pinned already.
    EXPECT_EQ(tlb->GetUsed(), 16384);
}

TEST(Tlb, PinsAllPagesOrNone)
{
    auto tlb = CreateObject<Tlb>();
    tlb->SetAttribute("Entries", UintegerValue(2));
    EXPECT_FALSE(tlb->Pin(0, 2 * PAGE + 1));
    EXPECT_EQ(tlb->GetUsed(), 0);
    EXPECT_TRUE(tlb->Pin(PAGE - 1, 2)); // Two pages.
    EXPECT_EQ(tlb->GetUsed(), 2);
    EXPECT_FALSE(tlb->Pin(UINT64_MAX, 2)); // It would wrap around.
}

TEST(Tlb, SplitsACommandAtPageBorders)
{
    auto tlb = CreateObject<Tlb>();
    ASSERT_TRUE(tlb->Pin(PAGE, 4 * PAGE));
    const DmaPieces pieces = tlb->Translate(1000, 2 * PAGE - 100, PAGE + 300);
    ASSERT_EQ(pieces.size(), 3);
    EXPECT_EQ(pieces[0].address, 2 * PAGE - 100);
    EXPECT_EQ(pieces[0].bytes, 100);
    EXPECT_EQ(pieces[1].address, 2 * PAGE);
    EXPECT_EQ(pieces[1].bytes, PAGE);
    EXPECT_EQ(pieces[2].address, 3 * PAGE);
    EXPECT_EQ(pieces[2].bytes, 200);
    // It begins at the next edge, 6.4 ns, takes 2 cycles, and follows the one before after 1.
    EXPECT_EQ(pieces[0].knownAt, 6400 + 2 * 6400);
    EXPECT_EQ(pieces[2].knownAt, 6400 + 2 * 6400 + 2 * 6400);
    EXPECT_EQ(tlb->GetStats().pieces, 3);
}

TEST(Tlb, ACommandUpToABorderStaysWhole)
{
    auto tlb = CreateObject<Tlb>();
    ASSERT_TRUE(tlb->Pin(0, 2 * PAGE));
    EXPECT_EQ(tlb->Translate(0, PAGE - 64, 64).size(), 1);
    EXPECT_EQ(tlb->Translate(0, PAGE, 64).size(), 1);
    EXPECT_EQ(tlb->Translate(0, PAGE - 63, 64).size(), 2);
}

TEST(Tlb, MemoryThatIsNotPinnedIsAFault)
{
    auto tlb = CreateObject<Tlb>();
    ASSERT_TRUE(tlb->Pin(PAGE, PAGE));
    EXPECT_TRUE(tlb->Translate(0, 0, 8).empty());            // Null.
    EXPECT_TRUE(tlb->Translate(0, 2 * PAGE - 4, 8).empty()); // Half of it.
    EXPECT_TRUE(tlb->Translate(0, UINT64_MAX - 3, 8).empty());
    EXPECT_TRUE(tlb->Translate(0, 0xdeadbeefdeadbeef, 8).empty());
    EXPECT_EQ(tlb->Translate(0, PAGE, 8).size(), 1);
    tlb->Unpin(PAGE, 1);
    EXPECT_TRUE(tlb->Translate(0, PAGE, 8).empty());
    EXPECT_EQ(tlb->GetStats().faults, 5);
    EXPECT_EQ(tlb->GetStats().commands, 6);
}

TEST(PinnedMemory, HandsOutPagesUntilTheTlbIsFull)
{
    auto tlb = CreateObject<Tlb>();
    tlb->SetAttribute("Entries", UintegerValue(3));
    PinnedMemory pinned(Create<HostMemory>(), tlb, PAGE);
    EXPECT_EQ(pinned.Allocate(1), PAGE);
    EXPECT_EQ(pinned.Allocate(PAGE + 1), 2 * PAGE);
    EXPECT_FALSE(pinned.Allocate(1));
    pinned.GetMemory().Write64(2 * PAGE, 7);
    EXPECT_TRUE(tlb->IsPinned(2 * PAGE, 2 * PAGE));
    EXPECT_FALSE(tlb->IsPinned(2 * PAGE, 2 * PAGE + 1));
}
