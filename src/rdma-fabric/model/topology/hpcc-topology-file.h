// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HPCC_TOPOLOGY_FILE_H
#define RDMA_HPCC_TOPOLOGY_FILE_H

#include "ns3/topology-graph.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/// The content of a topology file.
struct HpccTopology
{
    TopologyGraph graph;            ///< Checked with CheckTopology().
    std::vector<std::string> notes; ///< About parts of the file that are ignored, one line each.
};

/**
 * @ingroup rdma-topology
 * @brief Reads the topology files of the HPCC simulator family (HPCC, ConWeave, SRNIC, PowerTCP,
 * Reverie).
 *
 * Line 1: nodes, switches, links.  PowerTCP's files have the number of ToRs before the links.
 * Reverie's files have it, too, and two rates behind the links.  The ToRs and these rates are
 * checked but not used: the links have them.  Then the ids of the switches follow; all other nodes
 * are servers.  Then one line per link: node, node, rate ("100Gbps", or a number of bit/s), delay
 * ("1000ns"), loss probability.  As in these simulators, lines behind the last link are ignored;
 * many files end with a legend.
 *
 * If all servers have the same number of links, a server has one NIC with a port for each of them,
 * in the order of the file: port k is linked to port k of other servers' NICs.  Otherwise it has a
 * NIC for each of its links.  Servers do not forward frames.
 */
class HpccTopologyFile
{
  public:
    /// A larger number of nodes in line 1 is refused.
    static constexpr uint32_t MAX_NODES{1'000'000};

    /**
     * @param path of the file
     * @throws InputError with file and line if the file violates this format
     */
    static HpccTopology Read(const std::string& path);
};

} // namespace ns3::rdma

#endif // RDMA_HPCC_TOPOLOGY_FILE_H
