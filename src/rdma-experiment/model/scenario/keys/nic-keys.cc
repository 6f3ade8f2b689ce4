// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/nic-keys.h"

#include "ns3/attribute-check.h"
#include "ns3/attribute-use.h"
#include "ns3/class-keys.h"
#include "ns3/dscp-map.h"
#include "ns3/fabric-keys.h"
#include "ns3/key-reader.h"
#include "ns3/machine-keys.h"
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

/// @param condition what an entry of "nics" lacks if it has none of these keys; empty: it has them
void
VisitDesignKeys(Keys& keys, DesignKeys& design, bool isUsed, const char* condition)
{
    static constexpr std::array<std::pair<const char*, bool>, 2> HARDWARE{
        {{"off", false}, {"on", true}}};
    keys.Choice("preset", design.preset, ListNames(GetNicPresets()), "where the design begins")
        .Called("a NIC preset")
        .Required()
        .OnlyIf(isUsed, condition);
    keys.Type("congestionControl",
              design.congestionControl,
              "ns3::rdma::CongestionControl",
              "congestion control of its queue pairs")
        .Otherwise("the preset's")
        .OnlyIf(isUsed, condition);
    keys.Choice("parameters",
                design.parameters,
                ListNames(GetParameterSets()),
                "a published parameter set of the congestion control")
        .Called("a parameter set")
        .Otherwise("the attributes' defaults")
        .OnlyIf(isUsed, condition);
    keys.Type("lossDetector",
              design.lossDetector,
              "ns3::rdma::LossDetector",
              "which packets count as lost")
        .Otherwise("the preset's")
        .OnlyIf(isUsed, condition);
    keys.Type("retransmissionTimeout",
              design.retransmissionTimeout,
              "ns3::rdma::RetransmissionTimeout",
              "how long queue pairs wait for an acknowledgment")
        .Otherwise("the preset's")
        .OnlyIf(isUsed, condition);
    keys.Choice("hardware",
                design.isHardwareTimed,
                HARDWARE,
                "whether PCIe, caches, pipelines and the host's cores take time")
        .OnlyIf(isUsed, condition);
    keys.File("machine", design.machine, "server that the NIC is in: a shipped machine or a file")
        .Shipped(MACHINE_EXTENSION)
        .Otherwise("the preset's")
        .OmitIf(design.machine.empty())
        .OnlyIf(isUsed && design.isHardwareTimed, isUsed ? "\"hardware\": \"on\"" : condition);
    keys.Count("dscp", design.trafficClass.dscp, "DSCP of data; the NIC's map selects the class")
        .Otherwise("the class selector of priority")
        .AtMost(DSCPS - 1)
        .OmitIf(!design.trafficClass.dscp)
        .OnlyIf(isUsed, condition);
    keys.Count("priority", design.trafficClass.priority, "class of data, whatever its DSCP")
        .Otherwise("that of dscp, or the preset's")
        .AtMost(PRIORITIES - 1)
        .OmitIf(!design.trafficClass.priority)
        .OnlyIf(isUsed, condition);
    VisitAttributes(keys, design.attributes, ReadAttributes, "of the NIC's objects, by full name")
        .OnlyIf(isUsed, condition);
}

