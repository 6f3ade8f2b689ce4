// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RUN_VIEW_H
#define RDMA_RUN_VIEW_H

#include <array>
#include <cstdint>

namespace ns3::rdma
{

/// Bytes that wait at a port.
struct QueueDepth
{
    uint32_t node{0}; ///< Of the port; of an endpoint, the server.
    uint32_t peer{0}; ///< At the other end of its link.
    uint64_t bytes{0};
};

/// A snapshot of a network and its flows: plain data, for pipes and messages.
struct RunView
{
    uint64_t flowsActive{0};
    uint64_t ackedBytes{0};              ///< Payload acknowledged since the start of the run.
    uint64_t drops{0};                   ///< Frames lost in the fabric since the start.
    uint64_t discards{0};                ///< Frames discarded by NICs since the start.
    uint64_t pauses{0};                  ///< PFC pause frames since the start.
    std::array<QueueDepth, 5> fullest{}; ///< The fullest first; without bytes: there is none.

    /// Adds a queue if it is among the fullest. Of equal ones the first added are kept.
    void AddQueue(const QueueDepth& queue);

    /// Adds the view of another rank.
    void Add(const RunView& other);
};

} // namespace ns3::rdma

#endif // RDMA_RUN_VIEW_H
