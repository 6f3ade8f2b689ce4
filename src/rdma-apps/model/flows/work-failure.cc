// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/work-failure.h"

namespace ns3::rdma
{

std::string
DescribeFailure(WcStatus status)
{
    switch (status)
    {
    case WcStatus::RETRY_EXC_ERR:
        return "transport retry counter exceeded";
    case WcStatus::WR_FLUSH_ERR:
        return "flushed after an earlier error";
    default:
        return std::string("completed with ") + GetWcStatusName(status);
    }
}

} // namespace ns3::rdma
