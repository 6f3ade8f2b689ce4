// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RECEIVER_CONTROL_H
#define RDMA_RECEIVER_CONTROL_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/psn.h"

#include <cstdint>

namespace ns3::rdma
{

/// A packet of a queue pair's peer, and the receiver's state after it.
struct ArrivedPacket
{
    Psn psn;
    uint32_t wireBytes;    ///< From the destination MAC address to the last byte before the FCS.
    bool isDuplicate;      ///< The receiver has it already.
    bool isTrimmed;        ///< A switch has removed its payload.
    bool isMarked;         ///< It carries CE.
    bool asksForAck;       ///< The sender asks for an acknowledgment.
    bool isRetransmission; ///< The sender has sent it before.
    Psn expected;          ///< The next PSN that is missing.
    uint32_t held;         ///< Packets that the receiver holds beyond it.
    bool isProbe{false};   ///< It has no payload and consumes no PSN; only its answer matters.
};

/// What the receiver answers to a packet.
struct ReceiverAnswer
{
    enum class Kind : uint8_t
    {
        NONE,
        REPORT, ///< Acknowledgment with the bitmap of 64 PSNs from `base` on.
        NACK,   ///< The packet was trimmed and is to be sent again.
    };

    Kind kind{Kind::NONE};
    Psn base;                  ///< Of a report: the PSN of the bitmap's first bit.
    uint64_t receivedBytes{0}; ///< Of a report: wire bytes of all packets accepted so far.
};

/**
 * @ingroup rdma-multipath
 * @brief The receiving side of a queue pair whose packets take several routes: when it
 * acknowledges, and what it reports.
 *
 * The responder places packets and keeps the bitmap; it calls OnPacket() for each packet that it
 * accepts, has already, or cannot accept because it was trimmed.  One instance per queue pair, made
 * by Fork() from a prototype that carries the attributes.
 */
class ReceiverControl : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return a new object of the same class.
    virtual Ptr<ReceiverControl> Fork() const = 0;
    virtual ReceiverAnswer OnPacket(const ArrivedPacket& packet) = 0;
};

} // namespace ns3::rdma

#endif // RDMA_RECEIVER_CONTROL_H
