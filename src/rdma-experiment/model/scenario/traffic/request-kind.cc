// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/request-kind.h"

#include "ns3/scenario.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(RequestKind);

TypeId
RequestKind::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::RequestKind").SetParent<TrafficKind>().SetGroupName("RdmaExperiment");
    return tid;
}

void
RequestKind::VisitGroups(Keys& keys)
{
    keys.Group("clients", m_clients, "group of servers that ask").Required();
    keys.Group("servers", m_servers, "group of servers that are asked").Required();
    keys.Check(m_clients != m_servers, "servers", "another group than that of the clients");
}

std::vector<std::pair<uint32_t, uint32_t>>
RequestKind::GetPeers(const Scenario& scenario) const
{
    // Servers of a group have one design.
    return {{GetClients(scenario).front(), GetServers(scenario).front()}};
}

const std::vector<uint32_t>&
RequestKind::GetClients(const Scenario& scenario) const
{
    return scenario.groups.at(m_clients);
}

const std::vector<uint32_t>&
RequestKind::GetServers(const Scenario& scenario) const
{
    return scenario.groups.at(m_servers);
}

} // namespace ns3::rdma
