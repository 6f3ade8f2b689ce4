// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/retransmission-timeout.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(RetransmissionTimeout);

TypeId
RetransmissionTimeout::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::RetransmissionTimeout").SetParent<Object>().SetGroupName("RdmaNic");
    return tid;
}

std::optional<FirstTimeout>
RetransmissionTimeout::GetFirst() const
{
    return std::nullopt;
}

Ptr<const RetransmissionTimeout>
RetransmissionTimeout::WithAckTimeout(Time) const
{
    return this;
}

bool
RetransmissionTimeout::NeedsRtt() const
{
    return false;
}

uint32_t
RetransmissionTimeout::GetMaxQueuePairs() const
{
    return UINT32_MAX;
}

} // namespace ns3::rdma
