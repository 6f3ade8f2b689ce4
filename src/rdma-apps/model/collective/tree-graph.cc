// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/tree-graph.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{

using Messages = std::vector<ListedMessage>;
using Numbers = std::vector<uint32_t>;

uint32_t
FindRoot(const Tree& tree)
{
    const auto root = std::find_if(tree.begin(), tree.end(), [](const TreePlace& place) {
        return place.parent == TreePlace::NONE;
    });
    return static_cast<uint32_t>(root - tree.begin());
}

/// @return all ranks, parents before their children.
Numbers
ListDown(const Tree& tree)
{
    Numbers ranks{FindRoot(tree)};
    for (std::size_t place = 0; place < ranks.size(); ++place)
    {
        const Numbers& children = tree[ranks[place]].children;
        ranks.insert(ranks.end(), children.begin(), children.end());
    }
    return ranks;
}

uint32_t
Add(Messages& messages, ListedMessage message)
{
    messages.push_back(std::move(message));
    return static_cast<uint32_t>(messages.size() - 1);
}

/// Adds the reduce of one slice. @return the messages that arrive at the root
Numbers
AddReduce(const Tree& tree, uint64_t bytes, Messages& messages)
{
    const Numbers down = ListDown(tree);
    std::vector<Numbers> arriving(tree.size()); ///< By rank.
    for (auto rank = down.rbegin(); rank + 1 != down.rend(); ++rank)
    {
        const uint32_t parent = tree[*rank].parent;
        arriving[parent].push_back(Add(messages, {*rank, parent, bytes, arriving[*rank]}));
    }
    return arriving[down.front()];
}

/// Adds the broadcast of one slice.
/// @param after what the root waits for
/// @param isSequential whether a rank's children are served one after the other
void
AddBroadcast(const Tree& tree,
             uint64_t bytes,
             const Numbers& after,
             bool isSequential,
             Messages& messages)
{
    std::vector<Numbers> arrived(tree.size()); ///< By rank: what its messages wait for.
    arrived[FindRoot(tree)] = after;
    for (const uint32_t rank : ListDown(tree))
    {
        Numbers waits = arrived[rank];
        for (const uint32_t child : tree[rank].children)
        {
            const uint32_t number = Add(messages, {rank, child, bytes, waits});
            arrived[child] = {number};
            if (isSequential)
            {
                waits = {number};
            }
        }
    }
}

} // namespace

Tree
MakeBinomialTree(uint32_t ranks, uint32_t root)
{
    Tree tree(ranks);
    uint32_t top = 1;
    while (top < ranks)
    {
        top *= 2;
    }
    for (uint32_t place = 0; place < ranks; ++place)
    {
        const uint32_t lowest = place == 0 ? top : place & (~place + 1);
        const uint32_t rank = (place + root) % ranks;
        for (uint32_t distance = lowest / 2; distance > 0; distance /= 2)
        {
            if (place + distance < ranks)
            {
                const uint32_t child = (place + distance + root) % ranks;
                tree[rank].children.push_back(child);
                tree[child].parent = rank;
            }
        }
    }
    return tree;
}

Tree
MakeNcclTree(uint32_t ranks, bool isSecond)
{
    const auto map = [ranks, isSecond](uint32_t place) {
        const uint32_t mirrored = ranks - 1 - place;
        const uint32_t shifted = (place + 1) % ranks;
        return !isSecond ? place : ranks % 2 == 0 ? mirrored : shifted;
    };
    Tree tree(ranks);
    for (uint32_t place = 1; place < ranks; ++place)
    {
        const uint32_t lowest = place & (~place + 1);
        const uint32_t up = (place ^ lowest) | (lowest << 1);
        const uint32_t parent = up < ranks ? up : place ^ lowest;
        tree[map(place)].parent = map(parent);
        tree[map(parent)].children.push_back(map(place));
    }
    return tree;
}

std::unique_ptr<OperationGraph>
MakeBroadcast(const Tree& tree, uint64_t bytes, uint32_t slices)
{
    Messages messages;
    for (uint32_t slice = 0; slice < slices; ++slice)
    {
        AddBroadcast(tree, GetPartBytes(bytes, slices, slice), {}, true, messages);
    }
    return std::make_unique<ListedGraph>(tree.size(), std::move(messages));
}

std::unique_ptr<OperationGraph>
MakeReduce(const Tree& tree, uint64_t bytes, uint32_t slices)
{
    Messages messages;
    for (uint32_t slice = 0; slice < slices; ++slice)
    {
        AddReduce(tree, GetPartBytes(bytes, slices, slice), messages);
    }
    return std::make_unique<ListedGraph>(tree.size(), std::move(messages));
}

std::unique_ptr<OperationGraph>
MakeDoubleTree(uint32_t ranks, uint64_t bytes, uint32_t slices)
{
    Messages messages;
    const Tree trees[]{MakeNcclTree(ranks, false), MakeNcclTree(ranks, true)};
    for (uint32_t slice = 0; slice < slices; ++slice)
    {
        for (uint32_t half = 0; half < 2; ++half)
        {
            const uint64_t part = GetPartBytes(GetPartBytes(bytes, 2, half), slices, slice);
            AddBroadcast(trees[half],
                         part,
                         AddReduce(trees[half], part, messages),
                         false,
                         messages);
        }
    }
    return std::make_unique<ListedGraph>(ranks, std::move(messages));
}

} // namespace ns3::rdma
