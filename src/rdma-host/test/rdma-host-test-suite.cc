// SPDX-License-Identifier: GPL-2.0-only

// For ns-3's test.py: the level of the caches that a line is read from, and the preset of a sender
// without a host. The module's own tests are in test/rdma-host/.

#include "ns3/cache-hierarchy.h"
#include "ns3/nic-presets.h"
#include "ns3/test.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{

class ALineIsInTheLevelThatHoldsTheRound : public TestCase
{
  public:
    ALineIsInTheLevelThatHoldsTheRound()
        : TestCase("a line comes from the first level that holds the whole round")
    {
    }

  private:
    void DoRun() override
    {
        // A first level of 32 KiB, a second of 512 KiB. ns-3's own runner rounds times to 1 ns.
        const auto caches = CreateObject<CacheHierarchy>();
        const Tick first = caches->GetLineTime(32768, 32768, false);
        const Tick second = caches->GetLineTime(32769, 32769, false);
        NS_TEST_EXPECT_MSG_GT(first, 0, "first level");
        NS_TEST_EXPECT_MSG_GT(second, first, "second level");
        NS_TEST_EXPECT_MSG_EQ(caches->GetLineTime(524288, 524288, false), second, "its end");
    }
};

class TheModuleAddsItsPreset : public TestCase
{
  public:
    TheModuleAddsItsPreset()
        : TestCase("the preset fpga-sender is registered")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ((FindNicPreset("fpga-sender") != nullptr), true, "fpga-sender");
    }
};

class RdmaHostTestSuite : public TestSuite
{
  public:
    RdmaHostTestSuite()
        : TestSuite("rdma-host")
    {
        AddTestCase(new ALineIsInTheLevelThatHoldsTheRound);
        AddTestCase(new TheModuleAddsItsPreset);
    }
};

const RdmaHostTestSuite g_rdmaHostTestSuite;

} // namespace
