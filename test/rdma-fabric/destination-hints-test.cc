// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/destination-hints.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{
constexpr uint32_t NODES{3};

class DestinationHintsTest : public testing::Test
{
  protected:
    DestinationHintsTest()
    {
        m_hints.Start(m_engine, NODES);
    }

    FabricEngine m_engine{true};
    DestinationHints m_hints;
    int m_memory[2]{};
};
} // namespace

TEST_F(DestinationHintsTest, AQueuePairIsFoundByNodeAndNumber)
{
    m_hints.Set(1, 5, &m_memory[0]);
    m_hints.Set(2, 5, &m_memory[1]);
    EXPECT_EQ(m_hints.Get(0, 5), nullptr);
    EXPECT_EQ(m_hints.Get(1, 5), &m_memory[0]);
    EXPECT_EQ(m_hints.Get(2, 5), &m_memory[1]);
    EXPECT_EQ(m_engine.GetPrefetch(m_hints.GetTarget(1, 5)), &m_memory[0]);
}

TEST_F(DestinationHintsTest, NoTwoNodesHaveAPlaceInCommon)
{
    for (uint32_t number = 0; number < 100; ++number)
    {
        m_hints.Set(1, number, &m_memory[0]);
    }
    for (uint32_t number = 0; number < 100; ++number)
    {
        EXPECT_EQ(m_hints.Get(0, number), nullptr);
        EXPECT_EQ(m_hints.Get(2, number), nullptr);
    }
}

TEST_F(DestinationHintsTest, TheLatestHolderKeepsThePlaceUntilItReleasesIt)
{
    m_hints.Set(1, 5, &m_memory[0]);
    m_hints.Set(1, 5 + 16, &m_memory[1]); // 16 places per node.
    EXPECT_EQ(m_hints.Get(1, 5), &m_memory[1]);
    m_hints.Clear(1, 5, &m_memory[0]);
    EXPECT_EQ(m_hints.Get(1, 5 + 16), &m_memory[1]);
    m_hints.Clear(1, 5 + 16, &m_memory[1]);
    EXPECT_EQ(m_hints.Get(1, 5 + 16), nullptr);
}

TEST(DestinationHints, WithoutAFabricNothingIsKnown)
{
    DestinationHints hints;
    int memory = 0;
    hints.Set(1, 5, &memory);
    EXPECT_EQ(hints.Get(1, 5), nullptr);
}
