// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BUILD_COMMIT_H
#define RDMA_BUILD_COMMIT_H

#include <string>

namespace ns3::rdma
{

/// @return "rocelab 1.0.0 (commit 0123456789)", "-dirty" behind the commit if files differed from
/// it; without the commit if the build did not know it.
std::string DescribeVersion();

} // namespace ns3::rdma

#endif // RDMA_BUILD_COMMIT_H
