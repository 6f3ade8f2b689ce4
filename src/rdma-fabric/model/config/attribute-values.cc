// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/attribute-values.h"

#include "ns3/attribute-fault.h"
#include "ns3/held-objects.h"
#include "ns3/string.h"

#include <stdexcept>

namespace ns3::rdma
{

namespace
{
const std::string SCOPE{"::"};
} // namespace

void
AttributeValues::Set(const std::string& name, const std::string& value)
{
    if (const auto fault = FindAttributeFault(name, value))
    {
        throw std::invalid_argument(name + ": expected " + fault->expected + ", got " + fault->got);
    }
    m_values[name] = value;
    m_factories.clear();
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
            // Otherwise another type's, whose name begins with this one's.
            if (name.find(SCOPE) == std::string::npos)
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
    const auto [made, isNew] = m_factories.try_emplace(type);
    ObjectFactory& factory = made->second;
    if (isNew)
    {
        factory.SetTypeId(type);
        for (const auto& [name, value] : GetValuesOf(type))
        {
            factory.Set(name, StringValue(value));
        }
    }
    const Ptr<Object> object = factory.Create();
    const std::vector<Ptr<Object>> held = GetHeldObjects(*object);
    for (const Ptr<Object>& one : held)
    {
        ApplyTo(*one);
    }
    if (!held.empty())
    {
        m_factories.erase(made); // Its objects would share what a text makes anew for each.
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
