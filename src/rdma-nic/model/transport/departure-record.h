// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DEPARTURE_RECORD_H
#define RDMA_DEPARTURE_RECORD_H

#include "ns3/tick.h"

#include <algorithm>
#include <boost/circular_buffer.hpp>
#include <cstdint>
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
 * @brief The last departure of each packet that a requester has sent and that is not acknowledged
 * in order, and the bytes in flight.
 *
 * The bytes in flight follow the receiver's counter, as Ultra Ethernet has it (UE 1.0.3, 3.6.13):
 * a transmission adds the packet's bytes; the growth of the counter, and each packet considered
 * lost, subtract theirs.
 */
class DepartureRecord
{
  public:
    /// @param first number of the first packet
    explicit DepartureRecord(uint64_t first);

    /// A packet leaves. @param departure its time, Frame::entropy and bytes
    /// @param unacked the oldest packet that is not acknowledged in order
    ///
    /// A request that has arrived may be sent again for its response.  This adds no bytes in
    /// flight, since the receiver's counter leaves duplicates out.
    void OnSent(uint64_t number, uint64_t unacked, const Departure& departure);

    /// @return null: the packet is not in flight.
    const Departure* FindOut(uint64_t number) const;

    /// The packet has arrived.
    void OnArrived(uint64_t number);

    /// All packets before a number have arrived.
    /// @param isCounted whether the answer has the receiver's counter
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

    void Append(uint64_t number, Tick time);
    void EndFlight(Departure& departure, bool isCounted);

    void Leave(Departure& departure)
    {
        m_asking -= departure.isOut && departure.asksForAck;
        departure.isOut = false;
    }

    void Reserve(uint64_t unacked, uint64_t end);

    uint32_t m_asking{0}; ///< Packets in flight with asksForAck.
    uint64_t m_first;     ///< Older packets are acknowledged.
    uint64_t m_end;       ///< One past the newest packet sent.
    int64_t m_bytes{0};
    uint32_t m_counter{0}; ///< Of the receiver.
    uint64_t m_early{0};   ///< Bytes subtracted before the counter that includes them has come.
    std::vector<Departure> m_departures; ///< By number modulo the size, a power of two.
    /// In the order of sending; the first may be out of date.
    boost::circular_buffer<Transmission> m_order;
    uint64_t m_arrivedEnd; ///< All packets before it have arrived, answered or not.
};

} // namespace ns3::rdma

#endif // RDMA_DEPARTURE_RECORD_H
