// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_CHECK_H
#define RDMA_FLOW_CHECK_H

#include "ns3/flow-source.h"
#include "ns3/topology-graph.h"

#include <optional>
#include <string>

namespace ns3::rdma
{

/// The fault of a flow, as the two halves of a message.
struct FlowFault
{
    std::string expected;
    std::string got;
};

/**
 * @return why this flow cannot run on this graph (source or destination unknown, a switch, or one
 * and the same; no bytes; a start before 0); nullopt if it can
 */
std::optional<FlowFault> FindFlowFault(const TopologyGraph& graph, const FlowArrival& flow);

} // namespace ns3::rdma

#endif // RDMA_FLOW_CHECK_H
