// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/moe-report.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr double PS_PER_US{1e6};

uint64_t
SumBytes(const TokenGraph& graph)
{
    uint64_t sum = 0;
    for (uint64_t id = 0; id < graph.GetCount(); ++id)
    {
        sum += graph.Get(id).bytes;
    }
    return sum;
}

/// @return choices of the busiest rank's experts over the mean.
double
GetImbalance(const std::vector<uint64_t>& work)
{
    const auto sum = std::accumulate(work.begin(), work.end(), uint64_t{0});
    const auto most = static_cast<double>(*std::max_element(work.begin(), work.end()));
    return sum == 0 ? 1 : most * static_cast<double>(work.size()) / static_cast<double>(sum);
}

} // namespace

ResultPart
MakeMoePart(const CollectivePlan& plan,
            const std::vector<SequencePhase>& phases,
            const TokenExchange& exchange,
            uint64_t tokens,
            CollectiveReport report,
            bool isPartial)
{
    const auto bound = static_cast<double>(report.communicators.front().bound);
    ResultPart part = MakeSequencePart(plan, phases, std::move(report), isPartial);
    nlohmann::ordered_json json{{"tokens", tokens},
                                {"messages", exchange.GetDispatch()->GetCount()},
                                {"dispatch_bytes", SumBytes(*exchange.GetDispatch())},
                                {"combine_bytes", SumBytes(*exchange.GetCombine())},
                                {"imbalance", GetImbalance(exchange.GetWork())}};
    if (bound > 0)
    {
        json["empty_network_us"] = bound / PS_PER_US;
    }
    if (part.summary.contains("time_us"))
    {
        const double us = part.summary["time_us"]["mean"].get<double>();
        json["tokens_per_s"] = static_cast<double>(tokens) / (us / PS_PER_US);
    }
    part.summary["moe"] = std::move(json);
    return part;
}

} // namespace ns3::rdma
