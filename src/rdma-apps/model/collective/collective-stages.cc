// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/collective-stages.h"

#include "ns3/chain-graph.h"
#include "ns3/clear-to-send-graph.h"
#include "ns3/exchange-graph.h"
#include "ns3/ring-graph.h"
#include "ns3/tree-graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3::rdma
{

namespace
{

// Messages of NCCL 2.30 (src/include/collectives.h): a channel's buffer has 8 steps of 512 KiB; by
// LL of 64 KiB and by LL128 of 600 KiB with the flags (src/init.cc), each step a message.
constexpr uint64_t NCCL_STEP{512 << 10};     ///< Of trees, broadcast and reduce.
constexpr uint64_t NCCL_RING_SLICE{1 << 20}; ///< Two steps.
constexpr uint64_t NCCL_LL_STEP{32 << 10};   ///< Data of a step.
constexpr uint64_t NCCL_LL128_STEP{576'000}; ///< Data of a step: 600 KiB * 120 / 128.
constexpr uint32_t NCCL_WINDOW{8};
constexpr uint32_t NCCL_RING_WINDOW{4};
constexpr uint64_t NCCL_SEPARATE_NOTICE{8192}; ///< NCCL_IB_AR_THRESHOLD.

using Stages = std::vector<CollectiveStage>;
using Graph = std::shared_ptr<const OperationGraph>;

/// @return one stage with all ranks.
Stages
MakeStage(Graph graph)
{
    std::vector<uint32_t> members(graph->GetRanks());
    std::iota(members.begin(), members.end(), 0);
    return {{{std::move(graph), std::move(members)}}};
}

Graph
MakeRing(const CollectiveShape& shape, uint32_t steps, uint32_t parts)
{
    return std::make_shared<RingGraph>(
        RingSize{shape.ranks, shape.bytes, shape.channels, shape.slices},
        steps,
        parts);
}

Stages
MakeRingAllReduce(const CollectiveShape& shape)
{
    return MakeStage(MakeRing(shape, 2 * (shape.ranks - 1), shape.ranks));
}

Stages
MakeHalfRing(const CollectiveShape& shape)
{
    return MakeStage(MakeRing(shape, shape.ranks - 1, shape.ranks));
}

Stages
MakeNeighbors(const CollectiveShape& shape)
{
    return MakeStage(MakeRing(shape, 1, 1));
}

Graph
MakeExchange(const CollectiveShape& shape, std::vector<ExchangeGraph::Step> steps)
{
    return std::make_shared<ExchangeGraph>(shape.ranks, shape.bytes, shape.ranks, std::move(steps));
}

Stages
MakeHalvingDoubling(const CollectiveShape& shape)
{
    auto steps = ExchangeGraph::MakeHalving(shape.ranks);
    const auto doubling = ExchangeGraph::MakeDoubling(shape.ranks);
    steps.insert(steps.end(), doubling.begin(), doubling.end());
    return MakeStage(MakeExchange(shape, std::move(steps)));
}

Stages
MakeHalving(const CollectiveShape& shape)
{
    return MakeStage(MakeExchange(shape, ExchangeGraph::MakeHalving(shape.ranks)));
}

Stages
MakeDoubling(const CollectiveShape& shape)
{
    return MakeStage(MakeExchange(shape, ExchangeGraph::MakeDoubling(shape.ranks)));
}

Stages
MakeWholeDoubling(const CollectiveShape& shape)
{
    return MakeStage(std::make_shared<ExchangeGraph>(shape.ranks,
                                                     shape.bytes,
                                                     1,
                                                     ExchangeGraph::MakeWhole(shape.ranks)));
}

Stages
MakeDoubleTrees(const CollectiveShape& shape)
{
    return MakeStage(MakeDoubleTree(shape.ranks, shape.bytes, shape.slices));
}

Stages
MakeChain(const CollectiveShape& shape)
{
    return MakeStage(std::make_shared<ChainGraph>(shape.ranks,
                                                  shape.bytes,
                                                  shape.slices,
                                                  shape.root,
                                                  shape.operation == "reduce"));
}

Stages
MakeBinomial(const CollectiveShape& shape)
{
    const Tree tree = MakeBinomialTree(shape.ranks, shape.root);
    return MakeStage(shape.operation == "reduce" ? MakeReduce(tree, shape.bytes, shape.slices)
                                                 : MakeBroadcast(tree, shape.bytes, shape.slices));
}

Stages
MakeAllToAll(const CollectiveShape& shape)
{
    AllToAllRules rules = shape.rounds;
    rules.order = shape.algorithm == "pairwise" ? AllToAllOrder::PAIRWISE
                  : shape.algorithm == "nccl"   ? AllToAllOrder::NCCL
                                                : AllToAllOrder::SHIFTED;
    return MakeStage(shape.sizes.empty()
                         ? std::make_shared<AllToAllGraph>(shape.ranks, shape.bytes, rules)
                         : std::make_shared<AllToAllGraph>(shape.ranks, shape.sizes, rules));
}

/// @return rings among adjacent ranks. @param steps of each
CollectiveStage
MakeInnerStage(const CollectiveShape& shape)
{
    CollectiveShape inner = shape;
    inner.ranks = shape.inner;
    const Graph graph = MakeRing(inner, shape.inner - 1, shape.inner);
    CollectiveStage stage;
    for (uint32_t first = 0; first < shape.ranks; first += shape.inner)
    {
        std::vector<uint32_t> members(shape.inner);
        std::iota(members.begin(), members.end(), first);
        stage.push_back({graph, std::move(members)});
    }
    return stage;
}

/// Reduce-scatter within the inner groups, all-reduce of each part among the ranks that have it,
/// all-gather within the inner groups.
Stages
MakeHierarchical(const CollectiveShape& shape)
{
    CollectiveStage outer;
    for (uint32_t place = 0; place < shape.inner; ++place)
    {
        CollectiveShape part = shape;
        part.ranks = shape.ranks / shape.inner;
        part.bytes = GetPartBytes(shape.bytes, shape.inner, place);
        std::vector<uint32_t> members;
        for (uint32_t rank = place; rank < shape.ranks; rank += shape.inner)
        {
            members.push_back(rank);
        }
        outer.push_back({MakeRing(part, 2 * (part.ranks - 1), part.ranks), std::move(members)});
    }
    return {MakeInnerStage(shape), std::move(outer), MakeInnerStage(shape)};
}

/// @return bytes of the largest message with one slice.
uint64_t
GetLargestMessage(const CollectiveShape& shape)
{
    if (!shape.sizes.empty())
    {
        return *std::max_element(shape.sizes.begin(), shape.sizes.end());
    }
    const auto ceil = [](uint64_t bytes, uint64_t parts) { return (bytes + parts - 1) / parts; };
    const uint64_t channel = ceil(shape.bytes, shape.channels);
    if (shape.algorithm == "double-tree")
    {
        return ceil(channel, 2);
    }
    const bool isWhole = shape.operation == "broadcast" || shape.operation == "reduce" ||
                         shape.operation == "send-receive";
    return isWhole ? channel : ceil(channel, shape.ranks);
}

uint64_t
CountPieces(uint64_t bytes, uint64_t limit)
{
    return std::max<uint64_t>((bytes + limit - 1) / limit, 1);
}

/// @param largest message
void
SetPeerRules(const CollectiveShape& shape, uint64_t largest, ClearToSendRules& rules)
{
    const NcclPeerRules& peers = shape.peers;
    const bool isAllToAll = shape.operation == "all-to-all";
    const uint32_t parts = CountNcclParts(largest, peers.channels.perPeer, peers.chunk);
    const uint64_t part = (largest + parts - 1) / parts;
    rules.pieces =
        static_cast<uint32_t>(CountPieces(part, GetNcclPieceBytes(largest, peers.chunk)));
    rules.copyBps = peers.copyBps;
    rules.schedule = std::make_shared<NcclPeerSchedule>(peers.channels.all,
                                                        parts,
                                                        isAllToAll ? shape.ranks - 1 : 1,
                                                        isAllToAll);
}

} // namespace

const std::vector<CollectiveAlgorithm>&
GetCollectiveAlgorithms()
{
    static const std::vector<CollectiveAlgorithm> ALL{
        {"all-reduce",
         "ring",
         "2 (n - 1) steps of 1/n of the buffer",
         {"channels", "slices"},
         false,
         true,
         MakeRingAllReduce},
        {"all-reduce",
         "halving-doubling",
         "recursive halving, then recursive doubling",
         {},
         true,
         false,
         MakeHalvingDoubling},
        {"all-reduce",
         "recursive-doubling",
         "log2 n exchanges of the whole buffer",
         {},
         true,
         false,
         MakeWholeDoubling},
        {"all-reduce",
         "double-tree",
         "two binary trees, each with half of the buffer",
         {"slices"},
         false,
         true,
         MakeDoubleTrees},
        {"all-reduce",
         "hierarchical",
         "rings in inner groups, and among the ranks with the same part",
         {"channels", "slices", "inner"},
         false,
         false,
         MakeHierarchical},
        {"all-gather",
         "ring",
         "n - 1 steps of 1/n of the buffer",
         {"channels", "slices"},
         false,
         true,
         MakeHalfRing},
        {"all-gather", "recursive-doubling", "log2 n exchanges", {}, true, false, MakeDoubling},
        {"reduce-scatter",
         "ring",
         "n - 1 steps of 1/n of the buffer",
         {"channels", "slices"},
         false,
         true,
         MakeHalfRing},
        {"reduce-scatter", "recursive-halving", "log2 n exchanges", {}, true, false, MakeHalving},
        {"all-to-all",
         "shifted",
         "round r: rank i sends to rank i + r",
         {"window", "waitFor", "skew", "matrix"},
         false,
         false,
         MakeAllToAll},
        {"all-to-all",
         "pairwise",
         "round r: ranks i and i xor r exchange",
         {"window", "waitFor", "skew", "matrix"},
         true,
         false,
         MakeAllToAll},
        {"all-to-all",
         "nccl",
         "the order of NCCL's point-to-point operations",
         {"window", "waitFor", "skew", "matrix"},
         false,
         true,
         MakeAllToAll},
        {"broadcast", "chain", "from rank to rank", {"slices", "root"}, false, true, MakeChain},
        {"broadcast", "binomial", "binomial tree", {"slices", "root"}, false, false, MakeBinomial},
        {"reduce", "chain", "from rank to rank", {"slices", "root"}, false, true, MakeChain},
        {"reduce", "binomial", "binomial tree", {"slices", "root"}, false, false, MakeBinomial},
        {"send-receive",
         "neighbors",
         "each rank sends its buffer to the next one",
         {"channels", "slices"},
         false,
         true,
         MakeNeighbors}};
    return ALL;
}

std::vector<CollectiveStage>
MakeStages(const CollectiveAlgorithm& algorithm, CollectiveShape shape)
{
    if (!shape.isByNccl)
    {
        return algorithm.make(shape);
    }
    const bool isPointToPoint =
        shape.operation == "all-to-all" || shape.operation == "send-receive";
    const bool isRing = algorithm.make == MakeRingAllReduce || algorithm.make == MakeHalfRing;
    ClearToSendRules rules;
    const bool isSimple = shape.protocol == NcclProtocol::SIMPLE;
    const uint64_t limits[]{isRing ? NCCL_RING_SLICE : NCCL_STEP, NCCL_LL_STEP, NCCL_LL128_STEP};
    rules.protocol = shape.protocol;
    rules.window = isRing && isSimple ? NCCL_RING_WINDOW : NCCL_WINDOW;
    rules.separateNoticeBytes = shape.hasSeparateNotices ? NCCL_SEPARATE_NOTICE : UINT64_MAX;
    const uint64_t largest = GetLargestMessage(shape);
    if (isPointToPoint)
    {
        SetPeerRules(shape, largest, rules);
    }
    else
    {
        shape.slices =
            static_cast<uint32_t>(CountPieces(largest, limits[static_cast<int>(shape.protocol)]));
    }
    std::vector<CollectiveStage> stages = algorithm.make(shape);
    for (CollectiveGroup& group : stages.front())
    {
        group.graph = std::make_shared<ClearToSendGraph>(group.graph, rules);
    }
    return stages;
}

const CollectiveAlgorithm*
FindCollectiveAlgorithm(const std::string& operation, const std::string& name)
{
    const auto& all = GetCollectiveAlgorithms();
    const auto found = std::find_if(all.begin(), all.end(), [&](const CollectiveAlgorithm& one) {
        return one.operation == operation && one.name == name;
    });
    return found == all.end() ? nullptr : &*found;
}

double
GetBusFactor(const std::string& operation, uint32_t ranks)
{
    const double share = static_cast<double>(ranks - 1) / ranks;
    if (operation == "all-reduce")
    {
        return 2 * share;
    }
    const bool isShared =
        operation == "all-gather" || operation == "reduce-scatter" || operation == "all-to-all";
    return isShared ? share : 1;
}

} // namespace ns3::rdma
