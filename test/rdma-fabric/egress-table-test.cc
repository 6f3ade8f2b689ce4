// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/egress-table.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{
/// Switch 3 of 6 with the ports 0 (target 10) and 1 (target 11).  Switches 1 and 2 have next hops
/// of their own, all others the usual ones.
class EgressTableTest : public testing::Test
{
  protected:
    EgressTableTest()
    {
        m_table.attachments = m_attachments;
        m_table.portTargets = m_portTargets;
        m_table.nextTargets = m_nextTargets;
        m_table.groups = m_groups;
        m_table.groupOf = m_groupOf;
        m_table.number = 3;
        m_table.firstUnusual = 1;
        m_table.unusualCount = 2;
        m_table.usual = m_groups[0];
        m_table.ecmp.seed = 7;
    }

    uint32_t Find(uint32_t dst, uint32_t entropy = 0) const
    {
        Frame frame{};
        frame.dst = dst;
        frame.entropy = entropy;
        return m_table.Find(frame);
    }

    static constexpr uint32_t HERE{0};       ///< Endpoints.
    static constexpr uint32_t AT_USUAL{1};   ///< At switch 5.
    static constexpr uint32_t AT_UNUSUAL{2}; ///< At switch 1.
    static constexpr uint32_t AT_CUT_OFF{3}; ///< At switch 2.
    static constexpr uint32_t UNATTACHED{4};

    const Attachment m_attachments[5]{{3, 1}, {5, 0}, {1, 0}, {2, 0}, {}};
    const uint32_t m_portTargets[2]{10, 11};
    const uint32_t m_nextTargets[5]{NO_EGRESS, 20, 21, 22, 30};
    /// Three ports; one; none.
    const NextHops m_groups[3]{{3, 1}, {1, 4}, {0, 0}};
    const uint16_t m_groupOf[6]{0, 1, 2, 0, 0, 0};
    EgressTable m_table;
};
} // namespace

TEST_F(EgressTableTest, AnEndpointOfTheSwitchIsReachedByItsPort)
{
    EXPECT_EQ(Find(HERE), 11);
}

TEST_F(EgressTableTest, AmongPortsOfEqualCostTheHashOfTheEntropyChooses)
{
    for (uint32_t entropy = 0; entropy < 100; ++entropy)
    {
        EXPECT_EQ(Find(AT_USUAL, entropy), 20 + EcmpHash{7}.Choose(entropy, 3)) << entropy;
    }
}

TEST_F(EgressTableTest, ASwitchOutsideTheUsualGroupHasNextHopsOfItsOwn)
{
    EXPECT_EQ(Find(AT_UNUSUAL), 30);
}

TEST_F(EgressTableTest, NoEgressIsKnownForEndpointsThatAreCutOffOrNotAttached)
{
    EXPECT_EQ(Find(AT_CUT_OFF), NO_EGRESS);
    EXPECT_EQ(Find(UNATTACHED), NO_EGRESS);
}
