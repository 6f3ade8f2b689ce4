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

    uint64_t inputs{0}; ///< Packets that kernels accepted.
    uint64_t inputBytes{0};
    uint64_t drops{0};         ///< Packets dropped at a full queue; they are retransmitted.
    uint64_t stalls{0};        ///< Packets that were queued before their kernel accepted them.
    uint64_t unmatched{0};     ///< Messages whose code no kernel of the NIC has.
    uint64_t faults{0};        ///< Commands whose memory was not accessible.
    uint64_t failedPosts{0};   ///< WRITEs that the queue pair did not accept.
    uint64_t streamPackets{0}; ///< Packets that passed services.
    uint64_t streamRejects{0}; ///< Packets whose data a service rejected.
    std::array<uint64_t, KINDS> commands{};
};

} // namespace ns3::rdma

#endif // FPGA_KERNEL_STATS_H
