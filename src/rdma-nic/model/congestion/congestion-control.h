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

/// What the responder must send back for an algorithm to work.
enum class Feedback
{
    NONE,
    CNP,      ///< Congestion notification packets, paced by the responder.
    ECN_ECHO, ///< A bit in each acknowledgment: a packet that it covers carried CE.
    INT,      ///< The same, and what the switch ports wrote into the packet that it answers.
};

/// Where a queue pair's packets go.
struct PathInfo
{
    DataRate lineRate; ///< Of the sending port.
    Time baseRtt;      ///< Longest round trip in the empty network, one full packet and its ACK.
    uint32_t mtuBytes; ///< Payload of a full packet.
    /// As baseRtt, between this queue pair's two ends; baseRtt itself unless UsesOwnPath().
    Time ownRtt{};
    uint32_t hops{0}; ///< Switches between them; 0 unless UsesOwnPath().

    /// @return line rate times base RTT, bytes.
    uint64_t GetBdpBytes() const
    {
        // In integers: a double may fall short of a whole number of bytes.
        return static_cast<uint64_t>(static_cast<Uint128>(lineRate.GetBitRate()) *
                                     static_cast<uint64_t>(baseRtt.GetPicoSeconds()) /
                                     BIT_PS_PER_BYTE);
    }
};

/// Above any real rate, below what a negative number becomes. Made once: ns-3's DataRate is not
/// constructed inline.
inline const DataRate UNLIMITED_RATE{std::numeric_limits<int64_t>::max()};

/// All bounds hold at once; a scheme based on rates leaves the window open, and the other way
/// round.
struct SendLimit
{
    /// At the wire, headers included; above zero. Unlimited unless set.
    DataRate rate{UNLIMITED_RATE};
    /// Payload in flight; at least 1, since one packet may always be in flight.
    uint64_t windowBytes{std::numeric_limits<uint64_t>::max()};
    /// When to call OnDeadline(), unless another event moves it; not before now, and after
    /// OnDeadline() later than now.
    Time deadline{Time::Max()};
};

/// One acknowledgment, reduced to what algorithms read.
struct AckEvent
{
    Time now;               ///< Arrival at the requester.
    Time rtt;               ///< Since the packet that it answers left.
    uint64_t ackedBytes;    ///< Payload newly acknowledged, in order.
    uint64_t inFlightBytes; ///< Payload sent and not yet acknowledged, after this one.
    bool isCeEchoed;        ///< At least one covered packet carried CE.

    uint64_t markedBytes{0}; ///< Of ackedBytes, those that an echo of CE covers.
    uint64_t unsentBytes{0}; ///< Payload posted and not yet sent for the first time.
    /// Of rtt: from the port of arrival to the port for the answer, and from there to here. 0 if
    /// hardware takes no time.
    Time hostTime{};
    const IntStack* path{nullptr}; ///< Only with Feedback::INT; null: the answer has none.

    /// @return of rtt: on links and in switches; the sender's way out, from the time stamp on, and
    /// queues of both NICs' ports are in it.
    Time GetFabricTime() const
    {
        return rtt - hostTime;
    }
};

/// Packets that loss recovery takes for lost.
struct LossEvent
{
    Time now;
    uint64_t lostBytes;     ///< Payload that is to be sent again.
    uint64_t inFlightBytes; ///< Payload sent and not yet acknowledged, lostBytes included.
    uint32_t expiries{0};   ///< Of the retransmission timer in a row.
};

/**
 * @ingroup rdma-cc
 * @brief Decides how fast one queue pair may send, and how much may be in flight.
 *
 * A state machine over events, without clock, timers or packets.  The queue pair calls Start()
 * first and once, then reports events in time order, and applies GetLimit() after each (of OnSent()
 * only if it says so).  One instance per queue pair, made by Fork() from a prototype that carries
 * the attributes.
 */
class CongestionControl : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return a new object of the same class.
    virtual Ptr<CongestionControl> Fork() const = 0;
    virtual Feedback GetNeededFeedback() const = 0;
    /// @return whether Start() needs PathInfo::ownRtt and hops, which cost a look at each port of
    /// the path per queue pair; called on the prototype. Default: false.
    virtual bool UsesOwnPath() const;
    virtual void Start(const PathInfo& path, Time now) = 0;
    virtual void OnAck(const AckEvent& ack);
    virtual void OnCnp(Time now);
    /// @param wireBytes of a data packet that was sent, headers included
    /// @return whether GetLimit() may say something new: asking after each packet would cost.
    /// Default: false.
    virtual bool OnSent(uint32_t wireBytes, Time now);
    /// @return whether OnSent() does anything: false spares the call per packet
    /// (docs/speed-hints.md). Called once, after Start(). Default: true.
    virtual bool NeedsOnSent() const;
    /// An answer shows that packets are lost; before the OnAck() of the same answer.
    virtual void OnLoss(const LossEvent& loss);
    /// The retransmission timer has expired, and the queue pair goes on.
    virtual void OnTimeout(const LossEvent& loss);
    virtual void OnDeadline(Time now);
    virtual SendLimit GetLimit() const = 0;
};

} // namespace ns3::rdma

#endif // RDMA_CONGESTION_CONTROL_H
