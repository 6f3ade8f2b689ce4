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

void
VisitServerPorts(Keys& keys, ServerPortsSpec& spec, uint32_t planes)
{
    const auto read = [&spec](const JsonValue& value, const KeySpec&) {
        if (!value.IsObject())
        {
            spec.nicsPerServer = ReadNics(value);
            return;
        }
        for (const auto& [group, member] : value.GetMembers())
        {
            spec.nicsOfGroup[group] = ReadNics(member);
        }
    };
    const auto write = [&spec](const KeySpec&) {
        return spec.nicsOfGroup.empty() ? nlohmann::ordered_json(spec.nicsPerServer)
                                        : nlohmann::ordered_json(spec.nicsOfGroup);
    };
    keys.Other("nicsPerServer",
               {read, write},
               "NICs of each server, 1 to 64; or an object with the number for each group: other "
               "servers have one")
        .Shape(R"({"anyOf": [{"type": "integer", "minimum": 1, "maximum": 64},
                             {"type": "object", "additionalProperties":
                              {"type": "integer", "minimum": 1, "maximum": 64}}]})")
        .OmitIf(spec.nicsOfGroup.empty() && spec.nicsPerServer == 1);
    keys.Count("portsPerNic",
               spec.portsPerNic,
               planes,
               "ports of each NIC, each on a plane of its own with all switches of the topology")
        .Between(1U, ServerPorts::MAX_PORTS)
        .OmitIf(spec.portsPerNic == 1)
        .Otherwise("planes of the topology");
    keys.Check(planes == 1 || spec.portsPerNic == planes,
               "portsPerNic",
               "one port on each of the " + std::to_string(planes) + " planes");
}

void
CheckServerPorts(const ServerPortsSpec& spec, const ServerGroups& groups, const JsonValue& fabric)
{
    for (const auto& [group, nics] : spec.nicsOfGroup)
    {
        CheckGroupName(group, groups, fabric.Get("nicsPerServer").Get(group));
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
