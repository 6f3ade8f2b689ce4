// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REPORTED_FLIGHT_H
#define RDMA_REPORTED_FLIGHT_H

#include "ns3/credit-account.h"
#include "ns3/entropy-selector.h"
#include "ns3/plane-values.h"
#include "ns3/tick.h"

#include <algorithm>
#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/// The last transmission of a packet.
struct Departure
{
    Tick time{0};        ///< When it left, or when its timer started anew.
    uint32_t entropy{0}; ///< Frame::entropy.
    uint16_t wireBytes{0};
    uint8_t transmissions : 7; ///< At most 127.
    bool asksForAck : 1;       ///< The receiver reports it at once.
    uint8_t expiries : 7;      ///< Of the timer, for this packet; at most 127.
    bool isOut : 1;            ///< In flight: neither known to have arrived nor lost.
};

/// What reports and timers have shown since the queue pair was made.
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

/// @return the first transmission of a packet, in flight. @param entropy Frame::entropy
inline Departure
MakeDeparture(uint32_t entropy, uint32_t wireBytes, bool asksForAck, Tick now)
{
    Departure departure{};
    departure.time = now;
    departure.entropy = entropy;
    departure.wireBytes = static_cast<uint16_t>(wireBytes);
    departure.asksForAck = asksForAck;
    departure.isOut = true;
    return departure;
}

/**
 * @ingroup rdma-transport
 * @brief A requester's record of each packet in flight, if its receiver sends reports
 * (ReceiverControl) or its packets have entropy values of their own.
 *
 * The bytes in flight follow the receiver's counter, as Ultra Ethernet has it (UE 1.0.3, 3.6.13):
 * a transmission adds the packet's bytes; the growth of the counter, and each packet considered
 * lost, subtract theirs.
 */
class ReportedFlight
{
  public:
    /// @param selector null: the connection's own entropy
    /// @param entropy of the connection @param planes by which its packets may leave
    /// @param first number of the first packet
    ReportedFlight(Ptr<EntropySelector> selector,
                   uint32_t entropy,
                   uint32_t planes,
                   uint64_t first);

    /// @param plane by which a packet could leave now @param own usable ports of this NIC, one bit
    /// per port @param inFlightBytes of the queue pair
    /// @return whether the selector names a value of that plane. Only with several planes.
    bool HasRoute(uint32_t plane, uint32_t own, uint64_t inFlightBytes, Tick now);

    /// The plane by which the selector would send the next packet.
    /// @param own, inFlightBytes as for HasRoute() @param among planes, one bit per plane
    /// @return that of them whose value waits longest; unset: none is usable. Only with several
    /// planes.
    std::optional<uint32_t> FindPreferred(uint32_t among,
                                          uint32_t own,
                                          uint64_t inFlightBytes,
                                          Tick now);

    /// @param plane by which the packet leaves; with several planes after HasRoute()
    /// @return Frame::entropy of the packet that leaves next: the connection's, combined with the
    /// value of the selector.
    uint32_t ChooseEntropy(uint32_t plane, uint64_t inFlightBytes, Tick now);

    /// @param entropy Frame::entropy @return the plane of its value.
    uint32_t FindPlane(uint32_t entropy) const
    {
        return m_planes ? m_planes->GetPlane(entropy ^ m_entropy) : 0;
    }

    /// An answer says something about the route of a packet. @param entropy Frame::entropy
    void Signal(uint32_t entropy, RouteSignal signal, Tick now);

    /// The same for a packet in flight, which is lost. @param number of the packet
    void Signal(uint64_t number, RouteSignal signal, Tick now);

    /// @return as EntropySelector::GetProbeTime(); TICK_NEVER: never.
    Tick GetProbeTime() const;

    /// @return Frame::entropy of a probe that tests a route now; unset: none.
    std::optional<uint32_t> TakeProbe(Tick now);

    /// The answer to a probe has arrived. @param entropy Frame::entropy
    void OnProbeReply(uint32_t entropy, bool isMarked, Tick now);

    /// A report has arrived. @param held packets that the receiver holds out of order
    void CountReport(bool isMarked, uint32_t held)
    {
        ++(isMarked ? m_counts.marked : m_counts.good);
        m_counts.held = held;
        m_counts.mostHeld = std::max(m_counts.mostHeld, held);
    }

    /// A packet in flight was trimmed.
    void CountTrim()
    {
        ++m_counts.trimmed;
    }

    const FlightCounts& GetCounts() const
    {
        return m_counts;
    }

    /// @param peer usable ports of the peer's NIC, one bit per port
    void OnPeerPorts(uint32_t peer)
    {
        m_peerPorts = peer;
    }

    /// A packet leaves. @param departure its time, Frame::entropy and bytes
    /// @param unacked the oldest packet that is not acknowledged in order
    /// @param creditTarget Frame::creditTarget
    ///
    /// A request that has arrived may be sent again for its response.  This uses credit, but adds
    /// no bytes in flight, since the receiver's counter leaves duplicates out.
    void OnSent(uint64_t number,
                uint64_t unacked,
                const Departure& departure,
                uint32_t creditTarget);

