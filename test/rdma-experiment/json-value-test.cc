// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/json-value.h"

#include "../test-files.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// The message of a getter on a value.
template <typename Getter>
std::string
GetFault(const nlohmann::json& json, Getter getter)
{
    return GetInputError([&json, getter] { getter(JsonValue(json, "f", "$.x")); });
}

} // namespace

TEST(JsonValue, ReadsWhatIsRight)
{
    const nlohmann::json json{{"rate", "10Gbps"}, {"list", {1, 2}}, {"yes", true}, {"half", 0.5}};
    const JsonValue value(json, "f", "$");
    EXPECT_EQ(value.Get("rate").GetRate(), DataRate("10Gbps"));
    EXPECT_EQ(value.Get("list").GetElements()[1].GetWhole(0, 2), 2U);
    EXPECT_EQ(value.Get("list").GetElements()[1].GetPath(), "$.list[1]");
    EXPECT_TRUE(value.Get("yes").GetBool());
    EXPECT_EQ(value.Get("half").GetNumber(), 0.5);
    EXPECT_FALSE(value.Find("none"));
}

TEST(JsonValue, NamesFilePathExpectationAndValue)
{
    EXPECT_EQ(GetFault(5, [](const JsonValue& v) { v.GetRate(); }),
              "f: $.x: expected a rate above zero such as \"100Gbps\", got 5");
    EXPECT_EQ(GetFault("0Gbps", [](const JsonValue& v) { v.GetRate(); }),
              "f: $.x: expected a rate above zero such as \"100Gbps\", got \"0Gbps\"");
    EXPECT_EQ(GetFault("1", [](const JsonValue& v) { v.GetTime(); }),
              "f: $.x: expected a time such as \"1us\", got \"1\"");
    EXPECT_EQ(GetFault("0us", [](const JsonValue& v) { v.GetPositiveTime(); }),
              "f: $.x: expected a time above zero such as \"1us\", got \"0us\"");
    EXPECT_EQ(GetFault(1000, [](const JsonValue& v) { v.GetBytes(); }),
              "f: $.x: expected a size above zero such as \"32MiB\", got 1000");
    EXPECT_EQ(GetFault(0, [](const JsonValue& v) { v.GetBytesOrNumber(); }),
              "f: $.x: expected a number of bytes above zero, such as 1000 or \"1MB\", got 0");
    EXPECT_EQ(GetFault({1}, [](const JsonValue& v) { v.GetString(); }),
              "f: $.x: expected a string, got a list");
    EXPECT_EQ(GetFault("true", [](const JsonValue& v) { v.GetBool(); }),
              "f: $.x: expected true or false, got \"true\"");
    EXPECT_EQ(GetFault("0.5", [](const JsonValue& v) { v.GetNumber(); }),
              "f: $.x: expected a number, got \"0.5\"");
    EXPECT_EQ(GetFault("x", [](const JsonValue& v) { v.GetElements(); }),
              "f: $.x: expected a list, got \"x\"");
    EXPECT_EQ(GetFault("x", [](const JsonValue& v) { v.Get("k"); }),
              "f: $.x: expected an object, got \"x\"");
}

TEST(JsonValue, TakesOnlyWholeNumbersWithinTheirBounds)
{
    const auto get = [](const JsonValue& v) { v.GetWhole(1, 8); };
    EXPECT_EQ(GetFault(8, get), "");
    for (const nlohmann::json& bad :
         {nlohmann::json(0), nlohmann::json(9), nlohmann::json(-1), nlohmann::json(2.0)})
    {
        EXPECT_EQ(GetFault(bad, get),
                  "f: $.x: expected a whole number from 1 to 8, got " + bad.dump());
    }
}

TEST(JsonValue, NamesTheNearestWordOfAChoice)
{
    EXPECT_EQ(GetFault("ethernt",
                       [](const JsonValue& v) {
                           v.GetChoice({"ethernet", "none"});
                       }),
              "f: $.x: expected one of ethernet or none (nearest: ethernet), got \"ethernt\"");
}

TEST(JsonValue, NamesTheNearestKeyForAnUnknownOne)
{
    EXPECT_EQ(GetFault({{"hostrate", 1}},
                       [](const JsonValue& v) {
                           v.ExpectKeys({"hostRate", "mtu"});
                       }),
              "f: $.x.hostrate: expected a known key (nearest: hostRate), got the unknown key "
              "\"hostrate\"");
    EXPECT_EQ(GetFault(nlohmann::json::object(), [](const JsonValue& v) { v.Get("mtu"); }),
              "f: $.x: expected a key \"mtu\", got none");
}
