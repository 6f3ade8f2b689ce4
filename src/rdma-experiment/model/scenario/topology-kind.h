// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TOPOLOGY_KIND_H
#define RDMA_TOPOLOGY_KIND_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/scenario-kind.h"
#include "ns3/topology-graph.h"

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
    virtual void Read(const JsonValue& value) = 0;

    /// @return the graph; that all servers reach each other is checked by the caller.
    /// @throws InputError; AtPlace() adds where in the scenario
    virtual TopologyGraph Make(const Scenario& scenario) const = 0;

    /// @return rates that the scenario may say something about though no link has them. Default:
    /// none.
    virtual std::vector<DataRate> GetOtherRates() const;

    /// @return the number of planes that the topology gives each NIC a port on, unless
    /// "portsPerNic" does. Default: 1.
    virtual uint32_t GetPlanes() const;
};

/// The keys that most topologies have.
struct HostLinkKeys
{
    DataRate rate{100'000'000'000}; ///< "hostRate": SRNIC's simulator and HPCC's generator use it.
    Time delay{MicroSeconds(1)};    ///< "linkDelay" of each link.

    void Read(const JsonValue& value);
    void Write(nlohmann::ordered_json& json) const;
};

/// @return "servers". @param least how many there are at least
uint32_t ReadServerCount(const JsonValue& value, uint32_t least);

/// @return a rate, or a default if there is no such key.
DataRate ReadRateOr(const JsonValue& value, const char* key, DataRate otherwise);

} // namespace ns3::rdma

#endif // RDMA_TOPOLOGY_KIND_H
