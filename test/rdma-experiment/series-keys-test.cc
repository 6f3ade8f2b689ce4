// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/series-keys.h"

#include "../test-files.h"
#include "scenario-fixture.h"

#include "ns3/run-design.h"
#include "ns3/scenario-builder.h"
#include "ns3/scenario-digest.h"
#include "ns3/scenario-writer.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Four servers, 0 to 3, at switch 4.
class SeriesKeys : public FolderTest
{
  protected:
    Scenario ReadWith(const std::string& series) const
    {
        return ReadChanged({R"(groups={"ends": [0, 3]})", "series=" + series});
    }

    SeriesRequest Resolve(const std::string& series) const
    {
        const Scenario scenario = ReadWith(series);
        return MakeSeriesRequest(scenario, MakeTopology(scenario));
    }

    std::string FindFault(const std::string& series) const
    {
        const std::string file = (m_folder / "s.json").string();
        return GetInputError([&] { ReadWith(series); }).substr(file.size() + 2);
    }
};

TEST_F(SeriesKeys, WithoutKeysAllSeriesOfAllPortsAreMeant)
{
    const SeriesRequest request = Resolve("{}");
    EXPECT_EQ(request.interval, 10'000'000);
    EXPECT_TRUE(request.hasQueue && request.hasPort && request.hasBuffer && request.hasRate);
    EXPECT_EQ(request.ports.size(), 8); // Both ends of four links.
    EXPECT_FALSE(request.flows);
}

TEST_F(SeriesKeys, SprayIsOneOfAllOnlyIfANicHasReports)
{
    EXPECT_FALSE(Resolve("{}").hasSpray);
    EXPECT_TRUE(Resolve(R"({"what": ["spray"], "flows": [0]})").hasSpray);
    const Scenario scenario = ReadChanged({R"(nics=["irn", "uet"])", "series={}"});
    EXPECT_EQ(scenario.series->what.back(), "spray");
    EXPECT_FALSE(HasFlights(scenario, scenario.nics[0]));
    EXPECT_TRUE(HasFlights(scenario, scenario.nics[1]));
}

TEST_F(SeriesKeys, PortsAreNamedByNodeByNeighbourAndByGroup)
{
    EXPECT_EQ(Resolve(R"({"what": ["queue"], "ports": [4]})").ports.size(), 4);
    EXPECT_EQ(Resolve(R"({"what": ["queue"], "ports": [2, 4]})").ports.size(), 5);
    const auto one = Resolve(R"({"what": ["port"], "ports": [[4, 2]]})").ports;
    ASSERT_EQ(one.size(), 1);
    EXPECT_EQ(one[0].link, 2);
    // The servers of the group are 0 to 3: [0, 3] is a range.
    EXPECT_EQ(Resolve(R"({"what": ["port"], "ports": ["ends"]})").ports.size(), 4);
    // What is named twice is followed once.
    EXPECT_EQ(Resolve(R"({"what": ["port"], "ports": ["ends", 0, [0, 4]]})").ports.size(), 4);
}

TEST_F(SeriesKeys, FlowsAreNamedByNumberAndBySender)
{
    const SeriesRequest request = Resolve(R"({"what": ["rate"], "flows": [7, 1, "ends"]})");
    ASSERT_TRUE(request.flows);
    EXPECT_EQ(request.flows->flows, (std::vector<uint64_t>{1, 7}));
    EXPECT_EQ(request.flows->senders, (std::vector<uint32_t>{0, 1, 2, 3}));
    EXPECT_TRUE(request.ports.empty());
}

TEST_F(SeriesKeys, TheResolvedScenarioReadsBack)
{
    for (const char* series :
         {"{}",
          R"({"interval": "5us", "what": ["rate", "queue"], "ports": [4, [0, 4], "ends"],
              "flows": [3, "ends"]})"})
    {
        const std::string once = WriteScenario(ReadWith(series));
        EXPECT_EQ(WriteScenario(Read(once)), once);
        EXPECT_NE(once.find("\"series\""), std::string::npos);
    }
    EXPECT_EQ(WriteScenario(ReadChanged({})).find("\"series\""), std::string::npos);
}

