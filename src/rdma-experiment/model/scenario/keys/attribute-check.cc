// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/attribute-check.h"

#include "ns3/nic-keys.h"

namespace ns3::rdma
{

namespace
{

const std::string PLUGIN_HINT{"; types of a plug-in need --plugin FILE"};

/// Attributes that a key of the scenario sets: set twice, they could contradict each other.
const std::pair<std::string, std::string> KEYED_ATTRIBUTES[]{
    {"ns3::rdma::FabricSwitch::BufferSize", "$.fabric.buffer"},
    {"ns3::rdma::FabricSwitch::PfcEnabled", "$.fabric.pfc"},
    {"ns3::rdma::FabricSwitch::LoadBalancer", "$.fabric.loadBalancer"},
    {"ns3::rdma::FabricSwitch::AdmissionPolicy", "$.fabric.admissionPolicy"},
    {"ns3::rdma::FabricSwitch::MarkingPolicy", "$.fabric.markingPolicy"},
    {"ns3::rdma::RdmaNic::Hardware", "$.nics[N].hardware"},
    {"ns3::rdma::RdmaNic::PathMtu", "$.fabric.mtu"}};

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

std::string
ReadTypeName(const JsonValue& value, const std::string& base)
{
    const std::string name = value.GetString();
    if (const auto fault = FindTypeFault(name, base, PLUGIN_HINT))
    {
        value.Fail(fault->expected, fault->got);
    }
    return name;
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

} // namespace ns3::rdma
