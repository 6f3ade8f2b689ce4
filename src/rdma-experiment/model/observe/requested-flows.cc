// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/requested-flows.h"

#include "ns3/flow-number.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
bool
IsRequested(const FlowUnderWay& flow, const SeriesRequest& request)
{
    const auto& selection = request.flows;
    return !selection ||
           std::binary_search(selection->flows.begin(), selection->flows.end(), flow.number) ||
           std::binary_search(selection->senders.begin(), selection->senders.end(), flow.src) ||
           std::binary_search(selection->workloads.begin(),
                              selection->workloads.end(),
                              flow_number::GetWorkload(flow.number));
}
} // namespace

std::vector<const FlowUnderWay*>
FindRequested(const std::vector<FlowUnderWay>& flows, const SeriesRequest& request)
{
    std::vector<const FlowUnderWay*> requested;
    for (const FlowUnderWay& flow : flows)
    {
        if (IsRequested(flow, request))
        {
            requested.push_back(&flow);
        }
    }
    const auto isEarlier = [](const auto* left, const auto* right) {
        return left->number < right->number;
    };
    std::sort(requested.begin(), requested.end(), isEarlier);
    // Several operations on one queue pair have one row.
    const auto isSame = [](const auto* left, const auto* right) {
        return left->number == right->number;
    };
    requested.erase(std::unique(requested.begin(), requested.end(), isSame), requested.end());
    requested.resize(std::min(MAX_SERIES_FLOWS, requested.size()));
    return requested;
}

} // namespace ns3::rdma
