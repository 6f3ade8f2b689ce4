// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PEAK_MEMORY_H
#define RDMA_PEAK_MEMORY_H

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/// @return the largest resident memory that this process ever had, bytes.
uint64_t GetPeakRssBytes();

/// @return the memory of this machine, bytes.
uint64_t GetMachineBytes();

/// @param count of things that are in memory together @param bytes of each @param things their name
/// @return "expected at most ..., got ..." if this machine has no room for them; else empty
std::string DescribeLackOfRoom(uint64_t count, uint64_t bytes, const std::string& things);

} // namespace ns3::rdma

#endif // RDMA_PEAK_MEMORY_H
