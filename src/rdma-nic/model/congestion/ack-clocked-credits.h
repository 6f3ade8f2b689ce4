// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ACK_CLOCKED_CREDITS_H
#define RDMA_ACK_CLOCKED_CREDITS_H

#include "ns3/congestion-control.h"
#include "ns3/forks.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-cc
 * @brief A fixed budget per queue pair, spent by sending and refilled by acknowledgments
 *        (RoCE BALBOA, section 4.4).
 *
 * The budget never changes: the ACK clock alone slows a flow down.  The paper does not print the
 * budget; the default is the window of its shell Coyote, 16 requests of one 4096 B packet each, in
 * bytes, so that it does not depend on the path MTU.
 */
class AckClockedCredits : public Forks<AckClockedCredits, CongestionControl>
{
  public:
    static TypeId GetTypeId();
    Feedback GetNeededFeedback() const override;
    void Start(const PathInfo& path, Time now) override;
    bool NeedsOnSent() const override;
    SendLimit GetLimit() const override;

  private:
    uint64_t m_budgetBytes{0};
    DataRate m_lineRate;
};

} // namespace ns3::rdma

#endif // RDMA_ACK_CLOCKED_CREDITS_H
