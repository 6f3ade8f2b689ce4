// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KV_TRAFFIC_H
#define RDMA_KV_TRAFFIC_H

#include "ns3/kv-client.h"
#include "ns3/kv-core-service.h"
#include "ns3/request-traffic.h"

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
class KvTraffic : public RequestTraffic<KvClient>
{
  public:
    /// @throws InputError if a server's store does not take its keys
    KvTraffic(KvPlan plan, const TrafficContext& context);
    ~KvTraffic() override;

  private:
    /// @return the kernel of a NIC. @param endpoint id of it
    Ptr<KvDirectKernel> FindKernel(uint32_t endpoint) const;
    void MakeStores();
    /// @return the store, null if it is another rank's, or counted.
    KvStore* MakeStore(uint32_t endpoint);
    /// @throws InputError if a batch is too long for a kernel
    void CheckBatches(const KvDirectKernel& kernel) const;
    void CheckRoom() const;
    /// Lets operations move lines into the DRAM of counted stores.
    void WarmStores();
    /// @param client node id @param store place in the plan's
    ProgramConnection AddConnection(uint32_t client, std::size_t store);
    void Connect(KvClient& client, std::size_t store);
    void ConnectServer(const KvClient& client, std::size_t store, const ProgramEnd& end);

    KvPlan m_plan;
    std::vector<std::unique_ptr<KvCoreService>> m_services; ///< By store; none if kernels serve.
    Ptr<CompletionQueue> m_unread;                          ///< Of kernels' WRITEs that fail.
};

} // namespace ns3::rdma

#endif // RDMA_KV_TRAFFIC_H
