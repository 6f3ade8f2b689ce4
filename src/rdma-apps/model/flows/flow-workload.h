// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_WORKLOAD_H
#define RDMA_FLOW_WORKLOAD_H

#include "ns3/fabric-partition.h"
#include "ns3/fabric.h"
#include "ns3/flow-endpoints.h"
#include "ns3/flow-gpu-memory.h"
#include "ns3/flow-graph.h"
#include "ns3/flow-number.h"
#include "ns3/flow-services.h"
#include "ns3/graph-starter.h"
#include "ns3/queue-pair-numbers.h"
#include "ns3/queue-pair-provider.h"
#include "ns3/rank-group.h"
#include "ns3/rdma-nic.h"
#include "ns3/traffic-class.h"

#include <functional>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/// One workload of a run, as its flows depend on it.
struct FlowWorkloadSpec
{
    const FlowGraph* graph{nullptr};          ///< Null: flows start at their times.
    uint64_t pathBase{0};                     ///< Added to the number of a flow for its path.
    Tick start{0};                            ///< Of a graph.
    Tick end{TICK_NEVER};                     ///< Of a graph.
    FlowMemory memory;                        ///< Where the payload of flows goes.
    WrOpcode operation{WrOpcode::RDMA_WRITE}; ///< Of flows; a graph has its own.
    TrafficClass trafficClass{};              ///< Of its queue pairs.
    bool isMeasured{true};                    ///< Whether "precision" is that of its flows.
};

/// What the workloads of a run share; all objects outlive them.
struct FlowWorkloadContext
{
    Fabric* fabric{nullptr};
    const std::vector<Ptr<RdmaNic>>* nics{nullptr}; ///< By endpoint id; null for switches.
    RankGroup* ranks{nullptr};
    const FabricPartition* partition{nullptr}; ///< Among the ranks.
    FlowServices* services{nullptr}; ///< Services that flows pass; null: none. Not with a graph.
};

/**
 * @ingroup rdma-scenario
 * @brief The flows of one workload in a run: their queue pairs, endpoints, paths, and, if they
 * depend on each other, their starts.
 *
 * None of these depends on other workloads, except the numbers of queue pairs.
 */
class FlowWorkload
{
  public:
    /// An operation of a graph begins on this rank. @param number in the run
    using StartHandler = std::function<void(uint64_t number, const FlowArrival& arrival)>;

    /// @param index of the workload
    FlowWorkload(uint32_t index,
                 const FlowWorkloadSpec& spec,
                 const FlowWorkloadContext& context,
                 QueuePairNumbers& numbers,
                 StartHandler onStart);

    FlowWorkload(const FlowWorkload&) = delete;
    FlowWorkload& operator=(const FlowWorkload&) = delete;

    QueuePairProvider& GetQueuePairs() const
    {
        return *m_queuePairs;
    }

    /// @return the starts of a graph's operations; null: flows start at their times.
    GraphStarter* GetGraph() const
    {
        return m_graph.get();
    }

    /// @return the number in the run of the first flow on the queue pair of a flow.
    uint64_t GetFirstNumber(uint64_t number) const
    {
        return flow_number::Make(flow_number::GetWorkload(number),
                                 m_queuePairs->GetPathNumber(flow_number::GetLocal(number)));
    }

    /// @return the number that fixes the path of a flow. @param number in the run
    uint64_t GetPathNumber(uint64_t number) const
    {
        return m_spec.pathBase + m_queuePairs->GetPathNumber(flow_number::GetLocal(number));
    }

    bool IsMeasured() const
    {
        return m_spec.isMeasured;
    }

    /// A flow of this rank's senders has started.
    void CountStart()
    {
        ++m_started;
    }

    /// Appends what other ranks need. @param isAlone whether it is the only work of the run, whose
    /// state the ranks exchange anyway
    void Pack(uint32_t rank, ByteBuffer& buffer, bool isAlone);
    void Unpack(ByteReader& reader, bool isAlone);

    /// A window has ended. @param all state of the run on all ranks
    void EndWindow(const WindowState& all, bool isAlone);

    /// @return the state of the run, with the started flows of this workload.
    const WindowState& GetState() const
    {
        return m_state;
    }

  private:
    void UseGraph(uint32_t index,
                  const FlowWorkloadContext& context,
                  QueuePairNumbers& numbers,
                  StartHandler onStart);
    void UseTimes(const FlowWorkloadContext& context, QueuePairNumbers& numbers);

    FlowWorkloadSpec m_spec;
    std::function<bool(uint32_t id)> m_isHere;
    FlowEndpoints m_endpoints;
    std::unique_ptr<FlowGpuMemory> m_gpuMemory; ///< Null: none.
    std::unique_ptr<QueuePairProvider> m_queuePairs;
    std::unique_ptr<GraphStarter> m_graph; ///< Null: flows start at their times.
    uint64_t m_started{0};                 ///< Flows of this rank's senders.
    uint64_t m_startedElsewhere{0};        ///< On other ranks, as of the last exchange.
    WindowState m_state;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_WORKLOAD_H
