// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TRANSFER_TRAFFIC_H
#define RDMA_TRANSFER_TRAFFIC_H

#include "ns3/request-traffic.h"
#include "ns3/transfer-client.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-transfer
 * @brief The servers of a pool that move KV caches to or from another pool: queue pairs from each
 * to each, from the start to the end of the run.
 *
 * The design's PathSelector chooses NICs and ports of the queue pairs, as for other workloads.
 */
class TransferTraffic : public RequestTraffic<TransferClient>
{
  public:
    TransferTraffic(TransferPlan plan, const TrafficContext& context);
    ~TransferTraffic() override;

  private:
    void Connect(TransferClient& client, uint32_t server);

    TransferPlan m_plan;
};

} // namespace ns3::rdma

#endif // RDMA_TRANSFER_TRAFFIC_H
