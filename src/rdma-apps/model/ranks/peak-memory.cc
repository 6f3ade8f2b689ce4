// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/peak-memory.h"

#include <sys/resource.h>
#include <unistd.h>

namespace ns3::rdma
{

uint64_t
GetPeakRssBytes()
{
    constexpr uint64_t BYTES_PER_KIB{1024};
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) * BYTES_PER_KIB;
}

uint64_t
GetMachineBytes()
{
    return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

} // namespace ns3::rdma
