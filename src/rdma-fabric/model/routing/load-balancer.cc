// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/load-balancer.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(LoadBalancer);

TypeId
LoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::LoadBalancer").SetParent<Object>().SetGroupName("RdmaFabric");
    return tid;
}

void
LoadBalancer::OnRoutes(const SwitchView&)
{
}

bool
LoadBalancer::NeedsOnForward() const
{
    return false;
}

void
LoadBalancer::OnForward(Frame&, const FabricPort&, Tick)
{
}

std::optional<uint32_t>
LoadBalancer::ChooseForFlow(uint32_t, uint32_t) const
{
    return std::nullopt;
}

} // namespace ns3::rdma
