// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REQUESTER_H
#define RDMA_REQUESTER_H

#include "ns3/frame.h"
#include "ns3/pacer.h"
#include "ns3/packet-window.h"
#include "ns3/placement.h"
#include "ns3/reported-flight.h"
#include "ns3/requester-rules.h"
#include "ns3/response-delivery.h"
#include "ns3/retransmission-timer.h"
#include "ns3/shared-parameters.h"
#include "ns3/slab.h"
#include "ns3/smoothed-rtt.h"

#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/// Counts of one requester.
struct RequesterStats
{
    uint64_t packets{0};       ///< Sent for the first time.
    uint64_t retransmitted{0}; ///< Sent again.
    uint64_t timeouts{0};      ///< Expiries of the retransmission timer.
    uint64_t idleTimeouts{0};  ///< Of these, expiries after which nothing was sent again.
    uint64_t rnrNaks{0};       ///< The receiver was not ready.
    uint64_t naks{0};          ///< Packets were missing.
    uint64_t sentBytes{0};     ///< Payload sent for the first time.
    uint64_t ackedBytes{0};    ///< Bytes of these acknowledged in order.
};

/// Measurements on the path of an answer and of the packet that it answers.
struct AnswerWay
{
    const IntStack* path{nullptr}; ///< INT records of switch ports; null if there are none.
    Tick hostTime{0};              ///< Time in the NICs at both ends.
};

/**
 * @ingroup rdma-transport
 * @brief The sending half of a queue pair: selects the next packet and handles acknowledgments.
 *
 * It connects the packet window, the loss detector, congestion control and the retransmission timer
 * (IBTA Vol. 1, Section 9.9.2).  It has no clock and sends nothing: the NIC reads when the next
 * packet may leave, takes it, and calls OnDeadline() at GetDeadline().
 *
 * Retransmissions precede new packets and are paced like new ones.  If the responder keeps packets
 * out of order, the window does not limit retransmissions: each replaces a packet that has left the
 * fabric and is still counted (IRN section 3.1 bounds new packets only).  If it keeps none
 * (go-back-N), sending and the count of bytes in flight restart at the missing packet: a
 * retransmission beyond a window that has shrunk is delayed, as in HPCC's simulator.
 *
 * READs and atomics are acknowledged by their responses alone: an acknowledgment or response beyond
 * a missing response shows that it was lost (Section 9.7.5.1.1), and the request is sent again from
 * there.
 *
 * On UC and UD a message ends when its last packet has left.
 *
 * The size is four cache lines, since there is one requester per active flow and each packet and
 * acknowledgment uses it.  State for losses, READs and unreliable services is allocated on demand.
 */
class alignas(64) Requester final : public InSlab<Requester>
{
  public:
    using Rules = SharedParameters<RequesterRules>;

    Requester(const RequesterParts& parts, const Rules& rules, Tick now);
    Requester(const RequesterConfig& config, Tick now);
    ~Requester();
    Requester(const Requester&) = delete;
    Requester& operator=(const Requester&) = delete;

    /// Posts a plain WRITE. @param bytes at least 1
    void Post(uint64_t wrId, uint64_t bytes)
    {
        m_isSteady = false;
        m_window.Post(wrId, bytes, *m_rules);
    }

    /// Posts a request.
    /// @param status if not SUCCESS, the request ends with it, in order, without being sent
    void Post(const SendWorkRequest& request, WcStatus status)
    {
        m_isSteady = false;
        m_window.Post(request, status, *m_rules);
    }

    /// Posts a WRITE of any length, without memory. @param status as above
    void Post(const SendWorkRequest& request, WcStatus status, uint64_t bytes)
    {
        m_isSteady = false;
        m_window.Post(request, status, bytes, *m_rules);
    }

    /// Posts a READ response, which ends without completion.
    void PostResponse(uint64_t address, uint64_t bytes, uint32_t order)
    {
        m_window.PostResponse(address, bytes, order, *m_rules);
    }

    /// A doorbell makes posted requests visible to the NIC. Only if hasDoorbell.
    /// @param end of the requests that were posted when the host rang
    void Ring(uint64_t end)
    {
        m_window.Ring(end);
    }

