// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_MEMORY_H
#define RDMA_FLOW_MEMORY_H

#include "ns3/protection-domain.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/// The destination of flows' payload at the receivers.
struct FlowMemory
{
    static constexpr uint64_t DEFAULT_GPU_BYTES{uint64_t{1} << 30}; ///< 1 GiB: our choice.

    MemoryKind kind{MemoryKind::HOST};
    /// GPU memory that each receiving NIC registers; unset: DEFAULT_GPU_BYTES, or all of the GPU's
    /// memory if it is smaller.
    std::optional<uint64_t> gpuBytes;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_MEMORY_H
