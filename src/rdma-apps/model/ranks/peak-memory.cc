// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/peak-memory.h"

#include <algorithm>
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

std::string
DescribeLackOfRoom(uint64_t count, uint64_t bytes, const std::string& things)
{
    constexpr uint64_t GIB{uint64_t{1} << 30};
    const uint64_t memory = GetMachineBytes();
    const uint64_t most = memory / std::max<uint64_t>(bytes, 1);
    return count <= most ? ""
                         : "expected at most " + std::to_string(most) + ' ' + things +
                               ", for which this machine's " + std::to_string(memory / GIB) +
                               " GiB have room, got " + std::to_string(count);
}

} // namespace ns3::rdma
