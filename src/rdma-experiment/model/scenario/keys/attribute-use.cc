// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/attribute-use.h"

#include "ns3/attribute-values.h"
#include "ns3/boolean.h"
#include "ns3/fabric-switch.h"
#include "ns3/held-objects.h"
#include "ns3/host-cores.h"
#include "ns3/name-suggestion.h"
#include "ns3/nic-presets.h"
#include "ns3/rdma-nic.h"

#include <vector>

namespace ns3::rdma
{

namespace
{

std::string
GetTypeName(const std::string& attribute)
{
    return attribute.substr(0, attribute.rfind("::"));
}

AttributeValues
MakeValues(const AttributeMap& attributes)
{
    AttributeValues values;
    for (const auto& [name, text] : attributes)
    {
        values.Set(name, text);
    }
    return values;
}

bool
IsHardware(TypeId type)
{
    return type == NicHardware::GetTypeId() || type.IsChildOf(NicHardware::GetTypeId());
}

/// @return an object of each class that an attribute of the owner names, and those that it holds.
std::vector<Ptr<Object>>
MakeNamedObjects(const Object& owner, const AttributeValues& values)
{
    std::vector<Ptr<Object>> objects = GetHeldObjects(owner);
    const TypeId type = owner.GetInstanceTypeId();
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation info = type.GetAttribute(i);
        if (dynamic_cast<const TypeIdValue*>(PeekPointer(info.originalInitialValue)))
        {
            TypeIdValue named;
            owner.GetAttribute(info.name, named);
            if (IsHardware(named.Get()) || !named.Get().HasConstructor())
            {
                continue; // Hardware: see AddHardware(). A base class stands for none.
            }
            objects.push_back(values.Create<Object>(named.Get()));
        }
    }
    return objects;
}

/// Adds a type and those above it, whose attributes it has, too.
void
AddType(TypeId type, std::set<std::string>& names)
{
    names.insert(type.GetName());
    while (type.HasParent() && names.insert(type.GetParent().GetName()).second)
    {
        type = type.GetParent();
    }
}

/// Adds the owner's type and those of all objects that it names, directly or not.
void
AddTypes(const Object& owner, const AttributeValues& values, std::set<std::string>& names)
{
    AddType(owner.GetInstanceTypeId(), names);
    for (const Ptr<Object>& object : MakeNamedObjects(owner, values))
    {
        AddTypes(*object, values, names);
    }
}

/// Attributes of RdmaNic that only act on congestion notification packets.
bool
IsAboutCnps(const std::string& attribute)
{
    return attribute == "ns3::rdma::RdmaNic::CnpInterval" ||
           attribute == "ns3::rdma::RdmaNic::CnpPriority" ||
           attribute == "ns3::rdma::RdmaNic::CnpDscp";
}

bool
HasCnps(const RdmaNic& nic, const AttributeValues& values)
{
    TypeIdValue control;
    nic.GetAttribute("CongestionControl", control);
    return values.Create<CongestionControl>(control.Get())->GetNeededFeedback() == Feedback::CNP;
}

bool
HasHardware(const RdmaNic& nic)
{
    BooleanValue isTimed;
    nic.GetAttribute("Hardware", isTimed);
    return isTimed.Get();
}

/// Adds the class of the hardware, those of its units, and those of the host's cores.
void
AddHardware(const AttributeMap& attributes, AttributeUse& use, std::set<std::string>& names)
{
    NicDesign design;
    for (const auto& [name, text] : attributes)
    {
        design.Set(name, text);
    }
    const Ptr<NicHardware> hardware = RdmaNic::MakeHardware(design);
    use.classes.insert(hardware->GetInstanceTypeId().GetName());
    AddType(hardware->GetInstanceTypeId(), names);
    for (const TypeId& unit : hardware->GetUnitTypes())
    {
        AddType(unit, names);
    }
    for (const TypeId& part : HostCores::GetPartTypes())
    {
        AddType(part, names);
    }
}

/// @return whether an attribute of RdmaNic acts on such a NIC.
bool
HasEffect(const std::string& attribute, const RdmaNic& nic, const AttributeValues& values)
{
    if (IsAboutCnps(attribute))
    {
        return HasCnps(nic, values);
    }
    return attribute != "ns3::rdma::RdmaNic::HardwareClass" || HasHardware(nic);
}

} // namespace

AttributeUse
FindAttributeUse(const AttributeMap& attributes)
{
    const AttributeValues values = MakeValues(attributes);
    const auto nic = values.Create<RdmaNic>();
    AttributeUse use;
    use.classes.insert(RdmaNic::GetTypeId().GetName());
    for (const Ptr<Object>& policy : MakeNamedObjects(*nic, values))
    {
        use.classes.insert(policy->GetInstanceTypeId().GetName());
    }
    std::set<std::string> types;
    AddTypes(*nic, values, types);
    if (HasHardware(*nic))
    {
        AddHardware(attributes, use, types);
    }
    for (const auto& [name, text] : attributes)
    {
        if (types.count(GetTypeName(name)) > 0 && HasEffect(name, *nic, values))
        {
            use.used.insert(name);
        }
    }
    return use;
}

AttributeMap
TakeFabricAttributes(AttributeMap& attributes, const AttributeMap& policies)
{
    AttributeValues values = MakeValues(attributes);
    for (const auto& [name, type] : policies)
    {
        values.Set(name, type);
    }
    std::set<std::string> types;
    AddTypes(*values.Create<FabricSwitch>(), values, types);
    AttributeMap taken;
    for (const auto& [name, text] : AttributeMap(attributes))
    {
        if (types.count(GetTypeName(name)) > 0)
        {
            taken.insert(attributes.extract(name));
        }
    }
    return taken;
}

std::string
DescribeOwner(const std::string& attribute, const std::string& value)
{
    TypeId type;
    TypeId::LookupByNameFailSafe(GetTypeName(attribute), &type);
    if (type == FabricSwitch::GetTypeId() || type.IsChildOf(LoadBalancer::GetTypeId()) ||
        type.IsChildOf(AdmissionPolicy::GetTypeId()) ||
        type.IsChildOf(MarkingPolicy::GetTypeId()) || type.IsChildOf(EgressScheduler::GetTypeId()))
    {
        return ", which belongs in $.fabric.attributes";
    }
    std::vector<std::string> plain;
    std::vector<std::string> timed;
    for (const NicPreset& preset : GetNicPresets())
    {
        AttributeMap attributes{{attribute, value}};
        attributes.insert(preset.attributes.begin(), preset.attributes.end());
        if (FindAttributeUse(attributes).used.count(attribute) > 0)
        {
            plain.push_back(preset.name);
            continue;
        }
        attributes.insert(preset.hardware.begin(), preset.hardware.end());
        if (FindAttributeUse(attributes).used.count(attribute) > 0)
        {
            timed.push_back(preset.name);
        }
    }
    if (!plain.empty())
    {
        return ", which is for " + JoinNames(plain);
    }
    return timed.empty() ? ", which is for no preset"
                         : ", which is for " + JoinNames(timed) + " with \"hardware\": \"on\"";
}

} // namespace ns3::rdma
