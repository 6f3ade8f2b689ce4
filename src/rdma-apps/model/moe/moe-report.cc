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

/// Bytes of all messages of a graph.
struct ByteSums
{
    uint64_t all{0};
    uint64_t local{0}; ///< Of these, within servers.
};

ByteSums
SumBytes(const TokenGraph& graph, const std::vector<RankPlace>& ranks)
{
    ByteSums sums;
    for (uint64_t id = 0; id < graph.GetCount(); ++id)
    {
        const RankMessage one = graph.Get(id);
        sums.all += one.bytes;
        sums.local += ranks[one.src].server == ranks[one.dst].server ? one.bytes : 0;
    }
    return sums;
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
    const ByteSums dispatch = SumBytes(*exchange.GetDispatch(), plan.communicators.front());
    const ByteSums combine = SumBytes(*exchange.GetCombine(), plan.communicators.front());
    nlohmann::ordered_json json{{"tokens", tokens},
                                {"messages", exchange.GetDispatch()->GetCount()},
                                {"dispatch_bytes", dispatch.all},
                                {"combine_bytes", combine.all},
                                {"imbalance", GetImbalance(exchange.GetWork())}};
    if (plan.local)
    {
        json["local_dispatch_bytes"] = dispatch.local;
        json["local_combine_bytes"] = combine.local;
    }
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
