// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/collective-plan.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_LOOKED_AT{64}; ///< Messages of a connection.

/// The messages of one connection of a group. @param factor iterations
void
ListConnection(const OperationGraph& graph,
               uint32_t connection,
               uint64_t messages,
               double factor,
               const std::function<void(uint64_t bytes, double count)>& visit)
{
    const uint64_t looked = std::min(messages, MAX_LOOKED_AT);
    for (uint64_t i = 0; i < looked; ++i)
    {
        const RankMessage message = graph.Get(graph.Find(connection, i * messages / looked));
        const double count = factor * static_cast<double>(messages) / static_cast<double>(looked);
        visit(message.bytes, count);
        if (message.hasSeparateNotice)
        {
            visit(0, count);
        }
    }
}

} // namespace

void
ListMessages(const CollectivePlan& plan, const TrafficVisitor& visit)
{
    for (const CollectiveStage& stage : plan.stages)
    {
        for (const CollectiveGroup& group : stage)
        {
            const std::vector<RankConnection> connections = group.graph->MakeConnections();
            for (uint32_t number = 0; number < connections.size(); ++number)
            {
                const RankConnection& one = connections[number];
                const auto visitSizes = [&](uint64_t bytes, double count) {
                    for (const std::vector<RankPlace>& ranks : plan.communicators)
                    {
                        const uint32_t src = ranks[group.members[one.src]].server;
                        const uint32_t dst = ranks[group.members[one.dst]].server;
                        if (src != dst)
                        {
                            visit({src, dst, bytes, count});
                        }
                    }
                };
                ListConnection(*group.graph, number, one.messages, plan.iterations, visitSizes);
            }
        }
    }
}

} // namespace ns3::rdma
