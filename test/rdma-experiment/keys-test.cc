// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/keys.h"

#include "../test-files.h"

#include "ns3/key-list.h"
#include "ns3/key-reader.h"
#include "ns3/key-schema.h"
#include "ns3/key-writer.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

enum class Mode
{
    SLOW,
    FAST
};

struct Part
{
    uint32_t count{1};
};

/// One key of each kind.
struct Thing
{
    std::string form;
    uint32_t rounds{1};
    std::string file;
    uint8_t small{7};
    double share{0.5};
    DataRate rate{1'000'000'000};
    DataRate other;
    std::optional<Time> delay;
    uint64_t bytes{1000};
    bool flag{false};
    Mode mode{Mode::SLOW};
    std::string group;
    uint32_t servers{0};
    std::optional<Part> part;
    std::vector<Part> parts;
};

struct Tool
{
    std::string type;
    uint32_t size{1};
};

/// Objects by name, and objects that may be written as text.
struct Box
{
    std::optional<Tool> first;
    std::map<std::string, std::vector<Tool>> tools;
    std::size_t told{0}; ///< Tools that Then() has counted.
};

void
VisitPart(Keys& keys, Part& part)
{
    keys.Count("count", part.count, "how many").Between(1U, 9U).Required();
}

void
VisitThing(Keys& keys, Thing& thing)
{
    static constexpr std::array<std::pair<const char*, Mode>, 2> MODES{
        {{"slow", Mode::SLOW}, {"fast", Mode::FAST}}};
    keys.Form(thing.form, {"rounds", "file"});
    const bool hasRounds = thing.form != "file";
    keys.Count("rounds", thing.rounds, "rounds").AtLeast(1).OnlyIf(hasRounds, "no rounds");
    keys.File("file", thing.file, "file of rounds");
    keys.Count("small", thing.small, "at most 255");
    keys.Number("share", thing.share, "share").Above(0).AtMost(1);
    keys.Rate("rate", thing.rate, "rate");
    keys.Rate("other", thing.other, thing.rate, "another rate").Otherwise("rate");
    keys.Time("delay", thing.delay, "delay").Positive().RequiredIf(thing.rounds > 1);
    keys.Bytes("bytes", thing.bytes, "bytes").Between(64, 4096);
    keys.Flag("flag", thing.flag, "flag").OmitIf(!thing.flag);
    keys.Choice("mode", thing.mode, MODES, "mode");
    keys.GroupOrCount("senders", thing.group, thing.servers, "who sends").AtLeast(1);
    keys.Object("part", thing.part, VisitPart, "a part");
    keys.List("parts", thing.parts, VisitPart, "parts").AtMost(2);
    keys.Check(thing.share < 1 || thing.flag, "share", "a share below 1 without a flag");
}

void
VisitTool(Keys& keys, Tool& tool)
{
    keys.Text("type", tool.type, "what it is").Required();
    keys.Count("size", tool.size, "how large").OmitIf(tool.size == 1);
}

void
VisitBox(Keys& keys, Box& box)
{
    keys.Object("first", box.first, VisitTool, "a tool").Short("type");
    keys.Map(
            "tools",
            box.tools,
            [&box](Keys& map, const char* name, std::vector<Tool>& list) {
                map.List(name, list, VisitTool, "tools of a group")
                    .Short("type")
                    .AtLeast(1)
                    .Then([&box, &list](const JsonValue&) { box.told += list.size(); });
            },
            "tools by group")
        .OfGroups()
        .AtMost(2);
}

Box
ReadBox(const std::string& text)
{
    const auto json = nlohmann::json::parse(text);
    const KeyContext context{[](const JsonValue& value) {
        return value.GetName({"ends", "hubs"}, "a group");
    }};
    Box box;
    ReadKeyed(JsonValue(json, "f", "$"), box, VisitBox, context);
    return box;
}

Thing
Read(const std::string& text)
{
    const auto json = nlohmann::json::parse(text);
    const KeyContext context{
        [](const JsonValue& value) { return value.GetName({"ends"}, "a group"); }};
    Thing thing;
    ReadKeyed(JsonValue(json, "f", "$"), thing, VisitThing, context);
    return thing;
}

std::string
Write(const Thing& thing)
{
    return WriteKeyed(thing, VisitThing).dump();
}

std::string
FindFault(const std::string& text)
{
    return GetInputError([&text] { Read(text); });
}

} // namespace

