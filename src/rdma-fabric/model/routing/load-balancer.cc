// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/load-balancer.h"

#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_BASE(LoadBalancer, Object, "RdmaFabric");

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
