// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_SOURCE_H
#define RDMA_FLOW_SOURCE_H

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

class FlowGraph;

/// One message that a server is about to send.
struct FlowArrival
{
    uint32_t src;           ///< Node id of the sending server.
    uint32_t dst;           ///< Node id of the receiving server, never src.
    uint64_t bytes;         ///< Message size, at least 1.
    int64_t startPs;        ///< When it is posted, in picoseconds from the start of the run.
    uint64_t fluidBytes{0}; ///< Part of `bytes` sent before the packet simulation (FluidStart).
    uint32_t workload{0};   ///< Index in the workloads of the run.
    /// Service level of its queue pair; unset: as of the workload.
    std::optional<uint8_t> priority{};
};

/**
 * @ingroup rdma-workload
 * @brief Returns the flows of a run one at a time, so that memory holds active flows only.
 */
class FlowSource
{
  public:
    virtual ~FlowSource() = default;

    /// @return the next flow, in rising start order (ties in order of generation); nullopt at the
    /// end.
    virtual std::optional<FlowArrival> Next() = 0;

    /// @return the total number of flows, if it is known in advance.
    virtual std::optional<uint64_t> GetFlowCount() const
    {
        return std::nullopt;
    }

    /**
     * Starts again with the first flow, at less cost than a new source.
     *
     * @return false (the default) if it cannot: a new source has to be made
     */
    virtual bool Rewind()
    {
        return false;
    }

    /// @return operations that depend on each other, instead of flows that Next() returns; null:
    /// flows have no dependencies. Valid as long as the source.
    virtual const FlowGraph* GetGraph() const
    {
        return nullptr;
    }
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_SOURCE_H
