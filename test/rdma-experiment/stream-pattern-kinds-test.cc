// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/input-error.h"
#include "ns3/scenario.h"
#include "ns3/simple-topologies.h"
#include "ns3/workload-kind.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

namespace ns3::rdma
{
namespace
{

class StreamPatternKinds : public ::testing::Test
{
  protected:
    StreamPatternKinds()
    {
        m_scenario.groups = {{"one", {3}}, {"other", {5}}, {"four", {6, 7, 8, 9}}, {"two", {0, 1}}};
    }

    Ptr<const WorkloadKind> Read(const std::string& type, const std::string& more = "")
    {
        m_json = nlohmann::json::parse("{\"type\": \"" + type + "\", \"duration\": \"1ms\"" +
                                       (more.empty() ? "" : ", ") + more + "}");
        return ReadWorkload(JsonValue(m_json, "f", "$.workload"), m_scenario);
    }

    std::string FindFault(const std::string& type, const std::string& more)
    {
        try
        {
            Read(type, more);
        }
        catch (const InputError& error)
        {
            return error.what();
        }
        return "";
    }

    Scenario m_scenario;
    nlohmann::json m_json;
};

using Peers = std::vector<std::pair<uint32_t, uint32_t>>;

TEST_F(StreamPatternKinds, TheFirstServersAreTheTestbedsUnlessGroupsSayOtherwise)
{
    EXPECT_EQ(Read("one-to-one")->GetPeers(m_scenario), (Peers{{0, 1}}));
    EXPECT_EQ(Read("many-to-one")->GetPeers(m_scenario), (Peers{{0, 4}, {1, 4}, {2, 4}, {3, 4}}));
    EXPECT_EQ(Read("one-to-many")->GetPeers(m_scenario), (Peers{{0, 1}, {0, 2}, {0, 3}, {0, 4}}));
    EXPECT_EQ(Read("one-to-one", R"("senders": "one", "receivers": "other")")->GetPeers(m_scenario),
              (Peers{{3, 5}}));
    EXPECT_EQ(Read("many-to-one", R"("senders": "two", "receivers": "one")")->GetPeers(m_scenario),
              (Peers{{0, 3}, {1, 3}}));
}

TEST_F(StreamPatternKinds, TelescopesHaveTheServersOfTheirDefinitions)
{
    const Peers lofar = Read("lofar")->GetPeers(m_scenario);
    EXPECT_EQ(lofar.size(), 126U * 24);
    EXPECT_EQ(lofar.front(), std::pair(0U, 126U));
    EXPECT_EQ(lofar.back(), std::pair(125U, 130U)); // It begins with 126 + 125 mod 24 = 131.
    EXPECT_EQ(Read("aartfaac")->GetPeers(m_scenario).size(), 12U * 4);
    // 6 antennas, two receivers of 2 lanes: 24 senders, each to 6 nodes.
    const Peers alma = Read("alma", R"("antennas": 6, "lanes": 2)")->GetPeers(m_scenario);
    EXPECT_EQ(alma.size(), 24U * 6);
    std::set<uint32_t> servers;
    for (const auto& [sender, receiver] : alma)
    {
        servers.insert({sender, receiver});
    }
    EXPECT_EQ(servers.size(), 48U);
    // All of ALMA: 72 x 2 x 13 lanes.
    const Peers whole = Read("alma")->GetPeers(m_scenario);
    EXPECT_EQ(whole.back().first, 72U * 2 * 13 - 1);
}

TEST_F(StreamPatternKinds, RatesThatALinkDoesNotCarryAreNamedWithIt)
{
    // 8 KiB messages: two packets of 4096 + 82 bytes and 20 once, so 10 Gb/s carry 10 x 8192 / 8376
    // = 9.7803.
    m_scenario.fabric.mtuBytes = 4096;
    const TopologyGraph slow = MakeStar(150, DataRate("10Gbps"), MicroSeconds(1));
    const auto lofar = Read("lofar", R"("messageBytes": 8192)");
    const auto warnings = lofar->FindWarnings(m_scenario, slow);
    // 126 x 3 Gb/s x 21 / 488 = 16.27 Gb/s at the first 8 nodes, x 20 / 488 = 15.49 at the others.
    ASSERT_EQ(warnings.size(), 24U);
    EXPECT_NE(warnings.front().find("to server 126 carries 9.78 Gb/s"), std::string::npos)
        << warnings.front();
    EXPECT_NE(warnings.front().find("ask for 16.27 Gb/s"), std::string::npos) << warnings.front();
    EXPECT_NE(warnings.back().find("ask for 15.49 Gb/s"), std::string::npos) << warnings.back();
    const TopologyGraph fast = MakeStar(150, DataRate("25Gbps"), MicroSeconds(1));
    EXPECT_TRUE(lofar->FindWarnings(m_scenario, fast).empty());
}

TEST_F(StreamPatternKinds, WhatIsWrittenReadsTheSame)
{
    for (const auto& [type, more] : std::vector<std::pair<std::string, std::string>>{
             {"one-to-one", R"("queuePairs": 500)"},
             {"one-to-one", R"("rate": "1Gbps", "deadline": "10us", "copy": {"rate": "10Gbps"})"},
             {"one-to-one", R"("polling": "interval", "pollInterval": "5us", "memory": "gpu")"},
             {"many-to-one", R"("senders": "four", "receivers": "one", "rate": "23Gbps")"},
             {"one-to-many", R"("queuePairs": 40, "messageBytes": "8KiB")"},
             {"lofar", R"("subbands": 244)"},
             {"aartfaac", R"("antennas": 96)"},
             {"alma", R"("antennas": 4, "lanes": 3)"}})
    {
        const auto kind = Read(type, more);
        nlohmann::ordered_json once{{"type", type}};
        kind->Write(once);
        const nlohmann::json again = nlohmann::json::parse(once.dump());
        nlohmann::ordered_json twice{{"type", type}};
        ReadWorkload(JsonValue(again, "f", "$.workload"), m_scenario)->Write(twice);
        EXPECT_EQ(once.dump(), twice.dump());
    }
}

TEST_F(StreamPatternKinds, DefaultsDependOnOtherKeys)
{
    nlohmann::ordered_json json;
    Read("many-to-one", R"("sharedReceiveQueue": true, "cooldown": "200us")")->Write(json);
    EXPECT_EQ(json["queuePairs"], 4); // One for each sender.
    EXPECT_EQ(json["receiveQueue"], 2000);
    EXPECT_EQ(json["sampleInterval"], "80us"); // A tenth of 1 ms but for the cool-down.
    EXPECT_FALSE(json.contains("copy"));
    EXPECT_FALSE(json.contains("pollInterval"));
}

TEST_F(StreamPatternKinds, BadInputIsOneLine)
{
    const std::tuple<const char*, const char*, const char*> cases[]{
        {"one-to-one",
         R"("senders": "two", "receivers": "one")",
         "$.workload.senders: expected a group of one sender, got 2 servers"},
        {"one-to-one", R"("senders": "one")", "\"senders\" and \"receivers\", or neither of them"},
        {"many-to-one", R"("senders": "four", "receivers": "four")", "another group"},
        {"many-to-one", R"("queuePairs": 3)", "at least one for each of the 4 servers"},
        {"lofar", R"("subbands": 23)", "at least one for each of the 24 receivers"},
        {"alma",
         R"("senders": "four", "receivers": "two", "antennas": 2, "lanes": 1)",
         "$.workload.receivers: expected a group of 4, the lanes of all antennas, got 2 servers"},
        {"lofar", R"("messageBytes": "3GiB")", "at most 2GiB"},
    };
    for (const auto& [type, more, fault] : cases)
    {
        EXPECT_NE(FindFault(type, more).find(fault), std::string::npos) << FindFault(type, more);
    }
}

} // namespace
} // namespace ns3::rdma
