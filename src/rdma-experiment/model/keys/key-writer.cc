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

Json
Write(const KeySpec&, const KeyObjectAccess& access)
{
    if (!access.isSet())
    {
        return {};
    }
    Json json = Json::object();
    KeyWriter writer(json);
    access.visit(writer);
    return json;
}

Json
Write(const KeySpec&, const KeyListAccess& access)
{
    Json json = Json::array();
    for (std::size_t place = 0; place < access.count(); ++place)
    {
        Json element = Json::object();
        KeyWriter writer(element);
        access.visit(writer, place);
        json.push_back(std::move(element));
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
