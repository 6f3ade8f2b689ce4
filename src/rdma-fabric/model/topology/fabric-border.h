// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_BORDER_H
#define RDMA_FABRIC_BORDER_H

#include "ns3/fabric-partition.h"
#include "ns3/fabric.h"

namespace ns3::rdma
{

/**
 * @brief Makes the ports at the borders between ranks give their frames to an outbox.
 *
 * The whole fabric is instantiated on each rank, so that all agree on routes, random streams and
 * event owners; a rank only has events of its own nodes.
 *
 * @param fabric as built; @param outbox outlives all frames
 */
void OpenBorders(Fabric& fabric, const FabricPartition& partition, FrameOutbox& outbox);

/// @return how long a frame to another rank is under way at least; TICK_NEVER if none ever goes.
Tick GetLookahead(const Fabric& fabric, const FabricPartition& partition);

} // namespace ns3::rdma

#endif // RDMA_FABRIC_BORDER_H
