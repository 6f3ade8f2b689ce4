// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/request-kind.h"

#include "ns3/input-error.h"
#include "ns3/server-group.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(RequestKind);

double
ReadNumber(const JsonValue& value, double min, double max, const std::string& expected)
{
    const double number = value.GetNumber();
    if (!(number >= min && number <= max))
    {
        value.Fail(expected);
    }
    return number;
}

TypeId
RequestKind::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::RequestKind").SetParent<TrafficKind>().SetGroupName("RdmaExperiment");
    return tid;
}

void
RequestKind::ReadGroups(const JsonValue& value, const Scenario& scenario)
{
    m_clients = ReadGroupName(value.Get("clients"), scenario.groups);
    m_servers = ReadGroupName(value.Get("servers"), scenario.groups);
    if (m_clients == m_servers)
    {
        value.Get("servers").Fail("another group than that of the clients");
    }
}

void
RequestKind::WriteGroups(nlohmann::ordered_json& json) const
{
    json["clients"] = m_clients;
    json["servers"] = m_servers;
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
