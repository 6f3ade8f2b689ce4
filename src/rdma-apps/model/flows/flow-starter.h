// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_STARTER_H
#define RDMA_FLOW_STARTER_H

#include "ns3/fabric-engine.h"
#include "ns3/flow-source.h"

#include <functional>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/// A flow that has just started, and the queue pairs of its ends.
struct FlowStart
{
    uint64_t number; ///< In the run (flow_number).
    FlowArrival arrival;
    uint32_t srcQp;
    uint32_t dstQp;
};

/**
 * @ingroup rdma-scenario
 * @brief Starts the flows without dependencies of all workloads, at their start times.
 *
 * Each rank reads all flows, in start order, so that all ranks agree on their numbers.  A flow is
 * numbered within its workload.
 */
class FlowStarter : private EventTarget
{
  public:
    /// @param number in the run (flow_number)
    using StartHandler = std::function<void(uint64_t number, const FlowArrival& arrival)>;

    /// @param workloads of the run
    /// @param beginAt flows with an earlier start are started at this time
    /// @param onStart called for each flow; the engine and the source outlive this
    FlowStarter(FabricEngine& engine,
                FlowSource& source,
                std::size_t workloads,
                Tick beginAt,
                StartHandler onStart);
    ~FlowStarter() override;

    /// Schedules the first flow.
    void Start();

    /// @return whether further flows will start. The same on all ranks.
    bool HasNext() const
    {
        return m_next.has_value();
    }

    /// @return flows of a workload that have started, the same on all ranks.
    uint64_t CountStartedOf(uint32_t workload) const
    {
        return m_startedOf[workload];
    }

    /// @return events that every rank has alike.
    uint64_t GetSharedEvents() const
    {
        return m_events;
    }

  private:
    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void ScheduleNext();
    Tick GetPostTime(const FlowArrival& arrival) const;

    FabricEngine& m_engine;
    FlowSource& m_source;
    Tick m_beginAt;
    StartHandler m_onStart;
    uint32_t m_target;
    std::optional<FlowArrival> m_next;
    std::vector<uint64_t> m_startedOf; ///< By workload.
    uint64_t m_events{0};
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_STARTER_H
