// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/attribute-values.h"

#include "ns3/held-objects.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <regex>
#include <stdexcept>

namespace ns3::rdma
{

namespace
{
const std::string SCOPE{"::"};

/// @return the attribute of that very type. @throws std::invalid_argument
TypeId::AttributeInformation
FindAttribute(const std::string& name)
{
    const size_t split = name.rfind(SCOPE);
    TypeId type;
    if (split != std::string::npos && TypeId::LookupByNameFailSafe(name.substr(0, split), &type))
    {
        for (size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            if (type.GetAttribute(i).name == name.substr(split + SCOPE.size()))
            {
                return type.GetAttribute(i);
            }
        }
    }
    throw std::invalid_argument("there is no attribute " + name);
}

/// ns-3 aborts the program on malformed values of these classes instead of refusing them.
bool
IsWellFormed(const std::string& valueType, const std::string& text)
{
    static const std::map<std::string, std::regex> FORMS{
        {"ns3::UintegerValue", std::regex("[0-9]+")},
        {"ns3::IntegerValue", std::regex("-?[0-9]+")},
        {"ns3::DoubleValue", std::regex("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?")},
        {"ns3::TimeValue", std::regex("[-+]?[0-9]*\\.?[0-9]+(y|d|h|min|s|ms|us|ns|ps|fs)")},
        {"DataRateValue", std::regex("[0-9]*\\.?[0-9]+([kKMG]i?)?(bps|b/s|Bps|B/s)")},
        {"ns3::DataRateValue", std::regex("[0-9]*\\.?[0-9]+([kKMG]i?)?(bps|b/s|Bps|B/s)")},
    };
    if (valueType == "ns3::TypeIdValue")
    {
        TypeId ignored;
        return TypeId::LookupByNameFailSafe(text, &ignored);
    }
    const auto form = FORMS.find(valueType);
    return valueType != "ns3::PointerValue" &&
           (form == FORMS.end() || std::regex_match(text, form->second));
}
} // namespace

void
AttributeValues::Set(const std::string& name, const std::string& value)
{
    const TypeId::AttributeInformation attribute = FindAttribute(name);
    if (!IsWellFormed(attribute.checker->GetValueTypeName(), value) ||
        !attribute.checker->CreateValidValue(StringValue(value)))
    {
        throw std::invalid_argument(name + ": expected a " + attribute.checker->GetValueTypeName() +
                                    ", got \"" + value + '"');
    }
    m_values[name] = value;
}

std::optional<std::string>
AttributeValues::Find(const std::string& name) const
{
    const auto value = m_values.find(name);
    return value == m_values.end() ? std::nullopt : std::optional(value->second);
}

AttributeValues::Map
AttributeValues::GetValuesOf(TypeId type) const
{
    Map values;
    while (true)
    {
        const std::string prefix = type.GetName() + SCOPE;
        for (auto value = m_values.lower_bound(prefix);
             value != m_values.end() && value->first.compare(0, prefix.size(), prefix) == 0;
             ++value)
        {
            const std::string name = value->first.substr(prefix.size());
            if (name.find(SCOPE) == std::string::npos) // Else of a type whose name goes on.
            {
                values.emplace(name, value->second);
            }
        }
        if (!type.HasParent())
        {
            return values;
        }
        type = type.GetParent();
    }
}

Ptr<Object>
AttributeValues::CreateOf(TypeId type) const
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    for (const auto& [name, value] : GetValuesOf(type))
    {
        factory.Set(name, StringValue(value));
    }
    const Ptr<Object> object = factory.Create();
    for (const Ptr<Object>& held : GetHeldObjects(*object))
    {
        ApplyTo(*held);
    }
    return object;
}

void
AttributeValues::ApplyTo(Object& object) const
{
    for (const auto& [name, value] : GetValuesOf(object.GetInstanceTypeId()))
    {
        object.SetAttribute(name, StringValue(value));
    }
    for (const Ptr<Object>& held : GetHeldObjects(object))
    {
        ApplyTo(*held);
    }
}

} // namespace ns3::rdma
