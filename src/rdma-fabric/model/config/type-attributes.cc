// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/type-attributes.h"

namespace ns3::rdma
{

TypeAttributes::TypeAttributes(TypeId type)
    : m_type(type)
{
}

TypeAttributes&
TypeAttributes::Add(const std::string& name, const AttributeField& field, const std::string& help)
{
    m_type.AddAttribute(name, help, *field.initial, field.accessor, field.checker);
    return *this;
}

} // namespace ns3::rdma
