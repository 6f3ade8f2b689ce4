// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/run-design.h"

#include "ns3/fabric-classes.h"
#include "ns3/marking-policies.h"

#include <algorithm>

namespace ns3::rdma
{

std::vector<const DesignSpec*>
GetDesigns(const NicSpec& nic)
{
    std::vector<const DesignSpec*> designs;
    if (nic.HasDefault())
    {
        designs.push_back(&nic);
    }
    for (const auto& [group, design] : nic.groups)
    {
        designs.push_back(&design);
    }
    return designs;
}

const DesignSpec*
FindDesign(const Scenario& scenario, const NicSpec& nic, uint32_t server)
{
    for (const auto& [group, design] : nic.groups)
    {
        const std::vector<uint32_t>& members = scenario.groups.at(group);
        if (std::binary_search(members.begin(), members.end(), server))
        {
            return &design;
        }
    }
    return nic.HasDefault() ? &nic : nullptr;
}

NicDesign
MakeNicDesign(const Scenario& scenario, const DesignSpec& spec)
{
    using Timing = NicDesign::Timing;
    NicDesign design =
        NicDesign::FromPreset(spec.preset,
                              spec.isHardwareTimed ? Timing::HARDWARE : Timing::TRANSPORT_ONLY);
    for (const auto& [attribute, value] : spec.attributes)
    {
        design.Set(attribute, value);
    }
    design.Set("ns3::rdma::RdmaNic::PathMtu", std::to_string(scenario.fabric.mtuBytes));
    return design;
}

bool
HasFlights(const Scenario& scenario, const NicSpec& nic)
{
    const std::vector<const DesignSpec*> designs = GetDesigns(nic);
    return std::any_of(designs.begin(), designs.end(), [&scenario](const DesignSpec* spec) {
        const NicDesign design = MakeNicDesign(scenario, *spec);
        const auto isSet = [&design](const char* name) {
            const std::string none = std::string("ns3::rdma::") + name;
            const std::string attribute = std::string("ns3::rdma::RdmaNic::") + name;
            return design.GetValues().Find(attribute).value_or(none) != none;
        };
        return isSet("ReceiverControl") || isSet("EntropySelector") || isSet("Flight");
    });
}

namespace
{

/// Sets the members of a map that another one has.
template <typename T>
void
Update(std::map<uint64_t, T>& map, const std::map<uint64_t, T>& changes)
{
    for (const auto& [rate, value] : changes)
    {
        map[rate] = value;
    }
}

} // namespace

FabricSpec
ChangeFabric(const Scenario& scenario, const NicSpec& nic)
{
    FabricSpec fabric = scenario.fabric;
    if (!nic.fabric)
    {
        return fabric;
    }
    const SwitchChanges& changes = *nic.fabric;
    fabric.bufferBytes = changes.bufferBytes ? changes.bufferBytes : fabric.bufferBytes;
    fabric.pfc = changes.pfc ? changes.pfc : fabric.pfc;
    if (changes.isEcnOff)
    {
        for (auto& [rate, profile] : fabric.ecn)
        {
            profile = ECN_OFF;
        }
    }
    Update(fabric.ecn, changes.ecn);
    Update(fabric.bufferAlpha, changes.bufferAlpha);
    Update(fabric.headroomBytes, changes.headroomBytes);
    if (!changes.classes.empty())
    {
        fabric.classes = changes.classes;
        fabric.pools = changes.pools;
    }
    fabric.watchdog = changes.watchdog ? changes.watchdog : fabric.watchdog;
    for (const auto member :
         {&SwitchSpec::admissionPolicy, &SwitchSpec::markingPolicy, &SwitchSpec::scheduler})
    {
        if (!(changes.*member).empty())
        {
            fabric.*member = changes.*member;
        }
    }
    for (const auto& [name, value] : changes.attributes)
    {
        fabric.attributes[name] = value;
    }
    return fabric;
}

bool
HasPfc(const Scenario& scenario, const NicSpec& nic)
{
    const std::vector<const DesignSpec*> designs = GetDesigns(nic);
    const std::optional<bool> own = nic.fabric ? nic.fabric->pfc : std::nullopt;
    return (own ? own : scenario.fabric.pfc)
        .value_or(std::any_of(designs.begin(), designs.end(), [](const DesignSpec* design) {
            return NicDesign::FromPreset(design->preset).NeedsPfc();
        }));
}

std::map<std::string, std::string>
GetSwitchPolicies(const FabricSpec& fabric)
{
    std::map<std::string, std::string> policies;
    for (const SwitchPolicy& policy : SWITCH_POLICIES)
    {
        if (!(fabric.*policy.type).empty())
        {
            policies[std::string("ns3::rdma::FabricSwitch::") + policy.name] = fabric.*policy.type;
        }
    }
    const std::string scheduler = "ns3::rdma::FabricSwitch::EgressScheduler";
    if (MakeSchedule(fabric) && fabric.attributes.count(scheduler) == 0)
    {
        policies.emplace(scheduler, "ns3::rdma::DwrrScheduler"); // Unless the fabric names one.
    }
    return policies;
}

bool
HasOwnThresholds(const std::string& policy)
{
    return policy == RoleMarking::GetTypeId().GetName();
}

bool
UsesEcn(const FabricSpec& fabric)
{
    return !HasOwnThresholds(fabric.markingPolicy) ||
           std::any_of(fabric.classes.begin(), fabric.classes.end(), [](const auto& entry) {
               const std::string& policy = entry.second.markingPolicy;
               return !policy.empty() && !HasOwnThresholds(policy);
           });
}

bool
HasThresholds(const std::map<uint64_t, EcnProfile>& ecn)
{
    return std::any_of(ecn.begin(), ecn.end(), [](const auto& entry) {
        return entry.second.kminBytes != ECN_OFF.kminBytes;
    });
}

const std::string&
GetLoadBalancer(const Scenario& scenario, const NicSpec& nic)
{
    return nic.loadBalancer.type.empty() ? scenario.fabric.loadBalancer : nic.loadBalancer.type;
}

namespace
{
/// @return what the presets set in the switches, and the fabric's own attributes.
AttributeValues
MergeFabricAttributes(const FabricSpec& fabric, const NicSpec& nic)
{
    AttributeValues attributes;
    for (const DesignSpec* design : GetDesigns(nic))
    {
        const NicDesign preset = NicDesign::FromPreset(design->preset);
        for (const auto& [attribute, value] : preset.GetFabricValues().GetAll())
        {
            attributes.Set(attribute, value);
        }
    }
    for (const auto& [attribute, value] : fabric.attributes)
    {
        attributes.Set(attribute, value);
    }
    return attributes;
}
} // namespace

FabricSpec
ResolveFabric(const Scenario& scenario, const NicSpec& nic)
{
    FabricSpec fabric = ChangeFabric(scenario, nic);
    fabric.pfc = HasPfc(scenario, nic);
    const AttributeValues merged = MergeFabricAttributes(fabric, nic);
    fabric.attributes = {merged.GetAll().begin(), merged.GetAll().end()};
    for (const SwitchPolicy& policy : SWITCH_POLICIES)
    {
        const std::string name = std::string("ns3::rdma::FabricSwitch::") + policy.name;
        std::string& type = fabric.*policy.type;
        type = type.empty() ? merged.Find(name).value_or("") : type;
        fabric.attributes.erase(name);
    }
    if (!UsesEcn(fabric))
    {
        fabric.ecn.clear();
        fabric.isEcnOff = false;
    }
    return fabric;
}

AttributeValues
MakeFabricAttributes(const Scenario& scenario, const NicSpec& nic)
{
    const FabricSpec fabric = ChangeFabric(scenario, nic);
    AttributeValues attributes = MergeFabricAttributes(fabric, nic);
    const bool hasPfc = HasPfc(scenario, nic);
    attributes.Set("ns3::rdma::FabricSwitch::PfcEnabled", hasPfc ? "true" : "false");
    if (fabric.bufferBytes)
    {
        attributes.Set("ns3::rdma::FabricSwitch::BufferSize", std::to_string(*fabric.bufferBytes));
    }
    for (const auto& [attribute, type] : GetSwitchPolicies(fabric))
    {
        attributes.Set(attribute, type);
    }
    if (!nic.loadBalancer.type.empty())
    {
        attributes.Set("ns3::rdma::FabricSwitch::LoadBalancer", nic.loadBalancer.type);
    }
    for (const auto& [attribute, value] : nic.loadBalancer.attributes)
    {
        attributes.Set(attribute, value);
    }
    return attributes;
}

} // namespace ns3::rdma
