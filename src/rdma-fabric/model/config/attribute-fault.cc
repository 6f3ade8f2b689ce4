// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/attribute-fault.h"

#include "ns3/attribute.h"
#include "ns3/exact-quantity.h"
#include "ns3/name-suggestion.h"
#include "ns3/object.h"
#include "ns3/renamed-names.h"
#include "ns3/string.h"

#include <charconv>
#include <cmath>
#include <map>
#include <mutex>
#include <string_view>

namespace ns3::rdma
{

namespace
{

const std::string SCOPE{"::"};

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

bool
IsTime(const std::string& text)
{
    constexpr int64_t PS_PER_SECOND{1'000'000'000'000};
    const auto picoseconds = ParseExactDelay(text);
    return picoseconds && *picoseconds <= MAX_SECONDS * PS_PER_SECOND;
}

bool
IsRate(const std::string& text)
{
    // ns-3's DataRate has no prefix T.
    return text.find_first_of("BT") == std::string::npos && ParseExactRate(text).has_value();
}

/// ns-3 aborts the program on some malformed values; this function detects them first.
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
        return false; // No text can set a pointer.
    }
    if (valueType == "ns3::TimeValue")
    {
        return IsTime(text);
    }
    if (valueType == "DataRateValue" || valueType == "ns3::DataRateValue")
    {
        return IsRate(text);
    }
    return true;
}

/// @return the interface that all types of an attribute implement: the ancestor of its default that
/// is derived from ns3::Object directly.
TypeId
FindInterface(TypeId type)
{
    while (type.HasParent() && type.GetParent() != Object::GetTypeId())
    {
        type = type.GetParent();
    }
    return type;
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

/// @param attribute declared by the type itself, not by a parent
std::optional<AttributeFault>
FindValueFault(TypeId type,
               const std::string& attribute,
               const std::string& value,
               const std::string& typeHint)
{
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(attribute, &info);
    if (const auto* held = dynamic_cast<const TypeIdValue*>(PeekPointer(info.originalInitialValue)))
    {
        if (value == held->Get().GetName())
        {
            return std::nullopt; // The default may be an abstract class: it says that none is used.
        }
        return FindTypeFault(value, FindInterface(held->Get()).GetName(), typeHint);
    }
    // A text that its checker refuses is not read again: ns-3 aborts if it has blanks.
    const bool isText = info.checker->GetValueTypeName().find("StringValue") != std::string::npos;
    if (!IsWellFormed(info.checker->GetValueTypeName(), value) ||
        (isText ? !info.checker->Check(StringValue(value))
                : !info.checker->CreateValidValue(StringValue(value))))
    {
        return AttributeFault{DescribeChecker(*info.checker), '"' + value + '"'};
    }
    return std::nullopt;
}

/// Types below a base.
struct FoundTypes
{
    uint16_t registered{0}; ///< Number of all types when they were searched.
    std::vector<TypeId> types;
};

/// @return what FindTypes() returns
std::vector<TypeId>
SearchTypes(const std::string& base)
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

} // namespace

std::optional<AttributeFault>
FindAttributeFault(const std::string& name, const std::string& value, const std::string& typeHint)
{
    const size_t split = name.rfind(SCOPE);
    if (split == std::string::npos || split == 0)
    {
        return AttributeFault{"a full attribute name such as ns3::rdma::Dcqcn::Gain", name};
    }
    const std::string typeName = name.substr(0, split);
    const std::string attribute = name.substr(split + SCOPE.size());
    if (const auto newName = FindNewName(name))
    {
        return AttributeFault{*newName, "the former name " + name};
    }
    if (const auto newType = FindNewName(typeName))
    {
        return AttributeFault{*newType + SCOPE + attribute, "the former name " + name};
    }
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(typeName, &type))
    {
        return AttributeFault{"an attribute of a known type (" +
                                  DescribeNearest(typeName, GetRegisteredNames()) + typeHint + ")",
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
    return FindValueFault(type, attribute, value, typeHint);
}

std::optional<AttributeFault>
FindTypeFault(const std::string& name, const std::string& base, const std::string& typeHint)
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
    TypeId renamed;
    const auto newName = FindNewName(name);
    if (newName && TypeId::LookupByNameFailSafe(*newName, &renamed))
    {
        return AttributeFault{*newName + ", a class below " + FindInterface(renamed).GetName(),
                              "the former name " + name};
    }
    return AttributeFault{"a type below " + base + " (" + DescribeNearest(name, known) + typeHint +
                              ")",
                          '"' + name + '"'};
}

std::vector<TypeId>
FindTypes(const std::string& base)
{
    // By base. To go through all types takes longer than all else that a scenario needs; plug-ins
    // register further ones.
    static std::map<std::string, FoundTypes> found;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    FoundTypes& one = found[base];
    if (one.registered != TypeId::GetRegisteredN())
    {
        one = {TypeId::GetRegisteredN(), SearchTypes(base)};
    }
    return one.types;
}

} // namespace ns3::rdma
