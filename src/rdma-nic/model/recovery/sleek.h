// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SLEEK_H
#define RDMA_SLEEK_H

#include "ns3/loss-detector.h"
#include "ns3/shared-parameters.h"

#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-recovery
 * @brief Loss detection for packets that take several routes, as Ultra Ethernet has it: a packet
 * out of order is not lost.
 *
 * A packet is lost if a switch has trimmed it, if its timer expires, or if the receiver holds so
 * many packets out of order that a gap cannot be reordering any more: Windows times the window, at
 * most MaxPackets and at least MinPackets.  The last rule is SLEEK of Ultra Ethernet's public
 * simulator, for fabrics without trimming.  It then counts each gap before the newest packet of
 * that time as lost once, as far as the window reaches beyond the oldest one.
 *
 * Not modelled: entering the recovery by a probe (a lost tail waits for the timer).
 */
class Sleek : public LossDetector
{
  public:
    static TypeId GetTypeId();
    Ptr<LossDetector> Fork() const override;
    ResponderRules GetResponderRules() const override;
    bool NeedsOnSent() const override;
    LostPackets OnReport(const AckReport& report, const Scoreboard& board, Time now) override;
    LostPackets OnTimeout(const Scoreboard& board, Time now) override;
    LostPackets OnRnrNak(const Scoreboard& board) override;
    LostPackets OnMissingResponse(const Scoreboard& board) override;

  private:
    struct Parameters
    {
        uint32_t receiverPackets{0};
        bool countsGaps{true};
        double windows{0};
        uint32_t minPackets{0};
    };

    /// @return whether the receiver holds more packets than reordering explains.
    bool IsBeyondReordering(const AckReport& report) const;

    SharedParameters<Parameters> m_parameters;
    std::optional<Psn> m_recoveryEnd; ///< Set in recovery: one past the newest packet at its start.
    std::optional<Psn> m_nextSuspect; ///< All gaps before it have been reported.
};

} // namespace ns3::rdma

#endif // RDMA_SLEEK_H
