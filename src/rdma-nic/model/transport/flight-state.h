// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLIGHT_STATE_H
#define RDMA_FLIGHT_STATE_H

#include "ns3/flight.h"
#include "ns3/pacer.h"
#include "ns3/packet-window.h"
#include "ns3/requester-rules.h"
#include "ns3/retransmission-timer.h"
#include "ns3/shared-parameters.h"
#include "ns3/smoothed-rtt.h"

#include <memory>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/// A request that the responder has refused.
struct RefusedRequest
{
    uint64_t packet;
    WcStatus status;
};

/// State that few requesters need.
struct RareFlightState
{
    Tick lossDeadline{TICK_NEVER}; ///< Of the loss detector.
    Tick receiverReadyAt{0};       ///< Nothing is sent before this time: the delay of an RNR NAK.
    uint64_t arrivedEnd{0};        ///< All requests before it have arrived, answered or not.
    uint32_t readsDone{0};         ///< Acknowledged READs whose response has arrived, modulo 2^24.
    uint64_t rnrNaks{0};           ///< Of the statistics, as the next three.
    uint64_t naks{0};
    uint64_t idleTimeouts{0};
    uint64_t responseNumbers{0};   ///< Packet numbers of READs beyond the sent requests.
    uint64_t readBytes{0};         ///< Payload of READ responses, each byte counted once.
    std::vector<uint64_t> leaving; ///< Unreliable services: message ends that have not left yet.
    std::optional<RefusedRequest> refused; ///< Pending until the READs before it have ended.
};

/// Owner of all state that is allocated on demand.
class FlightOnDemand
{
  public:
    /// @return null: there is none.
    const RareFlightState* FindRare() const
    {
        return m_parts ? m_parts->rare.get() : nullptr;
    }

    /// @return made by the first call.
    RareFlightState& GetRare()
    {
        std::unique_ptr<RareFlightState>& rare = GetParts().rare;
        if (!rare)
        {
            rare = std::make_unique<RareFlightState>();
        }
        return *rare;
    }

    /// Only after SetFlight().
    Flight& GetFlight() const
    {
        return *m_parts->flight;
    }

    void SetFlight(std::unique_ptr<Flight> flight)
    {
        GetParts().flight = std::move(flight);
    }

    void DropFlight()
    {
        if (m_parts)
        {
            m_parts->flight = nullptr;
        }
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
    /// A timeout that needs the round trips does not need the larger RareFlightState.
    struct Parts
    {
        SmoothedRtt rtt;
        std::unique_ptr<Flight> flight;
        std::unique_ptr<RareFlightState> rare;
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

/**
 * @ingroup rdma-transport
 * @brief The parts that a requester shares with its flight: packet window, loss detector,
 * congestion control and retransmission timer.
 *
 * Its functions connect these parts: the decision of a policy changes the window, the pacer and the
 * counts in the same way for each flight.
 *
 * The size is four cache lines, since there is one requester per active flow and each packet and
 * acknowledgment uses it.
 */
struct FlightState
{
    using Rules = SharedParameters<RequesterRules>;

    FlightState(const RequesterParts& parts, const Rules& rules, Tick now);
    /// The flight ends first.
    ~FlightState();
    FlightState(const FlightState&) = delete;
    FlightState& operator=(const FlightState&) = delete;

    /// @return null: the flight is a CumulativeFlight.
    Flight* FindFlight() const
    {
        return isCumulative ? nullptr : &onDemand.GetFlight();
    }

    void SetFlight(std::unique_ptr<Flight> flight);

    /// Calls the loss detector. @param call its function, named in errors
    template <typename Body>
    decltype(auto) Call(const char* call, Body&& body) const
    {
        return CallPolicy(*detector, call, std::forward<Body>(body));
    }

    /// Calls the flight. @param call its function, named in errors of flights of a factory
    template <typename Body>
    [[gnu::always_inline]] decltype(auto) CallFlight(const char* call, Body&& body) const
    {
        try
        {
            return body();
        }
        catch (...)
        {
            if (rules->flights)
            {
                RethrowNamed(*rules->flights, call);
            }
            throw;
        }
    }

    /// Name of LossDetector::OnTrigger(), for Apply().
    static constexpr const char* TRIGGER_CALL{"OnTrigger()"};

    /// Calls the loss detector without a report.
    LostPackets Trigger(LossTrigger trigger, const Scoreboard& board, Tick now);

    NextLook GetNextLook() const;

    /// @return bytes on the wire of a packet with that payload.
    uint64_t GetWireBytes(uint64_t payload) const
    {
        return payload + rules->path.packetBytes - rules->path.mtuBytes;
    }

    /// @return as Flight::GetInFlightBytes().
    uint64_t GetInFlightBytes() const
    {
        return isCumulative ? window.GetInFlightBytes() : onDemand.GetFlight().GetInFlightBytes();
    }

    /// @return the answer that the timer runs for. @param start of the timer
    AwaitedAnswer GetAwaited(Tick start) const;

    /// Adds a round trip to the history of the timeout.
    [[gnu::always_inline]] void AddRtt(Tick rtt)
    {
        // A queue pair that has sent one packet may never send another: no memory for it yet.
        if (rules->needsRtt && window.GetNext() - initialPsn > 1)
        {
            onDemand.GetRtt().Add(rtt);
        }
    }

    /// All packets before a number are acknowledged. @return whether any of them is new
    [[gnu::always_inline]] bool Advance(uint64_t acknowledged, Completions& completions)
    {
        if (!window.Acknowledge(acknowledged))
        {
            return false;
        }
        timer.ForgetRetries();
        hasMissedResponse = false;
        if (window.GetQueue().IsOldestDone(acknowledged))
        {
            CompleteOldest(completions);
        }
        return true;
    }

    /// Ends the oldest messages that are complete.
    void CompleteOldest(Completions& completions);

    /// Reports an answer to the loss detector and applies its decision.
    void Report(const AckReport& report, Tick now);

    /// Applies a decision of the loss detector. @param call that has returned it
    /// @return bytes to be sent again, counted as by GetInFlightBytes().
    uint64_t Apply(const char* call, const LostPackets& lost, Tick now);

    /// As Apply(), and notifies congestion control of losses.
    void ApplyAnswer(const char* call, const LostPackets& lost, Tick now);

    /// Reads the deadline and the needs of the loss detector.
    void UpdateDetector();

    PacketWindow window;
    Ptr<LossDetector> detector;
    FlightOnDemand onDemand;
    Pacer pacer;
    uint32_t timeouts : 31; ///< Expiries of the timer.
    bool isCumulative : 1;  ///< Beside the members that each packet needs: no flight is set.
    uint32_t initialPsn : 24;
    bool goesBack : 1;          ///< The responder keeps nothing out of order.
    bool hasMissedResponse : 1; ///< The present gap in the responses has been detected.
    bool isBroken : 1;
    bool controlNeedsSent : 1;  ///< Congestion control needs OnSent().
    bool detectorNeedsSent : 1; ///< The loss detector needs OnSent().
    bool needsAck : 1;          ///< The loss detector needs each acknowledgment.
    bool hasLossDeadline : 1;   ///< RareFlightState::lossDeadline is set.
    bool isSooner : 1;          ///< Result of the next Requester::ConsumeEarlierSendTime().
    RetransmissionTimer timer;
    Rules rules;

  private:
    FlightState(const RequesterParts& parts,
                const Rules& rules,
                const DetectorTraits& traits,
                Tick now);
    [[noreturn, gnu::cold]] void FailLost(const char* call, const PsnRange& range) const;
};

} // namespace ns3::rdma

#endif // RDMA_FLIGHT_STATE_H
