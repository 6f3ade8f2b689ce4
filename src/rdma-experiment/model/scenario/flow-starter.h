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

/// A flow that begins now, and the queue pairs of its ends.
struct FlowStart
{
    uint64_t number;
    FlowArrival arrival;
    uint32_t srcQp;
    uint32_t dstQp;
};

/**
 * @ingroup rdma-scenario
 * @brief Starts the flows of a source that depend on nothing, at their times.
 *
 * Each rank reads all flows, so that all agree on their numbers, in start order, and on those of
 * their queue pairs without asking each other.
 */
class FlowStarter : private EventTarget
{
  public:
    using StartHandler = std::function<void(const FlowStart&)>;

    /// @param queuePairs by node: how many it has already, which are not flows'
    /// @param beginAt flows that start before are started then
    /// @param onStart called for each flow; the engine and the source outlive this
    FlowStarter(FabricEngine& engine,
                FlowSource& source,
                std::vector<uint32_t> queuePairs,
                Tick beginAt,
                StartHandler onStart);
    ~FlowStarter() override;

    /// Schedules the first flow.
    void Start();

    /// @return on all ranks.
    uint64_t GetStarted() const
    {
        return m_started;
    }

    /// @return whether flows are still to come.
    bool HasMore() const
    {
        return m_next.has_value();
    }

    /// @return events that each rank has in the same way.
    uint64_t GetEvents() const
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
    std::vector<uint32_t> m_queuePairs; ///< By node: made so far.
    uint64_t m_started{0};
    uint64_t m_events{0};
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_STARTER_H
