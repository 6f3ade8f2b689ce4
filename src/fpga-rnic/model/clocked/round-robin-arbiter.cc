// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/round-robin-arbiter.h"

namespace ns3::rdma
{

std::optional<uint32_t>
RoundRobinArbiter::Grant(uint64_t requests)
{
    if (requests == 0)
    {
        return std::nullopt;
    }
    const uint64_t later = requests >> m_first << m_first;
    const auto granted = static_cast<uint32_t>(__builtin_ctzll(later != 0 ? later : requests));
    m_first = (granted + 1) % MAX_INPUTS;
    return granted;
}

} // namespace ns3::rdma
