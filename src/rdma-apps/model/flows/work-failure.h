// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WORK_FAILURE_H
#define RDMA_WORK_FAILURE_H

#include "ns3/work-completion.h"

#include <string>

namespace ns3::rdma
{

/// @return why a work request has failed, for messages. @param status other than SUCCESS
std::string DescribeFailure(WcStatus status);

} // namespace ns3::rdma

#endif // RDMA_WORK_FAILURE_H
