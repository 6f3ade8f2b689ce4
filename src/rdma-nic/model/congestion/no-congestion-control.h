// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NO_CONGESTION_CONTROL_H
#define RDMA_NO_CONGESTION_CONTROL_H

#include "ns3/congestion-control.h"
#include "ns3/forks.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-cc
 * @brief Always sends at line rate.
 */
class NoCongestionControl : public Restarts<NoCongestionControl, CongestionControl>
{
  public:
    static TypeId GetTypeId();
    Feedback GetNeededFeedback() const override;
    void Start(const PathInfo& path, Time now) override;
    bool NeedsOnSent() const override;
    SendLimit GetLimit() const override;

  private:
    DataRate m_lineRate;
};

} // namespace ns3::rdma

#endif // RDMA_NO_CONGESTION_CONTROL_H
