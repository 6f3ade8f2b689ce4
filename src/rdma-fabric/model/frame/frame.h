// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FRAME_H
#define RDMA_FRAME_H

#include "ns3/tick.h"

#include <cstdint>
#include <limits>

namespace ns3::rdma
{

/// Place of a frame in its FramePool.
using FrameIndex = uint32_t;

constexpr FrameIndex NO_FRAME = std::numeric_limits<FrameIndex>::max();

/// Number of priorities (IEEE 802.1Q priority code points); higher is served first.
constexpr uint32_t PRIORITIES{8};

/// Bits of Frame::flags.
namespace frame_flag
{
constexpr uint8_t ECN_CAPABLE{0x01};    ///< IP ECN field says ECT.
constexpr uint8_t CE{0x02};             ///< Congestion experienced: set by a switch.
constexpr uint8_t MAC_CONTROL{0x04};    ///< PFC frame: ends at the next port.
constexpr uint8_t ACK_REQUEST{0x08};    ///< BTH AckReq.
constexpr uint8_t CE_ECHO{0x10};        ///< An acknowledgment of at least one CE-marked packet.
constexpr uint8_t RETRANSMISSION{0x20}; ///< Not on the wire: for statistics.
constexpr uint8_t SELECTIVE{0x40};      ///< Frame::selectivePsn is set.
} // namespace frame_flag

/**
 * @ingroup rdma-frame
 * @brief One frame under way, with decoded fields: one cache line, no header bytes.
 *
 * The fabric reads the first part only; the second belongs to the NICs at both ends.
 */
struct alignas(64) Frame
{
    // For the fabric.
    FrameIndex next;      ///< Link of the list that the frame is in, if any.
    uint32_t src;         ///< Node id.
    uint32_t dst;         ///< Node id.
    uint32_t entropy;     ///< Stands for the 5-tuple in multi-path hashing.
    uint32_t wireBytes;   ///< From the destination MAC address to the last byte before the FCS.
    uint16_t ingressPort; ///< Port of the switch that holds the frame.
    uint8_t priority;     ///< Below PRIORITIES. In a PFC frame: the priority spoken of.
    uint8_t flags;        ///< Of frame_flag.

    // For the NICs.
    Tick sendTime;         ///< When the data packet left its NIC; echoed by its acknowledgment.
    uint32_t payloadBytes; ///< Without padding. In a PFC frame: pause in quanta, 0 to resume.
    uint32_t srcQp;        ///< 24 bits. Not on the wire in RC; for traces.
    uint32_t dstQp;        ///< 24 bits.
    uint32_t psn;          ///< 24 bits.
    uint32_t selectivePsn; ///< 24 bits; the packet that an IRN or SRNIC acknowledgment answers.
    uint32_t msn;          ///< 24 bits.
    uint8_t opcode;        ///< BTH opcode.
    uint8_t syndrome;      ///< AETH syndrome.
};

static_assert(sizeof(Frame) == 64, "a frame is one cache line");

} // namespace ns3::rdma

#endif // RDMA_FRAME_H
