// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RTT_TIMEOUT_H
#define RDMA_RTT_TIMEOUT_H

#include "ns3/backoff-timeout.h"

namespace ns3::rdma
{

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

} // namespace ns3::rdma

#endif // RDMA_RTT_TIMEOUT_H
