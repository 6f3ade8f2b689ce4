// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KV_TRAFFIC_H
#define RDMA_KV_TRAFFIC_H

#include "ns3/flow-endpoints.h"
#include "ns3/kv-client.h"
#include "ns3/run-traffic.h"

#include <memory>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-kv
 * @brief Clients that work on the key-value stores of servers: a queue pair from each client to
 * each store, there from the start to the end of the run.
 *
 * Each NIC of a server has a store of its own, and a disjoint part of the keys (KV-Direct section
 * 6.2).
 */
class KvTraffic : public RunTraffic
{
  public:
    /// @throws InputError if a server's store does not take its keys
    KvTraffic(KvPlan plan, const TrafficContext& context);

    std::vector<uint32_t> CountQueuePairs() const override
    {
        return m_queuePairs;
    }

    void Start() override;
    Tick GetEnd() const override;
    void AddTo(WindowState& state) const override;
    void Finish(bool isStalled) override;
    void Report(RankGroup& ranks, RunReport& report) override;

  private:
    /// @return the kernel of a NIC. @param endpoint id of it
    Ptr<KvDirectKernel> FindKernel(uint32_t endpoint) const;
    void MakeStores();
    void Connect(KvClient& client, std::size_t store, FlowEndpoints& endpoints);
    /// @param store place in the plan's
    ConnectionEnds Choose(uint32_t client, std::size_t store, FlowEndpoints& endpoints) const;
    void ConnectServer(const KvClient& client,
                       const ConnectionEnds& ends,
                       uint32_t queuePair,
                       const Connection& connection);

    KvPlan m_plan;
    TrafficContext m_context;
    std::vector<std::unique_ptr<KvClient>> m_clients; ///< In the order of the plan; of all ranks.
    Ptr<CompletionQueue> m_unread;                    ///< Of kernels' WRITEs that fail.
    std::vector<uint32_t> m_queuePairs;               ///< Made, by node.
    uint64_t m_connections{0};
};

} // namespace ns3::rdma

#endif // RDMA_KV_TRAFFIC_H