    /// @return when the next packet may leave; TICK_NEVER if an acknowledgment must come first.
    Tick GetNextSendTime() const
    {
        if (!CanSend())
        {
            return TICK_NEVER;
        }
        const Tick readyAt = m_pacer.GetNextSendTime();
        return m_extras ? std::max(readyAt, m_extras->receiverReadyAt) : readyAt;
    }

    /// The next packet may leave now: ConsumeSteadiness() returns true unless an event changes the
    /// requester before.
    void MarkSteady()
    {
        // Requests with conditions depend on other queue pairs, too.
        m_isSteady = !m_window.GetQueue().HasSpecial();
    }

    /// @return whether the next packet may leave as MarkSteady() has stated; false: it is unknown.
    bool ConsumeSteadiness()
    {
        const bool isSteady = m_isSteady;
        m_isSteady = false;
        return isSteady;
    }

    /// Joins the queue of the NIC's pool if there is no entry for the next READ.
    /// @param owner of the event that is scheduled when there is an entry
    /// @param queuePair its argument
    void WaitForRead(uint32_t owner, uint32_t queuePair) const;

    /// The next packet to leave. Taken at GetNextSendTime() or later.
    struct Outgoing
    {
        PacketPlan plan;
        Psn psn;
        bool isRetransmission;
        bool asksForAck{true};
        bool hasEntropy{false};   ///< Whether `entropy` is set.
        uint32_t entropy{0};      ///< Frame::entropy.
        uint32_t creditTarget{0}; ///< Frame::creditTarget.
    };

    /// @param plane by which it leaves
    [[gnu::always_inline]] Outgoing TakeNext(Tick now, uint32_t plane = 0)
    {
        const bool isRetransmission = m_window.HasLost();
        const uint64_t number = isRetransmission ? m_window.TakeLost() : m_window.GetNext();
        Outgoing packet{m_window.GetQueue().Plan(number), Psn(number), isRetransmission};
        if (m_hasFlight)
        {
            ChooseRoute(packet, number, plane, now);
        }
        if (packet.plan.count > 1)
        {
            // One request covers all of them.
            m_window.ForgetLostBefore(number + packet.plan.count);
        }
        return packet;
    }

    /// A packet without payload that asks for a report.
    struct Probe
    {
        Psn psn; ///< Of the newest packet sent.
        bool hasEntropy;
        uint32_t entropy; ///< Frame::entropy.
    };

    /// @return probes that leave now. Called after OnDeadline().
    std::vector<Probe> TakeProbes()
    {
        return m_extras && !m_extras->probes.empty() ? std::exchange(m_extras->probes, {})
                                                     : std::vector<Probe>();
    }

    /// @return its messages and packets. Valid until the requester changes.
    const PacketWindow& GetWindow() const
    {
        return m_window;
    }

    /// @return payload of the next messages visible to the NIC that the window allows, without
    /// retransmissions. @param messages how many at most
    uint64_t GetSendableBytes(uint32_t messages) const
    {
        return m_window.GetSendableBytes(messages, m_pacer.GetWindowBytes());
    }

    /// The packet just taken begins to leave.
    /// @param frameBytes Frame::wireBytes @param wireBytes the same with the link's overhead
    [[gnu::always_inline]] void OnSent(const Outgoing& packet,
                                       uint32_t frameBytes,
                                       uint32_t wireBytes,
                                       Tick now)
    {
        if (m_hasFlight)
        {
            KeepDeparture(packet, frameBytes, now);
        }
        if (packet.isRetransmission || packet.plan.count > 1)
        {
            CountSpecial(packet);
        }
        else
        {
            m_window.OnSent(packet.plan, *m_rules);
        }
        if (m_controlNeedsSent)
        {
            m_pacer.OnSent(wireBytes, *m_rules, now);
        }
        else
        {
            m_pacer.Pace(wireBytes, now);
        }
        if (m_detectorNeedsSent)
        {
            NotifyDetector(packet, now);
        }
        if (!m_rules->isReliable)
        {
            AwaitLeft(packet);
        }
        else if (!m_timer.IsRunning())
        {
            StartTimer(now);
        }
    }

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

