// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REQUEST_KIND_H
#define RDMA_REQUEST_KIND_H

#include "ns3/traffic-kind.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-rpc
 * @brief What workloads have in common in which clients ask servers: their groups.
 */
class RequestKind : public TrafficKind
{
  public:
    static TypeId GetTypeId();

    std::vector<std::pair<uint32_t, uint32_t>> GetPeers(const Scenario& scenario) const override;

  protected:
    /// Declares "clients" and "servers": two groups.
    void VisitGroups(Keys& keys);

    const std::string& GetServerGroup() const
    {
        return m_servers;
    }

    /// @return node ids.
    const std::vector<uint32_t>& GetClients(const Scenario& scenario) const;
    const std::vector<uint32_t>& GetServers(const Scenario& scenario) const;

  private:
    std::string m_clients; ///< Group.
    std::string m_servers; ///< Group.
};

} // namespace ns3::rdma

#endif // RDMA_REQUEST_KIND_H
