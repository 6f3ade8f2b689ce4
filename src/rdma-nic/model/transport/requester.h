// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REQUESTER_H
#define RDMA_REQUESTER_H

#include "ns3/cumulative-flight.h"
#include "ns3/flight-state.h"
#include "ns3/frame.h"
#include "ns3/placement.h"
#include "ns3/slab.h"

#include <algorithm>
#include <vector>

namespace ns3::rdma
{

/// Counts of one requester.
struct RequesterStats
{
    void Add(const RequesterStats& other)
    {
        packets += other.packets;
        retransmitted += other.retransmitted;
        timeouts += other.timeouts;
        idleTimeouts += other.idleTimeouts;
        rnrNaks += other.rnrNaks;
        naks += other.naks;
        sentBytes += other.sentBytes;
        ackedBytes += other.ackedBytes;
        readBytes += other.readBytes;
    }

    uint64_t packets{0};       ///< Sent for the first time.
    uint64_t retransmitted{0}; ///< Sent again.
    uint64_t timeouts{0};      ///< Expiries of the retransmission timer.
    uint64_t idleTimeouts{0};  ///< Of these, expiries after which nothing was sent again.
    uint64_t rnrNaks{0};       ///< The receiver was not ready.
    uint64_t naks{0};          ///< Packets were missing.
    uint64_t sentBytes{0};     ///< Payload sent for the first time.
    uint64_t ackedBytes{0};    ///< Bytes of these acknowledged in order.
    uint64_t readBytes{0};     ///< Payload of READ responses that have arrived, each byte once.
};

/**
 * @ingroup rdma-transport
 * @brief The sending half of a queue pair: selects the next packet and handles acknowledgments.
 *
 * It has the work requests, the retries and one Flight (IBTA Vol. 1, Section 9.9.2).  It has no
 * clock and sends nothing: the NIC reads when the next packet may leave, takes it, and calls
 * OnDeadline() at GetDeadline().  Retransmissions precede new packets and are paced like new ones.
 *
 * READs and atomics are acknowledged by their responses alone: an acknowledgment or response beyond
 * a missing response shows that it was lost (Section 9.7.5.1.1), and the request is sent again from
 * there.
 *
 * On UC and UD a message ends when its last packet has left.
 */
class alignas(64) Requester final : public InSlab<Requester>
{
  public:
    using Rules = FlightState::Rules;

    Requester(const RequesterParts& parts, const Rules& rules, Tick now);
    Requester(const RequesterConfig& config, Tick now);
    ~Requester();
    Requester(const Requester&) = delete;
    Requester& operator=(const Requester&) = delete;

    /// Posts a plain WRITE. @param bytes at least 1
    void Post(uint64_t wrId, uint64_t bytes)
    {
        m_state.window.Post(wrId, bytes, *m_state.rules);
    }

    /// Posts a request.
    /// @param status if not SUCCESS, the request ends with it, in order, without being sent
    void Post(const SendWorkRequest& request, WcStatus status);

    /// Posts a WRITE of any length, without memory. @param status as above
    void Post(const SendWorkRequest& request, WcStatus status, uint64_t bytes);

    /// Posts a READ response, which ends without completion.
    void PostResponse(uint64_t address, uint64_t bytes, uint32_t order);

    /// A doorbell makes posted requests visible to the NIC. Only if hasDoorbell.
    /// @param end of the requests that were posted when the host rang
    void Ring(uint64_t end)
    {
        m_state.window.Ring(end);
    }

    /// @return when the next packet may leave; TICK_NEVER if an acknowledgment must come first.
    Tick GetNextSendTime() const
    {
        if (!CanSend())
        {
            return TICK_NEVER;
        }
        const Tick readyAt = m_state.pacer.GetNextSendTime();
        const RareFlightState* rare = m_state.onDemand.FindRare();
        return rare ? std::max(readyAt, rare->receiverReadyAt) : readyAt;
    }

    /// Joins the queue of the NIC's pool if there is no entry for the next READ.
    /// @param owner of the event that is scheduled when there is an entry
    /// @param queuePair its argument
    void WaitForRead(uint32_t owner, uint32_t queuePair) const;

