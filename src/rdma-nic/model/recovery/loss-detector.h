// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LOSS_DETECTOR_H
#define RDMA_LOSS_DETECTOR_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/scoreboard.h"

#include <cstdint>

namespace ns3::rdma
{

/// Packets that are being sent.
struct PacketDeparture
{
    PsnRange psns; ///< More than one for a READ request.
    bool isRetransmission;
    Time now;
};

/// Up to 64 PSNs that the receiver holds out of order. A cleared bit has no meaning.
struct SackBitmap
{
    Psn base;         ///< The PSN of bit 0.
    uint64_t bits{0}; ///< Bit 0 first.

    bool IsEmpty() const
    {
        return bits == 0;
    }

    /// @return the last PSN whose bit is set. Only if not empty.
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

/// Contents of one acknowledgment.
struct AckReport
{
    Psn cumulative; ///< The next PSN that the receiver expects.
    /// PSNs held beyond cumulative; empty if the wire format has no selective PSN.
    SackBitmap selective;
    Psn cause;  ///< The packet that caused the report; a NAK of IBTA has the expected PSN only.
    Time rtt;   ///< Since the last transmission of that packet.
    bool isNak; ///< A later packet has arrived before the expected one.

    // Only if the receiver sends reports (ReceiverControl).
    bool isTrimmed{false};   ///< A switch has removed the payload of `cause`.
    bool isProbe{false};     ///< It answers a probe; `rtt` is that of the probe.
    bool hasRtt{false};      ///< `rtt` is that of a known transmission.
    bool isAllSent{false};   ///< No packet waits for its first transmission.
    uint32_t held{0};        ///< Packets that the receiver holds out of order.
    uint64_t windowBytes{0}; ///< Limit of congestion control, on the wire.
    uint32_t packetBytes{0}; ///< Payload of a full packet.
    Time baseRtt{};          ///< As PathInfo::baseRtt.
};

/// Treatment of packets out of order by a responder.
struct ResponderRules
{
    /// Maximum distance from the expected PSN at which a packet is kept. 0: no packet is kept, and
    /// one NAK is sent per gap.  Otherwise each packet out of order is answered.
    uint32_t outOfOrderWindow{0};
    /// Whether READ responses have their own PSNs and acknowledgments and are retransmitted like
    /// WRITEs (IRN section 5.2, SRNIC section 4.4.1); otherwise they use the PSNs of their request
    /// and are requested again (IBTA).
    bool acknowledgesReads{false};
};

/**
 * @ingroup rdma-recovery
 * @brief Decides which packets are lost. The transport decides when they are sent again, and
 * RetransmissionTimeout how long to wait for an answer.
 *
 * The requester reports acknowledgments in the order in which they arrive and sends the returned
 * packets again. The scoreboard passed to a call already includes the report; a packet returned as
 * lost is then not held. A detector may have a deadline, for losses that no report shows.  One
 * instance per queue pair, made by Fork() from a prototype that carries the attributes.
 */
class LossDetector : public Object
{
  public:
    static TypeId GetTypeId();

    LossDetector() = default;
    LossDetector(const LossDetector&) = default;

    /// @return a new object of the same class.
    virtual Ptr<LossDetector> Fork() const = 0;

    /// As CongestionControl::Restart().
    virtual bool Restart(const LossDetector& prototype);

    virtual ResponderRules GetResponderRules() const = 0;

    /// @return whether packets that the receiver holds out of order are in flight until they are
    /// acknowledged in order, so that they fill the window. Called once. Default: no.
    virtual bool WindowCountsHeld() const;

    /// Packets are sent, for the first time or again. Default: ignored.
    virtual void OnSent(const PacketDeparture& packet);

    /// An acknowledgment has arrived that is a NAK or acknowledges something new in order.
    /// @param board may be empty
    virtual LostPackets OnReport(const AckReport& report, const Scoreboard& board, Time now) = 0;

    /// The time of GetDeadline() has been reached. Default: no packet is lost.
    /// @param board may be empty
    virtual LostPackets OnDeadline(const Scoreboard& board, Time now);

    /// @return when to call OnDeadline(), read after each other call; after OnDeadline() it must be
    /// later. Time::Max(): never. Default: never.
    virtual Time GetDeadline() const;

    /// @return when to ask the receiver for a report by a probe, read after each OnReport() while
    /// packets are in flight; after OnProbe() it must be later. Time::Max(): never. Default: never.
    virtual Time GetProbeTime() const;

    /// A probe leaves, since the time of GetProbeTime() has been reached. Default: ignored.
    virtual void OnProbe(Time now);

    /// The RetransmissionTimeout has expired, with reports for Scoreboard::GetLongestOut().
    /// Default: all packets that the receiver does not hold.
    /// @param board not empty
    /// @return none: the detector waits for the answer to a probe, and the timer starts anew; only
    /// with a receiver that sends reports
    virtual LostPackets OnTimeout(const Scoreboard& board, Time now);

    /// The receiver was not ready for the oldest packet. Default: as OnTimeout().
    virtual LostPackets OnRnrNak(const Scoreboard& board);

    /// The oldest packet has arrived, but its response is missing. Default: as OnTimeout().
    virtual LostPackets OnMissingResponse(const Scoreboard& board);

    /// @return whether lost packets are sent again beyond the window of congestion control; only
    /// with a receiver that sends reports. Default: no.
    virtual bool ResendsBeyondWindow() const;

    /// @return whether a packet whose trim notice has arrived is lost even if OnReport() does not
    /// return it. If not, such a packet stays in flight until a report or the timer. Default: yes.
    virtual bool ResendsTrimmed() const;

    /// @return whether OnSent() has an effect: false saves a call per packet. Called once, when the
    /// queue pair starts to send. Default: true. Speed only (docs/extend/speed-hints.md).
    virtual bool NeedsOnSent() const;

    /// @return whether OnReport() has an effect for a report that is no NAK: false saves these
    /// calls until a function other than OnReport() is called. Called at the start and after each
    /// such function. Default: true. Speed only.
    virtual bool NeedsOnAck() const;

  protected:
    /// As that of CongestionControl.
    LossDetector& operator=(const LossDetector&)
    {
        return *this;
    }
};

} // namespace ns3::rdma

#endif // RDMA_LOSS_DETECTOR_H
