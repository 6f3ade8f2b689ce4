// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KERNEL_STATS_H
#define FPGA_KERNEL_STATS_H

#include "ns3/offload-kernel.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3::rdma
{

/// Counts of all kernels of a NIC.
struct KernelStats
{
    static constexpr std::size_t KINDS{static_cast<std::size_t>(KernelCommand::Kind::COUNT)};

    uint64_t inputs{0}; ///< Packets that kernels took.
    uint64_t inputBytes{0};
    uint64_t drops{0};         ///< Packets that found their kernel's queue full; they come again.
    uint64_t stalls{0};        ///< Packets that waited for their kernel.
    uint64_t unmatched{0};     ///< Messages with a code that no kernel has.
    uint64_t faults{0};        ///< Commands that could not reach their memory.
    uint64_t failedPosts{0};   ///< WRITEs for a queue pair that takes none (any more).
    uint64_t streamPackets{0}; ///< Of plain WRITEs that went through services.
    uint64_t streamRejects{0}; ///< Those of them whose data a service rejected.
    std::array<uint64_t, KINDS> commands{};
};

} // namespace ns3::rdma

#endif // FPGA_KERNEL_STATS_H
