// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RAIL_TOPOLOGY_H
#define RDMA_RAIL_TOPOLOGY_H

#include "ns3/topology-graph.h"

namespace ns3::rdma
{

/// Numbers and links of a rail-optimised network. All numbers are at least 1.
struct RailParameters
{
    uint32_t groups{1};          ///< Sets of servers that share rail switches.
    uint32_t serversPerGroup{2}; ///< Each has a link to every rail switch of its group.
    uint32_t rails{1};           ///< NICs of a server; at most ServerPorts::MAX_NICS.
    uint32_t spines{1};
    uint32_t linksPerSpine{1}; ///< Parallel links between a rail switch and a spine.
    DataRate hostRate;         ///< Each NIC to its rail switch.
    DataRate spineRate;        ///< Each link between rail switch and spine.
    Time hostDelay;            ///< NIC to rail switch, one way.
    Time spineDelay;           ///< Rail switch to spine, one way.
};

/**
 * A rail-optimised network: NIC i of each server has a link to rail switch i of its group, and each
 * rail switch has the same number of links to each spine.  Servers of a group reach each other
 * within a rail through one switch, and the NICs of different rails through a spine.
 *
 * Node ids: servers by group, then rail switches by group and rail, then spines; the endpoints of
 * NIC 1 and following have ids above the nodes'.
 *
 * Not modelled: links within a server (NVLink, PCIe) and so traffic between its NICs or GPUs.
 *
 * Source of the form: NVIDIA, "DGX SuperPOD: Next Generation Scalable Infrastructure for AI
 * Leadership", reference architecture (compute fabric with eight rails).
 *
 * @throws InputError if it is too large (CheckSize()), a rate is zero or a delay negative
 */
TopologyGraph MakeRail(const RailParameters& parameters);

} // namespace ns3::rdma

#endif // RDMA_RAIL_TOPOLOGY_H
