// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/attribute-use.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/fabric-switch.h"
#include "ns3/integer.h"
#include "ns3/name-suggestion.h"
#include "ns3/nic-presets.h"
#include "ns3/policy-error.h"
#include "ns3/rdma-nic.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <vector>

namespace ns3::rdma
{

namespace
{

/// The default of an attribute that notices when an object takes it.
template <typename Value>
class WatchedValue : public Value
{
  public:
    WatchedValue(const Value& value, bool& isUsed)
        : Value(value),
          m_isUsed(isUsed)
    {
    }

    Ptr<AttributeValue> Copy() const override
    {
        m_isUsed = true;
        return Value::Copy();
    }

  private:
    bool& m_isUsed;
};

/// @return null if the value is of none of these classes.
template <typename... Values>
Ptr<AttributeValue>
MakeWatched(const AttributeValue& value, bool& isUsed)
{
    Ptr<AttributeValue> watched;
    const auto tryOne = [&](const auto* known) {
        using Value = std::remove_const_t<std::remove_pointer_t<decltype(known)>>;
        if (known)
        {
            watched = Create<WatchedValue<Value>>(*known, isUsed);
        }
    };
    (tryOne(dynamic_cast<const Values*>(&value)), ...);
    return watched;
}

std::string
GetTypeName(const std::string& attribute)
{
    return attribute.substr(0, attribute.rfind("::"));
}

/// Makes an object of each class that an attribute of another one names.
std::set<std::string>
MakeNamedObjects(const Ptr<Object>& owner)
{
    std::set<std::string> names;
    const TypeId type = owner->GetInstanceTypeId();
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation info = type.GetAttribute(i);
        if (!dynamic_cast<const TypeIdValue*>(PeekPointer(info.originalInitialValue)))
        {
            continue;
        }
        TypeIdValue named;
        owner->GetAttribute(info.name, named);
        const Ptr<Object> made = MakePolicy<Object>(named.Get());
        names.insert(named.Get().GetName());
    }
    return names;
}

/// Attributes of RdmaNic that only act on congestion notification packets.
bool
IsAboutCnps(const std::string& attribute)
{
    return attribute == "ns3::rdma::RdmaNic::CnpInterval" ||
           attribute == "ns3::rdma::RdmaNic::CnpPriority";
}

bool
HasCnps(const RdmaNic& nic)
{
    TypeIdValue control;
    nic.GetAttribute("CongestionControl", control);
    return MakePolicy<CongestionControl>(control.Get())->GetNeededFeedback() == Feedback::CNP;
}

} // namespace

AttributeWatch::AttributeWatch(const AttributeMap& attributes)
{
    for (const auto& [name, text] : attributes)
    {
        Config::SetDefault(name, StringValue(text));
    }
    for (const auto& [name, text] : attributes)
    {
        Watch(GetTypeName(name));
    }
}

AttributeWatch::~AttributeWatch()
{
    Config::Reset();
}

void
AttributeWatch::Watch(const std::string& name)
{
    const auto [entry, isNew] = m_isUsed.emplace(name, nullptr);
    if (!isNew)
    {
        return;
    }
    auto isUsed = std::make_unique<bool>(false);
    TypeId type = TypeId::LookupByName(name);
    bool isWatched = false;
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation info = type.GetAttribute(i);
        if (const auto watched = MakeWatched<BooleanValue,
                                             DataRateValue,
                                             DoubleValue,
                                             IntegerValue,
                                             StringValue,
                                             TimeValue,
                                             TypeIdValue,
                                             UintegerValue>(*info.initialValue, *isUsed))
        {
            type.SetAttributeInitialValue(i, watched);
            isWatched = true;
        }
    }
    *isUsed = !isWatched;
    entry->second = std::move(isUsed);
}

bool
AttributeWatch::IsUsed(const std::string& attribute) const
{
    return *m_isUsed.at(GetTypeName(attribute));
}

NicDesign
FindNicDesign(const AttributeMap& attributes)
{
    NicDesign design;
    const AttributeWatch watch(attributes);
    const auto nic = CreateObject<RdmaNic>();
    design.classes = MakeNamedObjects(nic);
    design.classes.insert(RdmaNic::GetTypeId().GetName());
    BooleanValue isHardwareTimed;
    nic->GetAttribute("Hardware", isHardwareTimed);
    if (isHardwareTimed.Get())
    {
        const auto hardware = CreateObject<NicHardware>();
        design.classes.insert(hardware->GetInstanceTypeId().GetName());
        hardware->Dispose();
    }
    for (const auto& [name, text] : attributes)
    {
        if (watch.IsUsed(name) && (!IsAboutCnps(name) || HasCnps(*nic)))
        {
            design.used.insert(name);
        }
    }
    return design;
}

AttributeMap
TakeFabricAttributes(AttributeMap& attributes, const std::string& loadBalancer)
{
    AttributeMap all = attributes;
    if (!loadBalancer.empty())
    {
        all["ns3::rdma::FabricSwitch::LoadBalancer"] = loadBalancer;
    }
    const AttributeWatch watch(all);
    MakeNamedObjects(CreateObject<FabricSwitch>());
    AttributeMap taken;
    for (const auto& [name, text] : AttributeMap(attributes))
    {
        if (watch.IsUsed(name))
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
    if (type == FabricSwitch::GetTypeId() || type.IsChildOf(LoadBalancer::GetTypeId()))
    {
        return ", which belongs in $.fabric.attributes";
    }
    std::vector<std::string> plain;
    std::vector<std::string> timed;
    for (const NicPreset& preset : GetNicPresets())
    {
        AttributeMap attributes{{attribute, value}};
        attributes.insert(preset.attributes.begin(), preset.attributes.end());
        if (FindNicDesign(attributes).used.count(attribute) > 0)
        {
            plain.push_back(preset.name);
            continue;
        }
        attributes.insert(preset.hardware.begin(), preset.hardware.end());
        if (FindNicDesign(attributes).used.count(attribute) > 0)
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
