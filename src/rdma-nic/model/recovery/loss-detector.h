// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LOSS_DETECTOR_H
#define RDMA_LOSS_DETECTOR_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/scoreboard.h"

#include <cstdint>

namespace ns3::rdma
{

/// Packets that leave now.
struct PacketDeparture
{
    PsnRange psns; ///< More than one for a READ request.
    bool isRetransmission;
    Time now;
};

/// Up to 64 PSNs that the receiver holds out of order. A cleared bit says nothing.
struct SackBitmap
{
    Psn base;         ///< The PSN of bit 0.
    uint64_t bits{0}; ///< Bit 0 first.

    bool IsEmpty() const
    {
        return bits == 0;
    }

    /// @return the last PSN of it. Not if empty.
    Psn GetNewest() const
    {
        uint32_t last = 0;
        for (uint64_t rest = bits >> 1; rest != 0; rest >>= 1)
        {
            ++last;
        }
        return base + last;
    }
};

/// What one acknowledgment says.
struct AckReport
{
    Psn cumulative;       ///< The next PSN that the receiver expects.
    SackBitmap selective; ///< Held beyond it; empty if the wire format has no selective PSN.
    Psn cause;  ///< The packet that caused the report; IBTA's NAK names the expected one only.
    Time rtt;   ///< Since that packet left; each sending of a packet counts anew.
    bool isNak; ///< A packet has arrived before the expected one.
};

/// What a responder does with packets that come out of order.
struct ResponderRules
{
    /// How far ahead of the expected PSN a packet may be and still be kept; 0: none is kept, and
    /// one NAK is sent per gap.  Otherwise each packet out of order is answered.
    uint32_t outOfOrderWindow{0};
    /// Whether READ responses have PSNs and acknowledgments of their own, so that they are sent as
    /// WRITEs are (IRN section 5.2, SRNIC section 4.4.1); otherwise they use the PSNs of their
    /// request and are requested again (IBTA).
    bool acknowledgesReads{false};
};

/**
 * @ingroup rdma-recovery
 * @brief Decides which packets are lost. When they leave belongs to the transport, and how long to
 * wait for an answer to RetransmissionTimeout.
 *
 * The requester reports acknowledgments in the order in which they arrive and sends the returned
 * packets again. The scoreboard of a call has the report's news already; a packet that is returned
 * as lost is no longer held. A detector may have a deadline, for what no report shows.  One
 * instance per queue pair, made by Fork() from a prototype that carries the attributes.
 */
class LossDetector : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return a new object of the same class.
    virtual Ptr<LossDetector> Fork() const = 0;

    virtual ResponderRules GetResponderRules() const = 0;

    /// @return whether packets that the receiver holds out of order are in flight until they are
    /// acknowledged in order, so that they fill the window. Called once. Default: no.
    virtual bool WindowCountsHeld() const;

    /// Packets leave, for the first time or again. Default: ignored.
    virtual void OnSent(const PacketDeparture& packet);

    /// An acknowledgment has arrived that is a NAK or acknowledges something new in order.
    /// @param board may be empty
    virtual LostPackets OnReport(const AckReport& report, const Scoreboard& board, Time now) = 0;

    /// GetDeadline() has come. Default: nothing is lost. @param board may be empty
    virtual LostPackets OnDeadline(const Scoreboard& board, Time now);

    /// @return when to call OnDeadline(), read after each other call; after OnDeadline() it must be
    /// later. Time::Max(): never. Default: never.
    virtual Time GetDeadline() const;

    /// The RetransmissionTimeout is over. Default: all that the receiver does not hold.
    /// @param board not empty
    virtual LostPackets OnTimeout(const Scoreboard& board, Time now);

    /// The receiver was not ready for the oldest packet. Default: as OnTimeout().
    virtual LostPackets OnRnrNak(const Scoreboard& board);

    /// The oldest packet has arrived, its response has not. Default: as OnTimeout().
    virtual LostPackets OnMissingResponse(const Scoreboard& board);

    /// @return whether OnSent() does anything: false spares the call per packet. Called once, when
    /// the queue pair starts to send. Default: true. Speed only (docs/speed-hints.md).
    virtual bool NeedsOnSent() const;

    /// @return whether OnReport() does anything for a report that is no NAK, until the next call of
    /// another kind: false spares the calls until then. Called at the start and after each other
    /// call. Default: true. Speed only.
    virtual bool NeedsOnAck() const;
};

} // namespace ns3::rdma

#endif // RDMA_LOSS_DETECTOR_H
