// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/credit-scheduler.h"

#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_BASE(CreditScheduler, Object, "RdmaNic");

} // namespace ns3::rdma