    void OnCnp(Tick now)
    {
        m_isSteady = false;
        if (!m_isBroken)
        {
            m_isSooner |= m_pacer.OnCnp(*m_rules, now);
        }
    }

    /// @return whether the next packet may leave earlier than GetNextSendTime() returned after the
    /// last call.
    bool ConsumeEarlierSendTime()
    {
        const bool isSooner = m_isSooner;
        m_isSooner = false;
        return isSooner;
    }

    /// @return the earliest of the retransmission timer, the deadlines of congestion control and of
    /// the loss detector, and the next probe.
    Tick GetDeadline() const
    {
        const Tick deadline = std::min(m_timer.GetExpiry(), m_pacer.GetDeadline());
        return m_hasPolicyDeadline
                   ? std::min({deadline, m_extras->lossDeadline, m_extras->probeTime})
                   : deadline;
    }

    /// @return expiries of the retransmission timer in a row.
    uint32_t GetRetries() const
    {
        return m_timer.GetRetries();
    }

    /// Called at GetDeadline(). @return work requests that end in error: the connection is broken.
    Completions OnDeadline(Tick now);

    /// Ends all requests. @param status of the oldest; the others are flushed
    Completions Break(WcStatus status);

    bool IsBroken() const
    {
        return m_isBroken;
    }

    /// @return whether the NIC must check the requester after a call, besides reporting its
    /// completions.
    bool NeedsAttention() const
    {
        return m_window.GetQueue().HasSpecial() || m_isBroken || m_window.IsDraining();
    }

    /// @return the first PSN that was never used.
    Psn GetNextPsn() const
    {
        return Psn(m_window.GetNext());
    }

    /// Applies changed attributes of the queue pair.
    void SetRules(const Rules& rules, Tick now)
    {
        m_isSteady = false;
        m_rules = rules;
        m_isSooner |= m_pacer.OnBounds(*m_rules, now);
    }

    /// @return whether the response of a READ is awaited. @param order as in its packets
    bool IsReadUnderWay(uint32_t order) const
    {
        return m_window.GetReadsUnderWay() > 0 && m_window.GetQueue().FindRead(order) != nullptr;
    }

    /// Sets whether no further message may begin (SQD).
    void SetDraining(bool isDraining);

    RequesterStats GetStats() const
    {
        const uint64_t numbers = m_window.GetNext() - m_initialPsn;
        return {numbers - (m_extras ? m_extras->responseNumbers : 0),
                m_window.CountResent(),
                m_timeouts,
                m_extras ? m_extras->idleTimeouts : 0,
                m_extras ? m_extras->rnrNaks : 0,
                m_extras ? m_extras->naks : 0,
                m_window.GetSentBytes(),
                m_window.GetAcknowledgedBytes()};
    }

    /// @return payload in flight; on the wire if the receiver sends reports.
    uint64_t GetInFlightBytes() const
    {
        return m_hasFlight && m_rules->sendsReports ? m_extras->flight->GetBytes()
                                                    : m_window.GetInFlightBytes();
    }

    /// @return null: its packets take one route, and its receiver sends no reports.
    const ReportedFlight* GetFlight() const
    {
        return m_hasFlight ? m_extras->flight.get() : nullptr;
    }

    /// @return as ReportedFlight::FindPreferred() if a packet can be sent now, else unset. Only
    /// with a flight and several planes.
    std::optional<uint32_t> FindPreferred(uint32_t among, uint32_t own, Tick now)
    {
        return GetNextSendTime() <= now
                   ? m_extras->flight->FindPreferred(among, own, GetInFlightBytes(), now)
                   : std::nullopt;
    }

    /// @return as ReportedFlight::HasRoute(). Only with a flight and several planes.
    bool HasRoute(uint32_t plane, uint32_t own, Tick now)
    {
        return m_extras->flight->HasRoute(plane, own, GetInFlightBytes(), now);
    }

    /// @return whether its receiver sends reports (ReceiverControl); then it has a flight.
    bool TakesReports() const
    {
        return m_hasFlight && m_rules->sendsReports;
    }

