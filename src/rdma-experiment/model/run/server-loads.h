// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SERVER_LOADS_H
#define RDMA_SERVER_LOADS_H

#include "ns3/run-input.h"

#include <vector>

namespace ns3::rdma
{

/// What a workload is expected to send.
struct ServerLoads
{
    std::vector<double> bytes; ///< By node: sent and received by a server; 0 for switches.
    int64_t spanPs{0};         ///< The time in which they are sent, at least.
};

/**
 * @ingroup rdma-scenario
 * @brief Adds up the flows and operations of a scenario by server, without running it.
 *
 * Of a flow that a run without drain cuts off, the bytes count that its servers' links carry until
 * the end.  Flows before a fluid start do not count.  Only the first MAX_FLOWS flows are read.
 *
 * Not modeled: traffic that is no flow; flows that share a link.
 */
ServerLoads EstimateServerLoads(RunInput& input);

} // namespace ns3::rdma

#endif // RDMA_SERVER_LOADS_H