    /// @return null: the packet is not in flight.
    const Departure* FindOut(uint64_t number) const;

    /// The packet has arrived.
    void OnArrived(uint64_t number);

    /// All packets before a number have arrived.
    /// @param isCounted whether the answer that says so has the receiver's counter
    void OnArrivedBefore(uint64_t number, bool isCounted);

    /// All packets before a number have arrived, but responses to some of them are missing: these
    /// may be sent again. @param isCounted as above
    void OnArrivedUnanswered(uint64_t number, bool isCounted);

    /// A packet in flight is lost. @return its bytes; 0: it was not in flight.
    uint32_t OnLost(uint64_t number);

    /// A packet considered lost, and not sent again since, has arrived: the receiver's counter
    /// includes it. @param isCounted as above
    void OnArrivedAfterAll(uint64_t number, bool isCounted);

    /// @param counter of the receiver, modulo 2^32
    /// @return its growth, which no longer counts as in flight.
    uint32_t OnCounter(uint32_t counter);

    /// Packets need the receiver's credit. @param mostBytes largest window, on the wire
    void UseCredit(uint64_t mostBytes)
    {
        m_credit.emplace(mostBytes);
    }

    bool HasCredit() const
    {
        return !m_credit || m_credit->CanSend();
    }

    /// @return whether a packet of that size uses the last credit.
    bool EndsCredit(uint64_t wireBytes) const
    {
        return m_credit && m_credit->GetBytes() <= static_cast<int64_t>(wireBytes);
    }

    /// @return null: no credit is needed.
    const CreditAccount* GetCredit() const
    {
        return m_credit ? &*m_credit : nullptr;
    }

    void OnCredit(uint32_t granted)
    {
        if (m_credit)
        {
            m_credit->EndSpeculation();
            m_credit->OnGrant(granted);
        }
    }

    /// An answer has arrived.
    void OnAnswer()
    {
        if (m_credit)
        {
            m_credit->EndSpeculation();
        }
    }

    /// The timer has expired.
    void OnTimeout()
    {
        if (m_credit)
        {
            m_credit->OnTimeout();
        }
    }

    /// The timer has expired for a packet in flight.
    void CountExpiry(uint64_t number);

    /// The timer of a packet in flight starts anew.
    void Restart(uint64_t number, Tick now);

    /// @return bytes in flight; 0 if more have arrived than left.
    uint64_t GetBytes() const
    {
        return m_bytes > 0 ? static_cast<uint64_t>(m_bytes) : 0;
    }

    /// @return the packet in flight whose last transmission is the oldest; unset: none is.
    std::optional<uint64_t> FindOldest();

    /// @return whether the receiver will report one of the packets in flight as soon as it arrives.
    bool AwaitsReport() const
    {
        return m_asking > 0;
    }

    /// FindOldest() has found none: no bytes are in flight. The receiver's counter leaves out a
    /// packet that was sent again although the receiver had it, so that bytes would remain.
    void OnNoneOut()
    {
        m_bytes = std::min<int64_t>(m_bytes, 0);
    }

    /// @return the last transmission of a packet of the window.
    const Departure& GetDeparture(uint64_t number) const
    {
        return Get(number);
    }

    const EntropySelector* GetSelector() const
    {
        return PeekPointer(m_selector);
    }

  private:
    struct Transmission
    {
        uint64_t number;
        Tick time;
    };

    const Departure& Get(uint64_t number) const
    {
        return m_departures[number & (m_departures.size() - 1)];
    }

    Departure& Get(uint64_t number)
    {
        return m_departures[number & (m_departures.size() - 1)];
    }

    uint32_t GetNext(uint64_t inFlightBytes, Tick now);
    void UpdatePorts(uint32_t own);
    void Append(uint64_t number, Tick time);
    void EndFlight(Departure& departure, bool isCounted);

    void Leave(Departure& departure)
    {
        m_asking -= departure.isOut && departure.asksForAck;
        departure.isOut = false;
    }

    void Reserve(uint64_t unacked, uint64_t end);

    Ptr<EntropySelector> m_selector;
    std::unique_ptr<PlaneValues> m_planes; ///< Null: there is one plane, or no selector.
    uint32_t m_entropy;                    ///< Of the connection.
    uint32_t m_asking{0};                  ///< Packets in flight with asksForAck.
    uint64_t m_first;                      ///< Older packets are acknowledged.
    uint64_t m_end;                        ///< One past the newest packet sent.
    int64_t m_bytes{0};
    uint32_t m_peerPorts{~0U};
    std::optional<CreditAccount> m_credit; ///< Unset: no credit is needed.
    uint32_t m_counter{0};                 ///< Of the receiver.
    uint64_t m_early{0}; ///< Bytes subtracted before the counter that includes them has come.
    std::vector<Departure> m_departures; ///< By number modulo the size, a power of two.
    /// In the order of sending; the first may be out of date.
    boost::circular_buffer<Transmission> m_order;
    FlightCounts m_counts;
    uint64_t m_arrivedEnd; ///< All packets before it have arrived, answered or not.
};

} // namespace ns3::rdma

#endif // RDMA_REPORTED_FLIGHT_H
