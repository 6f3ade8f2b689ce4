// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REPORTED_FLIGHT_H
#define RDMA_REPORTED_FLIGHT_H

#include "ns3/credit-account.h"
#include "ns3/flight-state.h"
#include "ns3/sprayed-flight.h"

#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-transport
 * @brief The flight of Ultra Ethernet and MRC: the receiver reports each packet (ReceiverControl),
 * and the timer runs for the packet in flight that was sent before all others.
 *
 * The window limits the bytes on the wire that are in flight by the receiver's counter (UE 1.0.3,
 * 3.6.13).  A packet may need credit of the receiver (3.6.14), and a probe requests a report.
 */
class ReportedFlight final : public SprayedFlight
{
  public:
    /// Only if RequesterRules::reports is set.
    ReportedFlight(FlightState& state, const RequesterParts& parts);

    bool CanSend() const override;
    void Prepare(OutgoingPacket& packet, uint64_t number, uint32_t plane, Tick now) override;
    void OnSent(const OutgoingPacket& packet, uint32_t frameBytes, Tick now) override;
    uint64_t GetInFlightBytes() const override;
    bool HandlesAnswer(const Frame& answer) const override;
    void OnReport(const ReceivedAnswer& answer, Completions& completions, Tick now) override;
    void OnTrimNotice(const Frame& frame, Tick now) override;
    void OnNotice(const Frame& frame, Tick now) override;
    uint64_t OnLost(uint64_t first, uint64_t end, uint64_t payload, Tick now) override;
    void UpdateTimer(bool hasAdvanced, Tick now) override;
    Tick GetDeadline() const override;
    bool OnDeadline(Tick now) override;
    std::vector<ReportProbe> TakeProbes() override;
    void Stop() override;
    bool TakesReports() const override;
    const CreditAccount* GetCredit() const override;

  private:
    const ReportRules& GetRules() const
    {
        return *m_state.rules->reports;
    }

    /// @return whether a packet waits that neither the end of the queue nor the receiver's limit of
    /// packets out of order holds back.
    bool HasPacket() const;
    /// @return whether that packet fits into the window of congestion control.
    bool FitsWindow() const;
    bool HasCredit() const;
    /// @return whether it has something to send, but no credit.
    bool LacksCredit() const;
    /// @return the credit that a packet requests: Frame::creditTarget.
    uint32_t GetCreditTarget(const OutgoingPacket& packet) const;
    bool AsksForAck(const OutgoingPacket& packet) const;

    void TakeBitmap(const SackBitmap& bitmap);
    /// An answer of any kind has arrived.
    void EndSpeculation();

    /// Reads the times of the next probes from the loss detector and the entropy selector.
    void UpdateProbeTime();
    Tick GetLossProbeTime() const;
    /// Makes the probes that are due.
    void MakeProbes(Tick now);
    /// @return a probe with the route of the next packet.
    ReportProbe MakeProbe(Tick now);
    /// @param policy that has set the time of a probe
    /// @param call by which it has set it
    void CountProbe(const Object& policy, const char* call);
    /// If a window has shrunk below the bytes in flight, and no packet in flight requests a report,
    /// a probe requests one, once until the next report.
    /// @return whether such a probe is due
    bool NeedsReport() const;
    void RequestReport(Tick now);

    /// The timer has expired for a packet in flight.
    /// @return its bytes on the wire; unset: the loss detector waits for a report
    std::optional<uint64_t> OnTimeoutOf(uint64_t oldest, Tick now);
    /// The timer has expired with no packet in flight: a response, an answer or credit is missing.
    /// @return whether anything is sent again.
    bool ResendUnanswered();
    /// @return with no packet in flight, whether the oldest packet is neither acknowledged nor to
    /// be sent again: it was refused after it had been kept, or its response was lost.
    bool IsOldestUnanswered() const;
    /// @return the answer to the packet in flight that was sent before all others.
    AwaitedAnswer AwaitOldest(uint64_t oldest) const;

    std::optional<CreditAccount> m_credit; ///< Unset: no credit is needed.
    Tick m_probeTime{TICK_NEVER};          ///< Of the next probe.
    std::vector<ReportProbe> m_probes;     ///< To be taken.
    uint32_t m_probesInRow{0};             ///< Times of probes since the last report.
    bool m_hasAskedForReport{false};       ///< By a probe, since the last report.
};

} // namespace ns3::rdma

#endif // RDMA_REPORTED_FLIGHT_H
