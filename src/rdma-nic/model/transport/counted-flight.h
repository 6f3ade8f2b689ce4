// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_COUNTED_FLIGHT_H
#define RDMA_COUNTED_FLIGHT_H

#include "ns3/entropy-routes.h"
#include "ns3/flight-factory.h"
#include "ns3/flight.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-transport
 * @brief The flight of DCP (Li et al., "Revisiting RDMA Reliability for Lossy Fabrics", SIGCOMM
 * 2025): the sender counts packets instead of recording them, and sends a packet again when the
 * receiver returns its header.
 *
 * A switch removes the payload of a packet that it cannot queue.  The receiver returns the header,
 * and the sender sends the packet with this PSN again, before new packets and within the window.  A
 * packet out of order is no sign of loss.  Acknowledgments count for whole messages.  A lost header
 * is detected by a coarse timer only, which then sends all packets of the oldest message again; it
 * runs from the last departure of a packet of this message, or from when it became the oldest.
 *
 * Packets in flight are the packets sent minus the receiver's count of packets that left the fabric
 * (CountingReceiver), each a full packet of the window.  When the timer expires, none are in
 * flight. A packet that is lost with its header therefore stays in the window until then: with
 * random loss, such packets use up the window, and a long message fails after RetryCount timeouts.
 *
 * Read: the authors' simulator (ColdPorridge/DCP-Simulation, commit b47c6ff: rdma-hw.cc,
 * rdma-queue-pair.cc, switch-node.cc) for the returned header, the window, the order of
 * retransmissions, the timer and its effect; reports of readers (everythinginsigcomm.group, topics
 * 355 and 433, and notes in public repositories) for what the simulator leaves out: messages,
 * counting, the queue of retransmissions in host memory, retry numbers.  The paper itself was not
 * read.  Inferred: the count in acknowledgments, in place of one decrement per acknowledgment, so
 * that a lost one does not matter; that later messages do not restart the timer.
 *
 * Differences: retransmissions leave by PSN, not in the order of their headers.  The receiver keeps
 * what arrived before a timeout, while DCP's count of a message begins anew with each retry number,
 * so that each packet of one round must arrive.  A message of more than half of the receiver's
 * PSNs, 2^21 packets, is acknowledged by packets.
 *
 * Not modelled: entries of the retransmission queue and their batches (NicHardware::NakDelay is the
 * time to write and read one).
 */
class CountedFlight final : public Flight
{
  public:
    CountedFlight(FlightState& state, const RequesterParts& parts);

    bool CanSend() const override;
    void Prepare(OutgoingPacket& packet, uint64_t number, uint32_t plane, Tick now) override;
    void OnSent(const OutgoingPacket& packet, uint32_t frameBytes, Tick now) override;
    uint64_t GetInFlightBytes() const override;
    bool HandlesAnswer(const Frame& answer) const override;
    void OnReport(const ReceivedAnswer& answer, Completions& completions, Tick now) override;
    void OnTrimNotice(const Frame& frame, Tick now) override;
    void OnNotice(const Frame& frame, Tick now) override;
    void OnArrivedBefore(uint64_t number) override;
    uint64_t OnLost(uint64_t first, uint64_t end, uint64_t payload, Tick now) override;
    void UpdateTimer(bool hasAdvanced, Tick now) override;
    bool OnDeadline(Tick now) override;
    EntropyRoutes* FindRoutes() override;
    bool TakesReports() const override;
    FlightCounts GetCounts() const override;

  private:
    /// @return packets between the oldest one that is not acknowledged and the next new one.
    uint64_t GetAhead() const;
    /// @return whether the next new packet is too far ahead for the receiver to place it.
    bool IsFarAhead() const;
    /// @param acknowledged all packets before it have arrived
    /// @return the same, reduced to whole messages.
    uint64_t FindMessageStart(uint64_t acknowledged) const;
    /// @return packets that left the fabric since the last answer, by the receiver's count.
    uint32_t TakeCount(const Frame& answer);
    /// The receiver has returned the header of a packet.
    void OnReturned(const Frame& frame, Tick now);
    /// @return payload to be sent again.
    uint64_t ResendOldest(Tick now);
    void RestartTimer(Tick now);

    EntropyRoutes m_routes;
    uint64_t m_packets{0};   ///< In flight.
    uint32_t m_count{0};     ///< Of the receiver: packets that have left the fabric.
    Tick m_lastDeparture{0}; ///< Of the oldest message, or when it became the oldest.
    bool m_resendsTrimmed;   ///< As DetectorTraits::resendsTrimmed.
    FlightCounts m_counts;
};

/**
 * @ingroup rdma-transport
 * @brief Selects CountedFlight, for a NIC with CountingReceiver and ReturnedHeaders.
 */
class CountedFlights : public FlightFactory
{
  public:
    static TypeId GetTypeId();
    std::unique_ptr<Flight> Make(FlightState& state, const RequesterParts& parts) const override;
};

} // namespace ns3::rdma

#endif // RDMA_COUNTED_FLIGHT_H
