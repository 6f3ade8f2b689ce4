// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BACKOFF_TIMEOUT_H
#define RDMA_BACKOFF_TIMEOUT_H

#include "ns3/retransmission-timeout.h"

#include <algorithm>

namespace ns3::rdma
{

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

} // namespace ns3::rdma

#endif // RDMA_BACKOFF_TIMEOUT_H
