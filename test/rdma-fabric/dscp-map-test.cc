// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/dscp-map.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

TEST(DscpMap, GivesTheUsualPrioritiesWithoutAText)
{
    const DscpMap map;
    for (uint8_t dscp = 0; dscp < DSCPS; ++dscp)
    {
        EXPECT_EQ(map.GetPriority(dscp), dscp / 8) << int{dscp};
    }
    EXPECT_EQ(map.GetPriority(26), 3); // RoCE data.
    EXPECT_EQ(map.GetPriority(48), 6); // CNPs.
}

TEST(DscpMap, ChangesTheListedDscpsOnly)
{
    const DscpMap map("26:0,0:7");
    for (uint8_t dscp = 0; dscp < DSCPS; ++dscp)
    {
        const int expected = dscp == 26 ? 0 : dscp == 0 ? 7 : dscp / 8;
        EXPECT_EQ(map.GetPriority(dscp), expected) << int{dscp};
    }
}

TEST(DscpMap, RefusesMalformedTexts)
{
    for (const char* text : {",",     "26",      "26:",   ":3",        "26:8",   "64:3",
                             "26:3,", ",26:3",   "26:-3", "26:3:3",    "26;3",   "26:3 48:6",
                             "a:3",   "26:3,,4", "-1:3",  "26:3,26:3", "26:3.0", "999999999999:1",
                             " 26:3", "26:3 ",   "+26:3", "0x1a:3"})
    {
        EXPECT_FALSE(DscpMap::Parse(text)) << text;
        EXPECT_FALSE(MakeDscpMapChecker()->Check(StringValue(text))) << text;
    }
    EXPECT_TRUE(DscpMap::Parse(""));
    EXPECT_TRUE(MakeDscpMapChecker()->Check(StringValue("0:0,63:7")));
}