    /// @return payload acknowledged in order, over all messages.
    uint64_t GetAcknowledgedBytes() const
    {
        return m_window.GetAcknowledgedBytes();
    }

    const CongestionControl& GetCongestionControl() const
    {
        return m_pacer.GetCongestionControl();
    }

    /// @return its policies, to be kept when the queue pair ends.
    RequesterPolicies HoldPolicies() const
    {
        return {m_pacer.HoldCongestionControl(), m_detector};
    }

    const Pacer& GetPacer() const
    {
        return m_pacer;
    }

    /// @return the rate that congestion control allows, at most that of the line.
    DataRate GetRate() const
    {
        return std::min(m_pacer.GetRate(), m_rules->path.lineRate);
    }

    /// A READ response leaves, which is paced like requests.
    void OnResponseSent(uint32_t wireBytes, Tick now)
    {
        m_isSteady = false;
        m_pacer.OnSent(wireBytes, *m_rules, now);
    }

    /// Prefetches congestion control, whose address only this object has.
    [[gnu::always_inline]] void FetchPolicies() const
    {
        m_pacer.Fetch();
    }

  private:
    /// A request that the responder has refused.
    struct Failure
    {
        uint64_t packet;
        WcStatus status;
    };

    /// State that few requesters need.
    struct Extras
    {
        // One of the next two is set if m_hasPolicyDeadline.
        Tick lossDeadline{TICK_NEVER}; ///< Of the loss detector.
        Tick probeTime{TICK_NEVER};    ///< Of the next probe.
        Tick receiverReadyAt{0}; ///< Nothing is sent before this time: the delay of an RNR NAK.
        uint64_t arrivedEnd{0};  ///< All requests before this number have arrived, answered or not.
        uint32_t readsDone{0};   ///< Acknowledged READs whose response has arrived, modulo 2^24.
        uint64_t rnrNaks{0};     ///< Of the statistics, as the next three.
        uint64_t naks{0};
        uint64_t idleTimeouts{0};
        uint64_t responseNumbers{0};    ///< Packet numbers of READs beyond the sent requests.
        std::vector<uint64_t> leaving;  ///< Unreliable services: message ends that await OnLeft().
        std::optional<Failure> failure; ///< Pending until the READs before it have ended.
        std::unique_ptr<ReportedFlight> flight; ///< Null: see GetFlight().
        std::vector<Probe> probes;              ///< To be taken.
        uint32_t probesInRow{0};                ///< Times of probes since the last report.
        bool hasAskedForReport{false};          ///< By a probe, since the last report.
    };

    /// Pointer to the extras, and owner of all state that is allocated on demand: a timeout that
    /// needs the round trips does not need the larger Extras.
    class OnDemand
    {
      public:
        explicit operator bool() const
        {
            return m_parts && m_parts->extras;
        }

        Extras* operator->() const
        {
            return m_parts->extras.get();
        }

        Extras& Get()
        {
            std::unique_ptr<Extras>& extras = GetParts().extras;
            if (!extras)
            {
                extras = std::make_unique<Extras>();
            }
            return *extras;
        }

        SmoothedRtt& GetRtt()
        {
            return GetParts().rtt;
        }

        /// @return null: no round trip has been added.
        const SmoothedRtt* FindRtt() const
        {
            return m_parts ? &m_parts->rtt : nullptr;
        }

      private:
        struct Parts
        {
            SmoothedRtt rtt;
            std::unique_ptr<Extras> extras;
        };

        Parts& GetParts()
        {
            if (!m_parts)
            {
                m_parts = std::make_unique<Parts>();
            }
            return *m_parts;
        }

        std::unique_ptr<Parts> m_parts;
    };

    /// @return made by the first call.
    Extras& GetExtras()
    {
        return m_extras.Get();
    }

    void Break(WcStatus status, Completions& completions);

    bool CanSend() const
    {
        const uint64_t windowBytes = m_pacer.GetWindowBytes();
        return m_window.HasLost() || m_hasFlight
                   ? CanSendSpecial(windowBytes)
                   : !m_isBroken && m_window.CanSendNext(windowBytes, *m_rules);
    }

