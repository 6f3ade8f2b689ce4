// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/send-scheduler.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(SendScheduler);

TypeId
SendScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::SendScheduler").SetParent<Object>().SetGroupName("RdmaNic");
    return tid;
}

std::optional<uint32_t>
SendScheduler::GetLikely() const
{
    return std::nullopt;
}

} // namespace ns3::rdma
