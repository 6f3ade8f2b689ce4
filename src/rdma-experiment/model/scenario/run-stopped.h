// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RUN_STOPPED_H
#define RDMA_RUN_STOPPED_H

#include <stdexcept>

namespace ns3::rdma
{

/// A run was stopped on request before its first event: it has no results.
class RunStopped : public std::runtime_error
{
  public:
    RunStopped()
        : std::runtime_error("stopped before its first event, no results")
    {
    }
};

} // namespace ns3::rdma

#endif // RDMA_RUN_STOPPED_H
