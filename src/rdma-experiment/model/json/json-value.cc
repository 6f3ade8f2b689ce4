// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/json-value.h"

#include "ns3/input-error.h"
#include "ns3/json-document.h"
#include "ns3/name-suggestion.h"
#include "ns3/quantity.h"
#include "ns3/renamed-names.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::rdma
{

namespace
{

/// The number, if it is whole and not negative.
std::optional<uint64_t>
FindWhole(const nlohmann::json& value)
{
    const bool isWhole =
        value.is_number_unsigned() || (value.is_number_integer() && value.get<int64_t>() >= 0);
    return isWhole ? std::optional<uint64_t>(value.get<uint64_t>()) : std::nullopt;
}

/// @return "nearest: ..." of an unknown key. A traffic class is the key "priority".
std::string
DescribeNearestKey(const std::string& key, const std::vector<std::string>& known)
{
    const bool hasPriority = std::find(known.begin(), known.end(), "priority") != known.end();
    return key == "class" && hasPriority ? "nearest: priority" : DescribeNearest(key, known);
}

} // namespace

JsonValue::JsonValue(const nlohmann::json& value, std::string file, std::string path)
    : m_value(&value),
      m_file(std::move(file)),
      m_path(std::move(path))
{
}

const nlohmann::json&
JsonValue::GetJson() const
{
    return *m_value;
}

const std::string&
JsonValue::GetFile() const
{
    return m_file;
}

const std::string&
JsonValue::GetPath() const
{
    return m_path;
}

bool
JsonValue::IsString() const
{
    return m_value->is_string();
}

bool
JsonValue::IsObject() const
{
    return m_value->is_object();
}

std::string
JsonValue::GetString() const
{
    if (!m_value->is_string())
    {
        Fail("a string");
    }
    return m_value->get<std::string>();
}

bool
JsonValue::GetBool() const
{
    if (!m_value->is_boolean())
    {
        Fail("true or false");
    }
    return m_value->get<bool>();
}

uint64_t
JsonValue::GetWhole(uint64_t min, uint64_t max) const
{
    const auto whole = FindWhole(*m_value);
    if (!whole || *whole < min || *whole > max)
    {
        Fail("a whole number from " + std::to_string(min) + " to " + std::to_string(max));
    }
    return *whole;
}

double
JsonValue::GetNumber() const
{
    if (!m_value->is_number() || !std::isfinite(m_value->get<double>()))
    {
        Fail("a number");
    }
    return m_value->get<double>();
}

DataRate
JsonValue::GetRate() const
{
    auto fault = QuantityFault::MALFORMED;
    const auto rate = IsString() ? ParseRate(GetString(), &fault) : std::nullopt;
    if (!rate || rate->GetBitRate() == 0)
    {
        Fail("a rate above zero such as \"100Gbps\"",
             DescribeJson(*m_value) + (IsString() ? DescribeRateFault(GetString(), fault) : ""));
    }
    return *rate;
}

Time
JsonValue::GetTime() const
{
    return ReadTime("a time such as \"1us\"", true);
}

Time
JsonValue::GetPositiveTime() const
{
    return ReadTime("a time above zero such as \"1us\"", false);
}

Time
JsonValue::ReadTime(const std::string& expected, bool canBeZero) const
{
    auto fault = QuantityFault::MALFORMED;
    const auto time = IsString() ? ParseTime(GetString(), &fault) : std::nullopt;
    if (!time || (time->IsZero() && !canBeZero))
    {
        Fail(expected, DescribeJson(*m_value) + DescribeTimeFault(fault));
    }
    return *time;
}

uint64_t
JsonValue::GetBytes() const
{
    return ReadBytes("a size above zero such as \"32MiB\"", false, false);
}

uint64_t
JsonValue::GetBytesOrNumber(bool canBeZero) const
{
    const std::string what = canBeZero ? "a number of bytes" : "a number of bytes above zero";
    return ReadBytes(what + ", such as 1000 or \"1MB\"", true, canBeZero);
}

uint64_t
JsonValue::ReadBytes(const std::string& expected, bool canBeNumber, bool canBeZero) const
{
    constexpr uint64_t MAX_BYTES{std::numeric_limits<int64_t>::max()};
    auto fault = QuantityFault::MALFORMED;
    auto bytes = IsString() ? ParseBytes(GetString(), &fault) : std::nullopt;
    if (!IsString() && canBeNumber)
    {
        bytes = FindWhole(*m_value);
    }
    if (bytes && *bytes > MAX_BYTES)
    {
        fault = QuantityFault::TOO_LARGE;
    }
    if (!bytes || (*bytes == 0 && !canBeZero) || *bytes > MAX_BYTES)
    {
        Fail(expected, DescribeJson(*m_value) + DescribeBytesFault(fault));
    }
    return *bytes;
}

std::string
JsonValue::GetChoice(const std::vector<std::string>& choices) const
{
    if (!IsString())
    {
        Fail("one of " + JoinNames(choices));
    }
    const std::string word = GetString();
    if (std::find(choices.begin(), choices.end(), word) == choices.end())
    {
        Fail("one of " + JoinNames(choices) + " (" + DescribeNearest(word, choices) + ")");
    }
    return word;
}

std::string
JsonValue::GetName(const std::vector<std::string>& names, const std::string& called) const
{
    const std::string name = GetString();
    if (std::find(names.begin(), names.end(), name) == names.end())
    {
        Fail(called + " (" + DescribeNearest(name, names) + ")");
    }
    return name;
}

std::vector<JsonValue>
JsonValue::GetElements() const
{
    std::vector<JsonValue> elements;
    ForEachElement([&elements](const JsonValue& element) { elements.push_back(element); });
    return elements;
}

void
JsonValue::ForEachElement(const std::function<void(const JsonValue&)>& visit) const
{
    if (!m_value->is_array())
    {
        Fail("a list");
    }
    for (size_t i = 0; i < m_value->size(); ++i)
    {
        visit(JsonValue((*m_value)[i], m_file, AppendJsonIndex(m_path, i)));
    }
}

std::vector<std::pair<std::string, JsonValue>>
JsonValue::GetMembers() const
{
    if (!m_value->is_object())
    {
        Fail("an object");
    }
    std::vector<std::pair<std::string, JsonValue>> members;
    for (const auto& [key, value] : m_value->items())
    {
        members.emplace_back(key, JsonValue(value, m_file, AppendJsonKey(m_path, key)));
    }
    return members;
}

void
JsonValue::ExpectKeys(const std::vector<std::string>& known) const
{
    if (!m_value->is_object())
    {
        Fail("an object");
    }
    for (const auto& [key, value] : m_value->items())
    {
        if (std::find(known.begin(), known.end(), key) == known.end())
        {
            const auto newName = FindNewName(key);
            const JsonValue member(value, m_file, AppendJsonKey(m_path, key));
            if (newName)
            {
                member.Fail("the key " + *newName, "the former key " + key);
            }
            member.Fail("a known key (" + DescribeNearestKey(key, known) + ")",
                        "the unknown key " + DescribeJson(key));
        }
    }
}

JsonValue
JsonValue::Get(const std::string& key) const
{
    const auto found = Find(key);
    if (!found)
    {
        Fail("a key \"" + key + "\"", "none");
    }
    return *found;
}

std::optional<JsonValue>
JsonValue::Find(const std::string& key) const
{
    if (!m_value->is_object())
    {
        Fail("an object");
    }
    const auto member = m_value->find(key);
    if (member == m_value->end())
    {
        return std::nullopt;
    }
    return JsonValue(*member, m_file, AppendJsonKey(m_path, key));
}

void
JsonValue::Fail(const std::string& expected) const
{
    Fail(expected, DescribeJson(*m_value));
}

void
JsonValue::Fail(const std::string& expected, const std::string& got) const
{
    throw InputError(m_file + ": " + m_path + ": expected " + expected + ", got " + got);
}

} // namespace ns3::rdma
