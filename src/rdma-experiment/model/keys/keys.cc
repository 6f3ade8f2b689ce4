// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/keys.h"

#include "ns3/assert.h"
#include "ns3/class-name.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

/// @param write (const T&, const KeySpec&) returns JSON
template <typename T, typename Write>
std::function<Json(const KeySpec&)>
WriteIfSet(KeyField<T> field, Write write)
{
    return [field, write](const KeySpec& spec) {
        const T* value = field.Find();
        return value ? Json(write(*value, spec)) : Json();
    };
}

template <typename T>
KeyAccess
AccessCount(KeyField<T> field)
{
    return KeyValueAccess{
        [field](const JsonValue& value, const KeySpec& spec) {
            const uint64_t most = std::numeric_limits<T>::max();
            field.Set(static_cast<T>(value.GetWhole(spec.least, std::min(spec.most, most))));
        },
        WriteIfSet(field, [](T count, const KeySpec&) { return count; })};
}

/// @param make T of ns3::Time @param get the reverse
template <typename T>
KeyAccess
AccessTime(KeyField<T> field, T (*make)(const Time&), Time (*get)(T))
{
    return KeyValueAccess{
        [field, make](const JsonValue& value, const KeySpec& spec) {
            field.Set(make(spec.canBeZero ? value.GetTime() : value.GetPositiveTime()));
        },
        WriteIfSet(field, [get](T time, const KeySpec&) { return FormatTime(get(time)); })};
}

/// @param canBeNumber whether a number without a unit is accepted
uint64_t
ReadBytes(const JsonValue& value, const KeySpec& spec, uint64_t max)
{
    const bool canBeNumber = spec.type == KeyType::BYTES;
    const uint64_t bytes =
        canBeNumber ? value.GetBytesOrNumber(spec.lower == 0.0) : value.GetBytes();
    const uint64_t most = std::min(spec.most, max);
    if (bytes < spec.least && bytes > 0)
    {
        value.Fail("at least " + FormatBytes(spec.least));
    }
    if (bytes > most)
    {
        value.Fail("at most " + FormatBytes(most));
    }
    return bytes;
}

template <typename T>
KeyAccess
AccessBytes(KeyField<T> field)
{
    return KeyValueAccess{
        [field](const JsonValue& value, const KeySpec& spec) {
            field.Set(static_cast<T>(ReadBytes(value, spec, std::numeric_limits<T>::max())));
        },
        WriteIfSet(field, [](T bytes, const KeySpec& spec) {
            const bool isText = spec.hasUnit || spec.type == KeyType::SIZE;
            return isText ? Json(FormatBytes(bytes)) : Json(bytes);
        })};
}

/// Empty: not written.
KeyAccess
AccessText(std::string& field, std::function<std::string(const JsonValue&, const KeySpec&)> read)
{
    return KeyValueAccess{
        [&field, read = std::move(read)](const JsonValue& value, const KeySpec& spec) {
            field = read(value, spec);
        },
        [&field](const KeySpec&) { return field.empty() ? Json() : Json(field); }};
}

std::string
ReadChoice(const JsonValue& value, const KeySpec& spec)
{
    return *spec.called == '\0' ? value.GetChoice(spec.choices)
                                : value.GetName(spec.choices, spec.called);
}

/// @return a number within the bounds of its key.
double
ReadNumber(const JsonValue& value, const KeySpec& spec)
{
    const double number = value.GetNumber();
    const bool isLow =
        spec.lower && (spec.isLowerOpen ? number <= *spec.lower : number < *spec.lower);
    const bool isHigh =
        spec.upper && (spec.isUpperOpen ? number >= *spec.upper : number > *spec.upper);
    if (isLow || isHigh)
    {
        value.Fail(spec.DescribeBounds());
    }
    return number;
}

template <typename T>
KeyAccess
ResetTo(KeyAccess access, KeyField<T> field, T other)
{
    std::get<KeyValueAccess>(access).reset = [field, other] { field.Set(other); };
    return access;
}

