// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/nic-keys.h"

#include "../test-files.h"

#include "ns3/attribute-check.h"
#include "ns3/nic-presets.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace ns3::rdma;

TEST(NicKeys, AcceptsFolderNamesThatStayWhereTheyArePut)
{
    for (const char* good : {"compare", "srnic-mycc", "a.b", "x_1+2=3,@y", "-x"})
    {
        const nlohmann::json json = good;
        EXPECT_EQ(ReadFolderName(JsonValue(json, "f", "$.name")), good);
    }
    for (const char* bad : {"", ".", "..", ".x", "a/b", "a\\b", "a b", "a\nb", "~", "\xc3\xa4"})
    {
        const nlohmann::json json = bad;
        EXPECT_NE(GetInputError([&json] { ReadFolderName(JsonValue(json, "f", "$.name")); }), "");
    }
    const nlohmann::json json = std::string(101, 'x');
    EXPECT_NE(GetInputError([&json] { ReadFolderName(JsonValue(json, "f", "$.name")); }), "");
}

TEST(NicKeys, FindsEveryAttributeThatAPresetSets)
{
    for (const NicPreset& preset : GetNicPresets())
    {
        for (const auto& [name, value] : preset.attributes)
        {
            const auto fault = FindSettingFault(name, value);
            EXPECT_FALSE(fault) << preset.name << ": " << name << ": " << fault->expected;
        }
    }
}

TEST(NicKeys, TakesNumbersAndTruthsAsTheirText)
{
    const auto json = nlohmann::json::parse(R"({"ns3::rdma::Dcqcn::Gain": 0.125})");
    const auto attributes = ReadAttributes(JsonValue(json, "f", "$.attributes"));
    EXPECT_EQ(attributes.at("ns3::rdma::Dcqcn::Gain"), "0.125");
}

TEST(NicKeys, CompletesAPresetWithTheScenarioWideAttributes)
{
    const auto json = nlohmann::json::parse(R"(["irn", {"preset": "srnic", "name": "b"}])");
    const auto nics = ReadNics(JsonValue(json, "f", "$.nics"), {{"ns3::rdma::Dcqcn::Gain", "1"}});
    ASSERT_EQ(nics.size(), 2U);
    EXPECT_EQ(nics[0].attributes.at("ns3::rdma::Dcqcn::Gain"), "1");
    EXPECT_EQ(nics[1].attributes.count("ns3::rdma::Dcqcn::Gain"), 0U); // It has no DCQCN.
    EXPECT_EQ(nics[1].name, "b");
}

TEST(NicKeys, LaysParametersBetweenTheScenarioAndTheNicsOwnAttributes)
{
    const auto json = nlohmann::json::parse(
        R"([{"preset": "irn", "parameters": "zhu2015",
             "attributes": {"ns3::rdma::Dcqcn::FastRecoverySteps": 3}}])");
    const auto nics = ReadNics(JsonValue(json, "f", "$.nics"), {{"ns3::rdma::Dcqcn::Gain", "1"}});
    const auto& attributes = nics.at(0).attributes;
    EXPECT_EQ(attributes.at("ns3::rdma::Dcqcn::Gain"), "0.00390625");
    EXPECT_EQ(attributes.at("ns3::rdma::RdmaNic::CnpInterval"), "50us");
    EXPECT_EQ(attributes.at("ns3::rdma::Dcqcn::FastRecoverySteps"), "3");
}

TEST(NicKeys, TakesParametersForACongestionControlThatTheEntryNames)
{
    const auto json = nlohmann::json::parse(
        R"([{"preset": "srnic", "congestionControl": "ns3::rdma::Dcqcn", "parameters": "hpcc"}])");
    const auto nics = ReadNics(JsonValue(json, "f", "$.nics"), {});
    EXPECT_EQ(nics.at(0).attributes.at("ns3::rdma::Dcqcn::MinimumRate"), "1Gbps");
}

