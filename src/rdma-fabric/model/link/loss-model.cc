// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/loss-model.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(LossModel);

TypeId
LossModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::LossModel").SetParent<Object>().SetGroupName("RdmaFabric");
    return tid;
}

} // namespace ns3::rdma
