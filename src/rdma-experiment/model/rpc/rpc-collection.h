// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RPC_COLLECTION_H
#define RDMA_RPC_COLLECTION_H

#include "ns3/rank-group.h"
#include "ns3/rpc-report.h"
#include "ns3/run-report.h"

namespace ns3::rdma
{

/// Brings the requests of all ranks to the report of the first, in order, with what is wrong about
/// them. On all ranks. @param own requests of this rank
void CollectRpcs(RankGroup& ranks, RpcReport own, RunReport& report);

} // namespace ns3::rdma

#endif // RDMA_RPC_COLLECTION_H
