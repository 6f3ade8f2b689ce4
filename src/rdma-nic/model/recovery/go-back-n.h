// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_GO_BACK_N_H
#define RDMA_GO_BACK_N_H

#include "ns3/loss-recovery.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-recovery
 * @brief Sends everything again from the missing packet on (IBTA Vol. 1, Sections 9.7.5 and 9.7.6).
 *
 * The responder keeps nothing out of order and sends one NAK per gap, so a lost NAK or a lost tail
 * is found by the timer: Timeout for the first FirstRetries expiries in a row, LateTimeout after
 * that. Both are equal for ConnectX (4.096 us x 2^timeout); BALBOA's transport timer has two steps.
 */
class GoBackN : public LossRecovery
{
  public:
    static TypeId GetTypeId();
    Ptr<LossRecovery> Fork() const override;
    ResponderRules GetResponderRules() const override;
    void SetAckTimeout(Time timeout) override;
    Time GetTimeout(const SendWindow& window, uint32_t retries) const override;
    bool NeedsOnSent() const override;
    bool NeedsOnAck() const override;
    uint32_t GetMaxQueuePairs() const override;
    ResendList OnNack(const NackEvent& nack, const SendWindow& window) override;
    ResendList OnTimeout(const SendWindow& window, Time now) override;

  private:
    Time m_timeout;
    Time m_lateTimeout;
    uint32_t m_firstRetries{0};
    uint32_t m_maxQueuePairs{0};
};

} // namespace ns3::rdma

#endif // RDMA_GO_BACK_N_H
