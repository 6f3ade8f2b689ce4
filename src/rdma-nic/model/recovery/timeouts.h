// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TIMEOUTS_H
#define RDMA_TIMEOUTS_H

#include "ns3/retransmission-timeout.h"

#include <algorithm>

namespace ns3::rdma
{

/**
 * @ingroup rdma-recovery
 * @brief A constant timeout (IBTA Vol. 1, Section 9.9.2.1.1), in two steps: Timeout for the first
 * FirstRetries consecutive expiries, LateTimeout after that.
 *
 * Both are equal for ConnectX (4.096 us x 2^timeout); BALBOA's transport timer has two steps.  A
 * queue pair's own timeout replaces both.
 */
class FixedTimeout : public RetransmissionTimeout
{
  public:
    static TypeId GetTypeId();
    Time Get(const AwaitedAnswer& awaited) const override;
    std::optional<FirstTimeout> GetFirst() const override;
    Ptr<const RetransmissionTimeout> WithAckTimeout(Time timeout) const override;

  protected:
    /// @return a copy of an object of class Class with another timeout.
    template <typename Class>
    static Ptr<const RetransmissionTimeout> CopyWith(const Class& original, Time timeout)
    {
        const Ptr<Class> copy = CopyObject(Ptr<const Class>(&original));
        copy->m_timeout = timeout;
        copy->m_lateTimeout = timeout;
        return copy;
    }

  private:
    Time m_timeout;
    Time m_lateTimeout;
    uint32_t m_firstRetries{0};
};

/**
 * @ingroup rdma-recovery
 * @brief A short timeout while few packets are in flight, a longer one otherwise (IRN, Mittal et
 * al. 2018, section 4.1), doubled per consecutive expiry.
 *
 * With few packets in flight there may be no later packet whose arrival shows a loss, so that the
 * timeout is RtoLow; else it is RtoHigh.  A queue pair's own timeout is ignored.
 */
class BackoffTimeout : public RetransmissionTimeout
{
  public:
    static TypeId GetTypeId();
    Time Get(const AwaitedAnswer& awaited) const override;
    std::optional<FirstTimeout> GetFirst() const override;

  protected:
    /// @return the shortest timeout.
    Time GetLeast() const
    {
        return std::min(m_rtoLow, m_rtoHigh);
    }

  private:
    Time m_rtoLow;
    Time m_rtoHigh;
    uint32_t m_fewPackets{0};
    uint32_t m_maxBackoff{0};
};

/**
 * @ingroup rdma-recovery
 * @brief A timeout from measured round trips (RFC 6298).
 *
 * The timeout is SRTT + max(G, 4 RTTVAR), within bounds, and doubles per consecutive expiry; before
 * the first sample BackoffTimeout applies.  All answers give samples: the RTT refers to the
 * transmission that is answered, so that Karn's rule is not needed.
 */
class RttTimeout : public BackoffTimeout
{
  public:
    static TypeId GetTypeId();
    Time Get(const AwaitedAnswer& awaited) const override;
    std::optional<FirstTimeout> GetFirst() const override;
    bool NeedsRtt() const override;

  private:
    Time m_granularity;
    Time m_minimum;
    Time m_maximum;
};

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

#endif // RDMA_TIMEOUTS_H
