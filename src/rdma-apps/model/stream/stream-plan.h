// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STREAM_PLAN_H
#define RDMA_STREAM_PLAN_H

#include "ns3/protection-domain.h"
#include "ns3/stream-group.h"
#include "ns3/stream-settings.h"

#include <optional>
#include <vector>

namespace ns3::rdma
{

/// What a workload of streams does.
struct StreamPlan
{
    std::vector<StreamGroup> groups;
    /// Of all queue pairs; messageBytes, listInterval and until come from the groups and times.
    StreamSettings settings;
    bool isReceiveQueueShared{false};    ///< One per receiving server, served by one thread.
    MemoryKind memory{MemoryKind::HOST}; ///< That receivers' regions lie in.
    /// Between the starts of two senders of a server; unset: as StreamStarts chooses.
    std::optional<Tick> startInterval;
    Tick deadline{0}; ///< Of a message, from when it is due; 0: none.
    // From the start of the run.
    Tick start{0};
    Tick from{0};  ///< The end of the warm-up.
    Tick until{0}; ///< The beginning of the cool-down.
    Tick end{0};   ///< Senders stop then.
    Tick sampleInterval{0};
    uint64_t seed{1};
};

} // namespace ns3::rdma

#endif // RDMA_STREAM_PLAN_H
