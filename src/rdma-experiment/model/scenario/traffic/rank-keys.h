// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RANK_KEYS_H
#define RDMA_RANK_KEYS_H

#include "ns3/keys.h"
#include "ns3/rank-placement.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

class TopologyGraph;
struct Scenario;

/**
 * @ingroup rdma-collective
 * @brief The keys of the ranks of a workload: their servers, how many are on each, and the link
 * inside a server.
 */
class RankKeys
{
  public:
    static constexpr uint32_t MAX_PER_SERVER{64};

    /// Declares "group".
    void VisitGroup(Keys& keys);

    /// Declares "communicators".
    void VisitCommunicators(Keys& keys);

    /// Declares "ranksPerServer".
    void VisitPerServer(Keys& keys);

    /// Declares "local" and "placement", which come after "ranksPerServer".
    void VisitLocal(Keys& keys);

    uint32_t GetPerServer() const
    {
        return m_placement.ranksPerServer;
    }

    /// @return of the servers; empty: all servers.
    const std::string& GetGroup() const
    {
        return m_group;
    }

    /// @return unset if each server has one rank.
    const std::optional<LocalLink>& GetLocal() const
    {
        return m_local;
    }

    /// @return node ids of the servers, rising.
    std::vector<uint32_t> GetServers(const Scenario& scenario, const TopologyGraph& topology) const;

    /// @param seed of the run @return as RankPlacement::Place().
    /// @throws InputError ".placement: expected ..., got ..." if a server has too few NICs
    std::vector<std::vector<RankPlace>> Place(const Scenario& scenario,
                                              const TopologyGraph& topology,
                                              uint64_t seed) const;

  private:
    void CheckNics(const Scenario& scenario) const;

    RankPlacement m_placement;
    std::string m_group; ///< Empty: all servers.
    std::optional<LocalLink> m_local;
};

} // namespace ns3::rdma

#endif // RDMA_RANK_KEYS_H
