// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/alpha-rule.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(AlphaRule);

TypeId
AlphaRule::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::AlphaRule").SetParent<Object>().SetGroupName("RdmaNic");
    return tid;
}

void
AlphaRule::OnCut(AlphaState&, const AlphaParameters&, Time) const
{
}

} // namespace ns3::rdma
