// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/entropy-selector.h"

#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_BASE(EntropySelector, Object, "RdmaNic");

} // namespace ns3::rdma
