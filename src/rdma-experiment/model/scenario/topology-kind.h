// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TOPOLOGY_KIND_H
#define RDMA_TOPOLOGY_KIND_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/scenario-kind.h"
#include "ns3/topology-graph.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

struct Scenario;

/**
 * @ingroup rdma-scenario
 * @brief What "topology" and the keys that belong to it in "fabric" of a scenario say: which nodes
 * there are and how they are linked.
 */
class TopologyKind : public ScenarioKind
{
  public:
    static TypeId GetTypeId();

    /// Reads the keys of this kind. @throws InputError
    void Read(const JsonValue& value);

    /// The keys are read: checks what they say together. Default: nothing.
    /// @param value the object @throws InputError
    virtual void Resolve(const JsonValue& value);

    /// @return the graph; that all servers reach each other is checked by the caller.
    /// @throws InputError; AtPlace() adds where in the scenario
    virtual TopologyGraph Make(const Scenario& scenario) const = 0;

    /// @return rates that the scenario may say something about though no link has them. Default:
    /// none.
    virtual std::vector<DataRate> GetOtherRates() const;

    /// @return the number of planes that the topology gives each NIC a port on, unless
    /// "portsPerNic" does. Default: 1.
    virtual uint32_t GetPlanes() const;

    /// @return what a user should know before a run, one line each. Default: nothing.
    virtual std::vector<std::string> FindWarnings(const Scenario& scenario) const;
};

/// Nodes of a kind, or links between two nodes, that a key may ask for.
constexpr uint32_t MAX_NODES{65536};

/// The keys that most topologies have.
struct HostLinkKeys
{
    DataRate rate{100'000'000'000}; ///< "hostRate": SRNIC's simulator and HPCC's generator use it.
    Time delay{MicroSeconds(1)};    ///< "linkDelay" of each link.

    void VisitRate(Keys& keys);
    void VisitDelay(Keys& keys);
};

} // namespace ns3::rdma

#endif // RDMA_TOPOLOGY_KIND_H
