// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_STROM_OPCODES_H
#define FPGA_STROM_OPCODES_H

#include <cstdint>

/// StRoM's remote procedure calls (Sidler et al. 2020, Table 1): operations of reliable
/// connections, the lower five bits of the BTH opcode.
namespace ns3::rdma::opcode
{
constexpr uint8_t STROM_RPC_PARAMS{0x18};
constexpr uint8_t STROM_WRITE_FIRST{0x19};
constexpr uint8_t STROM_WRITE_MIDDLE{0x1a};
constexpr uint8_t STROM_WRITE_LAST{0x1b};
constexpr uint8_t STROM_WRITE_ONLY{0x1c};
} // namespace ns3::rdma::opcode

#endif // FPGA_STROM_OPCODES_H
