// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_COLLECTIVE_STAGES_H
#define RDMA_COLLECTIVE_STAGES_H

#include "ns3/all-to-all-graph.h"
#include "ns3/collective-plan.h"
#include "ns3/nccl-channels.h"
#include "ns3/nccl-protocol.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/// How NCCL sends messages of all-to-all and send-receive.
struct NcclPeerRules
{
    NcclPeerChannels channels;
    uint64_t chunk{128 << 10}; ///< NCCL_P2P_NET_CHUNKSIZE: largest message, bytes.
    /// Bits per second that the thread block of a channel copies each way between the buffers of
    /// the user and those of the NIC: NCCL counts on 14 GB/s per channel (NCCL 2.30,
    /// src/graph/paths.cc, NCCL_P2P_PER_CHANNEL_NET_BW).
    uint64_t copyBps{112'000'000'000};
};

/// What a user chooses of a collective. Defaults suit every algorithm.
struct CollectiveShape
{
    std::string operation;
    std::string algorithm;
    uint32_t ranks{0};
    uint64_t bytes{0};    ///< The full buffer of a rank.
    uint32_t channels{1}; ///< Rings.
    uint32_t slices{1};   ///< Messages of a step, or of a buffer along a tree.
    uint32_t root{0};     ///< Rank; broadcast and reduce.
    uint32_t inner{1};    ///< Ranks of an inner group; hierarchical.
    AllToAllRules rounds; ///< All-to-all; the order comes from the algorithm.
    bool isByNccl{false}; ///< With its clear-to-send and its slices.
    NcclProtocol protocol{NcclProtocol::SIMPLE}; ///< By NCCL.
    bool hasSeparateNotices{false};              ///< By NCCL: as on a fabric with adaptive routing.
    NcclPeerRules peers;                         ///< By NCCL.
    AllToAllGraph::Sizes sizes;                  ///< All-to-all; empty: equal parts.
};

/// An algorithm of an operation.
struct CollectiveAlgorithm
{
    std::string operation;
    std::string name;
    std::string description;
    std::vector<std::string> keys; ///< Of a scenario, which have an effect on it.
    bool needsPowerOfTwo{false};
    bool isOfNccl{false}; ///< One that NCCL has.
    std::vector<CollectiveStage> (*make)(const CollectiveShape& shape){nullptr};
};

/// @return all algorithms; the first one of an operation is its default.
const std::vector<CollectiveAlgorithm>& GetCollectiveAlgorithms();

/// @return the stages of a collective, with what the library adds. @param shape of this algorithm
std::vector<CollectiveStage> MakeStages(const CollectiveAlgorithm& algorithm,
                                        CollectiveShape shape);

/// @return null if there is none.
const CollectiveAlgorithm* FindCollectiveAlgorithm(const std::string& operation,
                                                   const std::string& name);

/// @return bus bandwidth per algorithm bandwidth (nccl-tests, doc/PERFORMANCE.md): 2 (n - 1) / n
/// for all-reduce, (n - 1) / n for all-gather, reduce-scatter and all-to-all, else 1.
double GetBusFactor(const std::string& operation, uint32_t ranks);

} // namespace ns3::rdma

#endif // RDMA_COLLECTIVE_STAGES_H
