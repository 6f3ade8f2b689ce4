// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/attribute-check.h"

#include "ns3/class-name.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

/// Attributes that a key of the scenario sets: set twice, they could contradict each other.
const std::pair<std::string, std::string> KEYED_ATTRIBUTES[]{
    {"ns3::rdma::FabricSwitch::BufferSize", "$.fabric.buffer"},
    {"ns3::rdma::FabricSwitch::PfcEnabled", "$.fabric.pfc"},
    {"ns3::rdma::FabricSwitch::LoadBalancer", "$.fabric.loadBalancer"},
    {"ns3::rdma::FabricSwitch::AdmissionPolicy", "$.fabric.admissionPolicy"},
    {"ns3::rdma::FabricSwitch::MarkingPolicy", "$.fabric.markingPolicy"},
    {"ns3::rdma::CreditLink::Credits", "$.fabric.links[N].credits"},
    {"ns3::rdma::RdmaNic::Hardware", "$.nics[N].hardware"},
    {"ns3::rdma::RdmaNic::PathMtu", "$.fabric.mtu"}};

/// Numbers and booleans are taken as well as their text: ns-3 attributes are set from text.
std::string
ReadAttributeText(const JsonValue& value)
{
    const nlohmann::json& json = value.GetJson();
    if (json.is_string())
    {
        return json.get<std::string>();
    }
    if (json.is_number() || json.is_boolean())
    {
        return json.dump();
    }
    value.Fail("a string, a number, true or false");
}

} // namespace

std::optional<AttributeFault>
FindSettingFault(const std::string& name, const std::string& value)
{
    for (const auto& [taken, key] : KEYED_ATTRIBUTES)
    {
        if (name == taken)
        {
            return AttributeFault{"the scenario's key " + key + " instead", name};
        }
    }
    return FindAttributeFault(name, value, PLUGIN_HINT);
}

std::map<std::string, std::string>
ReadAttributes(const JsonValue& value)
{
    std::map<std::string, std::string> attributes;
    for (const auto& [name, member] : value.GetMembers())
    {
        const std::string text = ReadAttributeText(member);
        if (const auto fault = FindSettingFault(name, text))
        {
            member.Fail(fault->expected, fault->got);
        }
        attributes[name] = text;
    }
    return attributes;
}

std::map<std::string, std::string>
ReadOwnAttributes(const JsonValue& value, const std::string& type)
{
    const TypeId id = TypeId::LookupByName(type);
    auto attributes = ReadAttributes(value);
    for (const auto& [name, text] : attributes)
    {
        const TypeId owner = TypeId::LookupByName(name.substr(0, name.rfind("::")));
        if (id != owner && !id.IsChildOf(owner))
        {
            value.Get(name).Fail("an attribute of " + type, name);
        }
    }
    return attributes;
}

Key
VisitAttributes(Keys& keys,
                std::map<std::string, std::string>& attributes,
                const std::function<std::map<std::string, std::string>(const JsonValue&)>& read,
                const char* meaning)
{
    const auto write = [&attributes](const KeySpec&) {
        return attributes.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(attributes);
    };
    Key key = keys.Other(
        "attributes",
        {[&attributes, read](const JsonValue& value, const KeySpec&) { attributes = read(value); },
         write},
        meaning);
    key.Shape(R"({"type": "object",
                   "additionalProperties": {"type": ["string", "number", "boolean"]}})");
    return key;
}

} // namespace ns3::rdma
