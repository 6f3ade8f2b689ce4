// SPDX-License-Identifier: GPL-2.0-only

#include "rank-options.h"

#include "whole-number.h"

#include "ns3/fabric-partition.h"

#include <algorithm>

namespace ns3::rdma
{

std::string
CheckRanks(const std::string& text)
{
    constexpr uint64_t MOST{1024};
    const auto number = ParseWholeNumber(text);
    const bool isGood = text == AUTOMATIC_RANKS || (number && *number >= 1 && *number <= MOST);
    return isGood ? "" : "expected auto or a whole number from 1 to 1024, got " + text;
}

uint32_t
ChooseRanks(const TopologyGraph& graph, uint32_t cores, uint32_t nics)
{
    const bool hasDelays =
        std::all_of(graph.links.begin(), graph.links.end(), [](const GraphLink& link) {
            return link.delay.IsStrictlyPositive();
        });
    return nics >= cores || !hasDelays ? 1 : FabricPartition::ChooseCount(graph, cores);
}

} // namespace ns3::rdma
