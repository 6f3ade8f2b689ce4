// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/server-nics.h"

namespace ns3::rdma
{

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
