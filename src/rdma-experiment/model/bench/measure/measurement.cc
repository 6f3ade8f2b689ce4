// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/measurement.h"

#include "ns3/attribute-check.h"
#include "ns3/input-error.h"
#include "ns3/key-reader.h"
#include "ns3/name-suggestion.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(Measurement);

namespace
{

using Json = nlohmann::json;

const std::string PROGRAM{"measure"};

/// @return a number, true or false; else the text.
Json
ParseNumber(const std::string& text)
{
    const bool hasBlank = text.find(' ') != std::string::npos;
    const Json value = Json::parse(text, nullptr, false);
    return !hasBlank && (value.is_number() || value.is_boolean()) ? value : Json(text);
}

/// @return the value of a key as JSON.
Json
ParseValue(const std::string& text, KeyType type)
{
    switch (type)
    {
    case KeyType::TEXT:
    case KeyType::FILE:
    case KeyType::CHOICE:
    case KeyType::TYPE:
        return text;
    case KeyType::NUMBERS: {
        Json numbers = Json::array();
        for (std::size_t begin = 0; begin <= text.size();)
        {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            numbers.push_back(ParseNumber(text.substr(begin, end - begin)));
            begin = end + 1;
        }
        return numbers;
    }
    default:
        return ParseNumber(text);
    }
}

/// @return "NAME" and "VALUE". @param what for messages
std::pair<std::string, std::string>
SplitSetting(const std::string& setting, const std::string& what)
{
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
    {
        throw InputError(PROGRAM + ": " + what + ", got " + setting);
    }
    return {setting.substr(0, equals), setting.substr(equals + 1)};
}

} // namespace

TypeId
Measurement::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::Measurement").SetParent<ScenarioKind>().SetGroupName("RdmaExperiment");
    return tid;
}

void
Measurement::SetAttributes(const std::vector<std::string>& settings)
{
    if (!settings.empty())
    {
        Fail("--set: expected a measurement with attributes");
    }
}

void
Measurement::Fail(const std::string& fault) const
{
    throw InputError(PROGRAM + ": " + GetInfo().name + ": " + fault);
}

void
Measurement::VisitSeed(Keys& keys, uint64_t& seed)
{
    keys.Count("seed", seed, "random seed").AtMost(uint64_t{UINT32_MAX});
}

void
Measurement::SetAttributesOf(const std::vector<Ptr<Object>>& objects,
                             const std::vector<std::string>& settings) const
{
    const auto getPrefix = [](const Ptr<Object>& object) {
        return object->GetInstanceTypeId().GetName() + "::";
    };
    for (const std::string& setting : settings)
    {
        auto [name, value] = SplitSetting(setting, "--set: expected NAME=VALUE");
        name = name.rfind("ns3::", 0) == 0 ? name : getPrefix(objects.front()) + name;
        const auto fault = FindSettingFault(name, value);
        const auto owner = std::find_if(objects.begin(), objects.end(), [&](const auto& object) {
            return name.rfind(getPrefix(object), 0) == 0;
        });
        if (fault || owner == objects.end())
        {
            Fail("--set: " + name + ": expected " +
                 (fault ? fault->expected + ", got " + fault->got
                        : "an attribute of " + objects.front()->GetInstanceTypeId().GetName()));
        }
        (*owner)->SetAttribute(name.substr(getPrefix(*owner).size()), StringValue(value));
    }
}

Ptr<Measurement>
MakeMeasurement(const std::string& name)
{
    std::vector<std::string> names;
    for (const Ptr<ScenarioKind>& kind : MakeKinds(Measurement::GetTypeId()))
    {
        names.push_back(kind->GetInfo().name);
        if (names.back() == name)
        {
            return DynamicCast<Measurement>(kind);
        }
    }
    throw InputError(PROGRAM + ": expected a measurement (" + DescribeNearest(name, names) +
                     "), got " + name);
}

void
ReadMeasurement(Measurement& measurement, const std::vector<std::string>& words)
{
    const std::vector<KeyInfo> keys = measurement.ListKeys();
    const std::string name = measurement.GetInfo().name;
    Json given = Json::object();
    for (const std::string& word : words)
    {
        const auto [key, value] = SplitSetting(word, name + ": expected KEY=VALUE");
        if (given.contains(key))
        {
            throw InputError(PROGRAM + ": " + name + ": expected " + key + " once, got it twice");
        }
        const auto info = std::find_if(keys.begin(), keys.end(), [&key = key](const auto& one) {
            return one.name == key;
        });
        given[key] = ParseValue(value, info == keys.end() ? KeyType::OTHER : info->spec.type);
    }
    const KeyVisit visit = [&measurement](Keys& visitor) { measurement.Visit(visitor); };
    ReadKeys(JsonValue(given, PROGRAM, name), visit, visit, {});
}

} // namespace ns3::rdma
