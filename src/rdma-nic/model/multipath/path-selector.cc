// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/path-selector.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(PathSelector);
NS_OBJECT_ENSURE_REGISTERED(FixedPath);

TypeId
PathSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::PathSelector").SetParent<Object>().SetGroupName("RdmaNic");
    return tid;
}

uint32_t
PathSelector::ChooseNic(uint64_t connection, uint32_t nics) const
{
    return static_cast<uint32_t>(connection % nics);
}

uint32_t
PathSelector::ChoosePort(uint64_t connection, const PortStates& ports) const
{
    const auto upCount = static_cast<uint64_t>(__builtin_popcountll(ports.up));
    if (upCount == 0)
    {
        return static_cast<uint32_t>(connection % ports.count);
    }
    uint64_t left = connection % upCount; // Number of ports with link up to skip.
    uint32_t port = 0;
    while (!ports.IsUp(port) || left-- > 0)
    {
        ++port;
    }
    return port;
}

std::optional<uint32_t>
PathSelector::Move(const PathTrouble&) const
{
    return std::nullopt;
}

TypeId
FixedPath::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::FixedPath")
                            .SetParent<PathSelector>()
                            .SetGroupName("RdmaNic")
                            .AddConstructor<FixedPath>();
    return tid;
}

} // namespace ns3::rdma