    /// As CanSend(), with a flight or packets to be sent again.
    bool CanSendSpecial(uint64_t windowBytes) const;
    /// Calls the loss detector: see CallPolicy().
    template <typename Body>
    decltype(auto) Call(const char* call, Body&& body) const;
    /// @return whether a packet waits that neither the end of the queue nor the receiver's limit of
    /// packets out of order holds back. Only if the receiver sends reports; the next two, too.
    bool HasReportedPacket() const;
    /// @return whether that packet fits into the window.
    bool FitsWindow(uint64_t windowBytes) const;
    bool CanSendReported(uint64_t windowBytes) const;
    /// @return bytes on the wire of a packet of the window, or of the next one.
    uint32_t GetFrameBytes(uint64_t number) const;
    // Parts of OnSent() that few packets need.
    void KeepDeparture(const Outgoing& packet, uint32_t frameBytes, Tick now);
    void CountSpecial(const Outgoing& packet);
    void NotifyDetector(const Outgoing& packet, Tick now);
    void AwaitLeft(const Outgoing& packet);
    /// Starts the timer for the packets that are not acknowledged.
    void StartTimer(Tick now);
    /// Sets the fields of a packet that reports and routes need.
    void ChooseRoute(Outgoing& packet, uint64_t number, uint32_t plane, Tick now);
    bool AsksForAck(const Outgoing& packet, uint64_t number) const;
    /// @return whether it has something to send, but no credit.
    bool LacksCredit() const;
    AckReport MakeReport(const Frame& answer, Time rtt) const;
    void OnReport(const Frame& frame,
                  const FrameDetail* detail,
                  uint64_t acknowledged,
                  AnswerWay way,
                  Completions& completions,
                  Tick now);
    /// All packets before `end` have arrived, but the response to one of them is missing.
    /// @param hasCounter whether the answer has the receiver's counter
    void OnArrivedUnanswered(uint64_t end, bool hasCounter);
    /// @param hasCounter as above
    bool AdvanceReported(uint64_t acknowledged, bool hasCounter, Completions& completions);
    void TakeBitmap(const FrameDetail& detail);
    void OnTrimNotice(const Frame& frame, Tick now);
    void SignalRoute(const Frame& answer, Tick now);
    /// An acknowledgment of no packet: credit, or usable ports.
    void OnNotice(const Frame& frame, Tick now);
    /// The deadline of the timer of a requester with reports has come.
    Completions OnReportedDeadline(Tick now);
    /// The timer has expired for a packet in flight.
    /// @return its bytes on the wire; unset: the loss detector waits for a report
    std::optional<uint64_t> OnReportedTimeout(uint64_t oldest, Tick now);
    /// The timer has expired with no packet in flight: a response, an answer or credit is missing.
    /// @return whether anything is sent again.
    bool ResendUnanswered();
    /// @return with no packet in flight, whether the oldest packet is neither acknowledged nor to
    /// be sent again: it was refused after it had been kept, or its response was lost.
    bool IsOldestUnanswered() const;
    bool Contains(const LostPackets& lost, uint64_t number) const;
    /// @return the answer to the packet in flight that was sent before all others.
    AwaitedAnswer AwaitOldest(uint64_t oldest) const;
    /// @return as Apply(), for packets whose payload is given
    uint64_t TakeLoss(uint64_t first, uint64_t end, uint64_t payload, Tick now);
    /// Reads when the loss detector and the entropy selector want the next probes.
    void UpdateProbeTime();
    Tick GetLossProbeTime() const;
    /// Makes the probes that are due.
    void MakeProbes(Tick now);

    /// A window that has shrunk below what is in flight may wait for a report that nothing asks
    /// for: then a probe does, once until the next report. @return whether it is time to
    bool NeedsReport() const;
    void RequestReport(Tick now);
    /// @param policy that has set the time of a probe
    void CountProbe(const Object& policy);
    /// Runs the timer for the packet in flight that was sent before all others.
    void UpdateReportedTimer(bool hasAdvanced, Tick now);
    void ReportAck(const Frame& frame, Tick now);
    void ReportNak(const Frame& frame, Tick now);
    void Report(const AckReport& report, Tick now);

