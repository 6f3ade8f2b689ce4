// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/json-document.h"

#include "../test-files.h"
#include "scenario-fixture.h"

using namespace ns3::rdma;

namespace
{

struct SyntaxCase
{
    const char* text;
    const char* begin; ///< Of the message.
};

/// Lines and columns are counted from 1 and point at the character that cannot stand there.
const SyntaxCase SYNTAX_CASES[] = {
    {"", "f:1:1: expected JSON, got an error while parsing value"},
    {"{\"a\": 1,}", "f:1:9: expected JSON, got an error while parsing object key"},
    {"{\n  \"a\" 1}", "f:2:7: expected JSON, got an error while parsing object separator"},
    {"{\"a\": 1} x", "f:1:10: expected JSON, got an error while parsing"},
    {"{\n\n  \"a\": tru}", "f:3:11: expected JSON, got an error while parsing value"},
    {"[1, // one\n2]", "f:1:5: expected JSON"},
    {"{\"a\": \"\xff\"}", "f:1:8: expected JSON"},
    {"[1e999]", "f: expected JSON, got: number overflow"},
};

} // namespace

TEST(JsonDocument, NamesLineAndColumnOfASyntaxError)
{
    for (const SyntaxCase& bad : SYNTAX_CASES)
    {
        const std::string message = GetInputError([&bad] { ParseJson(bad.text, "f"); });
        EXPECT_EQ(message.substr(0, std::string(bad.begin).size()), bad.begin) << bad.text;
        EXPECT_EQ(message.find('\n'), std::string::npos);
    }
}

TEST(JsonDocument, RefusesAKeyThatStandsTwiceInOneObject)
{
    EXPECT_EQ(GetInputError([] { ParseJson(R"({"a": {"b": 1, "b": 2}})", "f"); }),
              "f: $.a.b: expected each key once, got it twice");
    EXPECT_EQ(GetInputError([] { ParseJson(R"({"a": [0, [], {"b": 1, "b": 2}]})", "f"); }),
              "f: $.a[2].b: expected each key once, got it twice");
}

TEST(JsonDocument, AllowsOneKeyInSeveralObjects)
{
    const auto json = ParseJson(R"({"a": {"a": 1}, "b": [{"a": 2}, {"a": 3}]})", "f");
    EXPECT_EQ(json.dump(), R"({"a":{"a":1},"b":[{"a":2},{"a":3}]})");
}

TEST(JsonDocument, QuotesKeysThatWouldConfuseAPath)
{
    EXPECT_EQ(AppendJsonKey("$.fabric", "ecn"), "$.fabric.ecn");
    EXPECT_EQ(AppendJsonKey("$.attributes", "ns3::rdma::Dcqcn::Gain"),
              "$.attributes.ns3::rdma::Dcqcn::Gain");
    EXPECT_EQ(AppendJsonKey("$.ecn", "2.5Gbps"), "$.ecn[\"2.5Gbps\"]");
    EXPECT_EQ(AppendJsonKey("$", "a\nb"), "$[\"a\\nb\"]");
    EXPECT_EQ(AppendJsonKey("$", ""), "$[\"\"]");
    EXPECT_EQ(AppendJsonIndex("$.nics", 2), "$.nics[2]");
}

TEST(JsonDocument, DescribesValuesInOneShortLine)
{
    EXPECT_EQ(DescribeJson(5), "5");
    EXPECT_EQ(DescribeJson("a\nb"), "\"a\\nb\"");
    EXPECT_EQ(DescribeJson(nlohmann::json::object()), "an empty object");
    EXPECT_EQ(DescribeJson({1, 2}), "a list");
    EXPECT_EQ(DescribeJson(std::string(1000, 'x')).size(), 63U); // 60 and three dots.
    EXPECT_EQ(DescribeJson("\xff"), "\"\\ufffd\"");              // Not UTF-8, from a command line.
}

class JsonFile : public FolderTest
{
};

TEST_F(JsonFile, SaysWhyAFileCannotBeRead)
{
    const std::string missing = (m_folder / "no.json").string();
    EXPECT_EQ(GetInputError([&missing] { ReadJsonFile(missing); }),
              missing + ": expected a readable scenario file, got: No such file or directory");
    const std::string empty = WriteFile("empty.json", "");
    EXPECT_EQ(GetInputError([&empty] { ReadJsonFile(empty); }),
              empty + ": expected a readable scenario file, got: an empty file");
    EXPECT_EQ(GetInputError([this] { ReadJsonFile(m_folder.string()); }),
              m_folder.string() + ": expected a readable scenario file, got: Is a directory");
}
