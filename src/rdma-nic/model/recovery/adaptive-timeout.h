// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ADAPTIVE_TIMEOUT_H
#define RDMA_ADAPTIVE_TIMEOUT_H

#include "ns3/fixed-timeout.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-recovery
 * @brief NVIDIA's adaptive retransmission: short timeouts that double, capped by the queue pair's
 * own timeout (NVIDIA, "Adaptive Retransmission: Parameters Control", August 2025).
 *
 * A timeout is TimeBase x 2^exponent.  Until the timer of a queue pair expires for the first time
 * the exponent is random, so that timers of queue pairs do not expire together.  After that expiry
 * the exponents of the range follow, each used RetriesPerTimeout times.  They start after the
 * random exponent if that is in the range, else at the low end.  The last exponent is kept.
 * Progress resets the exponent to the low end of the range (the publication's third mode).
 *
 * The cap is the timeout of FixedTimeout: its attributes, or the queue pair's own timeout.  A queue
 * pair without a timeout has no timer.
 *
 * Difference: the publication draws once per queue pair; here the exponent is a hash of the oldest
 * packet's PSN, which needs no seed and is reproducible.  Not modelled: profiles of more than one
 * range; the two modes that lower the exponent step by step; giving up after a total time instead
 * of RetryCount expiries.
 */
class AdaptiveTimeout : public FixedTimeout
{
  public:
    static TypeId GetTypeId();
    Time Get(const AwaitedAnswer& awaited) const override;
    std::optional<FirstTimeout> GetFirst() const override;
    Ptr<const RetransmissionTimeout> WithAckTimeout(Time timeout) const override;

  private:
    uint32_t DrawExponent(Psn oldest) const;
    uint32_t GetExponent(const AwaitedAnswer& awaited) const;
    /// @return TimeBase x 2^exponent, at most cap.
    Time GetTimeout(uint32_t exponent, Time cap) const;

    Time m_timeBase;
    uint32_t m_initialLow{0};
    uint32_t m_initialSize{1};
    uint32_t m_low{0};
    uint32_t m_size{1};
    uint32_t m_retriesPerTimeout{1};
};

} // namespace ns3::rdma

#endif // RDMA_ADAPTIVE_TIMEOUT_H
