// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flowlet-balancer.h"

#include "ns3/uinteger.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick US{1'000'000};

class FlowletTest : public testing::Test
{
  protected:
    FlowletTest()
    {
        m_balancer->Start({7, 0, {}, nullptr});
    }

    uint32_t Choose(uint32_t entropy, Tick now, uint32_t count = 4)
    {
        Frame frame{};
        frame.entropy = entropy;
        return m_balancer->Choose(frame, {nullptr, count}, now);
    }

    Ptr<FlowletBalancer> m_balancer = CreateObject<FlowletBalancer>();
};
} // namespace

TEST_F(FlowletTest, AFlowThatDoesNotPauseKeepsItsPort)
{
    const uint32_t port = Choose(1, 0);
    for (Tick now = 99 * US; now < 10'000 * US; now += 99 * US)
    {
        ASSERT_EQ(Choose(1, now), port) << now;
    }
    EXPECT_FALSE(m_balancer->ChooseForFlow(1, 4));
}

TEST_F(FlowletTest, AfterEachPauseEveryPortIsAsLikely)
{
    constexpr uint32_t FLOWLETS{10'000};
    std::vector<uint32_t> counts(4, 0);
    for (uint32_t i = 0; i < FLOWLETS; ++i)
    {
        ++counts.at(Choose(1, i * 100 * US));
    }
    const double tolerance = 5 * std::sqrt(FLOWLETS / 4.0 * 3 / 4); // Standard deviations.
    for (const uint32_t count : counts)
    {
        EXPECT_NEAR(count, FLOWLETS / 4, tolerance);
    }
}

TEST_F(FlowletTest, FlowsArePlacedApart)
{
    std::set<uint32_t> ports;
    for (uint32_t flow = 0; flow < 100; ++flow)
    {
        ports.insert(Choose(flow, 0));
    }
    EXPECT_EQ(ports.size(), 4);
    const uint32_t first = Choose(0, US);
    Choose(1, US);
    EXPECT_EQ(Choose(0, 2 * US), first);
}

TEST_F(FlowletTest, APortThatIsGoneIsNotChosen)
{
    for (uint32_t flow = 0; flow < 100; ++flow)
    {
        Choose(flow, 0);
        EXPECT_LT(Choose(flow, US, 2), 2) << flow;
    }
}

TEST_F(FlowletTest, WithOneEntryAllFlowsAreOne)
{
    m_balancer->SetAttribute("Entries", UintegerValue(1));
    m_balancer->Start({7, 0, {}, nullptr});
    const uint32_t port = Choose(0, 0);
    for (uint32_t flow = 1; flow < 100; ++flow)
    {
        ASSERT_EQ(Choose(flow, 0), port);
    }
}
