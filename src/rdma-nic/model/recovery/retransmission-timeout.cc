// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/retransmission-timeout.h"

#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_BASE(RetransmissionTimeout, Object, "RdmaNic");

} // namespace ns3::rdma
