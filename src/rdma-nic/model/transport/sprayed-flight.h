// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SPRAYED_FLIGHT_H
#define RDMA_SPRAYED_FLIGHT_H

#include "ns3/departure-record.h"
#include "ns3/flight.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-transport
 * @brief A flight with cumulative acknowledgments whose packets take different routes: it records
 * the route of each packet, and notifies the entropy selector of marks and losses.
 */
class SprayedFlight : public Flight
{
  public:
    SprayedFlight(FlightState& state, const RequesterParts& parts);

    bool CanSend() const override;
    void Prepare(OutgoingPacket& packet, uint64_t number, uint32_t plane, Tick now) override;
    void OnSent(const OutgoingPacket& packet, uint32_t frameBytes, Tick now) override;
    uint64_t GetInFlightBytes() const override;
    void OnAnswered(const Frame& answer, Tick now) override;
    void OnArrivedBefore(uint64_t number) override;
    void OnArrivedUnanswered(uint64_t number, bool isReport) override;
    uint64_t OnLost(uint64_t first, uint64_t end, uint64_t payload, Tick now) override;
    void OnTimeout(Tick now) override;
    void UpdateTimer(bool hasAdvanced, Tick now) override;
    bool OnDeadline(Tick now) override;
    void OnTrimNotice(const Frame& frame, Tick now) override;
    void OnNotice(const Frame& frame, Tick now) override;
    EntropyRoutes* FindRoutes() override;
    FlightCounts GetCounts() const override;

  protected:
    /// @return the route's state by the flags of an answer.
    static RouteSignal GetSignal(const Frame& answer);

    /// @return the report of an answer for the loss detector. @param rtt of the answered packet
    AckReport MakeReport(const Frame& answer, Time rtt) const;

    static bool Contains(const LostPackets& lost, Psn psn);

    /// Notifies the selector of a packet in flight, which is lost. @param number of the packet
    void SignalLoss(uint64_t number, RouteSignal signal, Tick now);

    /// As OnArrivedBefore(). @param isReport whether a report has shown it
    void RecordArrivals(uint64_t number, bool isReport);

    /// Packets in flight are lost. @return their bytes on the wire.
    uint64_t RecordLoss(uint64_t first, uint64_t end, Tick now);

    bool m_resendsTrimmed; ///< As DetectorTraits::resendsTrimmed.
    EntropyRoutes m_routes;
    DepartureRecord m_record;
    FlightCounts m_counts;
};

} // namespace ns3::rdma

#endif // RDMA_SPRAYED_FLIGHT_H
