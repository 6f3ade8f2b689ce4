// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/server-ports-keys.h"

#include "ns3/server-group.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

uint32_t
ReadNics(const JsonValue& value)
{
    return static_cast<uint32_t>(value.GetWhole(1, ServerPorts::MAX_NICS));
}

} // namespace

ServerPortsSpec
ReadServerPorts(const JsonValue& fabric, uint32_t planes)
{
    ServerPortsSpec spec;
    if (const auto nics = fabric.Find("nicsPerServer"))
    {
        if (nics->IsObject())
        {
            for (const auto& [group, member] : nics->GetMembers())
            {
                spec.nicsOfGroup[group] = ReadNics(member);
            }
        }
        else
        {
            spec.nicsPerServer = ReadNics(*nics);
        }
    }
    spec.portsPerNic = planes;
    if (const auto ports = fabric.Find("portsPerNic"))
    {
        spec.portsPerNic = static_cast<uint32_t>(ports->GetWhole(1, ServerPorts::MAX_PORTS));
        if (planes > 1 && spec.portsPerNic != planes)
        {
            ports->Fail("one port on each of the " + std::to_string(planes) + " planes");
        }
    }
    return spec;
}

void
CheckServerPorts(const ServerPortsSpec& spec, const ServerGroups& groups, const JsonValue& fabric)
{
    for (const auto& [group, nics] : spec.nicsOfGroup)
    {
        CheckGroupName(group, groups, fabric.Get("nicsPerServer").Get(group));
    }
}

void
WriteServerPorts(const ServerPortsSpec& spec, nlohmann::ordered_json& fabric)
{
    if (!spec.nicsOfGroup.empty())
    {
        fabric["nicsPerServer"] = spec.nicsOfGroup;
    }
    else if (spec.nicsPerServer > 1)
    {
        fabric["nicsPerServer"] = spec.nicsPerServer;
    }
    if (spec.portsPerNic > 1)
    {
        fabric["portsPerNic"] = spec.portsPerNic;
    }
}

ServerPorts
MakeServerPorts(const ServerPortsSpec& spec, const ServerGroups& groups, std::size_t nodes)
{
    ServerPorts ports;
    ports.nics.assign(nodes, spec.nicsPerServer);
    ports.portsPerNic = spec.portsPerNic;
    for (const auto& [group, nics] : spec.nicsOfGroup)
    {
        for (const uint32_t server : groups.at(group))
        {
            if (server < nodes) // Checked later, with where it stands.
            {
                ports.nics[server] = nics;
            }
        }
    }
    return ports;
}

} // namespace ns3::rdma
