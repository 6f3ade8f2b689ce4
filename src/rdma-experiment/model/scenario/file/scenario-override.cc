// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/scenario-override.h"

#include "ns3/input-error.h"
#include "ns3/json-document.h"

#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::json;

/// One step down a document: a key, or an index where the text stood in brackets.
struct Step
{
    std::string key;
    std::optional<size_t> index;
};

[[noreturn]] void
Fail(const std::string& assignment, const std::string& expected, const std::string& got)
{
    throw InputError("--set " + assignment + ": expected " + expected + ", got " + got);
}

std::optional<size_t>
ParseIndex(std::string_view text)
{
    size_t index = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, index);
    return result.ec == std::errc() && result.ptr == end ? std::optional<size_t>(index)
                                                         : std::nullopt;
}

/// Takes a step in brackets, whose text has no quotes or brackets inside, off the front.
std::optional<Step>
TakeBracket(std::string_view& path)
{
    const bool isQuoted = path.substr(0, 2) == "[\"";
    const std::string_view closing = isQuoted ? "\"]" : "]";
    const size_t begin = isQuoted ? 2 : 1;
    const size_t end = path.find(closing, begin);
    if (end == std::string_view::npos)
    {
        return std::nullopt;
    }
    const std::string_view inner = path.substr(begin, end - begin);
    path.remove_prefix(end + closing.size());
    if (isQuoted)
    {
        return Step{std::string(inner), std::nullopt};
    }
    const auto index = ParseIndex(inner);
    return index ? std::optional<Step>(Step{{}, index}) : std::nullopt;
}

/// Takes a plain key off the front.
std::optional<Step>
TakeKey(std::string_view& path)
{
    const size_t end = std::min(path.find_first_of(".["), path.size());
    const std::string key(path.substr(0, end));
    path.remove_prefix(end);
    return key.empty() ? std::nullopt : std::optional<Step>(Step{key, std::nullopt});
}

/// Empty if the path is malformed.
std::vector<Step>
SplitPath(std::string_view path)
{
    std::vector<Step> steps;
    if (path.substr(0, 1) == "$")
    {
        path.remove_prefix(1);
        path.remove_prefix(path.substr(0, 1) == "." ? 1 : 0);
    }
    while (!path.empty())
    {
        const bool isBracket = path.front() == '[';
        if (!isBracket && !steps.empty())
        {
            if (path.front() != '.')
            {
                return {};
            }
            path.remove_prefix(1);
        }
        const auto step = isBracket ? TakeBracket(path) : TakeKey(path);
        if (!step)
        {
            return {};
        }
        steps.push_back(*step);
    }
    return steps;
}

/// The '=' that ends the path: the first one outside of quotes.
size_t
FindAssign(const std::string& assignment)
{
    bool isQuoted = false;
    for (size_t i = 0; i < assignment.size(); ++i)
    {
        isQuoted ^= assignment[i] == '"';
        if (assignment[i] == '=' && !isQuoted)
        {
            return i;
        }
    }
    return std::string::npos;
}

/// A scenario with a list of workloads gets no second key for them.
void
CheckWorkloadKey(const Json& document, const Step& first, const std::string& assignment)
{
    if (first.key == "workload" && document.is_object() && document.count("workloads") != 0)
    {
        Fail(assignment,
             "an element of the scenario's list, such as workloads[0]" +
                 assignment.substr(assignment.find("workload") + first.key.size()),
             "workload");
    }
}

} // namespace

void
ApplyOverride(Json& document, const std::string& assignment)
{
    const size_t assign = FindAssign(assignment);
    const auto steps = SplitPath(std::string_view(assignment).substr(0, assign));
    if (assign == std::string::npos || steps.empty())
    {
        Fail(assignment,
             "PATH=VALUE such as workload.load=0.5 or nics[0]=irn",
             assign == std::string::npos ? "no =" : "a malformed path");
    }
    if (steps.size() > MAX_JSON_DEPTH)
    {
        Fail("PATH=VALUE",
             "a path of at most " + std::to_string(MAX_JSON_DEPTH) + " steps",
             std::to_string(steps.size()));
    }
    CheckWorkloadKey(document, steps.front(), assignment);
    Json* place = &document;
    std::string path = "$";
    for (const Step& step : steps)
    {
        if (step.index)
        {
            if (!place->is_array() || *step.index >= place->size())
            {
                Fail(assignment,
                     path + " to have an element " + std::to_string(*step.index),
                     place->is_array() ? std::to_string(place->size()) : DescribeJson(*place));
            }
            place = &(*place)[*step.index];
            path = AppendJsonIndex(path, *step.index);
            continue;
        }
        if (place->is_array())
        {
            Fail(assignment,
                 "the number of an element, such as " + path.substr(2) + "[0]." + step.key,
                 "the key of a list, " + path.substr(2) + '.' + step.key);
        }
        if (!place->is_object() && !place->is_null())
        {
            Fail(assignment, path + " to be an object", DescribeJson(*place));
        }
        place = &(*place)[step.key];
        path = AppendJsonKey(path, step.key);
    }
    const std::string text = assignment.substr(assign + 1);
    // What is no JSON is a string; what is JSON follows the rules of a scenario file.
    *place = Json::accept(text) ? ParseJson(text, "--set " + assignment) : Json(text);
}

} // namespace ns3::rdma
