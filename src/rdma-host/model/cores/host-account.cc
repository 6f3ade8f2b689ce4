// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-account.h"

#include "ns3/assert.h"

#include <numeric>

namespace ns3::rdma
{

const char*
GetHostTaskName(HostTask task)
{
    static constexpr std::array<const char*, HOST_TASKS> NAMES{
        "post",
        "list",
        "doorbell",
        "poll",
        "arm",
        "event",
        "ack",
        "check",
        "search",
        "copy",
        "sample",
        "switch",
    };
    NS_ASSERT_MSG(task < HostTask::COUNT, "Unknown task of a host's thread");
    return NAMES[static_cast<std::size_t>(task)];
}

Tick
HostAccount::GetTotal() const
{
    return std::accumulate(busy.begin(), busy.end(), Tick{0});
}

} // namespace ns3::rdma
