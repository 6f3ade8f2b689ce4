// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RPC_TRAFFIC_H
#define RDMA_RPC_TRAFFIC_H

#include "ns3/request-traffic.h"
#include "ns3/rpc-client.h"
#include "ns3/tcp-service.h"

#include <memory>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-rpc
 * @brief Clients that GET keys from servers: a queue pair from each client to each server, there
 * from the start to the end of the run.
 */
class RpcTraffic : public RequestTraffic<RpcClient>
{
  public:
    /// @throws InputError if a server's table cannot be pinned
    RpcTraffic(RpcPlan plan, const TrafficContext& context);
    ~RpcTraffic() override;

  private:
    void MakeStores();
    void Connect(RpcClient& client, std::size_t server);
    void ConnectServer(const ProgramEnd& end, std::size_t server);

    RpcPlan m_plan;
    KeyDistribution m_keys;
    std::vector<std::unique_ptr<RpcStore>> m_stores;     ///< In the order of the plan.
    std::vector<std::unique_ptr<TcpService>> m_services; ///< Likewise; none if cores serve nothing.
    Ptr<CompletionQueue> m_unread;                       ///< Of kernels' WRITEs that fail.
};

} // namespace ns3::rdma

#endif // RDMA_RPC_TRAFFIC_H
