// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/key-reader.h"

#include "ns3/key-list.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace ns3::rdma
{

KeyReader::KeyReader(JsonValue object, const KeyContext& context)
    : m_object(std::move(object)),
      m_context(context)
{
}

KeyReader::KeyReader(JsonValue value, const std::string& key, const KeyContext& context)
    : m_object(std::move(value)),
      m_key(key),
      m_context(context)
{
}

std::optional<JsonValue>
KeyReader::Find(const std::string& name) const
{
    if (m_key)
    {
        return name == *m_key ? std::optional(m_object) : std::nullopt;
    }
    return m_object.Find(name);
}

bool
KeyReader::Has(const char* name) const
{
    return Find(name).has_value();
}

void
KeyReader::Form(std::string& form, const std::vector<const char*>& names)
{
    form.clear();
    std::string all;
    for (const char* name : names)
    {
        all += (all.empty() ? "" : ", ") + std::string(name);
        if (!Has(name))
        {
            continue;
        }
        if (!form.empty())
        {
            Find(name)->Fail("no " + std::string(name) + " beside " + form);
        }
        form = name;
    }
    if (form.empty())
    {
        m_object.Fail("one of the keys " + all, "none");
    }
}

void
KeyReader::Check(bool holds, const char* name, const std::string& expected, const std::string& got)
{
    if (holds)
    {
        return;
    }
    const auto found = Find(name);
    const JsonValue& value = found ? *found : m_object;
    got.empty() ? value.Fail(expected) : value.Fail(expected, got);
}

std::string
KeyReader::ReadGroup(const JsonValue& value) const
{
    if (!m_context.readGroup)
    {
        value.Fail("no group: there are none here");
    }
    return m_context.readGroup(value);
}

void
KeyReader::Take(const KeySpec& spec, const KeyAccess& access)
{
    const auto value = Find(spec.name);
    if (!spec.isUsed)
    {
        if (value)
        {
            spec.unusedGot.empty() ? value->Fail(spec.unused)
                                   : value->Fail(spec.unused, spec.unusedGot);
        }
        return;
    }
    if (value)
    {
        std::visit([&](const auto& one) { Read(*value, spec, one); }, access);
        if (spec.complete)
        {
            spec.complete(*value);
        }
    }
    else if (spec.isRequired)
    {
        m_object.Fail("a key \"" + std::string(spec.name) + '"', "none");
    }
    else if (const auto* one = std::get_if<KeyValueAccess>(&access); one && one->reset)
    {
        one->reset();
    }
}

void
KeyReader::Read(const JsonValue& value, const KeySpec& spec, const KeyValueAccess& access)
{
    access.read(value, spec);
}

namespace
{

/// Reads an object, or its short form. @param known names of its keys
void
ReadObject(const JsonValue& value,
           const KeySpec& spec,
           const std::vector<std::string>& known,
           const KeyVisit& visit,
           const KeyContext& context)
{
    if (*spec.shortKey == '\0' || value.IsObject())
    {
        value.ExpectKeys(known);
        KeyReader reader(value, context);
        visit(reader);
        return;
    }
    if (!value.IsString())
    {
        value.Fail("a text or an object");
    }
    KeyReader reader(value, spec.shortKey, context);
    visit(reader);
}

/// @param kind as "a list"
void
CheckCount(const JsonValue& value, const KeySpec& spec, std::size_t count, const char* kind)
{
    if (count < spec.least || count > spec.most)
    {
        value.Fail(std::string(kind) + (spec.most == std::numeric_limits<uint64_t>::max()
                                            ? " of at least " + std::to_string(spec.least)
                                            : " of " + std::to_string(spec.least) + " to " +
                                                  std::to_string(spec.most)),
                   std::to_string(count));
    }
}

} // namespace

void
KeyReader::Read(const JsonValue& value, const KeySpec& spec, const KeyObjectAccess& access)
{
    ReadObject(value, spec, ListKeyNames(access.sample), access.visit, m_context);
}

void
KeyReader::Read(const JsonValue& value, const KeySpec& spec, const KeyListAccess& access)
{
    const std::vector<std::string> known = ListKeyNames(access.sample);
    std::size_t place = 0;
    value.ForEachElement([&](const JsonValue& element) {
        ReadObject(
            element,
            spec,
            known,
            [&](Keys& keys) { access.visit(keys, place); },
            m_context);
        ++place;
    });
    CheckCount(value, spec, place, "a list");
}

void
KeyReader::Read(const JsonValue& value, const KeySpec& spec, const KeyMapAccess& access)
{
    const auto members = value.GetMembers();
    for (const auto& [name, member] : members)
    {
        if (spec.isOfGroups)
        {
            const nlohmann::json group = name;
            ReadGroup(JsonValue(group, member.GetFile(), member.GetPath()));
        }
        KeyReader reader(member, name, m_context);
        access.visit(reader, name);
    }
    CheckCount(value, spec, members.size(), "an object");
}

std::vector<std::string>
ListKeyNames(const KeyVisit& visit)
{
    std::vector<std::string> names;
    for (const KeyInfo& info : ListKeys(visit))
    {
        names.push_back(info.name);
    }
    return names;
}

void
ReadKey(const JsonValue& value, const char* name, const KeyVisit& visit, const KeyContext& context)
{
    KeyReader reader(value, name, context);
    visit(reader);
}

void
ReadKeys(const JsonValue& object,
         const KeyVisit& visit,
         const KeyVisit& sample,
         const KeyContext& context,
         const std::vector<std::string>& others)
{
    std::vector<std::string> known = ListKeyNames(sample);
    known.insert(known.end(), others.begin(), others.end());
    object.ExpectKeys(known);
    KeyReader reader(object, context);
    visit(reader);
}

} // namespace ns3::rdma
