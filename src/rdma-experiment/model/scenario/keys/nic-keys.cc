// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/nic-keys.h"

#include "ns3/attribute-check.h"
#include "ns3/attribute-use.h"
#include "ns3/class-name.h"
#include "ns3/key-reader.h"
#include "ns3/key-writer.h"
#include "ns3/nic-presets.h"
#include "ns3/parameter-sets.h"
#include "ns3/rdma-nic.h"
#include "ns3/result-names.h"
#include "ns3/run-design.h"
#include "ns3/server-group.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

namespace ns3::rdma
{

namespace
{

constexpr const char* PRESET{"a NIC preset"};

/// What an entry says about a design.
struct DesignKeys
{
    std::string preset;
    std::string congestionControl; ///< Empty, as the next ones: that of the preset.
    std::string parameters;
    std::string lossDetector;
    std::string retransmissionTimeout;
    bool isHardwareTimed{false};
    AttributeMap attributes;
};

/// @return the names of presets or parameter sets.
template <typename T>
std::vector<std::string>
ListNames(const std::vector<T>& all)
{
    std::vector<std::string> names;
    for (const T& one : all)
    {
        names.push_back(one.name);
    }
    return names;
}

void
VisitDesign(Keys& keys, DesignKeys& design)
{
    static constexpr std::array<std::pair<const char*, bool>, 2> HARDWARE{
        {{"off", false}, {"on", true}}};
    keys.Choice("preset", design.preset, ListNames(GetNicPresets()), "where the design begins")
        .Called(PRESET)
        .Required();
    keys.Type("congestionControl",
              design.congestionControl,
              "ns3::rdma::CongestionControl",
              "congestion control of its queue pairs")
        .Otherwise("the preset's");
    keys.Choice("parameters",
                design.parameters,
                ListNames(GetParameterSets()),
                "a published parameter set of the congestion control")
        .Called("a parameter set")
        .Otherwise("the attributes' defaults");
    keys.Type("lossDetector",
              design.lossDetector,
              "ns3::rdma::LossDetector",
              "which packets count as lost")
        .Otherwise("the preset's");
    keys.Type("retransmissionTimeout",
              design.retransmissionTimeout,
              "ns3::rdma::RetransmissionTimeout",
              "how long queue pairs wait for an acknowledgment")
        .Otherwise("the preset's");
    keys.Choice("hardware",
                design.isHardwareTimed,
                HARDWARE,
                "whether PCIe, caches, pipelines and the host's cores take time");
    VisitAttributes(keys, design.attributes, ReadAttributes, "of the NIC's objects, by full name");
}

/// @param value the name of a preset, or an object
DesignKeys
ReadDesignKeys(const JsonValue& value)
{
    DesignKeys design;
    if (!value.IsObject())
    {
        design.preset = value.GetName(ListNames(GetNicPresets()), PRESET);
        return design;
    }
    const KeyContext context;
    KeyReader reader(value, context);
    VisitDesign(reader, design);
    return design;
}

std::vector<std::string>
ListDesignNames()
{
    return ListKeyNames([](Keys& keys) {
        DesignKeys sample;
        VisitDesign(keys, sample);
    });
}

/// Lays a set of published parameters over what the NIC has. @param value that names it
void
AddParameters(const JsonValue& value, const std::string& name, DesignSpec& nic)
{
    const ParameterSet& set = *FindParameterSet(name);
    const std::string& control = nic.attributes["ns3::rdma::RdmaNic::CongestionControl"];
    if (control != set.congestionControl)
    {
        value.Fail("a NIC with " + set.congestionControl + ", which \"" + name + "\" is for",
                   control);
    }
    for (const auto& [attribute, text] : set.attributes)
    {
        nic.attributes[attribute] = text;
    }
}

/// Lays what an entry says over the preset.
void
AddKeys(const JsonValue& entry, const DesignKeys& keys, DesignSpec& nic)
{
    const auto set = [&nic](const char* attribute, const std::string& value) {
        if (!value.empty())
        {
            nic.attributes[std::string("ns3::rdma::RdmaNic::") + attribute] = value;
        }
    };
    set("CongestionControl", keys.congestionControl);
    if (!keys.parameters.empty())
    {
        AddParameters(entry.Get("parameters"), keys.parameters, nic);
    }
    set("LossDetector", keys.lossDetector);
    set("RetransmissionTimeout", keys.retransmissionTimeout);
    for (const auto& [name, text] : keys.attributes)
    {
        nic.attributes[name] = text;
    }
}

std::string
DescribeClasses(const AttributeUse& use)
{
    std::string text;
    for (const std::string& name : use.classes)
    {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

/// Attributes that are good one by one may not go together.
void
CheckHardware(const JsonValue& entry, const DesignSpec& nic)
{
    NicDesign design;
    for (const auto& [name, text] : nic.attributes)
    {
        design.Set(name, text);
    }
    const std::string fault = RdmaNic::MakeHardware(design)->FindFault();
    if (!fault.empty())
    {
        entry.Fail("hardware that can be built", fault);
    }
}

/// Makes the policies: attributes that are good one by one may not go together.
AttributeUse
FindUse(const JsonValue& entry, const AttributeMap& attributes)
{
    try
    {
        return FindAttributeUse(attributes);
    }
    catch (const std::invalid_argument& error)
    {
        entry.Fail("policies that can be made", error.what());
    }
}

/// What a NIC itself sets must have an effect on it; the preset's and the scenario's are left out
/// if they have none.
void
DropWithoutEffect(const JsonValue& entry, const std::string& nicName, DesignSpec& nic)
{
    const AttributeUse use = FindUse(entry, nic.attributes);
    const auto own = entry.IsObject() ? entry.Find("attributes") : std::nullopt;
    for (auto attribute = nic.attributes.begin(); attribute != nic.attributes.end();)
    {
        const auto& [name, text] = *attribute;
        if (use.used.count(name) > 0)
        {
            ++attribute;
            continue;
        }
        if (const auto given = own ? own->Find(name) : std::nullopt)
        {
            given->Fail("an attribute that has an effect on " + nicName + ", which has " +
                            DescribeClasses(use),
                        name + DescribeOwner(name, text));
        }
        attribute = nic.attributes.erase(attribute);
    }
}

/// @param nicName for messages
DesignSpec
ReadDesign(const JsonValue& entry, const std::string& nicName, const AttributeMap& attributes)
{
    const DesignKeys keys = ReadDesignKeys(entry);
    const NicPreset& preset = *FindNicPreset(keys.preset);
    DesignSpec nic;
    nic.preset = preset.name;
    for (const auto& [name, text] : preset.attributes)
    {
        nic.attributes[name] = text;
    }
    nic.isHardwareTimed = keys.isHardwareTimed;
    if (nic.isHardwareTimed)
    {
        for (const auto& [name, text] : preset.hardware)
        {
            nic.attributes[name] = text;
        }
    }
    for (const auto& [name, text] : attributes)
    {
        nic.attributes[name] = text;
    }
    AddKeys(entry, keys, nic);
    DropWithoutEffect(entry, nicName.empty() ? preset.name : nicName, nic);
    if (nic.isHardwareTimed)
    {
        CheckHardware(entry, nic);
    }
    return nic;
}

void
VisitLoadBalancer(Keys& keys, LoadBalancerSpec& spec)
{
    keys.Type("type", spec.type, "ns3::rdma::LoadBalancer", "class of the load balancer")
        .Required();
    VisitAttributes(
        keys,
        spec.attributes,
        [&spec](const JsonValue& value) { return ReadOwnAttributes(value, spec.type); },
        "of the load balancer, by full name");
}

/// A type, or an object with attributes of its own.
LoadBalancerSpec
ReadLoadBalancer(const JsonValue& value)
{
    LoadBalancerSpec spec;
    if (value.IsObject())
    {
        ReadKeyed(value, spec, VisitLoadBalancer);
    }
    else
    {
        spec.type = ReadTypeName(value, "ns3::rdma::LoadBalancer");
    }
    return spec;
}

void
ExpectPresetOrObject(const JsonValue& value)
{
    if (!value.IsString() && !value.IsObject())
    {
        value.Fail("a preset name or an object");
    }
}

/// A design of a group, or of the servers that are in none: it has no name.
DesignSpec
ReadPart(const JsonValue& value, const AttributeMap& attributes)
{
    ExpectPresetOrObject(value);
    if (value.IsObject())
    {
        value.ExpectKeys(ListDesignNames());
    }
    return ReadDesign(value, "", attributes);
}

/// An entry whose servers do not all have the same design.
NicSpec
ReadMixedNic(const JsonValue& entry, const AttributeMap& attributes, const ServerGroups& groups)
{
    entry.ExpectKeys({"name", "groups", "default", "loadBalancer"});
    NicSpec nic;
    if (const auto others = entry.Find("default"))
    {
        static_cast<DesignSpec&>(nic) = ReadPart(*others, attributes);
    }
    nic.name = ReadFolderName(entry.Get("name"));
    const JsonValue parts = entry.Get("groups");
    for (const auto& [group, value] : parts.GetMembers())
    {
        const nlohmann::json name = group;
        ReadGroupName(JsonValue(name, value.GetFile(), value.GetPath()), groups);
        nic.groups[group] = ReadPart(value, attributes);
    }
    if (nic.groups.empty())
    {
        parts.Fail("at least one group");
    }
    return nic;
}

NicSpec
ReadDesigns(const JsonValue& entry, const AttributeMap& attributes, const ServerGroups& groups)
{
    NicSpec nic;
    if (entry.IsObject())
    {
        if (entry.Find("groups"))
        {
            return ReadMixedNic(entry, attributes, groups);
        }
        std::vector<std::string> keys = ListDesignNames();
        keys.insert(keys.end(), {"name", "groups", "loadBalancer"});
        entry.ExpectKeys(keys);
        const auto name = entry.Find("name");
        nic.name = name ? ReadFolderName(*name) : "";
    }
    static_cast<DesignSpec&>(nic) = ReadDesign(entry, nic.name, attributes);
    nic.name = nic.name.empty() ? nic.preset : nic.name;
    return nic;
}

NicSpec
ReadNic(const JsonValue& entry, const AttributeMap& attributes, const ServerGroups& groups)
{
    ExpectPresetOrObject(entry);
    NicSpec nic = ReadDesigns(entry, attributes, groups);
    if (const auto balancer = entry.IsObject() ? entry.Find("loadBalancer") : std::nullopt)
    {
        nic.loadBalancer = ReadLoadBalancer(*balancer);
    }
    return nic;
}

/// Servers that one NIC of a list gives no design.
void
CheckDefault(const JsonValue& entry,
             const NicSpec& nic,
             const Scenario& scenario,
             const TopologyGraph& graph)
{
    for (const uint32_t server : graph.GetServers())
    {
        if (!FindDesign(scenario, nic, server))
        {
            entry.Fail("a key \"default\"",
                       "none for server " + std::to_string(server) +
                           ", which is in none of its groups");
        }
    }
}

} // namespace

std::vector<KeyInfo>
ListDesignKeys()
{
    return ListKeys([](Keys& keys) {
        DesignKeys sample;
        VisitDesign(keys, sample);
    });
}

std::vector<KeyInfo>
ListLoadBalancerKeys()
{
    return ListKeys([](Keys& keys) {
        LoadBalancerSpec sample;
        VisitLoadBalancer(keys, sample);
    });
}

std::vector<NicSpec>
ReadNics(const JsonValue& nics, const AttributeMap& attributes, const ServerGroups& groups)
{
    std::vector<NicSpec> specs;
    std::set<std::string> names;
    for (const JsonValue& entry : nics.GetElements())
    {
        specs.push_back(ReadNic(entry, attributes, groups));
        if (!names.insert(specs.back().name).second)
        {
            entry.Fail("a name of its own for each NIC", '"' + specs.back().name + "\" again");
        }
    }
    if (specs.empty())
    {
        nics.Fail("at least one NIC");
    }
    return specs;
}

void
CheckDefaults(const JsonValue& nics, const Scenario& scenario, const TopologyGraph& graph)
{
    for (const JsonValue& entry : nics.GetElements())
    {
        const auto name = entry.IsObject() ? entry.Find("name") : std::nullopt;
        const auto nic =
            std::find_if(scenario.nics.begin(), scenario.nics.end(), [&name](const NicSpec& one) {
                return name && one.name == name->GetString();
            });
        if (nic != scenario.nics.end())
        {
            CheckDefault(entry, *nic, scenario, graph);
        }
    }
}

void
CheckSharedAttributes(const JsonValue& value,
                      const std::map<std::string, std::string>& attributes,
                      const std::vector<NicSpec>& nics)
{
    for (const auto& [name, text] : attributes)
    {
        const bool isUsed = std::any_of(nics.begin(), nics.end(), [&name = name](const auto& nic) {
            const auto designs = GetDesigns(nic);
            return std::any_of(designs.begin(), designs.end(), [&name](const auto* design) {
                return design->attributes.count(name) > 0;
            });
        });
        if (!isUsed)
        {
            value.Get(name).Fail("an attribute that has an effect on a NIC of the scenario",
                                 name + DescribeOwner(name, text));
        }
    }
}

std::string
ReadFolderName(const JsonValue& value)
{
    constexpr size_t MAX_LENGTH{100};
    const std::string name = value.GetString();
    const auto isAllowed = [](unsigned char c) {
        return c < 128 && (std::isalnum(c) || std::string("._-+=,@").find(c) != std::string::npos);
    };
    if (name.empty() || name.size() > MAX_LENGTH || name.front() == '.' ||
        !std::all_of(name.begin(), name.end(), isAllowed))
    {
        value.Fail("a plain folder name (letters, digits and ._-+=,@ without a leading dot)");
    }
    if (IsReservedName(name))
    {
        value.Fail("a name that no file of results has");
    }
    return name;
}

namespace
{

/// Adds the keys of a design.
void
AddDesign(const DesignSpec& design, nlohmann::ordered_json& json)
{
    json["preset"] = design.preset;
    json["hardware"] = design.isHardwareTimed ? "on" : "off";
    json["attributes"] = nlohmann::ordered_json::object();
    for (const auto& [name, value] : design.attributes)
    {
        if (name != "ns3::rdma::RdmaNic::Hardware") // Set by the key.
        {
            json["attributes"][name] = value;
        }
    }
}

} // namespace

nlohmann::ordered_json
WriteNic(const NicSpec& nic)
{
    nlohmann::ordered_json json{{"name", nic.name}};
    if (!nic.loadBalancer.type.empty())
    {
        json["loadBalancer"] = WriteKeyed(nic.loadBalancer, VisitLoadBalancer);
    }
    if (nic.groups.empty())
    {
        AddDesign(nic, json);
        return json;
    }
    for (const auto& [group, design] : nic.groups)
    {
        AddDesign(design, json["groups"][group]);
    }
    if (nic.HasDefault())
    {
        AddDesign(nic, json["default"]);
    }
    return json;
}

} // namespace ns3::rdma
