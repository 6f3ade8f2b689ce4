// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HELD_OBJECTS_H
#define RDMA_HELD_OBJECTS_H

#include "ns3/object.h"

#include <vector>

namespace ns3::rdma
{

/// @return the objects that an object holds in attributes (PointerValue) of its type and its
/// parents.
std::vector<Ptr<Object>> GetHeldObjects(const Object& owner);

} // namespace ns3::rdma

#endif // RDMA_HELD_OBJECTS_H
