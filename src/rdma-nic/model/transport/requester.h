// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REQUESTER_H
#define RDMA_REQUESTER_H

#include "ns3/congestion-control.h"
#include "ns3/frame.h"
#include "ns3/loss-recovery.h"
#include "ns3/packet-ranges.h"
#include "ns3/send-queue.h"
#include "ns3/work-completion.h"

#include <boost/container/small_vector.hpp>

namespace ns3::rdma
{

/// What a requester is made with.
struct RequesterConfig
{
    Ptr<CongestionControl> congestionControl; ///< Its own instance.
    Ptr<LossRecovery> lossRecovery;           ///< Its own instance.
    PathInfo path;
    uint64_t flightCapBytes; ///< Payload in flight at most (IRN's BDP-FC).
    uint32_t retryCount;     ///< Timer expiries in a row before it gives up.
    uint32_t initialPsn;     ///< 24 bits.
};

/// Counts of one requester.
struct RequesterStats
{
    uint64_t packets{0};       ///< Sent for the first time.
    uint64_t retransmitted{0}; ///< Sent again.
    uint64_t timeouts{0};
};

/// Work requests that ended, oldest first.
using Completions = boost::container::small_vector<std::pair<uint64_t, WcStatus>, 1>;

/**
 * @ingroup rdma-transport
 * @brief The sending half of a reliable connection: which packet is next, and what is acknowledged.
 *
 * Joins the send queue, the window of unacknowledged packets, loss recovery, congestion control and
 * the retransmission timer (IBTA Vol. 1, Section 9.9.2).  Has no clock and sends nothing: the NIC
 * asks when the next packet may leave, takes it, and calls OnDeadline() at GetDeadline().
 *
 * Retransmissions go before new packets.  They are paced like new ones but not held back by the
 * window, since what they replace is counted in it already.
 */
class Requester
{
  public:
    Requester(const RequesterConfig& config, Tick now);

    void Post(uint64_t wrId, uint64_t bytes);

    /// @return when the next packet may leave; TICK_NEVER if an acknowledgment must come first.
    Tick GetNextSendTime() const
    {
        return CanSend() ? m_nextSendTime : TICK_NEVER;
    }

    /// The next packet to leave. Only when GetNextSendTime() has come.
    struct Outgoing
    {
        PacketPlan plan;
        Psn psn;
        bool isRetransmission;
    };

    Outgoing TakeNext();

    /// The packet just taken leaves now with this size on the wire, overhead included.
    void OnSent(const Outgoing& packet, uint32_t wireBytes, Tick now);

    /// An ACK or NAK frame arrives. @return the work requests that it completes.
    Completions OnAck(const Frame& frame, Tick now);

    void OnCnp(Tick now);

    /// @return the earlier of the retransmission timer and congestion control's deadline.
    Tick GetDeadline() const;

    /// GetDeadline() has come. @return work requests that end in error: the connection is broken.
    Completions OnDeadline(Tick now);

    bool IsBroken() const
    {
        return m_isBroken;
    }

    const RequesterStats& GetStats() const
    {
        return m_stats;
    }

    uint64_t GetInFlightBytes() const
    {
        return m_sentBytes - m_ackedBytes;
    }

    /// @return payload acknowledged in order, over all messages.
    uint64_t GetAcknowledgedBytes() const
    {
        return m_ackedBytes;
    }

    const CongestionControl& GetCongestionControl() const;

  private:
    bool CanSend() const;
    SendWindow GetWindow() const;
    void TakeLimit();
    bool Advance(uint64_t acknowledged, Completions& completions);
    void Resend(const ResendList& list);
    Tick GetTimerEnd() const; ///< By what is in flight now.
    void RestartTimer(Tick now);
    Completions Break();

    SendQueue m_queue;
    uint64_t m_unacked;        ///< Oldest packet not acknowledged.
    uint64_t m_next;           ///< Next new packet.
    uint64_t m_sentBytes{0};   ///< Payload before m_next.
    uint64_t m_ackedBytes{0};  ///< Payload before m_unacked.
    uint64_t m_windowBytes{0}; ///< What may be in flight.
    Tick m_nextSendTime{0};
    Tick m_timerStart{0};
    Tick m_retransmitAt{TICK_NEVER};
    Tick m_reviewAt{TICK_NEVER}; ///< Congestion control's deadline.
    PacketRanges m_resend;
    uint32_t m_retries{0};
    bool m_isPaced{false}; ///< Below line rate.
    bool m_isBroken{false};
    SerializationRate m_pace;
    DataRate m_rate;
    RequesterConfig m_config;
    RequesterStats m_stats;
};

} // namespace ns3::rdma

#endif // RDMA_REQUESTER_H
