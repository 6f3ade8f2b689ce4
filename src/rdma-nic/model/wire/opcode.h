// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_OPCODE_H
#define RDMA_OPCODE_H

#include <array>
#include <cstddef>
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

/// Kinds of packets that transports distinguish.
enum class OpcodeKind : uint8_t
{
    UNKNOWN, ///< Not registered: an invalid request.
    SEND,
    WRITE,
    READ_REQUEST,
    READ_RESPONSE,
    ACK,
    ATOMIC_ACK,
    ATOMIC,
    READ_ACK, ///< Acknowledges a READ response.
    CNP,
    KERNEL, ///< Its payload is for a kernel on the NIC; the queue pair's RequestHandler takes it.
};

/// Properties of an opcode that transports need.
struct OpcodeInfo
{
    OpcodeKind kind{OpcodeKind::UNKNOWN};
    Service service{Service::RC};
    bool isFirst{true}; ///< The packet is the first of its message or READ response.
    bool isLast{true};  ///< The packet is the last of its message or READ response.
    bool hasImmediate{false};

    /// @return whether requesters send such packets: all but answers and notifications.
    constexpr bool IsRequest() const
    {
        constexpr uint32_t ANSWERS{1U << static_cast<uint8_t>(OpcodeKind::READ_RESPONSE) |
                                   1U << static_cast<uint8_t>(OpcodeKind::ACK) |
                                   1U << static_cast<uint8_t>(OpcodeKind::ATOMIC_ACK) |
                                   1U << static_cast<uint8_t>(OpcodeKind::READ_ACK) |
                                   1U << static_cast<uint8_t>(OpcodeKind::CNP)};
        return ((ANSWERS >> static_cast<uint8_t>(kind)) & 1) == 0;
    }
};

/// BTH opcodes (IBTA Vol. 1, Table 38), and the CNP of RoCE v2 (Annex A17).
namespace opcode
{
// The operation: the lower five bits, the same in each service.
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
/// Acknowledges a READ response (SRNIC section 4.4.1, IRN section 5.2). The papers give no number;
/// this one is reserved by IBTA and unused by StRoM.
constexpr uint8_t READ_ACK{0x1d};

constexpr uint8_t CNP{0x81}; ///< The complete opcode, which belongs to no service (Annex A17).

constexpr uint8_t
Make(Service service, uint8_t operation)
{
    return static_cast<uint8_t>(static_cast<uint8_t>(service) | operation);
}

/// By BTH opcode. Only OpcodeTable changes it.
extern std::array<OpcodeInfo, 256> INFOS;

/// Opcodes of a message's packets by place (GetByPlace), by the operation of its first packet.
extern std::array<std::array<uint8_t, 8>, 32> PLACES;

inline const OpcodeInfo&
Get(uint8_t code)
{
    return INFOS[code];
}

inline OpcodeKind
GetKind(uint8_t code)
{
    return INFOS[code].kind;
}

inline Service
GetService(uint8_t code)
{
    return INFOS[code].service;
}

inline bool
IsRequest(uint8_t code)
{
    return INFOS[code].IsRequest();
}

inline bool
IsFirst(uint8_t code)
{
    return INFOS[code].isFirst;
}

inline bool
IsLast(uint8_t code)
{
    return INFOS[code].isLast;
}

/// @return whether immediate data follows.
inline bool
HasImmediate(uint8_t code)
{
    return INFOS[code].hasImmediate;
}

/// @return index into PLACES.
constexpr std::size_t
GetPlace(bool isFirst, bool isLast, bool hasImmediate)
{
    return isFirst * 4 + isLast * 2 + hasImmediate;
}

/// @param family operation of a first packet: SEND_FIRST, WRITE_FIRST, READ_RESPONSE_FIRST or a
/// registered one
/// @return the operation of a packet by its position in the message.
inline uint8_t
GetByPlace(uint8_t family, bool isFirst, bool isLast, bool hasImmediate = false)
{
    return PLACES[family][GetPlace(isFirst, isLast, hasImmediate)];
}

/// @return whether all messages of its operation have one packet, as parameters of a kernel do.
inline bool
IsSinglePacket(uint8_t code)
{
    const uint8_t operation = code & 0x1f;
    return IsFirst(code) && IsLast(code) && GetByPlace(operation, true, false) == operation;
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

/// @return whether the syndrome is a NAK; ACKs and reserved codes are not.
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
