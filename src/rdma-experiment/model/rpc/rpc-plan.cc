// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rpc-plan.h"

namespace ns3::rdma
{

std::vector<uint8_t>
RpcPlan::MakeValue(uint64_t key) const
{
    constexpr uint32_t WORD{8};
    std::vector<uint8_t> value(valueBytes);
    uint64_t word = 0;
    for (uint32_t i = 0; i < valueBytes; ++i)
    {
        if (i % WORD == 0)
        {
            word = RandomStream::Scramble(key + i + 1); // Of other keys, almost surely others.
        }
        value[i] = static_cast<uint8_t>(word >> (i % WORD * 8));
    }
    return value;
}

} // namespace ns3::rdma
