// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/strom-opcodes.h"

#include "ns3/opcode-table.h"

namespace ns3::rdma
{

namespace
{
/// Registers StRoM's remote procedure calls (Sidler et al. 2020, Table 1). The address in their
/// RETH is the code of the procedure (section 5.1).
bool
RegisterStromOpcodes()
{
    constexpr OpcodeKind KERNEL{OpcodeKind::KERNEL};
    OpcodeTable::Register(
        Service::RC,
        {{opcode::STROM_RPC_PARAMS, "RPC Params", KERNEL, PacketPlace::ONLY, {HeaderKind::RETH}}});
    OpcodeTable::Register(
        Service::RC,
        {{opcode::STROM_WRITE_FIRST,
          "RPC WRITE First",
          KERNEL,
          PacketPlace::FIRST,
          {HeaderKind::RETH}},
         {opcode::STROM_WRITE_MIDDLE, "RPC WRITE Middle", KERNEL, PacketPlace::MIDDLE, {}},
         {opcode::STROM_WRITE_LAST, "RPC WRITE Last", KERNEL, PacketPlace::LAST, {}},
         {opcode::STROM_WRITE_ONLY,
          "RPC WRITE Only",
          KERNEL,
          PacketPlace::ONLY,
          {HeaderKind::RETH}}});
    return true;
}

[[maybe_unused]] const bool HAS_STROM_OPCODES = RegisterStromOpcodes();
} // namespace

} // namespace ns3::rdma
