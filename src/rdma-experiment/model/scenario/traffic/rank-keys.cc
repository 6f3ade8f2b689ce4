// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rank-keys.h"

#include "ns3/collective-keys.h"
#include "ns3/scenario-file.h"
#include "ns3/topology-graph.h"

#include <array>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t MAX_RANKS{1 << 20};

constexpr std::array<std::pair<const char*, PlacementRule>, 3> PLACEMENTS{
    {{"rank-order", PlacementRule::RANK_ORDER},
     {"random", PlacementRule::RANDOM},
     {"rail", PlacementRule::RAIL}}};

} // namespace

void
RankKeys::VisitGroup(Keys& keys)
{
    keys.Group("group", m_group, "group of servers with ranks").Otherwise("all servers");
}

void
RankKeys::VisitCommunicators(Keys& keys)
{
    keys.Count("communicators",
               m_placement.communicators,
               "equal parts of the ranks, each of which repeats the operation independently")
        .Between(1U, MAX_RANKS);
}

void
RankKeys::VisitPerServer(Keys& keys)
{
    keys.Count("ranksPerServer", m_placement.ranksPerServer, "adjacent ranks on one server")
        .Between(1U, MAX_PER_SERVER);
}

void
RankKeys::VisitLocal(Keys& keys)
{
    const auto visitLocal = [](Keys& local, LocalLink& link) {
        local.Rate("rate", link.rate, "bandwidth of a rank, which sends one at a time").Required();
        local.Time("latency", link.latency, "time until the last byte has arrived").Required();
    };
    const bool isShared = m_placement.ranksPerServer > 1;
    keys.Object("local", m_local, visitLocal, "transfers between ranks of one server")
        .RequiredIf(isShared)
        .OnlyIf(isShared, "no such key unless ranksPerServer is above 1")
        .Otherwise("none");
    keys.Choice("placement", m_placement.rule, PLACEMENTS, "order in which servers get ranks");
}

std::vector<uint32_t>
RankKeys::GetServers(const Scenario& scenario, const TopologyGraph& topology) const
{
    return m_group.empty() ? topology.GetServers() : scenario.groups.at(m_group);
}

std::vector<std::vector<RankPlace>>
RankKeys::Place(const Scenario& scenario, const TopologyGraph& topology, uint64_t seed) const
{
    CheckNics(scenario);
    return m_placement.Place(GetServers(scenario, topology), seed);
}

void
RankKeys::CheckNics(const Scenario& scenario) const
{
    if (m_placement.rule != PlacementRule::RAIL)
    {
        return;
    }
    const ServerPortsSpec& ports = scenario.fabric.ports;
    const auto ofGroup = ports.nicsOfGroup.find(m_group);
    const uint32_t nics =
        ofGroup != ports.nicsOfGroup.end() ? ofGroup->second : ports.nicsPerServer;
    if (nics < m_placement.ranksPerServer)
    {
        CollectiveKeys::FailAt("placement",
                               "a NIC for each rank of a server with rail",
                               std::to_string(nics) + " NICs for " +
                                   std::to_string(m_placement.ranksPerServer) + " ranks");
    }
}

} // namespace ns3::rdma
