// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RUN_PROGRESS_H
#define RDMA_RUN_PROGRESS_H

#include "ns3/run-view.h"

#include <cstdint>

namespace ns3::rdma
{

/// The progress of a run.
struct RunProgress
{
    uint64_t flowsDone{0};
    uint64_t flowsTotal{0}; ///< 0: unknown.
    int64_t simulatedPs{0};
    uint64_t packetHops{0};
    RunView view{}; ///< Only of a run that is watched.
};

} // namespace ns3::rdma

#endif // RDMA_RUN_PROGRESS_H