TEST(NicKeys, LeavesOutWhatAPresetSaysOfAClassThatWasReplaced)
{
    const auto json = nlohmann::json::parse(
        R"(["balboa", {"preset": "balboa", "retransmissionTimeout": "ns3::rdma::BackoffTimeout"}])");
    const std::string timeout = "ns3::rdma::FixedTimeout::Timeout";
    const nlohmann::json plain = nlohmann::json::array({json[0]});
    EXPECT_EQ(ReadNics(JsonValue(plain, "f", "$.nics"), {})[0].attributes.count(timeout), 1U);
    const nlohmann::json other = nlohmann::json::array({json[1]});
    EXPECT_EQ(ReadNics(JsonValue(other, "f", "$.nics"), {})[0].attributes.count(timeout), 0U);
}

TEST(NicKeys, TakesAttributesOfTheClassAboveTheChosenOne)
{
    // AdaptiveTimeout is a FixedTimeout, which is its cap.
    const auto json = nlohmann::json::parse(
        R"([{"preset": "balboa", "retransmissionTimeout": "ns3::rdma::AdaptiveTimeout",
             "attributes": {"ns3::rdma::FixedTimeout::Timeout": "2ms"}}])");
    const auto nics = ReadNics(JsonValue(json, "f", "$.nics"), {});
    EXPECT_EQ(nics[0].attributes.at("ns3::rdma::FixedTimeout::Timeout"), "2ms");
}

TEST(NicKeys, EveryAttributeOfAPresetHasAnEffectOnIt)
{
    for (const NicPreset& preset : GetNicPresets())
    {
        const auto json = nlohmann::json::array({{{"preset", preset.name}, {"hardware", "on"}}});
        const auto nics = ReadNics(JsonValue(json, "f", "$.nics"), {});
        for (const auto* attributes : {&preset.attributes, &preset.hardware})
        {
            for (const auto& [name, value] : *attributes)
            {
                EXPECT_EQ(nics[0].attributes.count(name), 1U) << preset.name << ": " << name;
            }
        }
    }
}

TEST(NicKeys, AnEntryMayHaveALoadBalancerOfItsOwn)
{
    const auto json = nlohmann::json::parse(R"([
        "irn",
        {"preset": "irn", "name": "a", "loadBalancer": "ns3::rdma::FlowletBalancer"},
        {"name": "b", "groups": {"g": "irn"}, "default": "irn", "loadBalancer": {
            "type": "ns3::rdma::FlowletBalancer",
            "attributes": {"ns3::rdma::FlowletBalancer::Timeout": "5us"}}}])");
    const auto nics = ReadNics(JsonValue(json, "f", "$.nics"), {}, {{"g", {0}}});
    ASSERT_EQ(nics.size(), 3U);
    EXPECT_EQ(nics[0].loadBalancer.type, "");
    EXPECT_EQ(nics[1].loadBalancer.type, "ns3::rdma::FlowletBalancer");
    EXPECT_EQ(nics[2].loadBalancer.attributes.at("ns3::rdma::FlowletBalancer::Timeout"), "5us");
}

TEST(NicKeys, SaysWhatIsWrongWithALoadBalancer)
{
    const auto getError = [](const std::string& balancer) {
        const auto json =
            nlohmann::json::parse(R"([{"preset": "irn", "loadBalancer": )" + balancer + "}]");
        return GetInputError([&json] { ReadNics(JsonValue(json, "f", "$.nics"), {}); });
    };
    EXPECT_NE(getError(R"("ns3::rdma::Dcqcn")").find("$.nics[0].loadBalancer: "),
              std::string::npos);
    EXPECT_EQ(getError(R"({"type": "ns3::rdma::EcmpBalancer",
                           "attributes": {"ns3::rdma::FlowletBalancer::Timeout": "5us"}})"),
              "f: $.nics[0].loadBalancer.attributes.ns3::rdma::FlowletBalancer::Timeout: expected "
              "an attribute of ns3::rdma::EcmpBalancer, got "
              "ns3::rdma::FlowletBalancer::Timeout");
    EXPECT_NE(getError(R"({"kind": "ns3::rdma::EcmpBalancer"})").find("$.nics[0].loadBalancer"),
              std::string::npos);
}
