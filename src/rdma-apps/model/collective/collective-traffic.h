// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_COLLECTIVE_TRAFFIC_H
#define RDMA_COLLECTIVE_TRAFFIC_H

#include "ns3/collective-report.h"
#include "ns3/communicator.h"
#include "ns3/run-traffic.h"

#include <functional>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-collective
 * @brief The communicators of a workload, from the start of a run until all iterations have ended.
 */
class CollectiveTraffic : public RunTraffic
{
  public:
    /// Makes the results of a workload. As MakeCollectivePart().
    using Reporter = std::function<
        ResultPart(const CollectivePlan& plan, CollectiveReport report, bool isPartial)>;

    /// @throws VerbsError if the NICs do not take the queue pairs
    CollectiveTraffic(CollectivePlan plan,
                      const TrafficContext& context,
                      Reporter reporter = MakeCollectivePart);

    std::vector<uint32_t> CountQueuePairs() const override;
    void Start() override;
    Tick GetEnd() const override;
    void AddTo(WindowState& state, bool isDue) const override;

    void AddDelivered(std::vector<uint64_t>& bytes) const override
    {
        m_connector.AddDelivered(bytes);
    }

    void Pack(uint32_t rank, ByteBuffer& buffer) override;
    void Unpack(ByteReader& reader) override;
    void OnWindow(const WindowState& all, Tick end) override;
    std::vector<ResultPart> Report(RankGroup& ranks, bool isPartial) override;

  private:
    CollectivePlan m_plan;
    TrafficContext m_context;
    Reporter m_reporter;
    ProgramConnector m_connector;
    std::unique_ptr<QueuePairRenewals> m_renewals; ///< Null: failed queue pairs stay so.
    std::vector<std::unique_ptr<Communicator>> m_communicators;
};

} // namespace ns3::rdma

#endif // RDMA_COLLECTIVE_TRAFFIC_H
