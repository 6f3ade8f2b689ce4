// SPDX-License-Identifier: GPL-2.0-only
#include "../test-files.h"
#include "run-fixture.h"

#include "ns3/scenario-writer.h"

#include <cmath>

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
        const RunOutcome outcome = RunEvents(events);
        EXPECT_EQ(outcome.completed, 1U) << events;
        return outcome.report;
    }

    RunOutcome RunEvents(const std::string& events) const
    {
        const Scenario scenario = ReadWith(events);
        return RunScenario(scenario, scenario.nics[0]);
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

TEST_F(LinkEventKeys, AFlapIsTheSameAsItsChangesOneByOne)
{
    // Periods begin at 10 and 30 us; at 50 us none does any more.
    const std::string one = R"([{"at": "10us", "link": [0, 2], "state": "down",
                                 "flap": {"period": "20us", "down": "5us", "until": "50us"}}])";
    std::string all;
    for (const char* const change : {R"(10us", "state": "down)",
                                     R"(15us", "state": "up)",
                                     R"(30us", "state": "down)",
                                     R"(35us", "state": "up)"})
    {
        all += (all.empty() ? "[" : ",") + std::string(R"({"link": [0, 2], "at": ")") + change +
               R"("})";
    }
    const RunOutcome flap = RunEvents(one);
    EXPECT_EQ(flap.flows, RunEvents(all + "]").flows);
    EXPECT_EQ(flap.completed, 1U);
    EXPECT_GT(flap.report.drops.at("link-down"), 0U);
    EXPECT_NE(flap.flows, RunEvents("[]").flows);
}

TEST_F(LinkEventKeys, ARunEndsThoughALinkFlapsForEver)
{
    const std::string flap = R"("flap": {"period": "20us", "down": "1us"})";
    const RunOutcome outcome =
        RunEvents(R"([{"at": "10us", "link": [0, 2], "state": "down", )" + flap + "}]");
    EXPECT_EQ(outcome.completed, 1U);
}

TEST_F(LinkEventKeys, TheRoutesOfAFlapFollowLate)
{
    // The link to spine 4 is down from 20 to 30 us. Routes follow 5 us later, at 25 and 35 us:
    // until then frames are sent to it.
    const std::string event = R"([{"at": "20us", "link": [2, 4], "state": "down",
        "flap": {"period": "1ms", "down": "10us"})";
    const RunOutcome late = RunEvents(event + R"(, "routesAfter": "5us"}])");
    const RunOutcome never = RunEvents(event + R"(, "routesAfter": "1ms"}])");
    // The flow of 1 MB has one path; at 100 Gb/s about 11 frames of 1 KiB per us.
    const RunOutcome atOnce = RunEvents(event + "}]");
    const auto lost = [](const RunOutcome& one) { return one.report.drops.at("link-down"); };
    EXPECT_LT(lost(atOnce), lost(late));
    EXPECT_LT(lost(late), lost(never));
}

TEST_F(LinkEventKeys, AHalfOpenLinkLosesOneDirectionAndNoEndDetectsIt)
{
    // All data of server 0 is lost, whose acknowledgments would come by the other direction.
    const RunOutcome data = RunEvents(R"([{"at": "20us", "link": [0, 2], "state": "half-open"}])");
    EXPECT_EQ(data.completed, 0U);
    EXPECT_NE(data.flows.find(",failed"), std::string::npos) << data.flows;
    EXPECT_EQ(data.report.drops.at("link-down"), 0U);
    EXPECT_EQ(data.report.drops.at("no-route"), 0U);
    EXPECT_GT(data.report.drops.at("link-loss"), 0U);
    // The other direction of the same link: data arrives, acknowledgments are lost.
    const RunOutcome answers =
        RunEvents(R"([{"at": "20us", "link": [2, 0], "state": "half-open"}])");
    EXPECT_EQ(answers.completed, 0U);
    EXPECT_GT(answers.report.drops.at("link-loss"), 0U);
}

TEST_F(LinkEventKeys, AHalfOpenLinkIsWholeAgainWhenItComesUp)
{
    const RunOutcome outcome = RunEvents(R"([{"at": "20us", "server": 0, "state": "half-open"},
                      {"at": "25us", "link": [0, 2], "state": "up"}])");
    EXPECT_EQ(outcome.completed, 1U);
    const uint64_t lost = outcome.report.drops.at("link-loss");
    EXPECT_GT(lost, 0U);
    EXPECT_LT(lost, 80U); // 5 us at 100 Gb/s are 57 frames of 1,106 bytes and 24 around them.
    EXPECT_EQ(outcome.report.drops.at("link-down"), 0U);
}

