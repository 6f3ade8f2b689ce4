// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-operation.h"

#include <array>

namespace ns3::rdma
{

const char*
GetKvOpcodeName(KvOpcode opcode)
{
    constexpr std::array<const char*, static_cast<std::size_t>(KvOpcode::COUNT)> NAMES{
        "get",
        "put",
        "delete",
        "update-scalar",
        "update-vector",
        "update-vector-by-vector",
        "reduce",
        "filter"};
    return NAMES[static_cast<std::size_t>(opcode)];
}

bool
HasKvOperand(KvOpcode opcode)
{
    return opcode != KvOpcode::GET && opcode != KvOpcode::DELETE && opcode != KvOpcode::FILTER;
}

bool
HasKvFunction(KvOpcode opcode)
{
    return opcode >= KvOpcode::UPDATE_SCALAR;
}

bool
IsKvWrite(KvOpcode opcode)
{
    return opcode != KvOpcode::GET && opcode != KvOpcode::REDUCE && opcode != KvOpcode::FILTER;
}

} // namespace ns3::rdma
