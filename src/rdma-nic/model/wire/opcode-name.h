// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_OPCODE_NAME_H
#define RDMA_OPCODE_NAME_H

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/**
 * @return the name of a BTH opcode: service and operation as IBTA Vol. 1, Table 38 writes them ("RC
 * SEND First", "UD SEND Only with Immediate"), "CNP", StRoM's (Table 1 of its paper), "RC READ
 * Acknowledge" of IRN and SRNIC; "opcode 0x.." of any other.
 */
std::string GetOpcodeName(uint8_t code);

} // namespace ns3::rdma

#endif // RDMA_OPCODE_NAME_H
