// SPDX-License-Identifier: GPL-2.0-only

#include "build-commit.h"

// The build sets it for this file alone (utils/build/build_targets.py): each commit changes it.
#ifndef ROCELAB_COMMIT
#define ROCELAB_COMMIT ""
#endif

namespace ns3::rdma
{

std::string
DescribeVersion()
{
    const std::string commit{ROCELAB_COMMIT};
    return "rocelab " ROCELAB_VERSION + (commit.empty() ? "" : " (commit " + commit + ")");
}

} // namespace ns3::rdma
