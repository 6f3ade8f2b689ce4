// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/held-objects.h"

#include "ns3/pointer.h"

#include <map>

namespace ns3::rdma
{

namespace
{
using Accessors = std::vector<Ptr<const AttributeAccessor>>;

/// @return the accessors of a type's own attributes that hold objects. Kept by type, since each
/// TypeId::GetAttribute() copies texts.
const Accessors&
GetPointerAccessors(TypeId type)
{
    static std::map<TypeId, Accessors> known;
    const auto [place, isNew] = known.try_emplace(type);
    for (std::size_t i = 0; isNew && i < type.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation info = type.GetAttribute(i);
        if (dynamic_cast<const PointerChecker*>(PeekPointer(info.checker)))
        {
            place->second.push_back(info.accessor);
        }
    }
    return place->second;
}
} // namespace

std::vector<Ptr<Object>>
GetHeldObjects(const Object& owner)
{
    std::vector<Ptr<Object>> held;
    TypeId type = owner.GetInstanceTypeId();
    while (true)
    {
        for (const auto& accessor : GetPointerAccessors(type))
        {
            PointerValue value;
            if (accessor->Get(&owner, value) && value.GetObject())
            {
                held.push_back(value.GetObject());
            }
        }
        if (!type.HasParent())
        {
            return held;
        }
        type = type.GetParent();
    }
}

} // namespace ns3::rdma
