// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/credit-scheduler.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(CreditScheduler);

TypeId
CreditScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::CreditScheduler").SetParent<Object>().SetGroupName("RdmaNic");
    return tid;
}

} // namespace ns3::rdma
