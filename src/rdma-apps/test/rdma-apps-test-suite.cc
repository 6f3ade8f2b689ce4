// SPDX-License-Identifier: GPL-2.0-only

// For ns-3's test.py: the order of an incast's flows, and the row of a flow. The module's own tests
// are in test/rdma-apps/.

#include "ns3/flow-log.h"
#include "ns3/incast-workload.h"
#include "ns3/simple-topologies.h"
#include "ns3/test.h"

#include <sstream>
#include <string>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

class SendersOfAnIncastStartTogether : public TestCase
{
  public:
    SendersOfAnIncastStartTogether()
        : TestCase("the flows of an incast come by round, then in the order of the senders")
    {
    }

  private:
    void DoRun() override
    {
        // Servers 0 to 3 behind a switch; 3 and 1 send to 0 at 10 us and at 110 us.
        const TopologyGraph graph = MakeStar(4, DataRate("100Gbps"), MicroSeconds(1));
        IncastWorkload incast(graph, {{3, 1}, 0, 64'000, MicroSeconds(10), MicroSeconds(100), 2});
        std::ostringstream order;
        while (const auto flow = incast.Next())
        {
            order << flow->src << "@" << flow->startPs << " ";
        }
        NS_TEST_EXPECT_MSG_EQ(order.str(),
                              "3@10000000 1@10000000 3@110000000 1@110000000 ",
                              "senders and starts");
    }
};

class AFlowHasARow : public TestCase
{
  public:
    AFlowHasARow()
        : TestCase("the row of a completed flow has its slowdown")
    {
    }

  private:
    void DoRun() override
    {
        FlowRecord record;
        record.flow = 7;
        record.src = 3;
        record.dst = 9;
        record.bytes = 1'000'000;
        record.startPs = 2'000'000;
        record.fctPs = 100'500'000;
        record.idealPs = 80'400'000; // 100.5 / 80.4 = 1.25.
        record.packets = 977;
        std::ostringstream out;
        FlowLog log(out);
        log.Write(record);
        const std::string row = out.str().substr(out.str().find('\n') + 1);
        NS_TEST_EXPECT_MSG_EQ(row,
                              "7,3,9,1000000,2000,100500,80400,1.25,977,0,0,completed\n",
                              "row");
    }
};

class RdmaAppsTestSuite : public TestSuite
{
  public:
    RdmaAppsTestSuite()
        : TestSuite("rdma-apps")
    {
        AddTestCase(new SendersOfAnIncastStartTogether);
        AddTestCase(new AFlowHasARow);
    }
};

const RdmaAppsTestSuite g_rdmaAppsTestSuite;

} // namespace
