// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/key-reader.h"

#include "ns3/key-list.h"

#include <utility>

namespace ns3::rdma
{

KeyReader::KeyReader(JsonValue object, const KeyContext& context)
    : m_object(std::move(object)),
      m_context(context)
{
}

bool
KeyReader::Has(const char* name) const
{
    return m_object.Find(name).has_value();
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
            m_object.Get(name).Fail("no " + std::string(name) + " beside " + form);
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
    const auto found = m_object.Find(name);
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
    const auto value = m_object.Find(spec.name);
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
    }
    else if (spec.isRequired)
    {
        m_object.Get(spec.name);
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

void
KeyReader::Read(const JsonValue& value, const KeySpec&, const KeyObjectAccess& access)
{
    ReadKeys(value, access.visit, access.sample, m_context);
}

void
KeyReader::Read(const JsonValue& value, const KeySpec& spec, const KeyListAccess& access)
{
    const std::vector<std::string> known = ListKeyNames(access.sample);
    std::size_t place = 0;
    value.ForEachElement([&](const JsonValue& element) {
        element.ExpectKeys(known);
        KeyReader reader(element, m_context);
        access.visit(reader, place++);
    });
    if (place < spec.least || place > spec.most)
    {
        value.Fail(spec.most == std::numeric_limits<uint64_t>::max()
                       ? "a list of at least " + std::to_string(spec.least)
                       : "a list of " + std::to_string(spec.least) + " to " +
                             std::to_string(spec.most),
                   std::to_string(place));
    }
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
