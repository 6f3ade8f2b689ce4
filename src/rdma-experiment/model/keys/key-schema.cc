// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/key-schema.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

/// Of a number and a unit, without a blank between them.
constexpr const char* RATE_PATTERN{"^[0-9.]+([kMGT]?bps|[kMGT]?b/s)$"};
constexpr const char* TIME_PATTERN{"^[0-9.]+([pnum]?s)$"};
constexpr const char* SIZE_PATTERN{"^[0-9.]+(B|kB|[MGTPE]B|[KMGTPE]iB)$"};

Json
MakeText(const char* pattern)
{
    return {{"type", "string"}, {"pattern", pattern}};
}

Json
MakeCount(const KeySpec& spec)
{
    Json schema{{"type", "integer"}, {"minimum", spec.least}};
    if (spec.upper)
    {
        schema["maximum"] = spec.most;
    }
    return schema;
}

Json
MakeNumber(const KeySpec& spec)
{
    Json schema{{"type", "number"}};
    if (spec.lower)
    {
        schema[spec.isLowerOpen ? "exclusiveMinimum" : "minimum"] = *spec.lower;
    }
    if (spec.upper)
    {
        schema[spec.isUpperOpen ? "exclusiveMaximum" : "maximum"] = *spec.upper;
    }
    return schema;
}

Json MakeValue(const KeyInfo& info);

/// @return the schema of an object with keys of its own, or of its short form.
Json
MakeObject(const KeyInfo& info)
{
    Json schema = MakeSchema(info.members);
    for (const KeyInfo& member : info.members)
    {
        if (member.name == info.spec.shortKey)
        {
            return {{"anyOf", {MakeValue(member), std::move(schema)}}};
        }
    }
    return schema;
}

Json
MakeList(const KeyInfo& info)
{
    Json schema{{"type", "array"}, {"items", MakeObject(info)}};
    if (info.spec.least > 0)
    {
        schema["minItems"] = info.spec.least;
    }
    return schema;
}

Json
MakeMap(const KeyInfo& info)
{
    Json schema{{"type", "object"}, {"additionalProperties", MakeValue(info.members.front())}};
    if (info.spec.least > 0)
    {
        schema["minProperties"] = info.spec.least;
    }
    return schema;
}

Json
MakeOther(const KeySpec& spec)
{
    Json schema = *spec.shape == '\0' ? Json::object() : Json::parse(spec.shape);
    if (spec.lower)
    {
        schema["minimum"] = spec.least; // Of a number; other values have none.
    }
    return schema;
}

Json
MakeValue(const KeyInfo& info)
{
    const KeySpec& spec = info.spec;
    switch (spec.type)
    {
    case KeyType::COUNT:
        return MakeCount(spec);
    case KeyType::NUMBER:
        return MakeNumber(spec);
    case KeyType::NUMBERS:
        return {{"anyOf", {MakeNumber(spec), {{"type", "array"}, {"items", MakeNumber(spec)}}}}};
    case KeyType::RATE:
        return MakeText(RATE_PATTERN);
    case KeyType::TIME:
        return MakeText(TIME_PATTERN);
    case KeyType::SIZE:
        return MakeText(SIZE_PATTERN);
    case KeyType::BYTES:
        return {{"anyOf", {MakeCount(spec), MakeText(SIZE_PATTERN)}}};
    case KeyType::FLAG:
        return {{"type", "boolean"}};
    case KeyType::CHOICE:
        return {{"enum", spec.choices}};
    case KeyType::OBJECT:
        return MakeObject(info);
    case KeyType::LIST:
        return MakeList(info);
    case KeyType::MAP:
        return MakeMap(info);
    case KeyType::OTHER:
        return MakeOther(spec);
    case KeyType::TEXT:
    case KeyType::FILE:
    case KeyType::GROUP:
    case KeyType::TYPE:
        return {{"type", "string"}};
    }
    return Json::object();
}

std::string
Describe(const KeyInfo& info)
{
    std::string text = info.spec.meaning;
    if (!info.otherwise.empty())
    {
        text += " (default: " + info.otherwise + ")";
    }
    return text;
}

} // namespace

void
AddToSchema(Json& schema, const char* name, Json value, bool isRequired)
{
    schema["properties"][name] = std::move(value);
    if (isRequired)
    {
        schema["required"].push_back(name);
    }
}

Json
MakeSchema(const std::vector<KeyInfo>& keys)
{
    Json schema{{"type", "object"}, {"properties", Json::object()}};
    for (const KeyInfo& info : keys)
    {
        const KeySpec& spec = info.spec;
        Json value = MakeValue(info);
        value["description"] = Describe(info);
        const bool isRequired = spec.isRequired && !spec.isConditional && spec.unused.empty();
        AddToSchema(schema, info.name.c_str(), std::move(value), isRequired && !spec.isForm);
        if (spec.isForm)
        {
            schema["oneOf"].push_back({{"required", {info.name}}});
        }
    }
    schema["additionalProperties"] = false;
    return schema;
}

} // namespace ns3::rdma
