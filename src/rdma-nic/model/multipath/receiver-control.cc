// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/receiver-control.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(ReceiverControl);

TypeId
ReceiverControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::ReceiverControl").SetParent<Object>().SetGroupName("RdmaNic");
    return tid;
}

} // namespace ns3::rdma
