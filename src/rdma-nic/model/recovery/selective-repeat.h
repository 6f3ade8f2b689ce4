// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SELECTIVE_REPEAT_H
#define RDMA_SELECTIVE_REPEAT_H

#include "ns3/forks.h"
#include "ns3/loss-detector.h"
#include "ns3/shared-parameters.h"

#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-recovery
 * @brief Only missing packets are lost (IRN, Mittal et al. 2018, section 3.1; SRNIC section 4.4).
 *
 * The responder answers each packet out of order with the expected PSN and the packet's PSN.  A
 * packet is lost when a later one has been acknowledged selectively, and is then sent again once.
 * The timer detects the loss of a retransmission.
 *
 * At a timeout the oldest packet and the holes before the newest selective acknowledgment are lost.
 * Later packets may still be in flight.  If a second timeout occurs before all packets in flight at
 * the first one have been acknowledged, all of these without a selective acknowledgment are lost.
 * A lost tail thus costs two timeouts, not one per packet.  This rule is ours; IRN does not state
 * it.
 *
 * If SRNIC's host software keeps the bitmaps, cumulative acknowledgments arrive later than
 * selective ones (CumulativeLags).  Then only the timer detects that a packet was refused after it
 * had been kept.
 *
 * Not modelled: a reordering threshold (with one path per flow, out of order means lost).
 */
class SelectiveRepeat : public Restarts<SelectiveRepeat, LossDetector>
{
  public:
    static TypeId GetTypeId();
    DetectorTraits GetTraits() const override;
    LostPackets OnReport(const AckReport& report, const Scoreboard& board, Time now) override;
    LostPackets OnTrigger(LossTrigger trigger, const Scoreboard& board, Time now) override;
    NextLook GetNextLook() const override;

  private:
    struct Parameters
    {
        uint32_t bitmapPackets{0};
        bool isCumulativeLate{false};
        bool countsHeld{false};
    };

    LostPackets OnTimeout(const Scoreboard& board);
    /// Updates the state when the window begins later.
    void Advance(const Scoreboard& board);

    SharedParameters<Parameters> m_parameters;
    /// Set by a timeout: end of the packets in flight at that time.
    std::optional<Psn> m_recoveryEnd;
    /// All holes before it have been sent again; unset: no hole has been.
    std::optional<Psn> m_nextSuspect;
};

} // namespace ns3::rdma

#endif // RDMA_SELECTIVE_REPEAT_H
