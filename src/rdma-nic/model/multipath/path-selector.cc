// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/path-selector.h"

#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_BASE(PathSelector, Object, "RdmaNic");
RDMA_REGISTER_CLASS(FixedPath, PathSelector, "RdmaNic");

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

std::optional<Time>
PathSelector::GetReturnDelay(ReturnCause) const
{
    return std::nullopt;
}

} // namespace ns3::rdma
