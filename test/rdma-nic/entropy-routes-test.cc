// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/entropy-routes.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Names 0, 1, 2, ...
class CountingEntropy : public EntropySelector
{
  public:
    Ptr<EntropySelector> Fork() const override
    {
        return CreateObject<CountingEntropy>();
    }

    void Start(const EntropyFacts&) override
    {
    }

    uint32_t GetNext(uint64_t, Time) override
    {
        return m_next++;
    }

  private:
    uint32_t m_next{0};
};
} // namespace

TEST(EntropyRoutes, APacketLeavesByAPortWithAValueOfItsPlane)
{
    EntropyRoutes routes(CreateObject<CountingEntropy>(), 7, 4);
    const auto take = [&](uint32_t plane) { return routes.Choose(plane, 0, 0) ^ 7; };
    ASSERT_TRUE(routes.HasRoute(2, 0b1111, 0, 0));
    EXPECT_EQ(take(2), 2U);
    // 0 and 1 have been set aside for their own planes.
    ASSERT_TRUE(routes.HasRoute(1, 0b1111, 0, 0));
    EXPECT_EQ(take(1), 1U);
    ASSERT_TRUE(routes.HasRoute(1, 0b1111, 0, 0));
    EXPECT_EQ(take(1), 5U);
}

TEST(EntropyRoutes, APortIsUsableIfBothEndsSaySo)
{
    EntropyRoutes routes(CreateObject<CountingEntropy>(), 7, 4);
    routes.OnPeerPorts(0b1101);
    for (uint32_t plane = 0; plane < 4; ++plane)
    {
        EXPECT_EQ(routes.HasRoute(plane, 0b0111, 0, 0), plane == 0 || plane == 2);
    }
    // Another plane's values leave by the next usable one.
    EXPECT_EQ(routes.FindPlane(3 ^ 7), 0U);
    EXPECT_EQ(routes.FindPlane(1 ^ 7), 2U);
}
