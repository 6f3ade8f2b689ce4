// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/staging-copies.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

constexpr Tick COPY{1'000'000}; ///< 1,000 B at 8 Gb/s out, in ps.

/// Out at 8 Gb/s, in at 4 Gb/s, two buffers, four messages in an iteration.
StagingCopies
MakeCopies()
{
    StagingCopies copies;
    copies.Add({8'000'000'000, 4'000'000'000, 2}, 4);
    return copies;
}

} // namespace

TEST(StagingCopies, ConnectionsWithoutARateHaveNone)
{
    StagingCopies copies = MakeCopies();
    copies.Add({}, 4);
    EXPECT_TRUE(copies.HasCopies(0));
    EXPECT_FALSE(copies.HasCopies(1));
}

TEST(StagingCopies, TheSenderCopiesAheadAsFarAsItHasBuffers)
{
    StagingCopies copies = MakeCopies();
    EXPECT_EQ(copies.TakeOut(0, 1000, 100), 100 + COPY);
    // The second one is copied behind the first; its permission comes when it is ready.
    EXPECT_EQ(copies.TakeOut(0, 1000, 3 * COPY), 3 * COPY);
    // The third one uses the first buffer, which is free from 2.5 copies on.
    copies.OnSent(0, 5 * COPY / 2);
    EXPECT_EQ(copies.TakeOut(0, 1000, 3 * COPY), 7 * COPY / 2);
    // The fourth one's buffer is in use: it is copied from now on at the earliest.
    EXPECT_EQ(copies.TakeOut(0, 1000, 4 * COPY), 5 * COPY);
}

TEST(StagingCopies, AnIterationBeginsWithEmptyBuffers)
{
    StagingCopies copies = MakeCopies();
    for (int message = 0; message < 4; ++message)
    {
        copies.TakeOut(0, 1000, 100);
        copies.OnSent(0, 200);
    }
    EXPECT_EQ(copies.TakeOut(0, 1000, 9 * COPY), 10 * COPY);
    EXPECT_EQ(copies.TakeOut(0, 1000, 9 * COPY), 11 * COPY);
}

TEST(StagingCopies, TheReceiverCopiesOneMessageAfterTheOther)
{
    StagingCopies copies = MakeCopies();
    EXPECT_EQ(copies.TakeIn(0, 1000, 0), 2 * COPY);
    EXPECT_EQ(copies.TakeIn(0, 500, COPY), 3 * COPY);
    EXPECT_EQ(copies.TakeIn(0, 1000, 10 * COPY), 12 * COPY);
}
