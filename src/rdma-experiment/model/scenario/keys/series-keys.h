// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SERIES_KEYS_H
#define RDMA_SERIES_KEYS_H

#include "ns3/json-value.h"
#include "ns3/scenario.h"
#include "ns3/series-request.h"
#include "ns3/topology-graph.h"

namespace ns3::rdma
{

/// Most ports that one run follows: their rows are bounded together.
constexpr std::size_t MAX_SERIES_PORTS{2000};

/// "series" is read: if it names none, all are written that the NICs have.
void CompleteSeries(Scenario& scenario);

/// Declares the keys of "series". @param workloads names of a list; none: there is no list
void VisitSeries(Keys& keys,
                 SeriesSpec& series,
                 const ServerGroups& groups,
                 const std::vector<std::string>& workloads);

/// @throws InputError naming the port that is not in the topology, or if there are too many
void CheckSeries(const Scenario& scenario, const TopologyGraph& graph, const JsonValue& value);

/// What the series mean on a graph on which they were checked.
SeriesRequest MakeSeriesRequest(const Scenario& scenario, const TopologyGraph& graph);

} // namespace ns3::rdma

#endif // RDMA_SERIES_KEYS_H
