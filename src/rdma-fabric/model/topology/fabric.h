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
#include <optional>
#include <vector>

namespace ns3::rdma
{

/// A degraded direction of a link.
struct ReducedRate
{
    std::size_t link; ///< Of the graph.
    uint32_t end;     ///< 0: the direction from GraphLink::a to b; 1: from b to a.
    DataRate rate;    ///< Above 0, at most the link's.
};

/// Policies of a link.
struct LinkPolicies
{
    std::size_t link; ///< Of the graph.
    /// Prototypes for both ends; departures pass them in this order. Credits come before numbers.
    std::vector<Ptr<const LinkPolicy>> policies;
};

/// Configuration of a fabric, in addition to its graph.
struct FabricConfig
{
    uint64_t seed{1};
    /// Whether preamble, FCS, gap and minimum frame size take time on the wire.
    bool hasEthernetOverhead{true};
    uint32_t maxFrameBytes{1500};       ///< Largest frame that the NICs send, FCS excluded.
    std::map<uint64_t, EcnProfile> ecn; ///< By link rate, bit/s; default: GetDefaultEcn().
    std::map<uint64_t, double> alpha;   ///< By link rate; default: GetDefaultAlpha().
    /// Bytes, by link rate; default: GetDefaultHeadroom() with PFC, else 0.
    std::map<uint64_t, uint64_t> headroom;
    /// Later ones replace earlier ones. Thresholds of ECN that are not listed for the reduced rate
    /// are those of the link's rate, reduced in proportion.
    std::vector<ReducedRate> reducedRates;
    std::vector<LinkPolicies> linkPolicies; ///< At most one entry for a link.
    std::optional<ClassTable> classes;      ///< Unset: all classes have the values above.
    std::vector<uint64_t> pools;          ///< Shared memory of the pools that classes name, bytes.
    std::optional<PortSchedule> schedule; ///< Of each port's scheduler; unset: strict priority.
    std::optional<PfcWatchdogConfig> watchdog; ///< Of each switch; unset: none.
    AttributeValues attributes;                ///< Of FabricSwitch, its policies and FabricDevice.
};

/**
 * @ingroup rdma-topology
 * @brief An instantiated network: nodes, switches, links and routes, built from a TopologyGraph.
 *
 * A server is a node with a FabricDevice for each endpoint; a NIC may become the owner of the
 * device's port.  Node ids of the graph are indices into GetNodes().  Owns the FabricCore that all
 * switches and devices share.
 */
class Fabric : public Object, private PathFinder
{
  public:
    static TypeId GetTypeId();
    Fabric();
    ~Fabric() override;

    /// Builds the fabric. Called once.
    /// @param graph checked by the caller (CheckTopology)
    void Build(const TopologyGraph& graph, const FabricConfig& config);

    FabricCore& GetCore();
    const TopologyGraph& GetGraph() const;
    const NodeContainer& GetNodes() const;
    /// @return the node, or the server of an endpoint.
    Ptr<Node> GetNode(uint32_t id) const;
    /// @param endpoint id; the node id of a server is the id of its first endpoint
    FabricDevice& GetServerDevice(uint32_t endpoint) const;
    /// @return the switch of a node; null if the node is a server.
    Ptr<FabricSwitch> GetSwitch(uint32_t node) const;
    /// @param end 0 for GraphLink::a, 1 for b
    /// @return the port at one end of a link.
    FabricPort& GetLinkPort(std::size_t link, uint32_t end) const;

    /// Sets a link down or up. All routes are updated at once (an ideal control plane).
    void SetLinkUp(std::size_t link, bool isUp);

    /// Sets a link down or up. Routes stay until UpdateRoutes(): switches go on sending to a link
    /// that is down.
    void SetLinkUpOnly(std::size_t link, bool isUp);

    /// Computes all routes for the links that are up.
    void UpdateRoutes();

    /**
     * @return the ports of the current path of a flow with this entropy, in order; empty if there
     * is no path.
     * @param src, dst endpoint ids of two different servers
     */
    PortPath FindPath(uint32_t src, uint32_t dst, uint32_t entropy);

    /**
     * @return the longest round trip between any two endpoints in the empty network: a frame of
     * dataBytes in one direction and one of ackBytes back, both without FCS. Links have their
     * nominal rates.
     */
    Tick GetMaxBaseRtt(uint32_t dataBytes, uint32_t ackBytes) const;

    /**
     * @return the most memory that a switch sets aside: pools, and reserve and headroom of each
     * port for each lossless priority. The buffer must be larger.
     */
    static uint64_t GetSetAside(const TopologyGraph& graph, const FabricConfig& config);

    /// Kmin 4 and kmax 16 kB per Gb/s, pmax 0.2 (HPCC, Li et al. 2019, and SRNIC's simulator).
    static EcnProfile GetDefaultEcn(uint64_t bitRate);
    /// 1/8 at the rate of server links, proportional to the rate above, at most 1 (HPCC simulator
    /// family).
    static double GetDefaultAlpha(uint64_t bitRate, uint64_t serverBitRate);
    /// Bytes that may arrive between sending a pause and its effect: 3 x rate x delay (SRNIC's
    /// simulator), but at least two delays at line rate and four frames.
    static uint64_t GetDefaultHeadroom(uint64_t bitRate, Tick delay, uint32_t maxFrameBytes);

  private:
    /// One end of a link, for FindPath(): each flow reads a dozen.
    struct LinkEnd
    {
        const FabricPort* port;
        uint32_t neighbor; ///< Id at the other end.
    };

    void DoDispose() override;
    PathFacts FindFacts(uint32_t src,
                        uint32_t dst,
                        uint32_t entropy,
                        uint32_t dataBytes,
                        uint32_t ackBytes) override;
    /// Both ends of a link have changed their state.
    void NotifyDevices(std::size_t link);
    /// The same for FabricCore::deadEndpoints.
    void UpdateDeadEndpoints(std::size_t link);
    void BuildLinks(const FabricConfig& config);
    void AddSchedulers(const FabricConfig& config);
    void AddLinkPolicies(const FabricConfig& config);
    /// Lets switches cut through, if they do.
    void SetHeads(const FabricConfig& config);
    void ListPorts();
    void BuildSwitches(const FabricConfig& config);
    const FabricPort& GetPort(uint32_t node, uint32_t number) const;
    SwitchPortConfig MakePortConfig(FabricPort& port,
                                    bool leadsToServer,
                                    const FabricConfig& config,
                                    const FabricSwitch& settings,
                                    uint64_t serverBitRate) const;

    std::shared_ptr<FabricCore> m_core; ///< Shared with the devices, which may outlive the fabric.
    TopologyGraph m_graph;
    NodeContainer m_nodes;
    std::vector<std::vector<Ptr<FabricDevice>>> m_devices; ///< By id and port number.
    std::vector<std::vector<uint32_t>> m_neighbors; ///< By id and port number: id of the neighbor.
    std::vector<LinkEnd> m_ends;                    ///< By id, then by port number.
    std::vector<uint32_t> m_firstEnds;              ///< By id: its first one in m_ends.
    std::vector<Ptr<FabricChannel>> m_links;
    std::vector<std::array<FabricPort*, 2>> m_linkPorts;
    std::vector<Ptr<FabricSwitch>> m_switches; ///< By node; null for servers.
    std::vector<uint32_t> m_switchNumbers;     ///< By node; meaningless for servers.
    std::vector<bool> m_isLinkUp;
    Routes m_routes;
};

} // namespace ns3::rdma

#endif // RDMA_FABRIC_H
