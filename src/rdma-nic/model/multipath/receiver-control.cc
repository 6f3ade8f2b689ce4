// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/receiver-control.h"

#include "ns3/policy-error.h"
#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_BASE(ReceiverControl, Object, "RdmaNic");

bool
SendsReports(const Ptr<const ReceiverControl>& prototype)
{
    return prototype &&
           CallPolicy(*prototype, "SendsReports()", [&] { return prototype->SendsReports(); });
}

} // namespace ns3::rdma
