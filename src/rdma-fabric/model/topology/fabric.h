// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_H
#define RDMA_FABRIC_H

#include "ns3/attribute-values.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-device.h"
#include "ns3/fabric-switch.h"
#include "ns3/node-container.h"
#include "ns3/route-table.h"
#include "ns3/topology-graph.h"

#include <map>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/// What a fabric needs beside its graph.
struct FabricConfig
{
    uint64_t seed{1};
    bool hasEthernetOverhead{true};     ///< Preamble, FCS, gap and minimum size count on the wire.
    uint32_t maxFrameBytes{1500};       ///< Largest frame that the NICs send, FCS excluded.
    std::map<uint64_t, EcnProfile> ecn; ///< By link rate, bit/s; others follow GetDefaultEcn().
    std::map<uint64_t, double> alpha;   ///< By link rate; others follow GetDefaultAlpha().
    std::map<uint64_t, uint64_t> headroom; ///< Bytes, by link rate; others GetDefaultHeadroom().
    AttributeValues attributes;            ///< Of FabricSwitch, its load balancer, FabricDevice.
};

/**
 * @ingroup rdma-topology
 * @brief An instantiated network: nodes, switches, links and routes, built from a TopologyGraph.
 *
 * Servers are bare nodes with a FabricDevice for each endpoint, whose port waits for its owner (a
 * NIC).  Node ids of the graph are positions in GetNodes().  Owns the FabricCore that all of it
 * shares.
 */
class Fabric : public Object, private PathFinder
{
  public:
    static TypeId GetTypeId();
    Fabric();
    ~Fabric() override;

    /// Builds everything. Once. @param graph checked by the caller (CheckTopology)
    void Build(const TopologyGraph& graph, const FabricConfig& config);

    FabricCore& GetCore();
    const TopologyGraph& GetGraph() const;
    const NodeContainer& GetNodes() const;
    /// @return the node itself, or that of the server which an endpoint belongs to.
    Ptr<Node> GetNode(uint32_t id) const;
    /// @param endpoint id; the node id of a server is that of its first
    FabricDevice& GetServerDevice(uint32_t endpoint) const;
    /// @return null where the node is a server.
    Ptr<FabricSwitch> GetSwitch(uint32_t node) const;
    /// @return the port at one end of a link; @param end 0 for GraphLink::a, 1 for b
    FabricPort& GetLinkPort(std::size_t link, uint32_t end) const;

    /// Takes a link down or up; all routes follow at once (an ideal control plane).
    void SetLinkUp(std::size_t link, bool isUp);

    /**
     * @return the ports that a flow of this entropy leaves by now, in order; empty if there is no
     * way.
     * @param src, dst endpoint ids of two different servers
     */
    PortPath FindPath(uint32_t src, uint32_t dst, uint32_t entropy);

    /**
     * @return the longest round trip between any two endpoints in the empty network: a frame of
     * dataBytes there and one of ackBytes back, both without FCS.
     */
    Tick GetMaxBaseRtt(uint32_t dataBytes, uint32_t ackBytes) const;

    /**
     * @return memory that the switch with most ports sets aside: reserve and headroom of each port
     * for each lossless priority. Its buffer must be larger.
     */
    static uint64_t GetSetAside(const TopologyGraph& graph, const FabricConfig& config);

    /// Kmin 4 and kmax 16 kB per Gb/s, pmax 0.2 (HPCC, Li et al. 2019, and SRNIC's simulator).
    static EcnProfile GetDefaultEcn(uint64_t bitRate);
    /// 1/8 at the server links' rate, in proportion above, at most 1 (HPCC simulator family).
    static double GetDefaultAlpha(uint64_t bitRate, uint64_t serverBitRate);
    /// What arrives between a pause and its effect: 3 x rate x delay (SRNIC's simulator), and never
    /// less than two delays and four frames.
    static uint64_t GetDefaultHeadroom(uint64_t bitRate, Tick delay, uint32_t maxFrameBytes);

  private:
    void DoDispose() override;
    PathFacts FindFacts(uint32_t src,
                        uint32_t dst,
                        uint32_t entropy,
                        uint32_t dataBytes,
                        uint32_t ackBytes) override;
    void BuildLinks(const FabricConfig& config);
    void BuildSwitches(const FabricConfig& config);
    const FabricPort& GetPort(uint32_t node, uint32_t number) const;
    SwitchPortConfig MakePortConfig(FabricPort& port,
                                    bool leadsToServer,
                                    const FabricConfig& config,
                                    uint64_t serverBitRate) const;

    std::shared_ptr<FabricCore> m_core; ///< Shared with the devices, which nodes may keep longer.
    TopologyGraph m_graph;
    NodeContainer m_nodes;
    std::vector<std::vector<Ptr<FabricDevice>>> m_devices; ///< By id, by port number.
    std::vector<std::vector<uint32_t>> m_neighbors;        ///< By id, by port number: id.
    std::vector<Ptr<FabricChannel>> m_links;
    std::vector<std::array<FabricPort*, 2>> m_linkPorts;
    std::vector<Ptr<FabricSwitch>> m_switches; ///< By node; null for servers.
    std::vector<uint32_t> m_switchNumbers;     ///< By node; meaningless for servers.
    std::vector<bool> m_isLinkUp;
    Routes m_routes;
};

} // namespace ns3::rdma

#endif // RDMA_FABRIC_H
