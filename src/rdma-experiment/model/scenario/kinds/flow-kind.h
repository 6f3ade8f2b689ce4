// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_KIND_H
#define RDMA_FLOW_KIND_H

#include "ns3/workload-kind.h"

#include <cstdint>
#include <set>

namespace ns3::rdma
{

/// Receivers of flows.
struct FlowTargets
{
    std::set<uint32_t> servers; ///< Node ids.
    uint64_t largest{1};        ///< Bytes of the largest flow that is possible.
};

/**
 * @ingroup rdma-scenario
 * @brief What workloads of independent flows have in common: their operation, and the memory that
 * they go to.
 *
 * A derived class says which flows there are, who receives them, and how large they are.
 */
class FlowKind : public WorkloadKind
{
  public:
    static TypeId GetTypeId();
    FlowKind();

    /// The kind's own keys, "operation", "memory" and "gpuMemory".
    void Visit(Keys& keys) final;
    /// @throws InputError if a receiver has no GPU and needs one
    std::unique_ptr<FlowSource> Make(const Scenario& scenario,
                                     const TopologyGraph& topology) const final;
    FlowMemory GetFlowMemory() const final;
    WrOpcode GetFlowOperation() const final;

  protected:
    /// Declares the kind's own keys.
    virtual void VisitFlows(Keys& keys) = 0;

    /// As WorkloadKind::Make().
    virtual std::unique_ptr<FlowSource> MakeFlows(const Scenario& scenario,
                                                  const TopologyGraph& topology) const = 0;

    /// @return who may receive how much.
    virtual FlowTargets FindTargets(const Scenario& scenario,
                                    const TopologyGraph& topology) const = 0;

  private:
    void CheckTargets(const Scenario& scenario, const FlowTargets& targets) const;
    void CheckLargest(const Scenario& scenario, const FlowTargets& targets) const;

    WrOpcode m_operation{WrOpcode::RDMA_WRITE};
    FlowMemory m_memory;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_KIND_H
