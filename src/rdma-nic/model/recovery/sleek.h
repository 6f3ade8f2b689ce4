// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SLEEK_H
#define RDMA_SLEEK_H

#include "ns3/forks.h"
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
 * With Probes, the sender asks for a report when none has come for some time.  If the report has a
 * short RTT, packets do not wait in queues, and all gaps count as lost.  While gaps are counted,
 * two rules change (uet-htsim): lost packets are sent without regard to the window, and a packet
 * whose timer expires is not sent again; instead the gaps from this packet on are counted again.
 */
class Sleek : public Forks<Sleek, LossDetector>
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
        uint32_t receiverPackets{0};
        bool countsGaps{true};
        double windows{0};
        uint32_t minPackets{0};
        bool probes{false};
        double tailProbe{0};
        double firstProbe{0};
        double nextProbe{0};
        double probeDelay{0};
    };

    LostPackets OnTimeout(const Scoreboard& board);
    /// @return whether the receiver holds more packets than reordering explains.
    bool IsBeyondReordering(const AckReport& report) const;
    /// @return whether the answer to a probe came without delay in the network.
    bool IsPrompt(const AckReport& report) const;
    void ArmProbe(const AckReport& report, bool isEmpty, Time now);

    SharedParameters<Parameters> m_parameters;
    std::optional<Psn> m_recoveryEnd; ///< Set in recovery: one past the newest packet at its start.
    std::optional<Psn> m_nextSuspect; ///< All gaps before it have been reported.
    Time m_leastRtt{Time::Max()};     ///< Used with Probes, as the next one.
    Time m_probeTime{Time::Max()};
};

} // namespace ns3::rdma

#endif // RDMA_SLEEK_H
