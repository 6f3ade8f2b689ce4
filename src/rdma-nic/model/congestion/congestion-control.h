// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CONGESTION_CONTROL_H
#define RDMA_CONGESTION_CONTROL_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/tick.h"
#include "ns3/wide-integer.h"

#include <cstdint>
#include <limits>

namespace ns3::rdma
{

class IntStack;

/// Feedback that an algorithm needs from the responder.
enum class Feedback
{
    NONE,
    CNP,      ///< Congestion notification packets, paced by the responder.
    ECN_ECHO, ///< A bit in each acknowledgment: a covered packet carried CE.
    INT,      ///< As ECN_ECHO, and the records of the switch ports in the answered packet.
};

/// Path of a queue pair's packets.
struct PathInfo
{
    DataRate lineRate; ///< Of the sending port.
    Time baseRtt;      ///< Longest round trip in the empty network, one full packet and its ACK.
    uint32_t mtuBytes; ///< Payload of a full packet.
    /// Round trip of the same packets between the queue pair's two ends; equal to baseRtt unless
    /// UsesOwnPath().
    Time ownRtt{};
    uint32_t hops{0}; ///< Switches between the two ends; 0 unless UsesOwnPath().
    /// Bytes of a full packet from its MAC address to the last before the FCS; 0: unknown.
    uint32_t packetBytes{0};

    /// @return line rate times base RTT, bytes.
    uint64_t GetBdpBytes() const
    {
        // Computed in integers, since a double may be rounded to less than a whole number of bytes.
        return static_cast<uint64_t>(static_cast<Uint128>(lineRate.GetBitRate()) *
                                     static_cast<uint64_t>(baseRtt.GetPicoSeconds()) /
                                     BIT_PS_PER_BYTE);
    }
};

/// Above any real rate, and below a negative number converted to uint64_t. Constructed once, since
/// the constructor of ns-3's DataRate is not inline.
inline const DataRate UNLIMITED_RATE{std::numeric_limits<int64_t>::max()};

/// Limits of a queue pair; all apply together. A rate-based scheme leaves the window unlimited, a
/// window-based scheme the rate.
struct SendLimit
{
    /// On the wire, headers included; above zero. Default: unlimited.
    DataRate rate{UNLIMITED_RATE};
    /// Payload in flight, or bytes counted as AckEvent::receivedBytes if the receiver sends
    /// reports; at least 1. One packet may always be in flight.
    uint64_t windowBytes{std::numeric_limits<uint64_t>::max()};
    /// When to call OnDeadline(), unless another event changes it. Not in the past; after
    /// OnDeadline() later than now.
    Time deadline{Time::Max()};
};

/// One acknowledgment, reduced to what algorithms read.
struct AckEvent
{
    Time now;               ///< Arrival at the requester.
    Time rtt;               ///< Since the answered packet left.
    uint64_t ackedBytes;    ///< Payload newly acknowledged, in order.
    uint64_t inFlightBytes; ///< Payload sent and not acknowledged, after this acknowledgment.
    bool isCeEchoed;        ///< At least one covered packet carried CE.

    uint64_t markedBytes{0}; ///< Part of ackedBytes that is covered by an echo of CE.
    uint64_t unsentBytes{0}; ///< Payload posted and not yet sent for the first time.
    /// Part of rtt in hosts: at the responder, from the packet's arrival to the answer at its port;
    /// at the requester, from the answer's arrival to this event. 0 if hardware is not timed.
    Time hostTime{};
    const IntStack* path{nullptr}; ///< Only with Feedback::INT; null: the answer has none.

    // Only if the receiver sends reports (ReceiverControl); inFlightBytes then counts as these do.
    /// Growth of the receiver's counter since the last report, bytes from MAC address to the last
    /// before the FCS.
    uint64_t receivedBytes{0};
    /// Whether rtt belongs to one transmission: the packet was never sent again, or once and the
    /// answer is to that one.
    bool hasRtt{true};

    /// @return the part of rtt on links and in switches. It includes the sender's path from the
    /// time stamp to its port, and the queues of both NICs' ports.
    Time GetFabricTime() const
    {
        return rtt - hostTime;
    }
};

/// Packets that loss recovery considers lost.
struct LossEvent
{
    Time now;
    uint64_t lostBytes;     ///< Payload that is to be sent again.
    uint64_t inFlightBytes; ///< Payload sent and not yet acknowledged, lostBytes included.
    uint32_t expiries{0};   ///< Consecutive expiries of the retransmission timer.
};

/// A switch has removed the payload of a packet. Only if the receiver sends reports.
struct TrimEvent
{
    Time now;
    uint32_t packetBytes;   ///< Of the packet, from MAC address to the last before the FCS.
    uint64_t inFlightBytes; ///< Before this event, the packet included.
    bool isLastHop;         ///< The switch in front of the receiver did it.
    /// Since the packet left, without the time in hosts; Time::Max() unless it belongs to one
    /// transmission.
    Time rtt{Time::Max()};
};

/**
 * @ingroup rdma-cc
 * @brief Decides how fast one queue pair may send, and how much may be in flight.
 *
 * A state machine over events, without clock, timers or packets.  The queue pair calls Start()
 * once, then reports events in time order, and applies GetLimit() after each event (after OnSent()
 * only if it returns true).  One instance per queue pair, made by Fork() from a prototype that has
 * the attributes.
 */
class CongestionControl : public Object
{
  public:
    static TypeId GetTypeId();

    CongestionControl() = default;
    CongestionControl(const CongestionControl&) = default;

    /// @return a new object of the same class.
    virtual Ptr<CongestionControl> Fork() const = 0;
    /// Becomes equal to a new fork of the prototype, so that another queue pair can use this
    /// object. Speed only (docs/extend/speed-hints.md): a class whose forks hold nothing of their
    /// own may derive from Restarts. Default: false, with nothing changed.
    virtual bool Restart(const CongestionControl& prototype);
    virtual Feedback GetNeededFeedback() const = 0;
    /// @return whether Start() needs PathInfo::ownRtt and hops, for which each port of the path is
    /// visited once per queue pair. Called on the prototype. Default: false.
    virtual bool UsesOwnPath() const;
    virtual void Start(const PathInfo& path, Time now) = 0;
    virtual void OnAck(const AckEvent& ack);
    virtual void OnCnp(Time now);
    /// @param wireBytes of a data packet that was sent, headers included
    /// @return whether GetLimit() may have changed, so that it must be called. Default: false.
    virtual bool OnSent(uint32_t wireBytes, Time now);
    /// @return whether OnSent() has an effect: false saves a call per packet
    /// (docs/extend/speed-hints.md). Called once, after Start(). Default: true.
    virtual bool NeedsOnSent() const;
    /// An answer shows that packets are lost. Called before OnAck() of the same answer.
    virtual void OnLoss(const LossEvent& loss);
    /// A report names a packet whose payload was removed. Default: ignored.
    virtual void OnTrim(const TrimEvent& trim);
    /// The retransmission timer has expired, and the queue pair continues.
    virtual void OnTimeout(const LossEvent& loss);
    virtual void OnDeadline(Time now);
    virtual SendLimit GetLimit() const = 0;

  protected:
    /// Leaves the ns-3 object as it is, so that the assignment of a derived class copies the state
    /// of its algorithm alone.
    CongestionControl& operator=(const CongestionControl&)
    {
        return *this;
    }
};

} // namespace ns3::rdma

#endif // RDMA_CONGESTION_CONTROL_H
