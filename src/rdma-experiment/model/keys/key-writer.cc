// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/key-writer.h"

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

/// @return null: nothing is written.
Json
Write(const KeySpec& spec, const KeyValueAccess& access)
{
    return access.write(spec);
}

/// @return an object, or the value of its short key if there is no other one.
Json
WriteObject(const KeySpec& spec, const KeyVisit& visit)
{
    Json json = Json::object();
    KeyWriter writer(json);
    visit(writer);
    return json.size() == 1 && json.contains(spec.shortKey) ? json[spec.shortKey] : json;
}

Json
Write(const KeySpec& spec, const KeyObjectAccess& access)
{
    return access.isSet() ? WriteObject(spec, access.visit) : Json();
}

Json
Write(const KeySpec& spec, const KeyListAccess& access)
{
    Json json = Json::array();
    for (std::size_t place = 0; place < access.count(); ++place)
    {
        json.push_back(
            WriteObject(spec, [&access, place](Keys& keys) { access.visit(keys, place); }));
    }
    return json;
}

/// An empty map is not written.
Json
Write(const KeySpec&, const KeyMapAccess& access)
{
    Json json;
    for (const std::string& name : access.list())
    {
        KeyWriter writer(json);
        access.visit(writer, name);
    }
    return json;
}

} // namespace

void
KeyWriter::Form(std::string&, const std::vector<const char*>&)
{
}

void
KeyWriter::Check(bool, const char*, const std::string&, const std::string&)
{
}

bool
KeyWriter::Has(const char*) const
{
    return true;
}

void
KeyWriter::Take(const KeySpec& spec, const KeyAccess& access)
{
    if (!spec.isUsed || spec.isOmitted)
    {
        return;
    }
    Json value = std::visit([&spec](const auto& one) { return Write(spec, one); }, access);
    if (!value.is_null())
    {
        m_json[spec.name] = std::move(value);
    }
}

} // namespace ns3::rdma