TEST_F(LinkEventKeys, AServerIsAllOfItsLinks)
{
    const std::string more = R"("at": "20us", "state": "down"}, {"at": "40us", "state": "up", )";
    const RunOutcome server = RunEvents(R"([{"server": 0, )" + more + R"("server": 0}])");
    EXPECT_EQ(server.completed, 1U);
    EXPECT_GT(server.report.drops.at("link-down"), 0U);
    EXPECT_EQ(server.flows,
              RunEvents(R"([{"link": [2, 0], )" + more + R"("link": [0, 2]}])").flows);
}

TEST_F(LinkEventKeys, ALossThatGrowsIsThatOfALossModelAtItsEnd)
{
    const RunOutcome none = RunEvents(
        R"([{"at": "0us", "link": [0, 2], "loss": {"from": 0, "to": 0, "over": "1ms"}}])");
    EXPECT_EQ(none.report.drops.at("link-loss"), 0U);
    EXPECT_EQ(none.flows, RunEvents("[]").flows);
    const RunOutcome lossy = RunEvents(R"([{"at": "0us", "link": [0, 2], "loss": {"to": 0.02}}])");
    EXPECT_EQ(lossy.completed, 1U);
    // Data and, fewer, acknowledgments: at most 977 packets and what is sent again, each way.
    const auto frames = 2.0 * static_cast<double>(977 + lossy.report.retransmitted);
    const auto lost = static_cast<double>(lossy.report.drops.at("link-loss"));
    EXPECT_LT(lost, 0.02 * frames + 5 * std::sqrt(0.02 * frames));
    EXPECT_GT(lost, 0.01 * frames - 5 * std::sqrt(0.01 * frames));
    EXPECT_GT(lost, 0);
}

TEST_F(LinkEventKeys, BadEventsAreOneLineEach)
{
    struct BadCase
    {
        const char* event; ///< Without "at".
        const char* message;
    };

    const BadCase cases[] = {
        {R"("link": [0, 2])", ": expected a key \"state\", got none"},
        {R"("link": [0, 2], "state": "open")", ".state: expected one of down, up or half-open"},
        {R"("switch": 2, "state": "half-open")",
         ".state: expected \"down\" or \"up\" beside switch: half-open is a direction"},
        {R"("server": 2, "state": "down")", ".server: expected the node id of a server, got 2"},
        {R"("server": 9, "state": "down")", ".server: expected the node id of a server, got 9"},
        {R"("server": 0, "link": [0, 2], "state": "down")",
         ".link: expected no link beside switch or server, got a list"},
        {R"("server": 0, "switch": 2, "state": "down")",
         ".server: expected no server beside switch"},
        {R"("server": 0, "nic": 1, "state": "down")",
         ".nic: expected a nic of the server that the link is at, got 1"},
        {R"("link": [0, 2], "state": "up", "flap": {"period": "2us", "down": "1us"})",
         ".flap: expected a state \"down\" or \"half-open\" beside flap"},
        {R"("link": [0, 2], "state": "down", "flap": {"period": "2us", "down": "2us"})",
         ".flap.down: expected a time below the period"},
        {R"("link": [0, 2], "state": "down", "flap": {"period": "2us"})",
         ".flap: expected a key \"down\", got none"},
        {R"("link": [0, 2], "state": "down", "flap": {"period": "2us", "down": "1us", "until": "1us"})",
         ".flap.until: expected a time after \"at\""},
        {R"("link": [0, 2], "loss": {"to": 1.5})",
         ".loss.to: expected a number from 0 to 1, got 1.5"},
        {R"("link": [0, 2], "loss": {"to": 0.5}, "state": "down")",
         ".state: expected no state beside loss"},
        {R"("link": [0, 2], "loss": {"to": 0.5}, "routesAfter": "1us")",
         ".routesAfter: expected a state \"down\" or \"up\" beside routesAfter"},
    };
    for (const BadCase& bad : cases)
    {
        const std::string fault =
            GetInputError([&] { ReadWith(std::string(R"([{"at": "1us", )") + bad.event + "}]"); });
        EXPECT_NE(fault.find(std::string("$.linkEvents[0]") + bad.message), std::string::npos)
            << bad.event << '\n'
            << fault;
        EXPECT_EQ(fault.find('\n'), std::string::npos);
    }
}

TEST_F(LinkEventKeys, AllKindsOfEventsReadBack)
{
    const std::string once = WriteScenario(
        ReadWith(R"([{"at": "1us", "server": 0, "nic": 0, "port": 0, "state": "half-open"},
                     {"at": "1us", "link": [0, 2], "state": "down",
                      "flap": {"period": "2ms", "down": "1ms"}},
                     {"at": "1us", "switch": 2, "state": "down", "routesAfter": "3us",
                      "flap": {"period": "2ms", "down": "1ms", "until": "1s"}},
                     {"at": "1us", "link": [0, 2], "loss": {"from": 0.1, "to": 0.5, "over": "1ms"}},
                     {"at": "1us", "switch": 2, "loss": {"to": 0.5}}])"));
    EXPECT_EQ(WriteScenario(Read(once)), once);
}

} // namespace
