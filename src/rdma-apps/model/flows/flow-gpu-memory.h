// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_GPU_MEMORY_H
#define RDMA_FLOW_GPU_MEMORY_H

#include "ns3/flow-memory.h"
#include "ns3/rdma-nic.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace ns3::rdma
{

/// The destination of a flow's payload.
struct GpuPlace
{
    uint64_t address;
    uint32_t remoteKey;
};

/**
 * @ingroup rdma-scenario
 * @brief The GPU memory that flows are written to: one registered region per receiving NIC, of
 * which each flow gets the next part.
 *
 * An application that receives into a GPU registers its memory once, since each registration maps
 * pages (thesis, section 2.6), and hands out buffers.  Buffers begin at multiples of 256 bytes
 * (CUDA C++ Programming Guide, "Device Memory Accesses": alignment of allocations); at the end of
 * the region, allocation starts again at its beginning.  No flow is larger than the region
 * (FlowKind).
 *
 * Each rank assigns all buffers in the order of the flows' starts, so that all ranks agree; it
 * registers memory at its own NICs.
 */
class FlowGpuMemory
{
  public:
    /// @param nics by endpoint id, outlives this
    /// @param isHere whether this rank simulates a node or an endpoint
    FlowGpuMemory(const FlowMemory& memory,
                  const std::vector<Ptr<RdmaNic>>& nics,
                  std::function<bool(uint32_t id)> isHere);

    /// Assigns the buffer of a new flow. Called on all ranks, in the order of starts.
    /// @param endpoint of its receiver
    GpuPlace TakePlace(uint32_t endpoint, uint64_t bytes);

    /// @return the domain of the region, for queue pairs that receive. After TakePlace(), on the
    /// rank of the endpoint.
    const Ptr<ProtectionDomain>& GetDomain(uint32_t endpoint) const;

  private:
    struct Region
    {
        Ptr<ProtectionDomain> domain;
        uint64_t bytes{0};
        uint64_t used{0};
        uint32_t remoteKey{0};
    };

    Region MakeRegion(uint32_t endpoint) const;

    FlowMemory m_memory;
    const std::vector<Ptr<RdmaNic>>& m_nics;
    std::function<bool(uint32_t id)> m_isHere;
    std::map<const RdmaNic*, Region> m_regions; ///< Looked up, not iterated.
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_GPU_MEMORY_H
