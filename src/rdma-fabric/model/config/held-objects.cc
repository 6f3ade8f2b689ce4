// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/held-objects.h"

#include "ns3/pointer.h"

namespace ns3::rdma
{

std::vector<Ptr<Object>>
GetHeldObjects(const Object& owner)
{
    std::vector<Ptr<Object>> held;
    TypeId type = owner.GetInstanceTypeId();
    while (true)
    {
        for (size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation info = type.GetAttribute(i);
            PointerValue value;
            if (dynamic_cast<const PointerChecker*>(PeekPointer(info.checker)) &&
                info.accessor->Get(&owner, value) && value.GetObject())
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
