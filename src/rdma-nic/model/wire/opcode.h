// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_OPCODE_H
#define RDMA_OPCODE_H

#include <cstdint>

namespace ns3::rdma
{

/// BTH opcodes of reliable connections (IBTA Vol. 1, Table 38), and the CNP of RoCE v2 (Annex A17).
namespace opcode
{
constexpr uint8_t RC_WRITE_FIRST{0x06};
constexpr uint8_t RC_WRITE_MIDDLE{0x07};
constexpr uint8_t RC_WRITE_LAST{0x08};
constexpr uint8_t RC_WRITE_ONLY{0x0a};
constexpr uint8_t RC_ACK{0x11};
constexpr uint8_t CNP{0x81};

constexpr bool
IsData(uint8_t code)
{
    return code != RC_ACK && code != CNP;
}

/// @return whether a packet ends its message.
constexpr bool
IsLast(uint8_t code)
{
    return code == RC_WRITE_LAST || code == RC_WRITE_ONLY;
}

/// @return the opcode of a WRITE packet by its place in the message.
constexpr uint8_t
GetWrite(bool isFirst, bool isLast)
{
    if (isFirst)
    {
        return isLast ? RC_WRITE_ONLY : RC_WRITE_FIRST;
    }
    return isLast ? RC_WRITE_LAST : RC_WRITE_MIDDLE;
}
} // namespace opcode

/// AETH syndromes (IBTA Vol. 1, Tables 46 to 48).
namespace syndrome
{
constexpr uint8_t ACK{0x1f};              ///< Without end-to-end credits.
constexpr uint8_t NAK_PSN_SEQUENCE{0x60}; ///< A PSN is missing.
} // namespace syndrome

} // namespace ns3::rdma

#endif // RDMA_OPCODE_H