    /// Taken at GetNextSendTime() or later. @param plane by which the packet leaves
    /// @return the next packet to leave.
    [[gnu::always_inline]] OutgoingPacket TakeNext(Tick now, uint32_t plane = 0)
    {
        PacketWindow& window = m_state.window;
        const bool isRetransmission = window.HasLost();
        const uint64_t number = isRetransmission ? window.TakeLost() : window.GetNext();
        OutgoingPacket packet{window.GetQueue().Plan(number), Psn(number), isRetransmission};
        if (Flight* flight = m_state.FindFlight())
        {
            m_state.CallFlight("Flight::Prepare()",
                               [&] { flight->Prepare(packet, number, plane, now); });
        }
        if (packet.plan.count > 1)
        {
            // One request covers all of them.
            window.ForgetLostBefore(number + packet.plan.count);
        }
        return packet;
    }

    /// The packet just taken begins to leave.
    /// @param frameBytes Frame::wireBytes @param wireBytes the same with the link's overhead
    [[gnu::always_inline]] void OnSent(const OutgoingPacket& packet,
                                       uint32_t frameBytes,
                                       uint32_t wireBytes,
                                       Tick now)
    {
        if (Flight* flight = m_state.FindFlight())
        {
            m_state.CallFlight("Flight::OnSent()",
                               [&] { flight->OnSent(packet, frameBytes, now); });
        }
        if (packet.isRetransmission || packet.plan.count > 1)
        {
            CountSpecial(packet);
        }
        else
        {
            m_state.window.OnSent(packet.plan, *m_state.rules);
        }
        if (m_state.controlNeedsSent)
        {
            m_state.pacer.OnSent(wireBytes, *m_state.rules, now);
        }
        else
        {
            m_state.pacer.Pace(wireBytes, now);
        }
        if (m_state.detectorNeedsSent)
        {
            NotifyDetector(packet, now);
        }
        if (!m_state.rules->isReliable)
        {
            AwaitLeft(packet);
        }
        else if (!m_state.timer.IsRunning())
        {
            StartTimer(now);
        }
    }

    /// @return probes that leave now. Called after OnDeadline().
    std::vector<ReportProbe> TakeProbes();

    /// The last packet of a message has left, in the order of OnSent(). Only on unreliable
    /// services.
    /// @return the message, which ends by this.
    Completions OnLeft();

    /// An ACK or NAK frame arrives. @param detail null if it has none
    /// @return the work requests that it completes.
    Completions OnAck(const Frame& frame,
                      Tick now,
                      AnswerWay way = {},
                      const FrameDetail* detail = nullptr);

    /// A READ response or an ATOMIC ACK arrives. @param detail null if it has none
    /// @param[out] placement of a READ response that is accepted
    Completions OnResponse(const Frame& frame,
                           const FrameDetail* detail,
                           Tick now,
                           Placement& placement);

    /// Writes the payload of a new response packet of an acknowledged READ to local memory.
    /// @return the placement of the payload
    Placement PlaceReadData(const Frame& frame, const FrameDetail* detail);

    /// Responses of acknowledged READs have arrived completely.
    /// @param count of them in all, modulo 2^24
    Completions OnReadsDone(uint32_t count, Tick now);

    /// @return requests that end without being sent, in order: the queue pair has failed.
    Completions EndBadRequest();

    void OnCnp(Tick now);

    /// A READ response leaves, which is paced like requests.
    void OnResponseSent(uint32_t wireBytes, Tick now);

    /// @return whether the next packet may leave earlier than GetNextSendTime() returned after the
    /// last call.
    bool ConsumeEarlierSendTime()
    {
        const bool isSooner = m_state.isSooner;
        m_state.isSooner = false;
        return isSooner;
    }

    /// @return the earliest of the retransmission timer and the deadlines of congestion control, of
    /// the loss detector and of the flight.
    Tick GetDeadline() const
    {
        Tick deadline = std::min(m_state.timer.GetExpiry(), m_state.pacer.GetDeadline());
        if (m_state.hasLossDeadline)
        {
            deadline = std::min(deadline, m_state.onDemand.FindRare()->lossDeadline);
        }
        const Flight* const flight = m_state.isBroken ? nullptr : m_state.FindFlight();
        return flight ? std::min(deadline, flight->GetDeadline()) : deadline;
    }

    /// Called at GetDeadline(). @return work requests that end in error: the connection is broken.
    Completions OnDeadline(Tick now);

