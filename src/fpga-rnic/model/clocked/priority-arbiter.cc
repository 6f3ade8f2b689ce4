// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/priority-arbiter.h"

namespace ns3::rdma
{

std::optional<uint32_t>
PriorityArbiter::Grant(uint64_t requests)
{
    if (requests == 0)
    {
        return std::nullopt;
    }
    return static_cast<uint32_t>(__builtin_ctzll(requests));
}

} // namespace ns3::rdma
