// SPDX-License-Identifier: GPL-2.0-only
#include "../test-files.h"
#include "run-fixture.h"

#include "ns3/scenario-writer.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Servers 0 and 1 behind ToR switches of their own, with two spines between them. A flow of 1 MB
/// takes about 85 us.
class LinkEventKeys : public FolderTest
{
  protected:
    Scenario ReadWith(const std::string& events) const
    {
        return ReadChanged(
            {R"(fabric={"topology": "leaf-spine", "leaves": 2, "spines": 2, "serversPerLeaf": 1,
                        "hostRate": "100Gbps", "linkDelay": "1us"})",
             R"(workload={"type": "flows", "flows": [{"src": 0, "dst": 1, "bytes": "1MB"}]})",
             "linkEvents=" + events});
    }

    RunReport Run(const std::string& events) const
    {
        const Scenario scenario = ReadWith(events);
        const RunOutcome outcome = RunScenario(scenario, scenario.nics[0]);
        EXPECT_EQ(outcome.completed, 1U) << events;
        return outcome.report;
    }

    /// Both links of the first leaf to the spines at 20 us; one of them comes back at 60 us.
    static std::string MakeEvents(const std::string& more)
    {
        std::string events;
        for (const char* const spine : {"4", "5"})
        {
            events += std::string(events.empty() ? "[" : ",") + R"({"at": "20us", "link": [2, )" +
                      spine + R"(], "state": "down")" + more + "}";
        }
        return events + R"(,{"at": "60us", "link": [2, 4], "state": "up"})" + "]";
    }
};

TEST_F(LinkEventKeys, WithoutDelaySwitchesHaveNoRouteAtOnce)
{
    const RunReport report = Run(MakeEvents(""));
    EXPECT_GT(report.drops.at("no-route"), 0U);
    // Only what was queued for the link or in flight on it.
    EXPECT_LT(report.drops.at("link-down"), 200U);
}

TEST_F(LinkEventKeys, UntilRoutesFollowFramesAreSentToTheLinkThatIsDown)
{
    // Both links are down for 40 us; the routes change only when one of them is up again.
    const RunReport report = Run(MakeEvents(R"(, "routesAfter": "200us")"));
    EXPECT_EQ(report.drops.at("no-route"), 0U);
    EXPECT_GT(report.drops.at("link-down"), 0U);
}

TEST_F(LinkEventKeys, AResolvedScenarioReadsBack)
{
    const std::string once = WriteScenario(ReadWith(MakeEvents(R"(, "routesAfter": "200us")")));
    EXPECT_EQ(WriteScenario(Read(once)), once);
    EXPECT_NE(once.find("routesAfter"), std::string::npos);
    EXPECT_EQ(WriteScenario(ReadWith(MakeEvents(""))).find("routesAfter"), std::string::npos);
}

TEST_F(LinkEventKeys, ANegativeDelayIsOneLine)
{
    const std::string fault =
        GetInputError([&] { ReadWith(MakeEvents(R"(, "routesAfter": "-1us")")); });
    EXPECT_NE(fault.find("$.linkEvents[0].routesAfter: expected"), std::string::npos) << fault;
}

} // namespace
