// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HPCC_TOPOLOGY_FILE_H
#define RDMA_HPCC_TOPOLOGY_FILE_H

#include "ns3/topology-graph.h"

#include <string>

namespace ns3::rdma
{

/**
 * @ingroup rdma-topology
 * @brief Reads the topology files of the HPCC simulator family (HPCC, ConWeave, SRNIC).
 *
 * Line 1: nodes, switches, links.  Line 2: the ids of the switches; all other nodes are servers.
 * Then one line per link: node, node, rate ("100Gbps"), delay ("1000ns"), loss probability.
 */
class HpccTopologyFile
{
  public:
    /// A larger number of nodes in line 1 is refused.
    static constexpr uint32_t MAX_NODES{1'000'000};

    /**
     * @param path of the file
     * @return the graph, checked with CheckTopology()
     * @throws InputError with file and line if the file violates this format
     */
    static TopologyGraph Read(const std::string& path);
};

} // namespace ns3::rdma

#endif // RDMA_HPCC_TOPOLOGY_FILE_H
