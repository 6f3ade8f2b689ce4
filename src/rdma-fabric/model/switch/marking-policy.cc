// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/marking-policy.h"

#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_BASE(MarkingPolicy, Object, "RdmaFabric");

std::optional<DequeueMarkers>
MarkingPolicy::GetDequeueMarkers() const
{
    return std::nullopt;
}

} // namespace ns3::rdma
