// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/server-nics.h"

namespace ns3::rdma
{

std::vector<std::vector<NicPort>>
FindNicPorts(Fabric& fabric, uint32_t server)
{
    const EndpointMap& endpoints = fabric.GetCore().endpoints;
    std::vector<std::vector<NicPort>> nics(endpoints.CountNics(server));
    for (const uint32_t id : endpoints.GetEndpoints(server))
    {
        nics[endpoints.Get(id).nic].push_back({&fabric.GetServerDevice(id), id});
    }
    return nics;
}

void
AddNic(Ptr<Node> server, Ptr<RdmaNic> nic)
{
    if (!server->GetObject<RdmaNic>())
    {
        server->AggregateObject(nic);
        return;
    }
    nic->GetDevice()->AggregateObject(nic);
}

std::vector<Ptr<RdmaNic>>
GetNics(Ptr<Node> server)
{
    std::vector<Ptr<RdmaNic>> nics;
    if (const auto first = server->GetObject<RdmaNic>())
    {
        nics.push_back(first);
    }
    for (uint32_t number = 0; number < server->GetNDevices(); ++number)
    {
        if (const auto nic = server->GetDevice(number)->GetObject<RdmaNic>())
        {
            nics.push_back(nic);
        }
    }
    return nics;
}

} // namespace ns3::rdma
