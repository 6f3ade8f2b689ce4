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

    void AddTo(WindowState& state, bool isDue) const override;
    void Pack(uint32_t rank, ByteBuffer& buffer) override;
    void Unpack(ByteReader& reader) override;
    void OnWindow(const WindowState& all, Tick end) override;
    std::vector<ResultPart> Report(RankGroup& ranks, bool isPartial) override;

  private:
    /// The pool that posts nothing.
    struct IdleHandler : RenewalHandler
    {
        void OnRenewed(uint32_t, uint64_t) override
        {
        }
    };

    void Connect(TransferClient& client, uint32_t server);

    TransferPlan m_plan;
    std::unique_ptr<QueuePairRenewals> m_renewals; ///< Null: failed queue pairs stay so.
    IdleHandler m_idle;
};

} // namespace ns3::rdma

#endif // RDMA_TRANSFER_TRAFFIC_H
