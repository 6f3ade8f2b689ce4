// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WORKLOAD_KIND_H
#define RDMA_WORKLOAD_KIND_H

#include "ns3/flow-memory.h"
#include "ns3/flow-source.h"
#include "ns3/nstime.h"
#include "ns3/scenario-kind.h"
#include "ns3/topology-graph.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

struct Scenario;
struct TrafficContext;
class RunTraffic;

/**
 * @ingroup rdma-scenario
 * @brief What "workload" of a scenario says: which flows start when.
 */
class WorkloadKind : public ScenarioKind
{
  public:
    static TypeId GetTypeId();

    /// Reads the keys of this kind. @param scenario whose groups are read already
    /// @throws InputError
    virtual void Read(const JsonValue& value, const Scenario& scenario) = 0;

    /// @return the flows on a topology; files are checked as a whole before this returns.
    /// @throws InputError; AtPlace() adds where in the scenario
    virtual std::unique_ptr<FlowSource> Make(const Scenario& scenario,
                                             const TopologyGraph& topology) const = 0;

    /// @return when flows stop to come at random, which ends a run without drain; unset, the
    /// default: it ends with its last flow.
    virtual std::optional<Time> GetDuration() const;

    /// @return whether it has traffic beside its flows, of which there may be none then. Default:
    /// no.
    virtual bool HasTraffic() const;

    /// @return pairs of servers between which there is such traffic. Default: none.
    virtual std::vector<std::pair<uint32_t, uint32_t>> GetPeers(const Scenario& scenario) const;

    /// @return what a user should know before a run, one line each. Default: nothing.
    virtual std::vector<std::string> FindWarnings(const Scenario& scenario,
                                                  const TopologyGraph& topology) const;

    /// @return that traffic. Only if there is some.
    virtual std::unique_ptr<RunTraffic> MakeTraffic(const Scenario& scenario,
                                                    const TrafficContext& context) const;

    /// @return where the payload of its flows goes. Default: to the memory of hosts.
    virtual FlowMemory GetFlowMemory() const;

    /// @return whether flows are alike for all servers, as "precision" needs it. Default: no.
    virtual bool IsUniform() const;
};

/// Reads a "workload". @throws InputError
Ptr<const WorkloadKind> ReadWorkload(const JsonValue& value, const Scenario& scenario);

} // namespace ns3::rdma

#endif // RDMA_WORKLOAD_KIND_H
