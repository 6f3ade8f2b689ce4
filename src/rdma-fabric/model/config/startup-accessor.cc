// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/startup-accessor.h"

#include "ns3/type-id.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// @return the full name of the attribute of a type, or of a parent, that has this accessor.
std::string
FindName(TypeId type, const AttributeAccessor* accessor)
{
    for (std::size_t number = 0; number < type.GetAttributeN(); ++number)
    {
        if (PeekPointer(type.GetAttribute(number).accessor) == accessor)
        {
            return type.GetAttributeFullName(number);
        }
    }
    return type.HasParent() ? FindName(type.GetParent(), accessor) : type.GetName();
}
} // namespace

StartupAccessor::StartupAccessor(Ptr<const AttributeAccessor> accessor, StartedQuery hasStarted)
    : m_accessor(std::move(accessor)),
      m_hasStarted(std::move(hasStarted))
{
}

bool
StartupAccessor::Set(ObjectBase* object, const AttributeValue& value) const
{
    if (m_hasStarted(*object))
    {
        throw std::logic_error(FindName(object->GetInstanceTypeId(), this) +
                               " is read when its object starts: set it before");
    }
    return m_accessor->Set(object, value);
}

bool
StartupAccessor::Get(const ObjectBase* object, AttributeValue& value) const
{
    return m_accessor->Get(object, value);
}

bool
StartupAccessor::HasGetter() const
{
    return m_accessor->HasGetter();
}

bool
StartupAccessor::HasSetter() const
{
    return m_accessor->HasSetter();
}

} // namespace ns3::rdma
