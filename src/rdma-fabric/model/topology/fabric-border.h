// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_BORDER_H
#define RDMA_FABRIC_BORDER_H

#include "ns3/fabric-partition.h"
#include "ns3/fabric.h"

namespace ns3::rdma
{

/**
 * @brief Makes the ports at the borders between ranks add their frames to an outbox.
 *
 * Each rank instantiates the whole fabric, so that routes, random streams and event owners are the
 * same on all ranks.  A rank has events of its own nodes only.
 *
 * @param fabric after Build()
 * @param outbox must outlive all frames
 */
void OpenBorders(Fabric& fabric, const FabricPartition& partition, FrameOutbox& outbox);

/// @return the minimum time in flight of a frame to another rank; TICK_NEVER if no link leads to
/// another rank.
Tick GetLookahead(const Fabric& fabric, const FabricPartition& partition);

} // namespace ns3::rdma

#endif // RDMA_FABRIC_BORDER_H