TEST(Keys, WhatIsWrittenReadsTheSame)
{
    const std::string text =
        R"({"rounds":2,"small":255,"share":0.25,"rate":"100Gbps","other":"25Gbps","delay":"5us",)"
        R"("bytes":64,"flag":true,"mode":"fast","senders":"ends","part":{"count":9},)"
        R"("parts":[{"count":1},{"count":2}]})";
    EXPECT_EQ(Write(Read(text)), text);
}

TEST(Keys, DefaultsAreThoseOfTheObjectOrOfOtherKeys)
{
    // Not written: the delay is not set, the flag is omitted, there is no part.
    EXPECT_EQ(Write(Read(R"({"file": "x", "rate": "40Gbps", "senders": 3})")),
              R"({"file":"x","small":7,"share":0.5,"rate":"40Gbps","other":"40Gbps","bytes":1000,)"
              R"("mode":"slow","senders":3,"parts":[]})");
}

TEST(Keys, AnObjectMayBeWrittenAsTheValueOfItsShortKey)
{
    const std::string text =
        R"({"first":"saw","tools":{"ends":["saw",{"type":"axe","size":3}],"hubs":["axe"]}})";
    const Box box = ReadBox(text);
    EXPECT_EQ(box.first->type, "saw");
    EXPECT_EQ(box.tools.at("ends")[1].size, 3U);
    EXPECT_EQ(box.told, 3U); // Two tools of "ends" and one of "hubs".
    EXPECT_EQ(WriteKeyed(box, VisitBox).dump(), text);
    // The long form reads the same.
    EXPECT_EQ(WriteKeyed(ReadBox(R"({"first": {"type": "saw", "size": 1}})"), VisitBox).dump(),
              R"({"first":"saw"})");
}

TEST(Keys, FaultsOfShortFormsAndOfObjectsByNameAreOneLine)
{
    const std::pair<const char*, const char*> faults[]{
        {R"({"first": 3})", "f: $.first: expected a text or an object, got 3"},
        {R"({"first": {"size": 3}})", "f: $.first: expected a key \"type\", got none"},
        {R"({"tools": []})", "f: $.tools: expected an object, got an empty list"},
        {R"({"tools": {"end": ["saw"]}})",
         "f: $.tools.end: expected a group (nearest: ends), got \"end\""},
        {R"({"tools": {"ends": []}})", "f: $.tools.ends: expected a list of at least 1, got 0"},
        {R"({"tools": {"ends": ["saw", {"type": "axe", "sise": 1}]}})",
         "f: $.tools.ends[1].sise: expected a known key (nearest: size), got the unknown key "
         "\"sise\""},
    };
    for (const auto& [text, message] : faults)
    {
        EXPECT_EQ(GetInputError([text = text] { ReadBox(text); }), message) << text;
    }
}

TEST(Keys, ListsAndTheSchemaHaveShortFormsAndObjectsByName)
{
    Box sample;
    const auto keys = ListKeys([&sample](Keys& visitor) { VisitBox(visitor, sample); });
    const auto json = DescribeKeys(keys);
    EXPECT_EQ(json[0]["short"], "type");
    EXPECT_EQ(json[1]["type"], "object by name");
    EXPECT_EQ(json[1]["keys"][0]["keys"][1]["name"], "size");
    const auto schema = MakeSchema(keys)["properties"];
    EXPECT_EQ(schema["first"]["anyOf"][0]["type"], "string");
    EXPECT_EQ(schema["first"]["anyOf"][1]["required"].dump(), R"(["type"])");
    const auto& list = schema["tools"]["additionalProperties"];
    EXPECT_EQ(list["minItems"], 1);
    EXPECT_EQ(list["items"]["anyOf"][0]["type"], "string");
}

