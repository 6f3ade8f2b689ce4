// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/name-suggestion.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

using Names = std::vector<std::string>;

TEST(NameSuggestion, CountsEditsBetweenTwoTexts)
{
    EXPECT_EQ(GetEditDistance("", ""), 0U);
    EXPECT_EQ(GetEditDistance("", "abc"), 3U);
    EXPECT_EQ(GetEditDistance("srnic", "srnic"), 0U);
    EXPECT_EQ(GetEditDistance("srnci", "srnic"), 2U);       // Two replacements.
    EXPECT_EQ(GetEditDistance("kitten", "sitting"), 3U);    // k->s, e->i, +g.
    EXPECT_EQ(GetEditDistance("hostrate", "hostRate"), 0U); // Case does not count.
}

TEST(NameSuggestion, OffersTheNearestNamesFirst)
{
    const Names presets{"balboa", "connectx5", "connectx6", "irn", "srnic"};
    EXPECT_EQ(FindNearestNames("conectx6", presets), (Names{"connectx6", "connectx5"}));
    EXPECT_EQ(FindNearestNames("srn1c", presets), Names{"srnic"});
}

TEST(NameSuggestion, TakesAnAbbreviationForTheNameThatItIsMadeOf)
{
    // Edits alone offer irn, whose distance from cx6 is 3; that of connectx6 is 6.
    EXPECT_EQ(FindNearestNames("cx6", {"connectx5", "connectx6", "irn", "srnic"}),
              Names{"connectx6"});
    EXPECT_EQ(FindNearestNames("CX-7", {"connectx7", "connectx7-ar", "uet"}), Names{"connectx7"});
    // A part of a name; a name that is one edit away is nearer.
    EXPECT_EQ(FindNearestNames("alpha", {"bufferAlpha", "buffer"}), Names{"bufferAlpha"});
    EXPECT_EQ(FindNearestNames("alpha", {"bufferAlpha", "alpa", "buffer"}), Names{"alpa"});
    // An abbreviation keeps the first letter and the order: none of these is one.
    EXPECT_EQ(FindNearestNames("x6", {"connectx6", "irn"}), Names{"irn"});
    EXPECT_EQ(FindNearestNames("c6x", {"connectx6", "irn"}), Names{"irn"});
}

TEST(NameSuggestion, OffersThreeNamesAtMost)
{
    EXPECT_EQ(FindNearestNames("x", {"a", "b", "c", "d"}), (Names{"a", "b", "c"}));
}

TEST(NameSuggestion, SaysSoWhenThereIsNoName)
{
    EXPECT_EQ(DescribeNearest("x", {}), "there are none");
    EXPECT_EQ(DescribeNearest("x", {"xy"}), "nearest: xy");
}

TEST(NameSuggestion, JoinsNamesAsASentenceWould)
{
    EXPECT_EQ(JoinNames({}), "");
    EXPECT_EQ(JoinNames({"a"}), "a");
    EXPECT_EQ(JoinNames({"a", "b"}), "a or b");
    EXPECT_EQ(JoinNames({"a", "b", "c"}), "a, b or c");
}