void
VisitDesign(Keys& keys, DesignKeys& design)
{
    VisitDesignKeys(keys, design, true, "");
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

/// Lays "dscp" and "priority" over what the NIC has.
void
AddTrafficClass(const TrafficClass& trafficClass, DesignSpec& nic)
{
    static const std::string OWNER{"ns3::rdma::RdmaNic::"};
    if (trafficClass.dscp)
    {
        const auto map = nic.attributes.find(OWNER + "DscpMap");
        const DscpMap known(map == nic.attributes.end() ? "" : map->second);
        nic.attributes[OWNER + "DataDscp"] = std::to_string(*trafficClass.dscp);
        nic.attributes[OWNER + "DataPriority"] =
            std::to_string(known.GetPriority(*trafficClass.dscp));
    }
    if (trafficClass.priority)
    {
        nic.attributes[OWNER + "DataPriority"] = std::to_string(*trafficClass.priority);
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
    AddTrafficClass(keys.trafficClass, nic);
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
ResolveDesign(const DesignKeys& keys,
              const JsonValue& entry,
              const std::string& nicName,
              const AttributeMap& attributes)
{
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
    if (!keys.machine.empty())
    {
        for (const auto& [name, text] : ReadMachine(entry.Get("machine")))
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

void
VisitNic(Keys& keys, NicKeys& nic)
{
    keys.Form(nic.form, {"preset", "groups"});
    const bool isMixed = nic.form == "groups";
    keys.Text("name", nic.name, ReadFolderName, "name in results")
        .RequiredIf(isMixed)
        .Otherwise("that of the preset");
    keys.Object("loadBalancer",
                nic.loadBalancer,
                !nic.loadBalancer.type.empty(),
                VisitLoadBalancer,
                "how switches choose among equal routes in runs of this NIC")
        .Short("type");
    keys.Object("fabric",
                nic.fabric,
                VisitSwitchChanges,
                "keys of the switches in runs of this NIC, in place of those of the fabric");
    VisitDesignKeys(keys, nic, !isMixed, "no such key beside groups");
    keys.Map(
            "groups",
            nic.groups,
            [](Keys& map, const char* name, DesignKeys& design) {
                map.Object(name, design, true, VisitDesign, "their design").Short("preset");
            },
            "designs of groups of servers")
        .OfGroups()
        .AtLeast(1);
    keys.Object("default",
                nic.others,
                VisitDesign,
                "design of servers that are in none of the groups")
        .Short("preset")
        .OnlyIf(isMixed, "no default without groups");
}

NicSpec
ResolveNic(const NicKeys& keys, const JsonValue& entry, const AttributeMap& attributes)
{
    NicSpec nic;
    if (keys.form == "groups")
    {
        if (keys.others)
        {
            static_cast<DesignSpec&>(nic) =
                ResolveDesign(*keys.others, entry.Get("default"), "", attributes);
        }
        for (const auto& [group, design] : keys.groups)
        {
            nic.groups[group] =
                ResolveDesign(design, entry.Get("groups").Get(group), "", attributes);
        }
    }
    else
    {
        static_cast<DesignSpec&>(nic) = ResolveDesign(keys, entry, keys.name, attributes);
    }
    nic.name = keys.name.empty() ? nic.preset : keys.name;
    nic.path = entry.GetPath();
    nic.loadBalancer = keys.loadBalancer;
    nic.fabric = keys.fabric;
    return nic;
}

DesignKeys
MakeDesignKeys(const DesignSpec& design)
{
    DesignKeys keys;
    keys.preset = design.preset;
    keys.isHardwareTimed = design.isHardwareTimed;
    keys.attributes = design.attributes;
    keys.attributes.erase("ns3::rdma::RdmaNic::Hardware"); // Set by the key.
    return keys;
}

/// @return the NIC of an entry; null: the run is without it.
const NicSpec*
FindNic(const Scenario& scenario, const JsonValue& entry)
{
    const auto found =
        std::find_if(scenario.nics.begin(), scenario.nics.end(), [&entry](const NicSpec& one) {
            return one.path == entry.GetPath();
        });
    return found == scenario.nics.end() ? nullptr : &*found;
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

void
VisitNics(Keys& keys, std::vector<NicKeys>& nics, std::function<void(const JsonValue&)> complete)
{
    keys.List("nics", nics, VisitNic, "NICs to compare; each is run alone")
        .Short("preset")
        .Required()
        .AtLeast(1)
        .Then(std::move(complete));
}

std::vector<NicSpec>
ResolveNics(const std::vector<NicKeys>& nics,
            const JsonValue& value,
            const AttributeMap& attributes)
{
    const std::vector<JsonValue> entries = value.GetElements();
    std::vector<NicSpec> specs;
    std::set<std::string> names;
    for (std::size_t place = 0; place < nics.size(); ++place)
    {
        specs.push_back(ResolveNic(nics[place], entries[place], attributes));
        if (!names.insert(specs.back().name).second)
        {
            entries[place].Fail("a name of its own for each NIC",
                                '"' + specs.back().name + "\" again");
        }
    }
    return specs;
}

NicKeys
MakeNicKeys(const NicSpec& nic)
{
    NicKeys keys;
    keys.form = nic.groups.empty() ? "preset" : "groups";
    keys.name = nic.name;
    keys.loadBalancer = nic.loadBalancer;
    keys.fabric = nic.fabric;
    if (nic.groups.empty())
    {
        static_cast<DesignKeys&>(keys) = MakeDesignKeys(nic);
        return keys;
    }
    for (const auto& [group, design] : nic.groups)
    {
        keys.groups[group] = MakeDesignKeys(design);
    }
    if (nic.HasDefault())
    {
        keys.others = MakeDesignKeys(nic);
    }
    return keys;
}

std::vector<NicSpec>
ReadNics(const JsonValue& nics, const AttributeMap& attributes, const ServerGroups& groups)
{
    std::vector<NicKeys> entries;
    ReadKey(
        nics,
        "nics",
        [&entries](Keys& keys) { VisitNics(keys, entries); },
        MakeContext(groups));
    return ResolveNics(entries, nics, attributes);
}

void
CheckSwitchChanges(const JsonValue& nics, const Scenario& scenario, const TopologyGraph& graph)
{
    for (const JsonValue& entry : nics.GetElements())
    {
        const NicSpec* const nic = FindNic(scenario, entry);
        if (nic && nic->fabric)
        {
            CheckPools(entry.Get("fabric"), *nic->fabric);
            CheckSwitches(entry.Get("fabric"), *nic->fabric, ResolveFabric(scenario, *nic), graph);
        }
    }
}

void
CheckDefaults(const JsonValue& nics, const Scenario& scenario, const TopologyGraph& graph)
{
    for (const JsonValue& entry : nics.GetElements())
    {
        if (const NicSpec* const nic = FindNic(scenario, entry))
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

} // namespace ns3::rdma
