// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rpc-record.h"

#include <tuple>

namespace ns3::rdma
{

const char*
GetRpcStatusName(RpcStatus status)
{
    constexpr const char*
        NAMES[]{"ok", "not-found", "wrong", "refused", "failed", "stalled", "unfinished"};
    return NAMES[static_cast<std::size_t>(status)];
}

bool
RpcRecord::IsBefore(const RpcRecord& other) const
{
    return std::tie(startPs, client, sequence) <
           std::tie(other.startPs, other.client, other.sequence);
}

std::string
RpcRecord::Describe() const
{
    return "request " + std::to_string(sequence) + " of client " + std::to_string(client) +
           " to server " + std::to_string(server);
}

} // namespace ns3::rdma
