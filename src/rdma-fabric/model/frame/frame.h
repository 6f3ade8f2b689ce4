// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FRAME_H
#define RDMA_FRAME_H

#include "ns3/tick.h"

#include <cstdint>
#include <limits>
#include <memory>

namespace ns3::rdma
{

/// Place of a frame in its FramePool.
using FrameIndex = uint32_t;

constexpr FrameIndex NO_FRAME = std::numeric_limits<FrameIndex>::max();

/// Longest payload: the maximum of Frame::wireBytes less 255 bytes for headers.
constexpr uint32_t MAX_PAYLOAD{65535 - 255};

/// Number of priorities (IEEE 802.1Q priority code points); higher is served first.
constexpr uint32_t PRIORITIES{8};

/// Number of DSCPs (RFC 2474).
constexpr uint32_t DSCPS{64};

/// @return the class selector of a priority, a DSCP (RFC 2474, section 4.2.2).
constexpr uint8_t
GetClassSelector(uint8_t priority)
{
    return static_cast<uint8_t>(priority << 3);
}

/// Endpoint ids are below this: Frame::src has 25 bits.
constexpr uint32_t MAX_ENDPOINTS{1U << 25};

/// Bits of Frame::flags.
namespace frame_flag
{
constexpr uint16_t ECN_CAPABLE{0x01};    ///< The IP ECN field is ECT.
constexpr uint16_t CE{0x02};             ///< Congestion experienced: set by a switch.
constexpr uint16_t MAC_CONTROL{0x04};    ///< PFC frame: consumed by the next port.
constexpr uint16_t ACK_REQUEST{0x08};    ///< BTH AckReq.
constexpr uint16_t CE_ECHO{0x10};        ///< Acknowledges at least one CE-marked packet.
constexpr uint16_t RETRANSMISSION{0x20}; ///< For statistics only; not on the wire.
constexpr uint16_t SELECTIVE{0x40};      ///< AckFields::selectivePsn is set.
constexpr uint16_t DETAILED{0x80};       ///< The pool keeps a FrameDetail for the frame.
constexpr uint16_t TRIMMED{0x100};       ///< A switch has removed the payload.
/// Frame::entropy differs from the connection's constant.
constexpr uint16_t VARIED_ENTROPY{0x200};
/// The switch in front of the receiver has removed the payload; an answer to such a frame has it,
/// too.
constexpr uint16_t LAST_HOP{0x400};
/// An answer to a packet that was sent more than once.
constexpr uint16_t ANSWERS_RESENT{0x800};
constexpr uint16_t KIND{0xf000}; ///< FrameKind.
} // namespace frame_flag

/// The kind of a frame beside its opcode, as bits of Frame::flags.
enum class FrameKind : uint16_t
{
    PLAIN = 0, ///< A frame of its opcode, without a further meaning.
    /// An acknowledgment with a report: AckFields::selectivePsn, the receiver's counter, and, with
    /// a detail, the bitmap.
    REPORT = 0x1000,
    CREDIT = 0x2000,       ///< An acknowledgment that only grants credit.
    PORTS = 0x3000,        ///< An acknowledgment with the usable ports of the sending NIC only.
    PROBE = 0x4000,        ///< A request for a report, without payload and PSN of its own.
    PROBE_REPORT = 0x5000, ///< The report that answers a probe.
};

/// @return flags with some bits set or cleared.
constexpr uint16_t
ChangeFlags(uint16_t flags, uint16_t bits, bool isSet)
{
    return static_cast<uint16_t>(isSet ? flags | bits : flags & ~bits);
}

/// @return flags with another kind.
constexpr uint16_t
ChangeKind(uint16_t flags, FrameKind kind)
{
    return static_cast<uint16_t>((flags & ~frame_flag::KIND) | static_cast<uint16_t>(kind));
}

/// Frame::egress of a frame whose egress is unknown. (Target 0 of the engine is no port.)
constexpr uint32_t NO_EGRESS{0};

/// Opcode of a frame of another protocol, whose packet is the cargo of the detail.
constexpr uint8_t OPAQUE_OPCODE{0xff};

/// Fields that only answers carry.
struct AckFields
{
    uint32_t selectivePsn; ///< 24 bits; the packet that an IRN or SRNIC acknowledgment answers.
    uint32_t msn;          ///< 24 bits: messages completed (AETH).
};

/**
 * @ingroup rdma-frame
 * @brief A frame in flight, with decoded fields: one cache line, no header bytes.
 *
 * The fabric uses the first part; the NICs at both ends use the second part.
 */
struct alignas(64) Frame
{
    // For the fabric.
    union {
        FrameIndex next; ///< Next frame of the list that contains this frame, if any.
        /// On a link: the engine's id of the port by which the frame will leave the switch at the
        /// link's end. The engine prefetches that port. NO_EGRESS: unknown.
        uint32_t egress;
    };

    uint32_t src : 25;    ///< Endpoint id.
    uint32_t hasDscp : 1; ///< dscp is valid; else the DSCP is the class selector of priority.
    uint32_t dscp : 6;
    uint32_t dst;         ///< Endpoint id.
    uint32_t entropy;     ///< Stands for the 5-tuple in multi-path hashing.
    uint16_t wireBytes;   ///< From destination MAC address to the last byte before the FCS. Not 0.
    uint16_t ingressPort; ///< Port by which the frame entered the switch that holds it.
    uint16_t flags;       ///< Bits of frame_flag and the FrameKind.

