// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_OPCODE_H
#define RDMA_OPCODE_H

#include <cstdint>

namespace ns3::rdma
{

/// Transport service: the upper three bits of a BTH opcode (IBTA Vol. 1, Table 38).
enum class Service : uint8_t
{
    RC = 0x00, ///< Reliable connection.
    UC = 0x20, ///< Unreliable connection.
    UD = 0x60, ///< Unreliable datagram.
};

/// BTH opcodes (IBTA Vol. 1, Table 38), and the CNP of RoCE v2 (Annex A17).
namespace opcode
{
// The operation: the lower five bits, the same in each service that has it.
constexpr uint8_t SEND_FIRST{0x00};
constexpr uint8_t SEND_MIDDLE{0x01};
constexpr uint8_t SEND_LAST{0x02};
constexpr uint8_t SEND_LAST_IMM{0x03};
constexpr uint8_t SEND_ONLY{0x04};
constexpr uint8_t SEND_ONLY_IMM{0x05};
constexpr uint8_t WRITE_FIRST{0x06};
constexpr uint8_t WRITE_MIDDLE{0x07};
constexpr uint8_t WRITE_LAST{0x08};
constexpr uint8_t WRITE_LAST_IMM{0x09};
constexpr uint8_t WRITE_ONLY{0x0a};
constexpr uint8_t WRITE_ONLY_IMM{0x0b};
constexpr uint8_t READ_REQUEST{0x0c};
constexpr uint8_t READ_RESPONSE_FIRST{0x0d};
constexpr uint8_t READ_RESPONSE_MIDDLE{0x0e};
constexpr uint8_t READ_RESPONSE_LAST{0x0f};
constexpr uint8_t READ_RESPONSE_ONLY{0x10};
constexpr uint8_t ACK{0x11};
constexpr uint8_t ATOMIC_ACK{0x12};
constexpr uint8_t CMP_SWAP{0x13};
constexpr uint8_t FETCH_ADD{0x14};
/// Acknowledges a READ response (SRNIC section 4.4.1, IRN section 5.2). The papers print no number:
/// this one is reserved by IBTA and free in StRoM.
constexpr uint8_t READ_ACK{0x1d};

// Reliable connections: the service bits are zero.
constexpr uint8_t RC_WRITE_FIRST{WRITE_FIRST};
constexpr uint8_t RC_WRITE_MIDDLE{WRITE_MIDDLE};
constexpr uint8_t RC_WRITE_LAST{WRITE_LAST};
constexpr uint8_t RC_WRITE_ONLY{WRITE_ONLY};
constexpr uint8_t RC_ACK{ACK};
constexpr uint8_t CNP{0x81};

// StRoM's remote procedure calls (Sidler et al. 2020, Table 1): names of reliable connections only.
constexpr uint8_t STROM_RPC_PARAMS{0x18};
constexpr uint8_t STROM_WRITE_FIRST{0x19};
constexpr uint8_t STROM_WRITE_MIDDLE{0x1a};
constexpr uint8_t STROM_WRITE_LAST{0x1b};
constexpr uint8_t STROM_WRITE_ONLY{0x1c};

constexpr uint8_t
Make(Service service, uint8_t operation)
{
    return static_cast<uint8_t>(static_cast<uint8_t>(service) | operation);
}

constexpr Service
GetService(uint8_t code)
{
    return static_cast<Service>(code & 0xe0);
}

constexpr uint8_t
GetOperation(uint8_t code)
{
    return code & 0x1f;
}

/// The next functions take operations, or opcodes of reliable connections.
constexpr bool
IsSend(uint8_t operation)
{
    return operation <= SEND_ONLY_IMM;
}

constexpr bool
IsWrite(uint8_t operation)
{
    return operation >= WRITE_FIRST && operation <= WRITE_ONLY_IMM;
}

constexpr bool
IsReadResponse(uint8_t operation)
{
    return operation >= READ_RESPONSE_FIRST && operation <= READ_RESPONSE_ONLY;
}

constexpr bool
IsAtomic(uint8_t operation)
{
    return operation == CMP_SWAP || operation == FETCH_ADD;
}

/// @return whether a requester sends it: everything but answers and notifications.
constexpr bool
IsRequest(uint8_t code)
{
    // One bit per operation: SENDs, WRITEs and the READ request, atomics, StRoM's.
    constexpr uint32_t REQUESTS{0x1fff | 1U << CMP_SWAP | 1U << FETCH_ADD |
                                0x1fU << STROM_RPC_PARAMS};
    return code != CNP && ((REQUESTS >> GetOperation(code)) & 1) != 0;
}

/// @return whether a StRoM packet has a RETH, whose address is the RPC's own code (section 5.1).
constexpr bool
IsStromRpcWithReth(uint8_t code)
{
    return code == STROM_RPC_PARAMS || code == STROM_WRITE_FIRST || code == STROM_WRITE_ONLY;
}

/// @return whether immediate data follows.
constexpr bool
HasImmediate(uint8_t operation)
{
    return operation == SEND_LAST_IMM || operation == SEND_ONLY_IMM ||
           operation == WRITE_LAST_IMM || operation == WRITE_ONLY_IMM;
}

/// @return whether a packet begins its message (or its READ response).
constexpr bool
IsFirst(uint8_t operation)
{
    constexpr uint32_t LATER{1U << SEND_MIDDLE | 1U << SEND_LAST | 1U << SEND_LAST_IMM |
                             1U << WRITE_MIDDLE | 1U << WRITE_LAST | 1U << WRITE_LAST_IMM |
                             1U << READ_RESPONSE_MIDDLE | 1U << READ_RESPONSE_LAST |
                             1U << STROM_WRITE_MIDDLE | 1U << STROM_WRITE_LAST};
    return ((LATER >> GetOperation(operation)) & 1) == 0;
}

/// @return whether a packet ends its message (or its READ response).
constexpr bool
IsLast(uint8_t operation)
{
    constexpr uint32_t EARLIER{1U << SEND_FIRST | 1U << SEND_MIDDLE | 1U << WRITE_FIRST |
                               1U << WRITE_MIDDLE | 1U << READ_RESPONSE_FIRST |
                               1U << READ_RESPONSE_MIDDLE | 1U << STROM_WRITE_FIRST |
                               1U << STROM_WRITE_MIDDLE};
    return ((EARLIER >> GetOperation(operation)) & 1) == 0;
}

/// @return the operation of a packet by its place in the message. @param family SEND_FIRST,
/// WRITE_FIRST or READ_RESPONSE_FIRST
constexpr uint8_t
GetByPlace(uint8_t family, bool isFirst, bool isLast, bool hasImmediate = false)
{
    if (family == READ_RESPONSE_FIRST)
    {
        return isFirst ? (isLast ? READ_RESPONSE_ONLY : READ_RESPONSE_FIRST)
                       : (isLast ? READ_RESPONSE_LAST : READ_RESPONSE_MIDDLE);
    }
    const uint8_t place =
        isFirst ? (isLast ? SEND_ONLY : SEND_FIRST) : (isLast ? SEND_LAST : SEND_MIDDLE);
    return static_cast<uint8_t>(family + place + (isLast && hasImmediate ? 1 : 0));
}
} // namespace opcode

/// AETH syndromes (IBTA Vol. 1, Tables 46 to 48).
namespace syndrome
{
constexpr uint8_t ACK{0x1f};     ///< Without end-to-end credits.
constexpr uint8_t RNR_NAK{0x20}; ///< Receiver not ready; the low five bits are a timer code.
constexpr uint8_t NAK_PSN_SEQUENCE{0x60}; ///< A PSN is missing.
constexpr uint8_t NAK_INVALID_REQUEST{0x61};
constexpr uint8_t NAK_REMOTE_ACCESS{0x62};
constexpr uint8_t NAK_REMOTE_OPERATION{0x63};

/// @return whether it refuses; neither ACKs nor reserved codes do.
constexpr bool
IsNak(uint8_t code)
{
    return (code & 0x60) == RNR_NAK || (code >= NAK_PSN_SEQUENCE && code <= NAK_REMOTE_OPERATION);
}

constexpr bool
IsRnrNak(uint8_t code)
{
    return (code & 0x60) == RNR_NAK;
}
} // namespace syndrome

} // namespace ns3::rdma

#endif // RDMA_OPCODE_H
