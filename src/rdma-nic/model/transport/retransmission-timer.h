// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RETRANSMISSION_TIMER_H
#define RDMA_RETRANSMISSION_TIMER_H

#include "ns3/loss-recovery.h"
#include "ns3/policy-error.h"
#include "ns3/tick.h"

#include <algorithm>
#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-transport
 * @brief The timer of a requester that waits for an acknowledgment (IBTA Vol. 1,
 * Section 9.9.2.1.1), and how often it has expired in a row.
 *
 * Loss recovery decides how long it waits, by what is in flight: called when it starts, and
 * again when it would expire, since more may be in flight by then.
 */
class RetransmissionTimer
{
  public:
    /// @return TICK_NEVER if it does not run.
    Tick GetExpiry() const
    {
        return m_expiry;
    }

    bool IsRunning() const
    {
        return m_expiry != TICK_NEVER;
    }

    void Start(Tick now, const LossRecovery& recovery, const SendWindow& window)
    {
        m_start = now;
        m_expiry = GetEnd(recovery, window);
    }

    void Stop()
    {
        m_expiry = TICK_NEVER;
    }

    /// @return whether it expires now; else it runs on.
    bool Expires(Tick now, const LossRecovery& recovery, const SendWindow& window)
    {
        if (m_expiry <= now)
        {
            m_expiry = std::max(m_expiry, GetEnd(recovery, window));
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

    /// @return RNR NAKs in a row: this row waits for a time that the receiver names.
    uint32_t GetRnrRetries() const
    {
        return m_rnrRetries;
    }

    void CountRnrRetry()
    {
        ++m_rnrRetries;
    }

    /// Something has arrived.
    void ForgetRetries()
    {
        m_retries = 0;
        m_rnrRetries = 0;
    }

  private:
    Tick GetEnd(const LossRecovery& recovery, const SendWindow& window) const
    {
        const Tick timeout = ToTick(CallPolicy(recovery, "GetTimeout()", [&] {
            return recovery.GetTimeout(window, m_retries);
        }));
        if (timeout <= 0)
        {
            FailTimeout(recovery, timeout);
        }
        if (timeout >= TICK_NEVER - m_start)
        {
            return TICK_NEVER;
        }
        const Tick end = CallPolicy(recovery, "GetExpiry()", [&] {
            return recovery.GetExpiry(m_start, timeout);
        });
        if (end <= m_start)
        {
            FailTimeout(recovery, end - m_start);
        }
        return end;
    }

    [[noreturn, gnu::cold, gnu::noinline]] static void FailTimeout(const LossRecovery& recovery,
                                                                   Tick timeout)
    {
        FailPolicy(recovery,
                   "GetTimeout() or GetExpiry()",
                   "a time above zero",
                   DescribeTick(timeout));
    }

    Tick m_expiry{TICK_NEVER};
    Tick m_start{0};
    uint32_t m_retries{0};
    uint32_t m_rnrRetries{0};
};

} // namespace ns3::rdma

#endif // RDMA_RETRANSMISSION_TIMER_H
