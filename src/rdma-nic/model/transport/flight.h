// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLIGHT_H
#define RDMA_FLIGHT_H

#include "ns3/entropy-routes.h"
#include "ns3/frame.h"
#include "ns3/packet-window.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

class CreditAccount;
struct FlightState;

/// A packet that leaves.
struct OutgoingPacket
{
    PacketPlan plan;
    Psn psn;
    bool isRetransmission;
    bool asksForAck{true};
    bool hasEntropy{false};   ///< Whether `entropy` is set.
    uint32_t entropy{0};      ///< Frame::entropy.
    uint32_t creditTarget{0}; ///< Frame::creditTarget.
};

/// A packet without payload that requests a report.
struct ReportProbe
{
    Psn psn; ///< Of the newest packet sent.
    bool hasEntropy;
    uint32_t entropy; ///< Frame::entropy.
};

/// Measurements on the path of an answer and of the packet that it answers.
struct AnswerWay
{
    const IntStack* path{nullptr}; ///< INT records of switch ports; null if there are none.
    Tick hostTime{0};              ///< Time in the NICs at both ends.
};

/// An acknowledgment that may be a report.
struct ReceivedAnswer
{
    const Frame& frame;
    const FrameDetail* detail; ///< Null if it has none.
    AnswerWay way;
    uint64_t acknowledged; ///< All packets before this number have arrived and are answered.
};

/// Signs of congestion and loss since the queue pair was made.
struct FlightCounts
{
    uint32_t held{0}; ///< Packets that the receiver held out of order, by the latest report.
    uint32_t mostHeld{0};
    uint64_t good{0};     ///< Reports without CE.
    uint64_t marked{0};   ///< Reports with CE.
    uint64_t trimmed{0};  ///< Packets in flight that a switch has trimmed.
    uint64_t lost{0};     ///< Packets in flight that the loss detector considers lost.
    uint64_t timedOut{0}; ///< Packets in flight for which the retransmission timer has expired.
};

/**
 * @ingroup rdma-transport
 * @brief The packets of one requester between their departure and their acknowledgment: which are
 * in flight, which are lost, and when the next look is due.
 *
 * The requester has one flight.  CumulativeFlight, of IBTA, IRN and SRNIC, has no state besides
 * FlightState and is called without this interface.  The other flights derive from this class: they
 * record each packet.  A flight changes its FlightState and its own parts.
 *
 * The requester selects and counts the packets, starts the retransmission timer when a packet
 * leaves while it is stopped, and calls the pacer, the loss detector and these functions.  An
 * exception, or a deadline that is not later than now after OnDeadline(), ends the run with the
 * name of the FlightFactory.  UC and UD have no flight of a factory.
 */
class Flight
{
  public:
    explicit Flight(FlightState& state)
        : m_state(state)
    {
    }

    virtual ~Flight() = default;
    Flight(const Flight&) = delete;
    Flight& operator=(const Flight&) = delete;

    /// @return whether the window and the receiver allow the next packet to leave.
    virtual bool CanSend() const = 0;

    /// Sets the fields of the next packet that this flight needs. Default: none.
    /// @param number of the packet
    /// @param plane by which it leaves
    virtual void Prepare(OutgoingPacket& /*packet*/,
                         uint64_t /*number*/,
                         uint32_t /*plane*/,
                         Tick /*now*/)
    {
    }

    /// A packet begins to leave. @param frameBytes Frame::wireBytes
    virtual void OnSent(const OutgoingPacket& packet, uint32_t frameBytes, Tick now) = 0;

    /// @return payload in flight; on the wire if the receiver sends reports.
    virtual uint64_t GetInFlightBytes() const = 0;

    /// @return whether OnReport() handles an acknowledgment. Otherwise the requester handles it as
    /// a cumulative acknowledgment. Default: no.
    virtual bool HandlesAnswer(const Frame& /*answer*/) const
    {
        return false;
    }

    /// An acknowledgment has arrived for which HandlesAnswer() is true: Frame::ack.selectivePsn is
    /// the PSN of the packet that it answers.  The flight calls FlightState::Advance(), AddRtt(),
    /// Report() and Pacer::OnAck() as far as it needs them, updates the timer, and sets
    /// FlightState::isSooner if a packet may leave earlier.
    virtual void OnReport(const ReceivedAnswer& /*answer*/,
                          Completions& /*completions*/,
                          Tick /*now*/)
    {
    }

    /// A switch has removed the payload of a packet, Frame::ack.selectivePsn: the receiver has sent
    /// a NAK for it, which the requester does not handle further. Default: ignored.
    virtual void OnTrimNotice(const Frame& /*frame*/, Tick /*now*/)
    {
    }

    /// Credit (Frame::grantedCredit) or the usable ports of the peer (Frame::usablePorts) have
    /// arrived: Frame::GetKind(). Default: ignored.
    virtual void OnNotice(const Frame& /*frame*/, Tick /*now*/)
    {
    }

    /// A cumulative acknowledgment has been handled. Default: ignored.
    virtual void OnAnswered(const Frame& /*answer*/, Tick /*now*/)
    {
    }

    /// All packets before a number have arrived, by an answer that is no report.
    virtual void OnArrivedBefore(uint64_t number) = 0;

    /// All packets before a number have arrived, but responses to some of them are missing: these
    /// may be sent again. Default: ignored.
    /// @param isReport whether a report has shown it
    virtual void OnArrivedUnanswered(uint64_t /*number*/, bool /*isReport*/)
    {
    }

    /// Packets are lost. @param payload of the packets
    /// @return their bytes, counted as by GetInFlightBytes().
    virtual uint64_t OnLost(uint64_t first, uint64_t end, uint64_t payload, Tick now) = 0;

    /// The retransmission timer of CumulativeFlight has expired: only for flights that call it.
    /// Default: ignored.
    virtual void OnTimeout(Tick /*now*/)
    {
    }

    /// Starts or stops the retransmission timer after an answer.
    /// @param hasAdvanced whether the answer acknowledges packets in order
    virtual void UpdateTimer(bool hasAdvanced, Tick now) = 0;

    /// @return when to call OnDeadline() besides the expiry of the retransmission timer.
    virtual Tick GetDeadline() const
    {
        return TICK_NEVER;
    }

    /// The retransmission timer or another deadline may have expired.  The flight counts expiries
    /// (FlightState::timeouts) and retries (RetransmissionTimer::CountRetry()).
    /// @return false: the retries are used up.
    virtual bool OnDeadline(Tick now) = 0;

    /// @return probes that leave now. Called after OnDeadline() of a requester, not of the sender
    /// of READ responses. Default: none.
    virtual std::vector<ReportProbe> TakeProbes()
    {
        return {};
    }

    /// The requester has failed. Default: ignored.
    virtual void Stop()
    {
    }

    /// @return the routes of its packets. Default: null, its packets take one route.
    virtual EntropyRoutes* FindRoutes()
    {
        return nullptr;
    }

    // For observers.

    /// @return whether the receiver sends reports. Default: no.
    virtual bool TakesReports() const
    {
        return false;
    }

    /// Default: all are zero.
    virtual FlightCounts GetCounts() const
    {
        return {};
    }

    /// @return null, the default: no credit is needed.
    virtual const CreditAccount* GetCredit() const
    {
        return nullptr;
    }

  protected:
    FlightState& m_state;
};

} // namespace ns3::rdma

#endif // RDMA_FLIGHT_H
