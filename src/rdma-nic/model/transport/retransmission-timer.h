// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RETRANSMISSION_TIMER_H
#define RDMA_RETRANSMISSION_TIMER_H

#include "ns3/policy-error.h"
#include "ns3/retransmission-timeout.h"
#include "ns3/tick.h"

#include <algorithm>
#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-transport
 * @brief The timer of a requester that awaits an acknowledgment (IBTA Vol. 1, Section 9.9.2.1.1),
 * and its number of consecutive expiries.
 *
 * The RetransmissionTimeout computes the timeout from the bytes in flight.  It is called when the
 * timer starts and again when it would expire, since more may be in flight by then.
 */
class RetransmissionTimer
{
  public:
    /// @return TICK_NEVER if the timer is not running.
    Tick GetExpiry() const
    {
        return m_expiry;
    }

    bool IsRunning() const
    {
        return m_expiry != TICK_NEVER;
    }

    /// As Start(timeout, awaited), for a timer that has not expired since the last progress.
    /// @param packets as in AwaitedAnswer
    void Start(const FirstTimeout& first, uint64_t packets, Tick now)
    {
        m_start = now;
        m_expiry = GetEnd(now, packets <= first.fewPackets ? first.few : first.many);
    }

    /// @param awaited its start is the present time
    void Start(const RetransmissionTimeout& timeout, const AwaitedAnswer& awaited)
    {
        m_start = awaited.start;
        m_expiry = GetEnd(timeout, awaited);
    }

    Tick GetStart() const
    {
        return m_start;
    }

    void Stop()
    {
        m_expiry = TICK_NEVER;
    }

    /// @return whether the timer expires now; else it keeps running.
    /// @param awaited with the timer's start
    bool Expires(Tick now, const RetransmissionTimeout& timeout, const AwaitedAnswer& awaited)
    {
        if (m_expiry <= now)
        {
            m_expiry = std::max(m_expiry, GetEnd(timeout, awaited));
        }
        return m_expiry <= now;
    }

    /// @return expiries in a row.
    uint32_t GetRetries() const
    {
        return m_retries;
    }

    void CountRetry()
    {
        ++m_retries;
    }

    /// @return RNR NAKs in a row. After each, the delay is the one in the NAK.
    uint32_t GetRnrRetries() const
    {
        return m_rnrRetries;
    }

    void CountRnrRetry()
    {
        ++m_rnrRetries;
    }

    /// An acknowledgment or response has made progress.
    void ForgetRetries()
    {
        m_retries = 0;
        m_rnrRetries = 0;
    }

  private:
    static Tick GetEnd(const RetransmissionTimeout& timeout, const AwaitedAnswer& awaited)
    {
        const Tick wait =
            ToTick(CallPolicy(timeout, "Get()", [&] { return timeout.Get(awaited); }));
        if (wait <= 0)
        {
            FailWait(timeout, wait);
        }
        return GetEnd(awaited.start, wait);
    }

    static Tick GetEnd(Tick start, Tick wait)
    {
        return wait >= TICK_NEVER - start ? TICK_NEVER : start + wait;
    }

    [[noreturn, gnu::cold, gnu::noinline]] static void FailWait(
        const RetransmissionTimeout& timeout,
        Tick wait)
    {
        FailPolicy(timeout, "Get()", "a time above zero", DescribeTick(wait));
    }

    Tick m_expiry{TICK_NEVER};
    Tick m_start{0};
    uint32_t m_retries{0};
    uint32_t m_rnrRetries{0};
};

} // namespace ns3::rdma

#endif // RDMA_RETRANSMISSION_TIMER_H
