// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PEAK_MEMORY_H
#define RDMA_PEAK_MEMORY_H

#include <cstdint>

namespace ns3::rdma
{

/// @return the largest resident memory that this process ever had, bytes.
uint64_t GetPeakRssBytes();

/// @return the memory of this machine, bytes.
uint64_t GetMachineBytes();

} // namespace ns3::rdma

#endif // RDMA_PEAK_MEMORY_H
