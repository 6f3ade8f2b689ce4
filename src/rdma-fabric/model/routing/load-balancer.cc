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

} // namespace ns3::rdma
