// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/marking-policy.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(MarkingPolicy);

TypeId
MarkingPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::MarkingPolicy").SetParent<Object>().SetGroupName("RdmaFabric");
    return tid;
}

std::optional<DequeueMarkers>
MarkingPolicy::GetDequeueMarkers() const
{
    return std::nullopt;
}

} // namespace ns3::rdma
