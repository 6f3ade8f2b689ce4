// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RTT_SELECTIVE_REPEAT_H
#define RDMA_RTT_SELECTIVE_REPEAT_H

#include "ns3/selective-repeat.h"
#include "ns3/smoothed-rtt.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-recovery
 * @brief SelectiveRepeat with a timeout from measured round trips (RFC 6298).
 *
 * The timeout is SRTT + max(G, 4 RTTVAR), within bounds, and doubles per expiry in a row; until
 * there is a sample, SelectiveRepeat's own holds.  All answers give samples: times are of each
 * sending of a packet, so that Karn's rule is not needed.
 */
class RttSelectiveRepeat : public SelectiveRepeat
{
  public:
    static TypeId GetTypeId();
    Ptr<LossRecovery> Fork() const override;
    Time GetTimeout(const SendWindow& window, uint32_t retries) const override;
    bool NeedsOnAck() const override;
    ResendList OnAck(const SendWindow& window, const AnswerTiming& timing) override;
    ResendList OnNack(const NackEvent& nack, const SendWindow& window) override;

  private:
    struct Bounds
    {
        Time granularity;
        Time minimum;
        Time maximum;
    };

    SharedParameters<Bounds> m_bounds;
    SmoothedRtt m_estimator;
};

} // namespace ns3::rdma

#endif // RDMA_RTT_SELECTIVE_REPEAT_H
