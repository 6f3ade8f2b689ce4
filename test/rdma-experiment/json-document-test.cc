// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/json-document.h"

#include "../test-files.h"
#include "scenario-fixture.h"

#include "ns3/input-text.h"

#include <algorithm>
#include <ctime>
#include <sys/stat.h>

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
    {"[1e999]", "f:1:7: expected JSON, got a number that is too large: number overflow"},
    {"{\n\"a\": -1e400}", "f:2:12: expected JSON, got a number that is too large"},
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

TEST(JsonDocument, RefusesANulByteWhereverItStands)
{
    using namespace std::string_literals;
    for (const std::string& text : {"{}\0"s, "{}\0 {\"b\""s, "\0{}"s, "{\"a\0\": 1}"s})
    {
        const std::string message = GetInputError([&text] { ParseJson(text, "f"); });
        const std::string column = std::to_string(text.find('\0') + 1);
        EXPECT_EQ(message, "f:1:" + column + ": expected JSON, got a NUL byte");
    }
}

TEST(JsonDocument, LimitsHowDeepObjectsAndListsLie)
{
    const std::string deepest = std::string(MAX_JSON_DEPTH, '[') + std::string(MAX_JSON_DEPTH, ']');
    EXPECT_NO_THROW(ParseJson(deepest, "f"));
    std::string objects;
    for (size_t i = 0; i < 100'000; ++i)
    {
        objects += "{\"a\":";
    }
    // The one that is too much begins at column 101, or behind 100 objects of 5 characters.
    EXPECT_EQ(GetInputError([] { ParseJson(std::string(100'000, '['), "f"); }),
              "f:1:101: expected at most 100 objects and lists within one another, got more");
    EXPECT_EQ(GetInputError([&objects] { ParseJson(objects, "f"); }),
              "f:1:501: expected at most 100 objects and lists within one another, got more");
}

TEST(JsonDocument, ReadsAListInATimeThatGrowsWithItsLength)
{
    // Processor time: 16 times the elements take 256 times as long where each of them looks at all
    // others, and 16 times as long where none does. The bound is the geometric mean of both. Other
    // programs take caches away, so that the least of several is compared.
    const auto measure = [](size_t count) {
        std::string text = "[{\"a\": 1}";
        for (size_t i = 1; i < count; ++i)
        {
            text += ",{\"a\": 1}";
        }
        const std::clock_t begin = std::clock();
        EXPECT_EQ(ParseJson(text + "]", "f").size(), count);
        return static_cast<double>(std::clock() - begin);
    };
    double few = measure(5'000); // Fills caches.
    double many = measure(80'000);
    for (int attempt = 0; attempt < 10 && many >= 64 * few; ++attempt)
    {
        few = std::min({few, measure(5'000), measure(5'000), measure(5'000)});
        many = std::min(many, measure(80'000));
    }
    EXPECT_LT(many, 64 * few);
}

TEST(JsonDocument, CutsALongKeyShortInItsPath)
{
    const std::string path = AppendJsonKey("$", std::string(1'000'000, 'k'));
    EXPECT_EQ(path.size(), 66U); // "$[", 60 and three dots, "]".
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
    const std::string pipe = (m_folder / "pipe").string();
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(GetInputError([&pipe] { ReadJsonFile(pipe); }), // Does not wait for a writer.
              pipe + ": expected a readable scenario file, got: an empty file");
    EXPECT_EQ(GetInputError([] { ReadJsonFile("/dev/zero"); }),
              "/dev/zero:1: expected a scenario file, got a NUL byte");
    const std::string large = WriteFile("large.json", std::string(1001, ' '));
    EXPECT_EQ(GetInputError([&large] { ReadInputText(large, "scenario file", 1000); }),
              large + ": expected a scenario file of at most 1000 bytes, got more");
    EXPECT_EQ(GetInputError([this] { ReadJsonFile(m_folder.string()); }),
              m_folder.string() + ": expected a readable scenario file, got: Is a directory");
}
