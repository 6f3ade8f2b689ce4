// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_USABLE_CORES_H
#define RDMA_USABLE_CORES_H

#include <cstdint>
#include <sched.h>

namespace ns3::rdma
{

/// @return the cores that this process may use, which a container or taskset can limit; at least 1
inline uint32_t
CountUsableCores()
{
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0
               ? static_cast<uint32_t>(CPU_COUNT(&cores))
               : 1;
}

} // namespace ns3::rdma

#endif // RDMA_USABLE_CORES_H