    /// Adds a round trip to the history of the timeout.
    [[gnu::always_inline]] void AddRtt(Tick rtt)
    {
        // A queue pair that has sent one packet may never send another: no memory for it yet.
        if (m_rules->needsRtt && m_window.GetNext() - m_initialPsn > 1)
        {
            m_extras.GetRtt().Add(rtt);
        }
    }

    /// Applies the decision of the loss detector.
    /// @return payload to be sent again, bytes.
    uint64_t Apply(const char* call, const LostPackets& lost, Tick now);
    /// As Apply(), and notifies congestion control of losses.
    void ApplyAnswer(const char* call, const LostPackets& lost, Tick now);
    [[noreturn, gnu::cold]] void FailLost(const char* call, const PsnRange& range) const;
    [[noreturn, gnu::cold]] void FailDeadline(Tick now) const;
    /// Reads the deadline and the needs of the loss detector.
    void UpdateDetector();
    /// @param which lossDeadline or probeTime
    void SetDeadline(Tick Extras::*which, Tick when);
    /// @return the answer that the timer runs for. @param start of the timer
    AwaitedAnswer GetAwaited(Tick start) const;

    [[gnu::always_inline]] bool Advance(uint64_t acknowledged, Completions& completions)
    {
        if (!m_window.Acknowledge(acknowledged))
        {
            return false;
        }
        m_timer.ForgetRetries();
        m_hasMissedResponse = false;
        if (m_window.GetQueue().IsOldestDone(acknowledged))
        {
            CompleteOldest(completions);
        }
        return true;
    }

    /// As Advance(), also for packets with reports; the answer has no counter.
    bool AdvanceByResponse(uint64_t acknowledged, Completions& completions)
    {
        return m_hasFlight ? AdvanceReported(acknowledged, false, completions)
                           : Advance(acknowledged, completions);
    }

    void CompleteOldest(Completions& completions);
    void OnNak(const Frame& frame, uint64_t refused, Completions& completions, Tick now);
    void OnMissingResponse(Tick now);
    void FailWhenDue(Completions& completions);
    bool Deliver(uint64_t number,
                 const Frame& frame,
                 const FrameDetail* detail,
                 Placement& placement);
    /// @return when the write of the payload to memory may begin; TICK_NEVER: no write.
    Tick Serve(const Message& message,
               uint64_t offset,
               const Frame& frame,
               const FrameDetail* detail,
               PayloadServices& services);
    /// Notifies congestion control of newly acknowledged payload.
    /// @param ackedBefore payload acknowledged before this answer
    void ReportProgress(const Frame& answer, uint64_t ackedBefore, AnswerWay way, Tick now);
    void UpdateTimer(bool hasAdvanced, Tick now);
    /// As UpdateTimer(), for a requester without reports.
    void UpdatePlainTimer(bool hasAdvanced, Tick now);

    PacketWindow m_window;
    Ptr<LossDetector> m_detector;
    OnDemand m_extras; ///< Null until something needs them.
    Pacer m_pacer;
    uint32_t m_timeouts : 30; ///< Expiries of the timer.
    bool m_hasFlight : 1;     ///< Extras::flight is set.
    bool m_isSteady : 1;      ///< Result of the next ConsumeSteadiness().
    uint32_t m_initialPsn : 24;
    bool m_goesBack : 1;          ///< The responder keeps nothing out of order.
    bool m_hasMissedResponse : 1; ///< The present gap in the responses has been detected.
    bool m_isBroken : 1;
    bool m_controlNeedsSent : 1;  ///< Congestion control needs OnSent().
    bool m_detectorNeedsSent : 1; ///< The loss detector needs OnSent().
    bool m_needsAck : 1;          ///< The loss detector needs ReportAck().
    bool m_hasPolicyDeadline : 1; ///< The loss detector has a deadline, or a probe is due.
    bool m_isSooner : 1;          ///< Result of the next ConsumeEarlierSendTime().
    RetransmissionTimer m_timer;
    Rules m_rules;
};

static_assert(sizeof(Requester) == 256, "a requester is four cache lines");

} // namespace ns3::rdma

#endif // RDMA_REQUESTER_H
