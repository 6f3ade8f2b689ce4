// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/scenario-override.h"

#include "../test-files.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace ns3::rdma;

namespace
{

struct OverrideCase
{
    const char* assignment;
    const char* result;
};

constexpr const char* DOCUMENT{R"({"a": {"b": 1}, "n": ["x", {"y": 2}]})"};

const OverrideCase GOOD_CASES[] = {
    {"a.b=2", R"({"a":{"b":2},"n":["x",{"y":2}]})"},
    {"$.a.b=2", R"({"a":{"b":2},"n":["x",{"y":2}]})"},
    {"a.c=1us", R"({"a":{"b":1,"c":"1us"},"n":["x",{"y":2}]})"},
    {"a.c=\"5\"", R"({"a":{"b":1,"c":"5"},"n":["x",{"y":2}]})"},
    {"a=", R"({"a":"","n":["x",{"y":2}]})"},
    {"a.b=x=y", R"({"a":{"b":"x=y"},"n":["x",{"y":2}]})"},
    {"n[0]=z", R"({"a":{"b":1},"n":["z",{"y":2}]})"},
    {"n[1].y=true", R"({"a":{"b":1},"n":["x",{"y":true}]})"},
    {"n=[\"q\"]", R"({"a":{"b":1},"n":["q"]})"},
    {"new.deep.key=7", R"({"a":{"b":1},"n":["x",{"y":2}],"new":{"deep":{"key":7}}})"},
    {"a[\"2.5Gbps\"]=off", R"({"a":{"2.5Gbps":"off","b":1},"n":["x",{"y":2}]})"},
    {"a[\"=\"].ns3::X::Y=1", R"({"a":{"=":{"ns3::X::Y":1},"b":1},"n":["x",{"y":2}]})"},
};

const char* const BAD_CASES[] = {
    "",
    "a",
    "=1",
    "$=1",
    "a..b=1",
    "a.=1",
    ".a=1",
    "n[=1",
    "n[x]=1",
    "n[-1]=1",
    "n[2]=1",
    "n[0].x=1",
    "a.b.c=1",
    "a[0]=1",
    "n.x=1",
    "a[\"b=1",
    "n[0]x=1",
};

} // namespace

TEST(ScenarioOverride, ChangesOneValue)
{
    for (const OverrideCase& good : GOOD_CASES)
    {
        auto document = nlohmann::json::parse(DOCUMENT);
        ApplyOverride(document, good.assignment);
        EXPECT_EQ(document.dump(), good.result) << good.assignment;
    }
}

TEST(ScenarioOverride, RefusesAPathThatLeadsNowhere)
{
    for (const char* bad : BAD_CASES)
    {
        const std::string message = GetInputError([bad] {
            auto document = nlohmann::json::parse(DOCUMENT);
            ApplyOverride(document, bad);
        });
        EXPECT_EQ(message.rfind("--set " + std::string(bad) + ": expected ", 0), 0U) << message;
    }
}

TEST(ScenarioOverride, NamesTheElementForAKeyOfAList)
{
    const auto getMessage = [](const char* text, const char* assignment) {
        auto document = nlohmann::json::parse(text);
        return GetInputError([&] { ApplyOverride(document, assignment); });
    };
    EXPECT_EQ(getMessage(R"({"workloads": [{"load": 0.3}]})", "workloads.load=0.5"),
              "--set workloads.load=0.5: expected the number of an element, such as "
              "workloads[0].load, got the key of a list, workloads.load");
    EXPECT_EQ(getMessage(R"({"a": [{"b": [1]}]})", "a[0].b.c=1"),
              "--set a[0].b.c=1: expected the number of an element, such as a[0].b[0].c, got the "
              "key of a list, a[0].b.c");
    EXPECT_EQ(getMessage(R"({"workloads": [{"load": 0.3}]})", "$.workload.load=0.5"),
              "--set $.workload.load=0.5: expected an element of the scenario's list, such as "
              "workloads[0].load=0.5, got workload");
}
