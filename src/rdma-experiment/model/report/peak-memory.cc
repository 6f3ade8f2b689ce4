// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/peak-memory.h"

#include <sys/resource.h>

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

} // namespace ns3::rdma