TEST(Keys, EachFaultIsOneLineWithItsPath)
{
    const std::pair<const char*, const char*> faults[]{
        {R"({"rounds": 1, "smal": 1})",
         "f: $.smal: expected a known key (nearest: small), got the unknown key "
         "\"smal\""},
        {R"({"small": 1})", "f: $: expected one of the keys rounds, file, got none"},
        {R"({"rounds": 1, "file": "x"})", "f: $.file: expected no file beside rounds, got \"x\""},
        {R"({"rounds": 0})", "f: $.rounds: expected a whole number from 1 to 4294967295, got 0"},
        {R"({"rounds": 1, "small": 256})",
         "f: $.small: expected a whole number from 0 to 255, got 256"},
        {R"({"rounds": 1, "share": 0})",
         "f: $.share: expected a number above 0 and at most 1, got 0"},
        {R"({"rounds": 1, "share": 1})",
         "f: $.share: expected a share below 1 without a flag, got 1"},
        {R"({"rounds": 2})", "f: $: expected a key \"delay\", got none"},
        {R"({"rounds": 1, "delay": "0us"})",
         "f: $.delay: expected a time above zero such as \"1us\", got \"0us\""},
        {R"({"rounds": 1, "bytes": 63})", "f: $.bytes: expected at least 64B, got 63"},
        {R"({"rounds": 1, "bytes": "8KiB"})", "f: $.bytes: expected at most 4KiB, got \"8KiB\""},
        {R"({"rounds": 1, "mode": "fas"})",
         "f: $.mode: expected one of slow or fast (nearest: fast), got \"fas\""},
        {R"({"rounds": 1, "senders": "end"})",
         "f: $.senders: expected a group (nearest: ends), got "
         "\"end\""},
        {R"({"rounds": 1, "part": {"cuont": 1}})",
         "f: $.part.cuont: expected a known key (nearest: count), got the unknown key \"cuont\""},
        {R"({"rounds": 1, "parts": [{"count": 1}, {}]})",
         "f: $.parts[1]: expected a key \"count\", got none"},
        {R"({"rounds": 1, "parts": [{"count": 1}, {"count": 1}, {"count": 1}]})",
         "f: $.parts: expected a list of 0 to 2, got 3"},
    };
    for (const auto& [text, message] : faults)
    {
        EXPECT_EQ(FindFault(text), message) << text;
    }
}

TEST(Keys, AreListedWithTypesDefaultsAndConditions)
{
    Thing sample;
    const auto keys = ListKeys([&sample](Keys& visitor) { VisitThing(visitor, sample); });
    const auto json = DescribeKeys(keys);
    ASSERT_EQ(json.size(), 13U);
    EXPECT_EQ(json[0].dump(),
              R"({"name":"rounds","type":"whole number","required":"one of several",)"
              R"("meaning":"rounds","condition":"no rounds","least":1})");
    EXPECT_EQ(json[3].dump(),
              R"({"name":"share","type":"number","default":"0.5","meaning":"share",)"
              R"("bounds":"a number above 0 and at most 1"})");
    EXPECT_EQ(json[5].dump(),
              R"({"name":"other","type":"rate","default":"rate","meaning":"another rate"})");
    EXPECT_EQ(json[12]["keys"][0]["most"], 9);
    EXPECT_EQ(json[9]["choices"].dump(), R"(["slow","fast"])");
}

TEST(Keys, TheSchemaHasBoundsChoicesAndNoOtherKeys)
{
    Thing sample;
    const auto schema =
        MakeSchema(ListKeys([&sample](Keys& visitor) { VisitThing(visitor, sample); }));
    EXPECT_FALSE(schema["additionalProperties"].get<bool>());
    EXPECT_EQ(schema["properties"]["share"]["exclusiveMinimum"], 0);
    EXPECT_EQ(schema["properties"]["share"]["maximum"], 1);
    EXPECT_EQ(schema["properties"]["mode"]["enum"].dump(), R"(["slow","fast"])");
    EXPECT_EQ(schema["properties"]["part"]["required"].dump(), R"(["count"])");
    EXPECT_EQ(schema["oneOf"].dump(), R"([{"required":["rounds"]},{"required":["file"]}])");
    // A delay is required under a condition, which a schema does not have.
    EXPECT_FALSE(schema.contains("required"));
}