KeyAccess
AccessRate(KeyField<DataRate> field)
{
    return KeyValueAccess{
        [field](const JsonValue& value, const KeySpec&) { field.Set(value.GetRate()); },
        WriteIfSet(field, [](const DataRate& rate, const KeySpec&) { return FormatRate(rate); })};
}

KeyAccess
AccessFlag(KeyField<bool> field)
{
    return KeyValueAccess{
        [field](const JsonValue& value, const KeySpec&) { field.Set(value.GetBool()); },
        WriteIfSet(field, [](bool flag, const KeySpec&) { return flag; })};
}

KeyAccess
AccessTimeOf(KeyField<Time> field)
{
    return AccessTime<Time>(
        field,
        [](const Time& time) { return time; },
        [](Time time) { return time; });
}

} // namespace

std::string
KeySpec::DescribeBounds() const
{
    std::ostringstream text;
    text << "a number";
    if (lower && upper && !isLowerOpen)
    {
        text << " from " << *lower << " to " << (isUpperOpen ? "below " : "") << *upper;
        return text.str();
    }
    if (lower)
    {
        text << (isLowerOpen ? " above " : " of at least ") << *lower;
    }
    if (upper)
    {
        text << (lower ? " and" : "") << (isUpperOpen ? " below " : " at most ") << *upper;
    }
    return text.str();
}

Key::Key(Keys& keys, KeySpec spec, KeyAccess access)
    : m_keys(keys),
      m_spec(std::move(spec)),
      m_access(std::move(access)),
      m_exceptions(std::uncaught_exceptions())
{
}

Key::Key(Key&& other) noexcept
    : m_keys(other.m_keys),
      m_spec(std::move(other.m_spec)),
      m_access(std::move(other.m_access)),
      m_exceptions(other.m_exceptions)
{
    other.m_isMoved = true;
}

Key::~Key() noexcept(false)
{
    if (!m_isMoved && std::uncaught_exceptions() == m_exceptions)
    {
        m_keys.Take(m_spec, m_access);
    }
}

Key&
Key::Required()
{
    m_spec.isRequired = true;
    return *this;
}

Key&
Key::RequiredIf(bool condition)
{
    m_spec.isRequired = condition;
    m_spec.isConditional = true;
    return *this;
}

Key&
Key::OnlyIf(bool condition, std::string expected, std::string got)
{
    m_spec.isUsed = condition;
    m_spec.unused = std::move(expected);
    m_spec.unusedGot = std::move(got);
    return *this;
}

Key&
Key::OmitIf(bool condition)
{
    m_spec.isOmitted = condition;
    return *this;
}

Key&
Key::Otherwise(std::string text)
{
    m_spec.otherwise = std::move(text);
    return *this;
}

Key&
Key::Positive()
{
    m_spec.canBeZero = false;
    return *this;
}

Key&
Key::WithUnit()
{
    m_spec.hasUnit = true;
    return *this;
}

Key&
Key::Called(const char* name)
{
    m_spec.called = name;
    return *this;
}

Key&
Key::Shape(const char* schema)
{
    m_spec.shape = schema;
    return *this;
}

Key&
Key::Short(const char* name)
{
    m_spec.shortKey = name;
    return *this;
}

Key&
Key::Shipped(const char* extension)
{
    m_spec.shipped = extension;
    return *this;
}

Key&
Key::OfGroups()
{
    m_spec.isOfGroups = true;
    return *this;
}

Key&
Key::Then(std::function<void(const JsonValue&)> complete)
{
    m_spec.complete = std::move(complete);
    return *this;
}

Key&
Key::Above(double bound)
{
    m_spec.lower = bound;
    m_spec.isLowerOpen = true;
    return *this;
}

Key&
Key::Below(double bound)
{
    m_spec.upper = bound;
    m_spec.isUpperOpen = true;
    return *this;
}

Key
Keys::Declare(const char* name, KeyType type, KeyAccess access, const char* meaning)
{
    KeySpec spec;
    spec.name = name;
    spec.type = type;
    spec.meaning = meaning;
    return Key(*this, std::move(spec), std::move(access));
}

