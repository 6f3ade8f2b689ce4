// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CHECKED_FLOW_SOURCE_H
#define RDMA_CHECKED_FLOW_SOURCE_H

#include "ns3/input-error.h"
#include "ns3/policy-error.h"
#include "ns3/run-stopped.h"
#include "ns3/verbs-error.h"
#include "ns3/workload-kind.h"

#include <memory>
#include <optional>
#include <string>

namespace ns3::rdma
{

/// As CallPolicy(), for the kinds of scenarios: bad input stays bad input.
template <typename Body>
decltype(auto)
CallKind(const ScenarioKind& kind, const char* call, Body&& body)
{
    try
    {
        return body();
    }
    catch (const InputError&)
    {
        throw;
    }
    catch (const RunStopped&)
    {
        throw;
    }
    catch (const VerbsError&)
    {
        throw;
    }
    catch (...)
    {
        RethrowNamed(kind, call);
    }
}

/**
 * @ingroup rdma-scenario
 * @brief The flows of a kind of workload, perhaps a plug-in's, checked one by one: known servers,
 * sizes, rising starts, and no endless number at one time.
 *
 * A fault is a PolicyError that names the kind's type, the call, what was expected and what came.
 */
class CheckedFlowSource : public FlowSource
{
  public:
    /// Flows that start at one time, of a source that does not tell how many it has: a shuffle
    /// among 1024 servers.
    static constexpr uint64_t MAX_AT_ONE_TIME{uint64_t{1} << 20};

    /// @param source that the kind has made for the graph, which outlives this
    CheckedFlowSource(Ptr<const WorkloadKind> kind,
                      const TopologyGraph& graph,
                      std::unique_ptr<FlowSource> source);

    /// @return the flows of a kind; null: it has none. @param graph outlives them
    /// @throws PolicyError if the kind has neither flows nor other traffic
    static std::unique_ptr<FlowSource> Make(const Ptr<const WorkloadKind>& kind,
                                            const Scenario& scenario,
                                            const TopologyGraph& graph);

    std::optional<FlowArrival> Next() override;
    bool Rewind() override;
    std::optional<uint64_t> GetFlowCount() const override;
    const FlowGraph* GetGraph() const override;

  private:
    void Check(const FlowArrival& flow);
    [[noreturn]] void Fail(const std::string& expected, const std::string& got) const;

    Ptr<const WorkloadKind> m_kind;
    const TopologyGraph& m_graph;
    std::unique_ptr<FlowSource> m_source;
    std::optional<uint64_t> m_flowCount;
    uint64_t m_given{0};
    uint64_t m_atOneTime{0}; ///< Flows given last that start at m_lastStart.
    int64_t m_lastStart{0};
};

} // namespace ns3::rdma

#endif // RDMA_CHECKED_FLOW_SOURCE_H
