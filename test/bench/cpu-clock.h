// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CPU_CLOCK_H
#define RDMA_CPU_CLOCK_H

#include <ctime>

namespace ns3::rdma
{

/// @return seconds of processor time that this process has used: other programs do not count.
inline double
GetCpuSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

} // namespace ns3::rdma

#endif // RDMA_CPU_CLOCK_H
