// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-operation.h"

namespace ns3::rdma
{

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
