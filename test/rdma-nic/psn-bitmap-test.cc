// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/psn-bitmap.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace ns3::rdma;

TEST(PsnBitmap, ReturnsWhetherAMarkIsNew)
{
    PsnBitmap bitmap;
    EXPECT_TRUE(bitmap.IsEmpty());
    EXPECT_FALSE(bitmap.IsMarked(Psn(7)));
    EXPECT_TRUE(bitmap.Mark(Psn(5), Psn(7)));
    EXPECT_FALSE(bitmap.Mark(Psn(5), Psn(7)));
    EXPECT_TRUE(bitmap.IsMarked(Psn(7)));
    EXPECT_FALSE(bitmap.IsMarked(Psn(6)));
    EXPECT_FALSE(bitmap.IsMarked(Psn(4))); // Before the window.
    EXPECT_FALSE(bitmap.IsEmpty());
}

TEST(PsnBitmap, UnmarksUpToButNotTheEnd)
{
    PsnBitmap bitmap;
    bitmap.Mark(Psn(10), Psn(11));
    bitmap.Mark(Psn(10), Psn(13));
    bitmap.Mark(Psn(10), Psn(14));
    bitmap.Unmark(Psn(10), Psn(14));
    EXPECT_FALSE(bitmap.IsMarked(Psn(11)));
    EXPECT_FALSE(bitmap.IsMarked(Psn(13)));
    EXPECT_TRUE(bitmap.IsMarked(Psn(14)));
    bitmap.Unmark(Psn(14), Psn(15));
    EXPECT_TRUE(bitmap.IsEmpty());
}

TEST(PsnBitmap, UnmarksOnePsnInTheMiddleAndKeepsTheOthers)
{
    PsnBitmap bitmap;
    for (const uint32_t psn : {11, 13, 14})
    {
        bitmap.Mark(Psn(10), Psn(psn));
    }
    EXPECT_TRUE(bitmap.Unmark(Psn(13)));
    EXPECT_FALSE(bitmap.Unmark(Psn(13)));
    EXPECT_FALSE(bitmap.Unmark(Psn(12)));
    EXPECT_TRUE(bitmap.IsMarked(Psn(11)));
    EXPECT_TRUE(bitmap.IsMarked(Psn(14)));
    bitmap.Unmark(Psn(11));
    bitmap.Unmark(Psn(14));
    EXPECT_TRUE(bitmap.IsEmpty());
}

TEST(PsnBitmap, KeepsItsMarksWhenItGrowsAcrossTheWrap)
{
    PsnBitmap bitmap;
    const Psn base(0xffffc0); // 64 before the wrap.
    bitmap.Mark(base, Psn(0xffffff));
    bitmap.Mark(base, Psn(0));
    bitmap.Mark(base, Psn(50'000)); // Far beyond the first ring.
    for (const uint32_t psn : {0xffffffU, 0U, 50'000U})
    {
        EXPECT_TRUE(bitmap.IsMarked(Psn(psn))) << psn;
    }
    for (const uint32_t psn : {0xfffffeU, 1U, 49'999U, 50'001U, 0xffffc0U})
    {
        EXPECT_FALSE(bitmap.IsMarked(Psn(psn))) << psn;
    }
}

/// A window slides over the wrap while PSNs in it are marked, as a responder does it.
TEST(PsnBitmap, AgreesWithASetWhileItsWindowSlides)
{
    std::mt19937 random(1);
    PsnBitmap bitmap;
    std::set<uint64_t> marked; // 64-bit packet numbers.
    uint64_t base = 0xfffc00;
    for (int step = 0; step < 20'000; ++step)
    {
        const uint64_t number = base + random() % (step % 1000 == 0 ? 5000 : 300);
        ASSERT_EQ(bitmap.Mark(Psn(base), Psn(number)), marked.insert(number).second);
        if (random() % 8 == 0)
        {
            const uint64_t next = base + random() % 20;
            bitmap.Unmark(Psn(base), Psn(next));
            marked.erase(marked.begin(), marked.lower_bound(next));
            base = next;
        }
        const uint64_t probe = base + random() % 400;
        ASSERT_EQ(bitmap.IsMarked(Psn(probe)), marked.count(probe) == 1) << step;
        ASSERT_EQ(bitmap.IsEmpty(), marked.empty());
    }
    EXPECT_GT(base, 0x1000000); // The window did cross the wrap.
}

TEST(PsnBitmap, ACopyHasMarksOfItsOwn)
{
    PsnBitmap original;
    original.Mark(Psn(3), Psn(5));
    PsnBitmap copy = original;
    copy.Mark(Psn(3), Psn(7));
    EXPECT_FALSE(original.IsMarked(Psn(7)));
    copy.Unmark(Psn(3), Psn(8));
    EXPECT_TRUE(copy.IsEmpty());
    EXPECT_TRUE(original.IsMarked(Psn(5)));
    copy = original;
    original.Unmark(Psn(3), Psn(8));
    EXPECT_TRUE(copy.IsMarked(Psn(5)));
}
