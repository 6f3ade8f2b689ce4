// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SERVER_NICS_H
#define RDMA_SERVER_NICS_H

#include "ns3/fabric.h"
#include "ns3/node.h"
#include "ns3/rdma-nic.h"

#include <vector>

namespace ns3::rdma
{

/// @return the ports of a server, by NIC. @param server node id
std::vector<std::vector<NicPort>> FindNicPorts(Fabric& fabric, uint32_t server);

/**
 * @brief Adds a started NIC to its server, which disposes of it.
 *
 * A server's first NIC is aggregated to its node, as usual in ns-3; a node can have one object of a
 * class, so each further NIC is aggregated to the device of its first port.
 */
void AddNic(Ptr<Node> server, Ptr<RdmaNic> nic);

/// @return the NICs of a server, in the order of their devices.
std::vector<Ptr<RdmaNic>> GetNics(Ptr<Node> server);

} // namespace ns3::rdma

#endif // RDMA_SERVER_NICS_H
