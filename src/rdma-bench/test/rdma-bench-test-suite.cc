// SPDX-License-Identifier: GPL-2.0-only

// For ns-3's test.py: the numbers of a latency test, and the bursts of a rate limit. The module's
// own tests are in test/rdma-bench/.

#include "ns3/burst-limit.h"
#include "ns3/latency-summary.h"
#include "ns3/test.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{

class TheTypicalLatencyIsTheMedian : public TestCase
{
  public:
    TheTypicalLatencyIsTheMedian()
        : TestCase("a latency test of four round trips has half their median")
    {
    }

  private:
    void DoRun() override
    {
        // Round trips of 7, 1, 3 and 5 us: their median is 4 us.
        const auto summary = SummarizeLatency({7'000'000, 1'000'000, 3'000'000, 5'000'000}, 2);
        NS_TEST_EXPECT_MSG_EQ_TOL(summary.typical, 2.0, 1e-9, "t_typical");
        NS_TEST_EXPECT_MSG_EQ_TOL(summary.max, 3.5, 1e-9, "t_max");
    }
};

class ALateBurstDoesNotDelayTheNext : public TestCase
{
  public:
    ALateBurstDoesNotDelayTheNext()
        : TestCase("bursts of a rate limit begin at equal distances")
    {
    }

  private:
    void DoRun() override
    {
        BurstLimit limit(1, 100); // A message every 100 ps.
        NS_TEST_EXPECT_MSG_EQ(limit.Allows(0), true, "the first");
        limit.Take(1);
        NS_TEST_EXPECT_MSG_EQ(limit.Allows(199), true, "that of 100 ps, late");
        limit.Take(1);
        NS_TEST_EXPECT_MSG_EQ(limit.Allows(199), false, "that of 200 ps, early");
        NS_TEST_EXPECT_MSG_EQ(limit.Allows(200), true, "that of 200 ps");
    }
};

class RdmaBenchTestSuite : public TestSuite
{
  public:
    RdmaBenchTestSuite()
        : TestSuite("rdma-bench")
    {
        AddTestCase(new TheTypicalLatencyIsTheMedian);
        AddTestCase(new ALateBurstDoesNotDelayTheNext);
    }
};

const RdmaBenchTestSuite g_rdmaBenchTestSuite;

} // namespace