    /// Ends all requests. @param status of the oldest; the others are flushed
    Completions Break(WcStatus status);

    /// Applies changed attributes of the queue pair.
    void SetRules(const Rules& rules, Tick now);

    /// Sets whether no further message may begin (SQD).
    void SetDraining(bool isDraining);

    /// @return expiries of the retransmission timer in a row.
    uint32_t GetRetries() const
    {
        return m_state.timer.GetRetries();
    }

    bool IsBroken() const
    {
        return m_state.isBroken;
    }

    /// @return whether the NIC must check the requester after a call, besides reporting its
    /// completions.
    bool NeedsAttention() const
    {
        return m_state.window.GetQueue().HasSpecial() || m_state.isBroken ||
               m_state.window.IsDraining();
    }

    /// @return whether the response of a READ is awaited. @param order as in its packets
    bool IsReadUnderWay(uint32_t order) const;

    RequesterStats GetStats() const;

    /// @return its messages and packets. Valid until the requester changes.
    const PacketWindow& GetWindow() const
    {
        return m_state.window;
    }

    /// @return payload of the next messages visible to the NIC that the window allows, without
    /// retransmissions. @param messages how many at most
    uint64_t GetSendableBytes(uint32_t messages) const;

    /// @return as Flight::GetInFlightBytes().
    uint64_t GetInFlightBytes() const
    {
        return m_state.GetInFlightBytes();
    }

    /// @return null: acknowledgments are cumulative, and its packets take one route.
    const Flight* GetFlight() const
    {
        return m_state.FindFlight();
    }

    /// @return null: it has no entropy selector.
    EntropyRoutes* FindRoutes() const;

    /// @return payload acknowledged in order, over all messages.
    uint64_t GetAcknowledgedBytes() const
    {
        return m_state.window.GetAcknowledgedBytes();
    }

    const CongestionControl& GetCongestionControl() const
    {
        return m_state.pacer.GetCongestionControl();
    }

    /// @return its policies, to be kept when the queue pair ends.
    RequesterPolicies HoldPolicies() const;

    const Pacer& GetPacer() const
    {
        return m_state.pacer;
    }

    /// @return the rate that congestion control allows, at most that of the line.
    DataRate GetRate() const;

    /// Prefetches congestion control, whose address only this object has.
    [[gnu::always_inline]] void FetchPolicies() const
    {
        m_state.pacer.Fetch();
    }

  private:
    bool CanSend() const
    {
        return m_state.isCumulative ? CumulativeFlight::CanSend(m_state)
                                    : m_state.CallFlight("Flight::CanSend()", [&] {
                                          return m_state.onDemand.GetFlight().CanSend();
                                      });
    }

    // Parts of OnSent() that few packets need.
    void CountSpecial(const OutgoingPacket& packet);
    void NotifyDetector(const OutgoingPacket& packet, Tick now);
    void AwaitLeft(const OutgoingPacket& packet);
    void StartTimer(Tick now);

    void Break(WcStatus status, Completions& completions);
    /// All packets before a number are acknowledged, by an answer that is no report.
    bool Advance(uint64_t acknowledged, Completions& completions);
    void UpdateTimer(bool hasAdvanced, Tick now);
    void ReportAck(const Frame& frame, Tick now);
    void ReportNak(const Frame& frame, Tick now);
    /// Notifies congestion control of newly acknowledged payload.
    /// @param ackedBefore payload acknowledged before this answer
    void ReportProgress(const Frame& answer, uint64_t ackedBefore, AnswerWay way, Tick now);
    void OnNak(const Frame& frame, uint64_t refused, Completions& completions, Tick now);
    /// All requests before a number have arrived, but the response to one of them is missing.
    void OnArrivedUnanswered(uint64_t end, bool isReport);
    void OnMissingResponse(Tick now);
    void FailWhenDue(Completions& completions);
    /// Fails if OnDeadline() of a flight of a factory leaves a deadline that is reached.
    void CheckFlight(const Flight& flight, Tick now) const;
    [[noreturn, gnu::cold]] void FailDeadline(Tick now) const;

    FlightState m_state;
};

static_assert(sizeof(Requester) == 256, "a requester is four cache lines");

} // namespace ns3::rdma

#endif // RDMA_REQUESTER_H
