// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LOSS_DETECTOR_H
#define RDMA_LOSS_DETECTOR_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/report.h"
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

/// Contents of one acknowledgment.
struct AckReport
{
    Psn cumulative; ///< The next PSN that the receiver expects.
    /// Of the receiver, by this answer: the bitmap is empty if the wire format has no selective
    /// PSN.
    Report received;
    Psn cause;  ///< The packet that caused the report; a NAK of IBTA has the expected PSN only.
    Time rtt;   ///< Since the last transmission of that packet.
    bool isNak; ///< A later packet has arrived before the expected one.

    // Only if the receiver sends reports (ReceiverControl).
    bool isTrimmed{false};   ///< A switch has removed the payload of `cause`.
    bool isProbe{false};     ///< It answers a probe; `rtt` is that of the probe.
    bool hasRtt{false};      ///< `rtt` is that of a known transmission.
    bool isAllSent{false};   ///< No packet waits for its first transmission.
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

/// Properties of a loss detector that do not change.
struct DetectorTraits
{
    ResponderRules responder{};
    /// Packets that the receiver holds out of order are in flight until they are acknowledged in
    /// order, so that they fill the window.
    bool windowCountsHeld{false};
    /// A packet whose trim notice has arrived is lost even if OnReport() does not return it.  If
    /// not, such a packet stays in flight until a report or the timer.
    bool resendsTrimmed{true};
    /// OnSent() has an effect: false saves a call per packet. Speed only
    /// (docs/extend/speed-hints.md).
    bool needsOnSent{true};
};

/// Reasons other than a report to look for losses.
enum class LossTrigger : uint8_t
{
    TIMEOUT,          ///< The RetransmissionTimeout has expired for Scoreboard::GetLongestOut().
    RNR_NAK,          ///< The receiver was not ready for the oldest packet.
    MISSING_RESPONSE, ///< The oldest packet has arrived, but its response is missing.
    DEADLINE,         ///< The time of NextLook::deadline. The window may be empty.
    PROBE,            ///< A probe leaves at NextLook::probe. The window may be empty.
};

/// What a loss detector needs next.
struct NextLook
{
    /// Time of the trigger DEADLINE; later than now after that trigger. Time::Max(): never.
    Time deadline{Time::Max()};
    /// Time at which a probe requests a report of the receiver; later than now after the trigger
    /// PROBE. Time::Max(): never. Only with a receiver that sends reports; read after OnReport()
    /// and after the trigger PROBE, while packets are in flight.
    Time probe{Time::Max()};
    /// OnReport() has an effect for a report that is no NAK: false saves these calls until the next
    /// call of another function. Speed only.
    bool needsAcks{true};
    /// Lost packets are sent again beyond the window of congestion control. Only with a receiver
    /// that sends reports; read at each attempt to send one.
    bool resendsBeyondWindow{false};
};

/**
 * @ingroup rdma-recovery
 * @brief Decides which packets are lost. The transport decides when they are sent again, and
 * RetransmissionTimeout how long to wait for an answer.
 *
 * The requester reports acknowledgments in the order in which they arrive and sends the returned
 * packets again. The scoreboard passed to a call already includes the report; a packet returned as
 * lost is then not held.  One instance per queue pair, made by Fork() from a prototype that carries
 * the attributes.
 *
 * Trims: the trim notice of a packet is a report with isTrimmed.  The packet is then lost and is
 * sent again, whatever OnReport() returns, unless DetectorTraits::resendsTrimmed is false.
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

    /// Called at any time, of prototypes, too. @return always the same
    virtual DetectorTraits GetTraits() const = 0;

    /// Packets are sent, for the first time or again. Default: ignored.
    virtual void OnSent(const PacketDeparture& packet);

    /// An acknowledgment has arrived that is a NAK or acknowledges something new in order.
    /// @param board may be empty
    virtual LostPackets OnReport(const AckReport& report, const Scoreboard& board, Time now) = 0;

    /// Default: after DEADLINE and PROBE none, otherwise all packets that the receiver does not
    /// hold. @param board not empty after TIMEOUT
    /// @return the packets that are lost; after TIMEOUT none: the detector waits for the answer to
    /// a probe, and the timer starts anew. Only with a receiver that sends reports.
    virtual LostPackets OnTrigger(LossTrigger trigger, const Scoreboard& board, Time now);

    /// Read after each other call, unless a field has other times. Default: as NextLook.
    virtual NextLook GetNextLook() const;

  protected:
    /// As that of CongestionControl.
    LossDetector& operator=(const LossDetector&)
    {
        return *this;
    }
};

} // namespace ns3::rdma

#endif // RDMA_LOSS_DETECTOR_H
