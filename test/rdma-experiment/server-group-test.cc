// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/server-group.h"

#include "../test-files.h"

#include "ns3/key-writer.h"
#include "ns3/simple-topologies.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

ServerGroups
Read(const char* text)
{
    const auto json = nlohmann::json::parse(text);
    return ReadServerGroups(JsonValue(json, "f", "$.groups"));
}

} // namespace

TEST(ServerGroup, IsAListOfServersAndRanges)
{
    const ServerGroups groups =
        Read(R"({"range": [0, 2], "list": [9, 7, 8], "mixed": [20, [11, 13], 15], "one": [30],
                 "pair": [[40, 40], [42, 42]]})");
    EXPECT_EQ(groups.at("range"), (std::vector<uint32_t>{0, 1, 2}));
    EXPECT_EQ(groups.at("list"), (std::vector<uint32_t>{7, 8, 9}));
    EXPECT_EQ(groups.at("mixed"), (std::vector<uint32_t>{11, 12, 13, 15, 20}));
    EXPECT_EQ(groups.at("one"), (std::vector<uint32_t>{30}));
    EXPECT_EQ(groups.at("pair"), (std::vector<uint32_t>{40, 42}));
}

TEST(ServerGroup, IsWrittenAsRangesThatReadTheSame)
{
    const ServerGroups groups = Read(R"({"a": [5, 1, 2, 0], "b": [[3, 3], [7, 7]]})");
    const auto written = WriteKeyed(groups, VisitServerGroups);
    EXPECT_EQ(written.dump(), R"({"groups":{"a":[[0,2],[5,5]],"b":[[3,3],[7,7]]}})");
    EXPECT_EQ(Read(written["groups"].dump().c_str()), groups);
    EXPECT_EQ(WriteKeyed(ServerGroups{}, VisitServerGroups).dump(), "{}");
}

TEST(ServerGroup, RefusesWhatIsNoGroup)
{
    const std::pair<const char*, const char*> cases[]{
        {R"({"a": [0, 3], "b": [3]})",
         "f: $.groups.b: expected each server at most once in all groups, got server 3, which is "
         "in "
         "\"a\" already"},
        {R"({"a": [1, 1, 2]})", "f: $.groups.a: expected each server at most once in all groups"},
        {R"({"a": []})", "f: $.groups.a: expected at least one server, got an empty list"},
        {R"({"a": [3, 0]})", "f: $.groups.a: expected [first, last] with first not above last"},
        {R"({"a": [[0, 1, 2]]})", "f: $.groups.a[0]: expected [first, last]"},
        {R"({"a": 3})", "f: $.groups.a: expected a list, got 3"},
        {R"({"a": [-1]})", "f: $.groups.a[0]: expected a whole number from 0 to 1000000"},
        {R"({"a": ["0"]})", "f: $.groups.a[0]: expected a whole number"},
        {"[]", "f: $.groups: expected an object"},
    };
    for (const auto& [text, message] : cases)
    {
        const std::string found = GetInputError([&text = text] { Read(text); });
        EXPECT_EQ(found.rfind(message, 0), 0U) << found;
    }
}

TEST(ServerGroup, HasServersOfTheTopologyOnly)
{
    const TopologyGraph graph = MakeStar(4, DataRate("100Gbps"), MicroSeconds(1)); // Switch 4.
    const auto check = [&graph](const char* text) {
        const auto json = nlohmann::json::parse(text);
        const JsonValue value(json, "f", "$.groups");
        CheckServerGroups(ReadServerGroups(value), graph, value);
    };
    check(R"({"a": [0, 3]})");
    EXPECT_EQ(GetInputError([&check] { check(R"({"a": [2, 5]})"); }).rfind("f: $.groups.a: ", 0),
              0U);
    EXPECT_EQ(GetInputError([&check] { check(R"({"a": [7]})"); }),
              "f: $.groups.a: expected servers of the topology, which has 4, got 7, which is not "
              "there");
}
