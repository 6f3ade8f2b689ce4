// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SERIES_REQUEST_H
#define RDMA_SERIES_REQUEST_H

#include "ns3/tick.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// A port of a fabric, by its link.
struct SeriesPort
{
    std::size_t link; ///< Of the graph.
    uint32_t end;     ///< 0: at GraphLink::a, 1: at b.
};

/// Flows that are followed: those of these numbers, those that these servers send, and those of
/// these workloads.
struct FlowSelection
{
    std::vector<uint64_t> flows;     ///< Numbers in the run (flow_number), rising.
    std::vector<uint32_t> senders;   ///< Node ids, rising.
    std::vector<uint32_t> workloads; ///< Indices, rising.
};

/// What is sampled over the time of a run.
struct SeriesRequest
{
    Tick interval{10'000'000};     ///< ps.
    bool hasQueue{true};           ///< Bytes that wait at ports.
    bool hasPort{true};            ///< What ports send, mark, drop, and how long they are paused.
    bool hasClass{false};          ///< The same and the queue of each traffic class.
    bool hasBuffer{true};          ///< Bytes that the buffers of switches hold.
    bool hasRate{true};            ///< Rate, window and progress of queue pairs.
    bool hasGoodput{true};         ///< Payload that workloads deliver.
    bool hasSpray{false};          ///< Reports about packets on several routes.
    std::vector<SeriesPort> ports; ///< For queue and port.
    std::optional<FlowSelection> flows; ///< For rate and spray; unset: all.
    std::vector<std::string> workloads; ///< Names of a list; none: there is no list.
};

} // namespace ns3::rdma

#endif // RDMA_SERIES_REQUEST_H
