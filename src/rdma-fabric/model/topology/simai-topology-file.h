// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SIMAI_TOPOLOGY_FILE_H
#define RDMA_SIMAI_TOPOLOGY_FILE_H

#include "ns3/topology-graph.h"

#include <string>

namespace ns3::rdma
{

/**
 * @ingroup rdma-topology
 * @brief Reads the topology files of SimAI, whose network simulator is ns-3-alibabacloud.
 *
 * Line 1: nodes, GPUs per server, NVSwitches, switches, links, type of the GPUs.  Then the ids of
 * the NVSwitches and those of the switches, on one line or several; all other nodes are GPUs.  Then
 * one line per link: node, node, rate ("400Gbps"), delay ("0.0005ms"), loss probability.
 *
 * A server of the graph is a server of the file: SimAI divides GPU ids by the GPUs per server.  NIC
 * i of a server is that of its GPU i; a GPU with several links to switches has a NIC of as many
 * ports, in the order of the file.  Node ids: servers, then switches in the order of their ids in
 * the file.
 *
 * Left out: NVSwitches and their links, and so traffic within a server; the type of the GPUs, which
 * SimAI uses for collectives alone.
 *
 * Source: aliyun/SimAI, commit cef83f9d: SetupNetwork() of
 * astra-sim-alibabacloud/astra-sim/network_frontend/ns3/common.h, and gen_Topo_Template.py, which
 * writes such files; aliyun/ns-3-alibabacloud, commit c2bfbf46: RdmaHw::GetNicIdxOfQp().
 */
class SimaiTopologyFile
{
  public:
    /// A larger number of nodes in line 1 is refused.
    static constexpr uint32_t MAX_NODES{1'000'000};

    /**
     * @param path of the file
     * @return the graph, checked with CheckTopology()
     * @throws InputError with file and line if the file violates this format, if GPUs do not have
     * the lowest ids, if they have different numbers of links to switches, or if an NVSwitch has a
     * link to anything but a GPU
     */
    static TopologyGraph Read(const std::string& path);
};

} // namespace ns3::rdma

#endif // RDMA_SIMAI_TOPOLOGY_FILE_H
