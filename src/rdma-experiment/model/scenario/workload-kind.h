// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WORKLOAD_KIND_H
#define RDMA_WORKLOAD_KIND_H

#include "ns3/flow-memory.h"
#include "ns3/flow-source.h"
#include "ns3/nstime.h"
#include "ns3/scenario-kind.h"
#include "ns3/topology-graph.h"
#include "ns3/traffic-class.h"
#include "ns3/traffic-message.h"
#include "ns3/work-request.h"

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

/// The place of a workload among the workloads of a run.
struct WorkloadPlace
{
    std::string name;        ///< Empty: the only one, under the key "workload".
    Time start;              ///< Times of the workload count from it.
    std::optional<Time> end; ///< No flow, operation or request begins then or later.
};

/**
 * @ingroup rdma-scenario
 * @brief A workload of a scenario: which flows start when.
 */
class WorkloadKind : public ScenarioKind
{
  public:
    static TypeId GetTypeId();

    const WorkloadPlace& GetPlace() const
    {
        return m_place;
    }

    /// Before Read().
    void SetPlace(WorkloadPlace place)
    {
        m_place = std::move(place);
    }

    /// @return the class and the rate limit of its queue pairs.
    const TrafficClass& GetTrafficClass() const
    {
        return m_trafficClass;
    }

    /// Before Read().
    void SetTrafficClass(const TrafficClass& trafficClass)
    {
        m_trafficClass = trafficClass;
    }

    /// @return a number that is different for each name, above which its flows and connections are
    /// numbered for their paths. 0: without a name, or with that of its type.
    uint64_t GetStreamKey() const;

    /// @return the seed of its random streams: that of the run, and the stream key.
    uint64_t GetSeed(const Scenario& scenario) const;

    /// @return the time after which nothing begins, from the start of the run; unset: with its last
    /// flow.
    std::optional<Time> GetLastTime() const;

    /// Reads the keys of this kind. @param scenario whose groups are read already
    /// @throws InputError
    void Read(const JsonValue& value, const Scenario& scenario);

    /// The keys are read: checks what they say together with the scenario, and completes what the
    /// kind needs to know of it. Default: nothing. @param value the object @throws InputError
    virtual void Resolve(const JsonValue& value, const Scenario& scenario);

    /// @return the flows on a topology; files are checked as a whole before this returns. Null, the
    /// default: all of it is other traffic.
    /// @throws InputError; AtPlace() adds where in the scenario
    virtual std::unique_ptr<FlowSource> Make(const Scenario& scenario,
                                             const TopologyGraph& topology) const;

    /// @return how long random arrivals last, from the start of the workload, which ends a run
    /// without drain; unset, the default: it ends with its last flow.
    virtual std::optional<Time> GetDuration() const;

    /// @return whether it has traffic that is no flows. Default: no. A kind without it has flows.
    virtual bool HasTraffic() const;

    /// Calls for the messages of that traffic, those of its whole duration.
    /// @return whether they are known before the run. Default: no, without a call.
    virtual bool ListMessages(const Scenario& scenario,
                              const TopologyGraph& topology,
                              const TrafficVisitor& visit) const;

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

    /// @return what servers post for its flows: RDMA_WRITE, the default, RDMA_READ or SEND.
    virtual WrOpcode GetFlowOperation() const;

    /// @return whether flows are alike for all servers, as "precision" needs it. Default: no.
    virtual bool IsUniform() const;

  private:
    WorkloadPlace m_place;
    TrafficClass m_trafficClass;
};

/**
 * Reads a workload.
 * @param place in a list of workloads; unset: there is only this one
 * @throws InputError
 */
Ptr<const WorkloadKind> ReadWorkload(const JsonValue& value,
                                     const Scenario& scenario,
                                     const std::optional<WorkloadPlace>& place = std::nullopt);

/// Declares "operation" of a workload of flows.
void VisitFlowOperation(Keys& keys, WrOpcode& operation);

/// Declares "operation" of one message. @param operation unset: that of the workload
void VisitOwnOperation(Keys& keys, std::optional<WrOpcode>& operation);

/// Declares the keys that each workload of a list has, beside those of its type.
void VisitPlace(Keys& keys, WorkloadPlace& place);

/// Declares "dscp", "priority" and "rateLimit", which each workload has.
void VisitTrafficClass(Keys& keys, TrafficClass& trafficClass);

} // namespace ns3::rdma

#endif // RDMA_WORKLOAD_KIND_H
