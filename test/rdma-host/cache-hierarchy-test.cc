// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/cache-hierarchy.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t KIB{1024};
constexpr uint64_t MIB{1024 * KIB};

struct Round
{
    uint64_t coreBytes;
    uint64_t sharedBytes;
    Tick time; ///< ps, of the attributes' defaults.
};

// A level holds a round that is as large as itself, and nothing of one that is a byte larger.
const Round ROUNDS[] = {
    {1, 1, 1429},
    {32 * KIB, 16 * MIB, 1429},
    {32 * KIB + 1, 32 * KIB + 1, 4643},
    {512 * KIB, 64 * MIB, 4643}, // The neighbours do not matter to a core's own levels.
    {512 * KIB + 1, 16 * MIB, 12143},
    {512 * KIB + 1, 16 * MIB + 1, 122'000},
};
} // namespace

TEST(CacheHierarchy, ALineComesFromTheFirstLevelThatHoldsTheRound)
{
    const auto caches = CreateObject<CacheHierarchy>();
    for (const Round& round : ROUNDS)
    {
        EXPECT_EQ(caches->GetLineTime(round.coreBytes, round.sharedBytes, false), round.time)
            << round.coreBytes << " of " << round.sharedBytes;
    }
}

TEST(CacheHierarchy, OnlyMemoryIsFurtherAwayOnTheOtherNumaNode)
{
    const auto caches = CreateObject<CacheHierarchy>();
    for (const Round& round : ROUNDS)
    {
        const Tick remote = caches->GetLineTime(round.coreBytes, round.sharedBytes, true);
        EXPECT_EQ(remote, round.time == 122'000 ? 222'000 : round.time);
    }
}

TEST(CacheHierarchy, ABegunLineCounts)
{
    EXPECT_EQ(CacheHierarchy::CountLines(0), 0U);
    EXPECT_EQ(CacheHierarchy::CountLines(1), 1U);
    EXPECT_EQ(CacheHierarchy::CountLines(64), 1U);
    EXPECT_EQ(CacheHierarchy::CountLines(65), 2U);
}