    // For the NICs, except priority.
    uint16_t payloadBytes; ///< Without padding. In a PFC frame: pause in quanta; 0 resumes.
    Tick sendTime;         ///< When the data packet left its NIC; echoed by its acknowledgment.

    union {
        uint64_t remoteAddress; ///< Of requests: RETH or AtomicETH virtual address.
        AckFields ack;          ///< Of acknowledgments and READ responses.
    };

    uint32_t dstQp : 24;
    uint8_t priority;    ///< Below PRIORITIES. In a PFC frame: the priority to pause or resume.
    uint32_t srcQp : 24; ///< On the wire in DETH only; for traces.
    uint8_t syndrome;    ///< AETH syndrome.
    uint32_t psn : 24;
    uint8_t opcode; ///< BTH opcode, or OPAQUE_OPCODE.

    union {
        uint32_t messageBytes; ///< RETH DMA length.
        uint32_t psnOffset; ///< Position of the packet in its message, if the wire format has it.
        /// Of reports: wire bytes of the packets accepted so far, modulo 2^32.
        uint32_t receivedBytes;
        uint32_t grantedCredit; ///< Of FrameKind::CREDIT: in all, 256 bytes, modulo 2^32.
        uint32_t usablePorts;   ///< Of FrameKind::PORTS: one bit per port.
    };

    union {
        uint32_t ssn; ///< 24 bits: receive requests that earlier messages consume (SRNIC).
        /// Of acknowledgments: ps from the answered packet's arrival at the NIC until this frame is
        /// at the NIC's port, at most 2^32 - 1. Like sendTime, it takes no bytes on the wire.
        uint32_t hostDelay;
    };

    union {
        /// Of acknowledgments and CNPs: entropy of the packet that caused this frame. Like
        /// sendTime, it takes no bytes on the wire.
        uint32_t echoedEntropy;
        /// Of data: credit that the sender asks the receiver for, 256 bytes, modulo 2^32.
        uint32_t creditTarget;
    };

    /// @return the DSCP of its IP header.
    uint8_t GetDscp() const
    {
        return hasDscp ? static_cast<uint8_t>(dscp) : GetClassSelector(priority);
    }

    /// @param value below DSCPS
    void SetDscp(uint8_t value)
    {
        hasDscp = 1;
        dscp = value & (DSCPS - 1);
    }

    FrameKind GetKind() const
    {
        return static_cast<FrameKind>(flags & frame_flag::KIND);
    }

    /// @return whether it is an acknowledgment with a report.
    bool IsReport() const
    {
        return GetKind() == FrameKind::REPORT || GetKind() == FrameKind::PROBE_REPORT;
    }

    /// @return whether it is an acknowledgment that acknowledges nothing.
    bool IsNotice() const
    {
        return GetKind() == FrameKind::CREDIT || GetKind() == FrameKind::PORTS;
    }
};

static_assert(sizeof(Frame) == 64, "a frame is one cache line");

class ByteBuffer;

/// Data of any size carried by a frame: payload bytes, or a packet of another protocol.
class FrameCargo
{
  public:
    virtual ~FrameCargo() = default;
    /// @return a copy, for links that duplicate frames.
    virtual std::unique_ptr<FrameCargo> Clone() const = 0;

    /// @return the number given to RegisterCargo() for the class; 0: the class cannot be packed.
    virtual uint32_t GetKind() const
    {
        return 0;
    }

    /// Appends the data that the class's UnpackCargo function reads in another process.
    virtual void Pack(ByteBuffer&) const
    {
    }
};

class IntStack;

/// What a report says about packets out of order, beside the bitmap.
struct ReportedRange
{
    uint32_t base; ///< PSN of the bitmap's first bit, 24 bits.
    uint32_t held; ///< Packets that the receiver holds out of order.
};

/**
 * @ingroup rdma-frame
 * @brief Fields that few frames have, kept in a separate array of the pool under the same index.
 *
 * A plain WRITE with the reserved key 0 needs no detail.
 */
struct alignas(64) FrameDetail
{
    union {
        uint64_t swapAdd; ///< AtomicETH: swap or add operand. AtomicAckETH: the original value.
        uint64_t bits;    ///< Of reports: PSNs that the receiver holds, from range.base on.
    };

    union {
        uint64_t compare;    ///< AtomicETH: compare operand.
        ReportedRange range; ///< Of reports.
    };

    uint32_t remoteKey; ///< RETH, AtomicETH.
    uint32_t immediate; ///< ImmDt.
    uint32_t queueKey;  ///< DETH.
    bool isSolicited;   ///< BTH solicited event.
    /// Only the fields below are in use; those above are as in a frame without detail.
    bool isPlain;
    FrameCargo* cargo; ///< Owned by the pool; null if none.
    IntStack* path; ///< Owned by the pool; switches append to it. Null: the frame carries no INT.
    uint32_t routeTag; ///< Used by load balancers, which define its format; 0: not set.
};

} // namespace ns3::rdma

#endif // RDMA_FRAME_H
