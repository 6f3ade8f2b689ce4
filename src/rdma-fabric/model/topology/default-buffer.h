// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DEFAULT_BUFFER_H
#define RDMA_DEFAULT_BUFFER_H

#include "ns3/fabric.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-topology
 * @return memory for each switch that suits the largest switch of the graph, bytes: 5 kB per Gb/s
 * of its ports, the ratio of Broadcom's Tomahawk 3 (64 MB, 12.8 Tb/s), but at least 32 MiB (SRNIC's
 * simulator) and twice Fabric::GetSetAside(). Rounded up to 1 MiB.
 */
uint64_t GetDefaultBuffer(const TopologyGraph& graph, const FabricConfig& config);

} // namespace ns3::rdma

#endif // RDMA_DEFAULT_BUFFER_H
