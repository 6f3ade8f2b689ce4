// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fluid-start.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr int64_t US{1'000'000};

/// Hands out what it was given.
class GivenFlows : public FlowSource
{
  public:
    explicit GivenFlows(std::vector<FlowArrival> flows)
        : m_flows(std::move(flows))
    {
    }

    std::optional<FlowArrival> Next() override
    {
        return m_given < m_flows.size() ? std::optional(m_flows[m_given++]) : std::nullopt;
    }

  private:
    std::vector<FlowArrival> m_flows;
    std::size_t m_given{0};
};

/// @return (start in us, bytes, fluidBytes) of all flows; links carry 10,000 bytes per step.
std::vector<std::array<int64_t, 3>>
RunFluid(std::vector<FlowArrival> flows, int64_t untilUs)
{
    constexpr double BYTES_PER_PS{0.001};
    GivenFlows given(std::move(flows));
    FluidStart start(given, {untilUs * US, std::vector<double>(4, BYTES_PER_PS)});
    std::vector<std::array<int64_t, 3>> rows;
    while (const auto flow = start.Next())
    {
        rows.push_back({flow->startPs / US,
                        static_cast<int64_t>(flow->bytes),
                        static_cast<int64_t>(flow->fluidBytes)});
    }
    return rows;
}

using Rows = std::vector<std::array<int64_t, 3>>;

TEST(FluidStart, AFlowUnderWayHasBehindItWhatItsLinkCarried)
{
    // 20 us at 1 byte per ns are 20,000 bytes.
    EXPECT_EQ(RunFluid({{0, 1, 25'000, 0}}, 20), Rows({{0, 25'000, 20'000}}));
}

TEST(FluidStart, AFlowThatHasEndedIsNotReportedAgain)
{
    EXPECT_TRUE(RunFluid({{0, 1, 20'000, 0}}, 20).empty());
}

TEST(FluidStart, AFlowFlowsFromItsStartNotFromThatOfTheStep)
{
    // From 5 us to 20 us: 15,000 bytes.
    EXPECT_EQ(RunFluid({{0, 1, 16'000, 5 * US}}, 20), Rows({{5, 16'000, 15'000}}));
}

TEST(FluidStart, FlowsOfOneServerShareItsLink)
{
    EXPECT_EQ(RunFluid({{0, 1, 30'000, 0}, {0, 2, 40'000, 0}}, 20),
              Rows({{0, 30'000, 10'000}, {0, 40'000, 10'000}}));
}

TEST(FluidStart, WhenOneHasEndedTheOtherHasTheLinkFromTheNextStepOn)
{
    // Steps 1: 5,000 each; step 2: the first ends, the second has 5,000 more; step 3: 10,000.
    EXPECT_EQ(RunFluid({{0, 1, 9'000, 0}, {0, 2, 40'000, 0}}, 30), Rows({{0, 40'000, 20'000}}));
}

TEST(FluidStart, ALastStepMayBeShorter)
{
    EXPECT_EQ(RunFluid({{0, 1, 25'000, 0}}, 13), Rows({{0, 25'000, 13'000}}));
}

TEST(FluidStart, LaterFlowsComeAfterwardsUntouched)
{
    EXPECT_EQ(
        RunFluid(
            {{0, 1, 90'000, 1 * US}, {2, 3, 7, 19 * US}, {1, 0, 500, 20 * US}, {3, 0, 1, 50 * US}},
            20),
        Rows({{1, 90'000, 19'000}, {20, 500, 0}, {50, 1, 0}}));
}

TEST(FluidStart, AFractionOfAByteIsLeftAsAWholeOne)
{
    // A third of 20,000 is 6,666.67: a third of a byte is left.
    EXPECT_EQ(RunFluid({{0, 1, 6'667, 0}, {0, 2, 90'000, 0}, {0, 3, 90'000, 0}}, 20)[0],
              (std::array<int64_t, 3>{0, 6'667, 6'666}));
}

TEST(FluidStart, ALinkCarriesPayloadHeadersAndTheAcknowledgmentsOfTheOtherDirection)
{
    // 1024 bytes of payload, 82 around them, and one acknowledgment of 86: 1024 / 1192.
    EXPECT_NEAR(FluidStart::GetPayloadShare(1024, 82, 86), 0.85906, 1e-5);
}

} // namespace
