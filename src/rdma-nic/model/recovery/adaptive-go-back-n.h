// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ADAPTIVE_GO_BACK_N_H
#define RDMA_ADAPTIVE_GO_BACK_N_H

#include "ns3/loss-recovery.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-recovery
 * @brief Go-back-N with NVIDIA's adaptive retransmission: short timeouts that double, capped by the
 * queue pair's own timeout (NVIDIA, "Adaptive Retransmission: Parameters Control", August 2025).
 *
 * A timeout is TimeBase x 2^exponent.  Until the timer of a queue pair expires for the first time
 * the exponent is random, so that queue pairs do not expire together.  That value is used once; the
 * range of exponents follows, each used RetriesPerTimeout times, from the next exponent on if the
 * random one lies in the range, else from its low end.  The last one stays.  Progress leads back to
 * the low end of the range (the publication's third mode).
 *
 * What is sent again, and the cap, is GoBackN's: its attribute Timeout or the queue pair's timeout.
 * A queue pair without a timeout has no timer.
 *
 * Ours: the publication draws once per queue pair; here the PSN of the oldest packet decides, which
 * needs no seed and repeats exactly.  Not modelled: profiles of more than one range; the two modes
 * that lower the exponent step by step; giving up after a total time instead of RetryCount
 * expiries.
 */
class AdaptiveGoBackN : public LossRecovery
{
  public:
    static TypeId GetTypeId();
    AdaptiveGoBackN();
    Ptr<LossRecovery> Fork() const override;
    ResponderRules GetResponderRules() const override;
    void SetAckTimeout(Time timeout) override;
    Time GetTimeout(const SendWindow& window, uint32_t retries) const override;
    void OnSent(const PsnRange& packets, Time now) override;
    bool NeedsOnSent() const override;
    bool NeedsOnAck() const override;
    ResendList OnAck(const SendWindow& window, const AnswerTiming& timing) override;
    ResendList OnNack(const NackEvent& nack, const SendWindow& window) override;
    ResendList OnTimeout(const SendWindow& window, Time now) override;
    ResendList OnRnrNak(const SendWindow& window) override;
    ResendList OnMissingResponse(const SendWindow& window) override;

  private:
    Ptr<LossRecovery> GetRules() const;
    uint32_t DrawExponent(Psn oldest) const;
    uint32_t GetExponent(const SendWindow& window, uint32_t retries) const;

    Ptr<LossRecovery> m_rules; ///< GoBackN's.
    Time m_timeBase;
    uint32_t m_initialLow{0};
    uint32_t m_initialSize{1};
    uint32_t m_low{0};
    uint32_t m_size{1};
    uint32_t m_retriesPerTimeout{1};

    Psn m_drawnFor;         ///< The oldest packet when the timer expired for the first time.
    uint32_t m_expiries{0}; ///< Of this queue pair's timer, ever.
};

} // namespace ns3::rdma

#endif // RDMA_ADAPTIVE_GO_BACK_N_H
