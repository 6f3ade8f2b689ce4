// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rpc-plan.h"

#include <boost/endian/conversion.hpp>

namespace ns3::rdma
{

std::vector<uint8_t>
RpcPlan::MakeValue(uint64_t key) const
{
    constexpr uint32_t WORD{8};
    std::vector<uint8_t> value((valueBytes + WORD - 1) / WORD * WORD);
    for (uint32_t i = 0; i < value.size(); i += WORD)
    {
        // Of other keys, almost surely others.
        boost::endian::store_little_u64(value.data() + i, RandomStream::Scramble(key + i + 1));
    }
    value.resize(valueBytes);
    return value;
}

} // namespace ns3::rdma
