// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BUSY_DCTCP_H
#define RDMA_BUSY_DCTCP_H

#include "ns3/window-dctcp.h"

namespace ns3::rdma
{

/**
 * @brief DCTCP that does more work than it has to: a model that is slower by a known amount, with
 * the same results, to show that the speed guard notices.
 */
class BusyDctcp : public WindowDctcp
{
  public:
    static TypeId GetTypeId();
    Ptr<CongestionControl> Fork() const override;
    void Start(const PathInfo& path, Time now) override;
    void OnAck(const AckEvent& ack) override;

  private:
    uint32_t m_rounds{0}; ///< Multiply-adds per acknowledgment, each of which needs the one before.
    uint32_t m_lines{0};  ///< Reads per acknowledgment, spread over more than caches hold.
    uint64_t m_value{1};
};

} // namespace ns3::rdma

#endif // RDMA_BUSY_DCTCP_H
