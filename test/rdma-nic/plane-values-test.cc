// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/plane-values.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(PlaneValues, AValueWaitsForThePortOfItsPlane)
{
    PlaneValues values(3);
    EXPECT_EQ(values.Put(7), 1U); // 7 mod 3.
    EXPECT_EQ(values.Put(10), 1U);
    EXPECT_FALSE(values.Has(0));
    ASSERT_TRUE(values.Has(1));
    EXPECT_EQ(values.Take(1), 7U); // The one that has waited longest.
    EXPECT_EQ(values.Take(1), 10U);
    EXPECT_FALSE(values.Has(1));
}

TEST(PlaneValues, FurtherValuesOfAPlaneThatDoesNotSendAreDropped)
{
    PlaneValues values(2);
    for (uint32_t value = 0; value < 2 * PlaneValues::MOST + 10; value += 2)
    {
        values.Put(value);
    }
    for (uint32_t number = 0; number < PlaneValues::MOST; ++number)
    {
        ASSERT_TRUE(values.Has(0));
        EXPECT_EQ(values.Take(0), 2 * number);
    }
    EXPECT_FALSE(values.Has(0));
}

TEST(PlaneValues, APlaneThatIsNotUsableIsReplacedByTheNextOne)
{
    PlaneValues values(4);
    values.Put(2);
    values.SetUsable(0b1010);
    EXPECT_FALSE(values.Has(2)); // Its plane may differ now.
    EXPECT_EQ(values.GetPlane(0), 1U);
    EXPECT_EQ(values.GetPlane(2), 3U);
    EXPECT_EQ(values.Put(2), 3U);
    EXPECT_TRUE(values.Has(3));
}

TEST(PlaneValues, WithoutAUsablePlaneAValueKeepsItsOwn)
{
    PlaneValues values(4);
    values.SetUsable(0);
    EXPECT_EQ(values.GetPlane(6), 2U);
}

TEST(PlaneValues, ThePlaneWhoseValueWaitsLongestIsFound)
{
    PlaneValues values(4);
    EXPECT_EQ(values.FindOldest(0b1111), std::nullopt);
    for (const uint32_t value : {6, 1, 2, 5})
    {
        values.Put(value);
    }
    EXPECT_EQ(values.FindOldest(0b1111), 2U); // That of 6.
    EXPECT_EQ(values.FindOldest(0b1011), 1U); // Without plane 2.
    EXPECT_EQ(values.FindOldest(0b1001), std::nullopt);
    values.Take(2);
    EXPECT_EQ(values.FindOldest(0b1111), 1U); // 1 waits longer than 2.
    values.Take(1);
    EXPECT_EQ(values.FindOldest(0b1111), 2U); // 2 waits longer than 5.
}
