// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/attribute-check.h"

#include "ns3/attribute.h"
#include "ns3/name-suggestion.h"
#include "ns3/object.h"
#include "ns3/quantity.h"
#include "ns3/string.h"

#include <charconv>
#include <cmath>
#include <set>

namespace ns3::rdma
{

namespace
{

const std::string SCOPE{"::"};
const std::string PLUGIN_HINT{"; types of a plug-in need --plugin FILE"};

std::vector<std::string>
GetRegisteredNames()
{
    std::vector<std::string> names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        names.push_back(TypeId::GetRegistered(i).GetName());
    }
    return names;
}

std::vector<std::string>
GetAttributeNames(TypeId type)
{
    std::vector<std::string> names;
    for (size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        names.push_back(type.GetAttribute(i).name);
    }
    return names;
}

/// The type that declares an attribute: the given one or a parent; nullopt if none does.
std::optional<TypeId>
FindDeclaringType(TypeId type, const std::string& attribute)
{
    while (true)
    {
        for (const std::string& name : GetAttributeNames(type))
        {
            if (name == attribute)
            {
                return type;
            }
        }
        if (!type.HasParent())
        {
            return std::nullopt;
        }
        type = type.GetParent();
    }
}

template <typename T>
bool
IsNumber(const std::string& text)
{
    T number{};
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number);
    return result.ec == std::errc() && result.ptr == end;
}

/// ns-3 aborts the program on some malformed values instead of refusing them; these are caught
/// here.
bool
IsWellFormed(const std::string& valueType, const std::string& text)
{
    if (valueType == "ns3::DoubleValue")
    {
        return IsNumber<double>(text) && std::isfinite(std::stod(text));
    }
    if (valueType == "ns3::UintegerValue")
    {
        return IsNumber<uint64_t>(text);
    }
    if (valueType == "ns3::IntegerValue")
    {
        return IsNumber<int64_t>(text);
    }
    if (valueType == "ns3::PointerValue")
    {
        return false; // Set by no text.
    }
    if (valueType == "ns3::TimeValue")
    {
        return ParseTime(text).has_value();
    }
    if (valueType == "DataRateValue" || valueType == "ns3::DataRateValue")
    {
        return ParseRate(text).has_value();
    }
    return true;
}

/// What all types that an attribute can hold have in common: the interface below ns3::Object that
/// its default implements.
TypeId
FindInterface(TypeId type)
{
    while (type.HasParent() && type.GetParent() != Object::GetTypeId())
    {
        type = type.GetParent();
    }
    return type;
}

std::optional<AttributeFault>
FindTypeFault(const std::string& name, const std::string& base)
{
    std::vector<std::string> known;
    for (const TypeId& type : FindTypes(base))
    {
        if (type.GetName() == name)
        {
            return std::nullopt;
        }
        known.push_back(type.GetName());
    }
    return AttributeFault{"a type below " + base + " (" + DescribeNearest(name, known) +
                              PLUGIN_HINT + ")",
                          '"' + name + '"'};
}

std::string
DescribeChecker(const AttributeChecker& checker)
{
    std::string text = "a " + checker.GetValueTypeName();
    if (checker.HasUnderlyingTypeInformation())
    {
        text += " (" + checker.GetUnderlyingTypeInformation() + ")";
    }
    return text;
}

/// @param attribute of that very type
std::optional<AttributeFault>
FindValueFault(TypeId type, const std::string& attribute, const std::string& value)
{
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(attribute, &info);
    if (const auto* held = dynamic_cast<const TypeIdValue*>(PeekPointer(info.originalInitialValue)))
    {
        return FindTypeFault(value, FindInterface(held->Get()).GetName());
    }
    if (!IsWellFormed(info.checker->GetValueTypeName(), value) ||
        !info.checker->CreateValidValue(StringValue(value)))
    {
        return AttributeFault{DescribeChecker(*info.checker), '"' + value + '"'};
    }
    return std::nullopt;
}

/// Attributes that a key of the scenario sets: said twice, they could contradict each other.
const std::pair<std::string, std::string> KEYED_ATTRIBUTES[]{
    {"ns3::rdma::FabricSwitch::BufferSize", "$.fabric.buffer"},
    {"ns3::rdma::FabricSwitch::PfcEnabled", "$.fabric.pfc"},
    {"ns3::rdma::FabricSwitch::LoadBalancer", "$.fabric.loadBalancer"},
    {"ns3::rdma::RdmaNic::Hardware", "$.nics[N].hardware"},
    {"ns3::rdma::RdmaNic::PathMtu", "$.fabric.mtu"}};

} // namespace

std::optional<AttributeFault>
FindAttributeFault(const std::string& name, const std::string& value)
{
    const size_t split = name.rfind(SCOPE);
    if (split == std::string::npos || split == 0)
    {
        return AttributeFault{"a full attribute name such as ns3::rdma::Dcqcn::Gain", name};
    }
    const std::string typeName = name.substr(0, split);
    const std::string attribute = name.substr(split + SCOPE.size());
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(typeName, &type))
    {
        return AttributeFault{"an attribute of a known type (" +
                                  DescribeNearest(typeName, GetRegisteredNames()) + PLUGIN_HINT +
                                  ")",
                              "the unknown type " + typeName};
    }
    const auto declaring = FindDeclaringType(type, attribute);
    if (!declaring)
    {
        return AttributeFault{"an attribute of " + typeName + " (" +
                                  DescribeNearest(attribute, GetAttributeNames(type)) + ")",
                              "the unknown attribute " + attribute};
    }
    if (*declaring != type)
    {
        return AttributeFault{"the type that declares it, " + declaring->GetName() + SCOPE +
                                  attribute,
                              name};
    }
    for (const auto& [taken, key] : KEYED_ATTRIBUTES)
    {
        if (name == taken)
        {
            return AttributeFault{"the scenario's key " + key + " instead", name};
        }
    }
    return FindValueFault(type, attribute, value);
}

std::vector<TypeId>
FindTypes(const std::string& base)
{
    std::vector<TypeId> types;
    TypeId baseType;
    const bool isBaseKnown = TypeId::LookupByNameFailSafe(base, &baseType);
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        const bool isWanted = base.empty() || (isBaseKnown && type.IsChildOf(baseType));
        if (isWanted && type.HasConstructor())
        {
            types.push_back(type);
        }
    }
    return types;
}

std::string
ReadTypeName(const JsonValue& value, const std::string& base)
{
    const std::string name = value.GetString();
    if (const auto fault = FindTypeFault(name, base))
    {
        value.Fail(fault->expected, fault->got);
    }
    return name;
}

} // namespace ns3::rdma
