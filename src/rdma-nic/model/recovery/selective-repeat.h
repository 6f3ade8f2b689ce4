// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SELECTIVE_REPEAT_H
#define RDMA_SELECTIVE_REPEAT_H

#include "ns3/loss-detector.h"
#include "ns3/shared-parameters.h"

#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-recovery
 * @brief Only what is missing is lost (IRN, Mittal et al. 2018, section 3.1; SRNIC section 4.4).
 *
 * Each packet out of order is answered with the expected PSN and its own.  A packet is lost once a
 * later one has been acknowledged selectively, and is sent again once for that; a retransmission
 * that is lost too is found by the timer.
 *
 * At a timeout the oldest packet is lost, and the holes before the newest selective
 * acknowledgment, but nothing beyond: packets that no later packet has overtaken may be in flight.
 * Another timeout before all that was in flight at the first has been acknowledged shows that they
 * are not: then all of it without a selective acknowledgment is lost (a lost tail costs two
 * timeouts, not one per packet; IRN does not state this rule, it is ours).
 *
 * Where SRNIC's host software keeps the bitmaps, cumulative acknowledgments come later than
 * selective ones (CumulativeLags): then only the timer finds that a packet was refused after it was
 * kept.
 *
 * Not modelled: a reordering threshold (with one path per flow, out of order means lost).
 */
class SelectiveRepeat : public LossDetector
{
  public:
    static TypeId GetTypeId();
    Ptr<LossDetector> Fork() const override;
    ResponderRules GetResponderRules() const override;
    bool WindowCountsHeld() const override;
    bool NeedsOnSent() const override;
    bool NeedsOnAck() const override;
    LostPackets OnReport(const AckReport& report, const Scoreboard& board, Time now) override;
    LostPackets OnTimeout(const Scoreboard& board, Time now) override;
    LostPackets OnRnrNak(const Scoreboard& board) override;
    LostPackets OnMissingResponse(const Scoreboard& board) override;

  private:
    struct Parameters
    {
        uint32_t bitmapPackets{0};
        bool isCumulativeLate{false};
        bool countsHeld{false};
    };

    /// Follows the begin of the window.
    void Advance(const Scoreboard& board);

    SharedParameters<Parameters> m_parameters;
    std::optional<Psn> m_recoveryEnd; ///< Set by a timeout: end of what was in flight then.
    std::optional<Psn>
        m_nextSuspect; ///< All holes before it have been sent again; unset: none yet.
};

} // namespace ns3::rdma

#endif // RDMA_SELECTIVE_REPEAT_H
