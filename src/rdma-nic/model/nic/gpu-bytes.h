// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_GPU_BYTES_H
#define RDMA_GPU_BYTES_H

#include "ns3/nic-design.h"

#include <cstdint>

namespace ns3::rdma
{

/// @return memory of the GPU beside a NIC of this design that the bus reaches, in whole pages; 0:
/// there is no GPU, or hardware takes no time.
uint64_t GetGpuBytes(const NicDesign& design);

} // namespace ns3::rdma

#endif // RDMA_GPU_BYTES_H