Key
Keys::Count(const char* name, KeyField<uint8_t> field, const char* meaning)
{
    return Declare(name, KeyType::COUNT, AccessCount(field), meaning);
}

Key
Keys::Count(const char* name, KeyField<uint16_t> field, const char* meaning)
{
    return Declare(name, KeyType::COUNT, AccessCount(field), meaning);
}

Key
Keys::Count(const char* name, KeyField<uint32_t> field, const char* meaning)
{
    return Declare(name, KeyType::COUNT, AccessCount(field), meaning);
}

Key
Keys::Count(const char* name, KeyField<uint64_t> field, const char* meaning)
{
    return Declare(name, KeyType::COUNT, AccessCount(field), meaning);
}

Key
Keys::Number(const char* name, KeyField<double> field, const char* meaning)
{
    return Declare(
        name,
        KeyType::NUMBER,
        KeyValueAccess{[field](const JsonValue& value, const KeySpec& spec) {
                           field.Set(ReadNumber(value, spec));
                       },
                       WriteIfSet(field, [](double number, const KeySpec&) { return number; })},
        meaning);
}

Key
Keys::Numbers(const char* name, std::vector<double>& field, const char* meaning)
{
    const auto read = [&field](const JsonValue& value, const KeySpec& spec) {
        std::vector<double> numbers;
        const auto add = [&](const JsonValue& one) { numbers.push_back(ReadNumber(one, spec)); };
        value.GetJson().is_array() ? value.ForEachElement(add) : add(value);
        field = std::move(numbers);
    };
    return Declare(name,
                   KeyType::NUMBERS,
                   KeyValueAccess{read, [&field](const KeySpec&) { return Json(field); }},
                   meaning);
}

Key
Keys::Count(const char* name, KeyField<uint32_t> field, uint32_t other, const char* meaning)
{
    return Declare(name, KeyType::COUNT, ResetTo(AccessCount(field), field, other), meaning);
}

Key
Keys::Rate(const char* name, KeyField<DataRate> field, const char* meaning)
{
    return Declare(name, KeyType::RATE, AccessRate(field), meaning);
}

Key
Keys::Rate(const char* name, KeyField<DataRate> field, DataRate other, const char* meaning)
{
    return Declare(name, KeyType::RATE, ResetTo(AccessRate(field), field, other), meaning);
}

Key
Keys::Time(const char* name, KeyField<ns3::Time> field, const char* meaning)
{
    return Declare(name, KeyType::TIME, AccessTimeOf(field), meaning);
}

Key
Keys::Time(const char* name, KeyField<ns3::Time> field, ns3::Time other, const char* meaning)
{
    return Declare(name, KeyType::TIME, ResetTo(AccessTimeOf(field), field, other), meaning);
}

Key
Keys::Time(const char* name, KeyField<int64_t> field, const char* meaning)
{
    return Declare(name,
                   KeyType::TIME,
                   AccessTime<int64_t>(
                       field,
                       [](const ns3::Time& time) { return time.GetPicoSeconds(); },
                       [](int64_t ps) { return PicoSeconds(ps); }),
                   meaning);
}

Key
Keys::Size(const char* name, KeyField<uint64_t> field, const char* meaning)
{
    return Declare(name, KeyType::SIZE, AccessBytes(field), meaning);
}

Key
Keys::Bytes(const char* name, KeyField<uint64_t> field, const char* meaning)
{
    return Declare(name, KeyType::BYTES, AccessBytes(field), meaning);
}

Key
Keys::Bytes(const char* name, KeyField<uint32_t> field, const char* meaning)
{
    return Declare(name, KeyType::BYTES, AccessBytes(field), meaning);
}

Key
Keys::Flag(const char* name, KeyField<bool> field, const char* meaning)
{
    return Declare(name, KeyType::FLAG, AccessFlag(field), meaning);
}

Key
Keys::Flag(const char* name, KeyField<bool> field, bool other, const char* meaning)
{
    return Declare(name, KeyType::FLAG, ResetTo(AccessFlag(field), field, other), meaning);
}

