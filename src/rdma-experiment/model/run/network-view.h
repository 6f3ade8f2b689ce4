// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NETWORK_VIEW_H
#define RDMA_NETWORK_VIEW_H

#include "ns3/fabric.h"
#include "ns3/run-view.h"

#include <functional>

namespace ns3::rdma
{

/**
 * @return what the network holds now and what it has counted; flows are not looked at. Costs a look
 * at each port, and nothing at any other time.
 *
 * @param isHere whether this rank simulates a node
 */
RunView MakeNetworkView(Fabric& fabric, const std::function<bool(uint32_t node)>& isHere);

} // namespace ns3::rdma

#endif // RDMA_NETWORK_VIEW_H
