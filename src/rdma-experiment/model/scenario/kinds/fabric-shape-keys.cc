// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-shape-keys.h"

#include "ns3/server-ports.h"

namespace ns3::rdma
{

void
VisitOversubscription(Keys& keys,
                      std::optional<double>& ratio,
                      const std::vector<const char*>& rates)
{
    keys.Number("oversubscription", ratio, "rates of a switch's servers by rates of its uplinks")
        .Between(0.01, 1000.0);
    for (const char* rate : rates)
    {
        keys.Check(!ratio || !keys.Has(rate),
                   rate,
                   "no " + std::string(rate) + " beside oversubscription, which gives it");
    }
}

void
VisitPlanes(Keys& keys, uint32_t& planes)
{
    keys.Count("planes", planes, "disjoint copies of the fabric, with a port of each NIC on each")
        .Between(1U, ServerPorts::MAX_PORTS)
        .OmitIf(planes == 1);
}

void
CheckOwnNics(const JsonValue& fabric)
{
    for (const std::string key : {"nicsPerServer", "portsPerNic"})
    {
        if (const auto value = fabric.Find(key))
        {
            value->Fail("no " + key + " beside a topology that gives servers their NICs");
        }
    }
}

} // namespace ns3::rdma
