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

/// Reads "series". @param workloads names of a list; none: there is no list
/// @param hasSpray whether "spray" is one of all series @throws InputError
SeriesSpec ReadSeries(const JsonValue& value,
                      const ServerGroups& groups,
                      const std::vector<std::string>& workloads,
                      bool hasSpray);

/// @throws InputError naming the port that is not in the topology, or if there are too many
void CheckSeries(const Scenario& scenario, const TopologyGraph& graph, const JsonValue& value);

/// @return "series" that ReadSeries() reads back.
nlohmann::ordered_json WriteSeries(const SeriesSpec& series,
                                   const std::vector<std::string>& workloads);

/// What the series mean on a graph on which they were checked.
SeriesRequest MakeSeriesRequest(const Scenario& scenario, const TopologyGraph& graph);

} // namespace ns3::rdma

#endif // RDMA_SERIES_KEYS_H
