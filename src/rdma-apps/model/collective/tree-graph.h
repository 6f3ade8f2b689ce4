// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TREE_GRAPH_H
#define RDMA_TREE_GRAPH_H

#include "ns3/listed-graph.h"

#include <memory>

namespace ns3::rdma
{

/// Place of a rank in a tree.
struct TreePlace
{
    static constexpr uint32_t NONE{UINT32_MAX};

    uint32_t parent{NONE}; ///< Of the root: NONE.
    std::vector<uint32_t> children;
};

/// By rank.
using Tree = std::vector<TreePlace>;

/**
 * @return the binomial tree of n ranks below a root: rank v (counted from the root) has the
 * children v + 2^k for all 2^k below v's lowest bit, the largest first.
 */
Tree MakeBinomialTree(uint32_t ranks, uint32_t root);

/**
 * @return one of the two trees of NCCL 2.30 (src/graph/trees.cc): in the first one a rank with
 * lowest bit b has the parent (rank without b) with bit 2b set, if it is below n, else rank without
 * b; rank 0 is the root, with one child.  In the second one ranks are mirrored (n even) or shifted
 * by one (n odd), so that no rank has children in both.
 */
Tree MakeNcclTree(uint32_t ranks, bool isSecond);

/// @return a broadcast of a buffer in slices. A rank's message to its second child waits for the
/// completion of the one to its first child, and so on.
std::unique_ptr<OperationGraph> MakeBroadcast(const Tree& tree, uint64_t bytes, uint32_t slices);

/// @return a reduce in slices, towards the root: a rank's message waits for those of its children.
std::unique_ptr<OperationGraph> MakeReduce(const Tree& tree, uint64_t bytes, uint32_t slices);

/// @return an all-reduce over both trees of NCCL, each with half of the buffer in slices: a reduce
/// to the root, of which each slice is broadcast as soon as the root has it (Sanders, Speck,
/// Traeff, Two-tree algorithms for full bandwidth broadcast, reduction and scan, Parallel Computing
/// 2009).
std::unique_ptr<OperationGraph> MakeDoubleTree(uint32_t ranks, uint64_t bytes, uint32_t slices);

} // namespace ns3::rdma

#endif // RDMA_TREE_GRAPH_H