TEST_F(SeriesKeys, SeriesDoNotMakeAnotherScenario)
{
    // Runs with and without them can be compared.
    EXPECT_EQ(MakeDigest(ReadChanged({"series={}"})).hash, MakeDigest(ReadChanged({})).hash);
}

TEST_F(SeriesKeys, AnOptionAsksForThemWithoutAKeyInTheFile)
{
    ScenarioChanges changes;
    changes.hasSeries = true;
    ASSERT_TRUE(Read(GOOD_SCENARIO, changes).series);
    EXPECT_EQ(Read(GOOD_SCENARIO, changes).series->what.size(), 5);
    changes.sets = {"series.interval=3us"};
    EXPECT_EQ(Read(GOOD_SCENARIO, changes).series->interval, MicroSeconds(3));
    changes.sets = {R"(series={"what": ["queue"]})"};
    EXPECT_EQ(Read(GOOD_SCENARIO, changes).series->what, std::vector<std::string>{"queue"});
}

TEST_F(SeriesKeys, BadInputIsOneLine)
{
    const std::pair<const char*, const char*> cases[]{
        {"[]", "$.series: expected an object, got "},
        {R"({"every": "10us"})", "$.series.every: expected a known key (nearest: "},
        {R"({"interval": "0us"})", "$.series.interval: expected a time"},
        {R"({"interval": "99ns"})",
         "$.series.interval: expected a time of 100ns or more, got \"99ns\""},
        {R"({"interval": 10})", "$.series.interval: expected a time"},
        {R"({"what": ["queues"]})",
         "$.series.what[0]: expected one of queue, port, class, buffer, rate, goodput or spray"},
        {R"({"what": []})", "$.series.what: expected at least one series"},
        {R"({"what": ["rate", "rate"]})", "$.series.what[1]: expected each series once"},
        {R"({"ports": []})", "$.series.ports: expected at least one port"},
        {R"({"ports": [5]})",
         "$.series.ports[0]: expected a node of the network, or two with a link between them, got "
         "5"},
        {R"({"ports": [0, [0, 1]]})",
         "$.series.ports[1]: expected a node of the network, or two with a link between them, got "
         "[0,1]"},
        {R"({"ports": [[0]]})",
         "$.series.ports[0]: expected a node and the one at the other end, got 1"},
        {R"({"ports": ["end"]})", "$.series.ports[0]: expected a group of $.groups (nearest: ends"},
        {R"({"ports": [-1]})", "$.series.ports[0]: expected a whole number"},
        {R"({"ports": [0], "what": ["rate"]})",
         "$.series.ports: expected \"queue\", \"port\" or \"class\" in what beside it, got "
         "none of them"},
        {R"({"flows": []})", "$.series.flows: expected at least one flow"},
        {R"({"flows": [1.5]})", "$.series.flows[0]: expected a whole number"},
        {R"({"flows": ["starts"]})", "$.series.flows[0]: expected a group of $.groups"},
        {R"({"flows": [0], "what": ["port"]})",
         "$.series.flows: expected \"rate\" or \"spray\" in what beside it, got neither"},
    };
    for (const auto& [series, message] : cases)
    {
        const std::string found = FindFault(series);
        EXPECT_EQ(found.rfind(message, 0), 0U) << series << "\n" << found;
        EXPECT_EQ(found.find('\n'), std::string::npos);
    }
}

TEST_F(SeriesKeys, LargeNetworksNameTheirPorts)
{
    // 1,024 servers: 1,536 links at least, with two ports each.
    const std::vector<std::string> large{"fabric.topology=fat-tree",
                                         "fabric.servers=1024",
                                         "fabric.fabricRate=400Gbps",
                                         R"(groups={"some": [[0, 63]]})"};
    const auto readLarge = [&](const std::string& series) {
        std::vector<std::string> sets = large;
        sets.push_back("series=" + series);
        return ReadChanged(sets);
    };
    EXPECT_NE(GetInputError([&] {
                  readLarge("{}");
              }).find("$.series: expected ports that are at most 2000, got "),
              std::string::npos);
    EXPECT_NO_THROW(readLarge(R"({"what": ["buffer", "rate"]})"));
    EXPECT_NO_THROW(readLarge(R"({"ports": ["some"]})"));
}

} // namespace
