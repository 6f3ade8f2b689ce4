// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FIXED_TIMEOUT_H
#define RDMA_FIXED_TIMEOUT_H

#include "ns3/retransmission-timeout.h"

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

} // namespace ns3::rdma

#endif // RDMA_FIXED_TIMEOUT_H
