// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_UNDER_WAY_H
#define RDMA_FLOW_UNDER_WAY_H

#include "ns3/requester.h"
#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

/// An active flow, or the oldest of several on one queue pair.
struct FlowUnderWay
{
    uint64_t number; ///< In the run; of the flow, or of the first one on that queue pair.
    uint32_t src;    ///< Node id.
    uint32_t dst;    ///< Node id.
    Tick start;
    const Requester* requester;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_UNDER_WAY_H
