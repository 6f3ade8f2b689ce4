// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REQUESTED_FLOWS_H
#define RDMA_REQUESTED_FLOWS_H

#include "ns3/flow-under-way.h"
#include "ns3/series-request.h"

#include <cstddef>
#include <vector>

namespace ns3::rdma
{

/// Most flows that have rows at a time.
constexpr std::size_t MAX_SERIES_FLOWS{256};

/// @return the flows that a request names, by rising number: at most MAX_SERIES_FLOWS, one per
/// queue pair. Valid as long as the flows.
std::vector<const FlowUnderWay*> FindRequested(const std::vector<FlowUnderWay>& flows,
                                               const SeriesRequest& request);

} // namespace ns3::rdma

#endif // RDMA_REQUESTED_FLOWS_H
