// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LOSS_RECOVERY_H
#define RDMA_LOSS_RECOVERY_H

#include "ns3/nstime.h"
#include "ns3/policy-hints.h"
#include "ns3/psn.h"
#include "ns3/tick.h"

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/// The packets that a requester has sent and not seen acknowledged.
struct SendWindow
{
    Psn unacked; ///< The oldest.
    Psn next;    ///< One past the newest.

    uint32_t GetCount() const
    {
        return static_cast<uint32_t>(next - unacked);
    }

    bool Contains(Psn psn) const
    {
        return !psn.IsBefore(unacked) && psn.IsBefore(next);
    }
};

/// When an answer came.
struct AnswerTiming
{
    Time now; ///< Arrival at the requester.
    Time rtt; ///< Since the packet that it answers left; each sending of a packet counts anew.
};

/// A responder says that something is missing.
struct NackEvent
{
    Psn expected;                 ///< All before it have arrived.
    std::optional<Psn> selective; ///< This one has arrived too, out of order.
    AnswerTiming timing{};
};

/// Packets to send again: of the window, oldest first.
using ResendList = boost::container::small_vector<PsnRange, 2>;

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
 * @brief Decides which packets are lost and how long to wait for an acknowledgment, not when they
 * leave.
 *
 * The queue pair reports acknowledgments in the order in which they arrive and executes the
 * answers; it keeps the retransmission timer, restarted by each new acknowledgment and stopped when
 * the window is empty.  One instance per queue pair, made by Fork() from a prototype that carries
 * the attributes.
 */
class LossRecovery : public PolicyHints
{
  public:
    static TypeId GetTypeId();

    /// @return a new object of the same class.
    virtual Ptr<LossRecovery> Fork() const = 0;
    virtual ResponderRules GetResponderRules() const = 0;

    /// The queue pair's own timeout attribute, if it has one. Default: ignored.
    /// @param timeout 4.096 us x 2^n; Time::Max(): never
    virtual void SetAckTimeout(Time timeout);

    /// @param window empty while only READ responses are awaited
    /// @param retries expiries in a row without progress; @return above zero; Time::Max(): never
    virtual Time GetTimeout(const SendWindow& window, uint32_t retries) const = 0;

    /// @return when a timer that was started then expires, after that. Default: when the timeout is
    /// over. @param timeout of GetTimeout(); not Time::Max()
    virtual Tick GetExpiry(Tick start, Tick timeout) const;

    /// @return queue pairs that a NIC with it holds at most; they have state beside their own.
    /// Default: any number.
    virtual uint32_t GetMaxQueuePairs() const;

    /// Packets have left, for the first time or again. Default: ignored.
    virtual void OnSent(const PsnRange& packets, Time now);

    /// All before window.unacked is newly acknowledged. Default: nothing is to be sent again.
    /// @param window may be empty
    virtual ResendList OnAck(const SendWindow& window, const AnswerTiming& timing);

    /// @param window already without what nack.expected acknowledges
    virtual ResendList OnNack(const NackEvent& nack, const SendWindow& window) = 0;

    /// The timer has expired. @param window not empty
    virtual ResendList OnTimeout(const SendWindow& window, Time now) = 0;

    /// The receiver was not ready for window.unacked. Default: all is sent again.
    virtual ResendList OnRnrNak(const SendWindow& window);

    /// window.unacked has arrived, its response has not. Default: all is sent again.
    virtual ResendList OnMissingResponse(const SendWindow& window);
};

} // namespace ns3::rdma

#endif // RDMA_LOSS_RECOVERY_H
