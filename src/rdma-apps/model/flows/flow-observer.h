// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_OBSERVER_H
#define RDMA_FLOW_OBSERVER_H

#include "ns3/flow-endpoints.h"
#include "ns3/flow-starter.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief Is notified of the flows of this process's senders as they start.
 */
class FlowObserver
{
  public:
    virtual ~FlowObserver() = default;

    /// Called before the flow's message is posted: it is the next message on the queue pair.
    virtual void OnStart(const FlowStart& start, const ConnectionEnds& ends) = 0;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_OBSERVER_H
