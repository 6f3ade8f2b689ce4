// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_COLLECTIVE_PLAN_H
#define RDMA_COLLECTIVE_PLAN_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/operation-graph.h"
#include "ns3/queue-pair-attributes.h"
#include "ns3/traffic-message.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Ranks of a communicator that work on a graph together.
struct CollectiveGroup
{
    std::shared_ptr<const OperationGraph> graph;
    std::vector<uint32_t> members; ///< Ranks of the communicator, by rank of the graph.
    /// An earlier group with the same members and connections, whose queue pairs this group uses,
    /// too: its number among the groups of all stages. Unset: the group has its own queue pairs.
    std::optional<uint32_t> sharesWith{};
};

/// Groups at work at the same time; no rank is in two of them. Empty: nothing is sent.
using CollectiveStage = std::vector<CollectiveGroup>;

/// Where a rank is.
struct RankPlace
{
    uint32_t server; ///< Node id.
    std::optional<uint32_t>
        nic; ///< Number in the server; unset: the design's PathSelector chooses.
};

/// Transfers between ranks of one server, which do not pass a NIC. Each rank sends one at a time.
struct LocalLink
{
    DataRate rate;
    Time latency;
};

/// Threads that post messages, in place of the cores of HostCpu (WorkPosters).
struct PostingThreads
{
    bool arePerQueuePair; ///< Blocks of a GPU; else a proxy thread for each rank.
    Tick postTime;        ///< Of a message.
};

/// A collective operation that communicators repeat.
struct CollectivePlan
{
    std::string operation; ///< As "all-reduce".
    std::string algorithm; ///< As "ring".
    std::string protocol;  ///< As "ll128"; empty: not by NCCL.
    uint64_t bytes{0};     ///< The full buffer of a rank.
    double busFactor{1};   ///< Bus bandwidth per algorithm bandwidth (nccl-tests, PERFORMANCE.md).
    std::vector<CollectiveStage> stages; ///< Of an iteration, one after the other at each rank.
    /// First stages of the steps of an iteration, rising, for each of which the log has a record.
    std::vector<uint32_t> steps{0};
    /// Time that a rank computes before it begins a stage, which is part of the stage's step.
    /// Called once for each rank, stage and iteration, by iteration; of one communicator. Null: 0.
    std::function<Tick(uint32_t stage, uint32_t rank)> work;
    std::vector<std::vector<RankPlace>> communicators; ///< All of one size, at work side by side.
    uint32_t iterations{1};                            ///< All, warm-up included.
    uint32_t warmup{0};                                ///< Not in the means.
    Time start;                                        ///< Of the first iteration.
    std::optional<Time> end;        ///< Nothing is posted then or later; unset: it ends by itself.
    QueuePairAttributes attributes; ///< Of all queue pairs.
    std::optional<Tick> renewal; ///< Time in which failed queue pairs are made again; unset: never.
    uint32_t receives{16};       ///< Posted ahead per queue pair at most: our choice.
    Time processing;             ///< Of a message by its receiver, as for a reduction.
    Time compute;                ///< Between two iterations of a rank.
    std::optional<LocalLink> local;        ///< Set if a server has several ranks.
    std::optional<PostingThreads> posting; ///< Unset: the cores of HostCpu post.
};

/// Calls for the messages of all iterations that pass the network.  Of a connection with many
/// messages, evenly spaced ones stand for all.
void ListMessages(const CollectivePlan& plan, const TrafficVisitor& visit);

} // namespace ns3::rdma

#endif // RDMA_COLLECTIVE_PLAN_H