Key
Keys::Text(const char* name, std::string& field, const char* meaning)
{
    const auto read = [](const JsonValue& value, const KeySpec&) { return value.GetString(); };
    return Declare(name, KeyType::TEXT, AccessText(field, read), meaning);
}

Key
Keys::Text(const char* name,
           std::string& field,
           std::string (*read)(const JsonValue&),
           const char* meaning)
{
    return Declare(
        name,
        KeyType::TEXT,
        AccessText(field, [read](const JsonValue& value, const KeySpec&) { return read(value); }),
        meaning);
}

Key
Keys::File(const char* name, std::string& field, const char* meaning)
{
    const auto read = [](const JsonValue& value, const KeySpec&) { return value.GetString(); };
    return Declare(name, KeyType::FILE, AccessText(field, read), meaning);
}

Key
Keys::Group(const char* name, std::string& field, const char* meaning)
{
    const auto read = [this](const JsonValue& value, const KeySpec&) { return ReadGroup(value); };
    return Declare(name, KeyType::GROUP, AccessText(field, read), meaning);
}

Key
Keys::Type(const char* name, std::string& field, const char* base, const char* meaning)
{
    KeySpec spec;
    spec.name = name;
    spec.type = KeyType::TYPE;
    spec.meaning = meaning;
    spec.base = base;
    const auto read = [](const JsonValue& value, const KeySpec& said) {
        return ReadTypeName(value, said.base);
    };
    return Key(*this, std::move(spec), AccessText(field, read));
}

Key
Keys::Choice(const char* name,
             std::string& field,
             std::vector<std::string> choices,
             const char* meaning)
{
    KeySpec spec;
    spec.name = name;
    spec.type = KeyType::CHOICE;
    spec.meaning = meaning;
    spec.choices = std::move(choices);
    return Key(*this, std::move(spec), AccessText(field, ReadChoice));
}

Key
Keys::ChoiceOf(const char* name,
               std::vector<std::string> choices,
               std::function<std::size_t()> get,
               std::function<void(std::size_t)> set,
               const char* meaning)
{
    KeySpec spec;
    spec.name = name;
    spec.type = KeyType::CHOICE;
    spec.meaning = meaning;
    spec.choices = std::move(choices);
    return Key(*this,
               std::move(spec),
               KeyValueAccess{[set = std::move(set)](const JsonValue& value, const KeySpec& said) {
                                  const std::string word = ReadChoice(value, said);
                                  const auto place =
                                      std::find(said.choices.begin(), said.choices.end(), word);
                                  set(static_cast<std::size_t>(place - said.choices.begin()));
                              },
                              [get = std::move(get)](const KeySpec& said) {
                                  const std::size_t place = get();
                                  return place < said.choices.size() ? Json(said.choices[place])
                                                                     : Json();
                              }});
}

Key
Keys::GroupOrCount(const char* name, std::string& group, uint32_t& count, const char* meaning)
{
    KeySpec spec;
    spec.name = name;
    spec.meaning = meaning;
    spec.shape = R"({"type": ["string", "integer"]})";
    return Key(*this,
               std::move(spec),
               KeyValueAccess{[this, &group, &count](const JsonValue& value, const KeySpec& spec) {
                                  if (value.IsString())
                                  {
                                      group = ReadGroup(value);
                                      return;
                                  }
                                  count = static_cast<uint32_t>(
                                      value.GetWhole(spec.least,
                                                     std::min<uint64_t>(spec.most, UINT32_MAX)));
                              },
                              [&group, &count](const KeySpec&) {
                                  return group.empty() ? Json(count) : Json(group);
                              }});
}

Key
Keys::Other(const char* name, KeyValueAccess access, const char* meaning)
{
    return Declare(name, KeyType::OTHER, std::move(access), meaning);
}

std::string
Keys::ReadGroup(const JsonValue&) const
{
    NS_ASSERT_MSG(false, "Only readers of keys read a group.");
    return {};
}

} // namespace ns3::rdma
