// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CALENDAR_SIZE_H
#define RDMA_CALENDAR_SIZE_H

#include "ns3/fabric-engine.h"
#include "ns3/topology-graph.h"

#include <functional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-topology
 * @brief Sizes the engine's calendar for the arrivals at some nodes of a fabric.
 *
 * Each link carries data in one direction and acknowledgments in the other, at a load of 0.7.  Does
 * nothing if events are pending.
 *
 * @param maxFrameBytes of a data frame
 * @param isHere whether this process simulates a node or an endpoint
 */
void SizeCalendar(FabricEngine& engine,
                  const TopologyGraph& graph,
                  uint32_t maxFrameBytes,
                  const std::function<bool(uint32_t id)>& isHere);

} // namespace ns3::rdma

#endif // RDMA_CALENDAR_SIZE_H
