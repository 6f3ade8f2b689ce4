// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SELECTIVE_REPEAT_H
#define RDMA_SELECTIVE_REPEAT_H

#include "ns3/loss-recovery.h"
#include "ns3/psn-bitmap.h"
#include "ns3/shared-parameters.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-recovery
 * @brief Sends again only what is missing (IRN, Mittal et al. 2018, section 3.1; SRNIC section
 * 4.4).
 *
 * Each packet out of order is answered with the expected PSN and its own.  A packet is lost once a
 * later one has been acknowledged selectively, and is sent again once for that; a retransmission
 * that is lost too is found by the timer.
 *
 * A timeout sends the oldest packet again, and the holes before the newest selective
 * acknowledgment, but nothing beyond: what no later packet has overtaken may still be under way.
 * Another timeout before all that was in flight at the first has been acknowledged shows that it is
 * not: then all of it without a selective acknowledgment is lost (a lost tail costs two timeouts,
 * not one per packet; IRN does not say, this rule is ours).  The timer waits RtoLow while few
 * packets are in flight (no later packet could show the loss), else RtoHigh, doubled per expiry in
 * a row up to 2^MaxBackoff.
 *
 * Where SRNIC's host software keeps the bitmaps, cumulative acknowledgments come later than
 * selective ones (CumulativeLags): then only the timer finds that a packet was refused after it was
 * kept.
 *
 * Not modelled: a reordering threshold (with one path per flow, out of order means lost).
 */
class SelectiveRepeat : public LossRecovery
{
  public:
    static TypeId GetTypeId();
    Ptr<LossRecovery> Fork() const override;
    ResponderRules GetResponderRules() const override;
    Time GetTimeout(const SendWindow& window, uint32_t retries) const override;
    bool NeedsOnSent() const override;
    bool NeedsOnAck() const override;
    ResendList OnAck(const SendWindow& window, const AnswerTiming& timing) override;
    ResendList OnNack(const NackEvent& nack, const SendWindow& window) override;
    ResendList OnTimeout(const SendWindow& window, Time now) override;
    ResendList OnRnrNak(const SendWindow& window) override;
    ResendList OnMissingResponse(const SendWindow& window) override;

  private:
    struct Parameters
    {
        Time rtoLow;
        Time rtoHigh;
        uint32_t fewPackets{0};
        uint32_t maxBackoff{0};
        uint32_t bitmapPackets{0};
        bool isCumulativeLate{false};
    };

    /// The oldest packet had arrived out of order, yet is missing: it was refused at its turn.
    void ForgetRefused(const SendWindow& window, ResendList& resend);

    /// Appends the unacknowledged packets from first up to, not including, end.
    void AppendHoles(Psn first, Psn end, ResendList& resend) const;
    void Advance(const SendWindow& window);

    SharedParameters<Parameters> m_parameters;
    PsnBitmap m_sacked;               ///< Selectively acknowledged.
    Psn m_base;                       ///< Start of the bitmap's window.
    std::optional<Psn> m_recoveryEnd; ///< Set by a timeout: end of what was in flight then.
    std::optional<Psn>
        m_nextSuspect; ///< All holes before it have been sent again; unset: none yet.
};

} // namespace ns3::rdma

#endif // RDMA_SELECTIVE_REPEAT_H
