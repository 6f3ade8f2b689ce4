// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-record.h"

#include <cstddef>

namespace ns3::rdma
{

const char*
GetFlowStatusName(FlowStatus status)
{
    constexpr const char* NAMES[]{"completed", "failed", "stalled", "unfinished"};
    return NAMES[static_cast<size_t>(status)];
}

} // namespace ns3::rdma
