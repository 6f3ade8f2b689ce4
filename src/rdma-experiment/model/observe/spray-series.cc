// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/spray-series.h"

#include "ns3/credit-account.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace ns3::rdma
{

namespace
{
using Point = SpraySeries::Point;
using Column = SpraySeries::Columns::Column;

template <typename Count>
Column
MakeColumn(const char* name, const char* meaning, Count FlightCounts::*count)
{
    return {name, "", meaning, [count](const Point& point) { return point.counts.*count; }};
}

const SpraySeries::Columns SPRAY_TABLE{
    "series/spray.csv",
    {MakeTimeColumn<SprayRow>(),
     {"flow",
      "",
      "number of the flow, as in flows.csv",
      [](const Point& point) { return flow_number::GetLocal(point.key); }},
     {"src", "", "node id of the sender", &Point::src},
     {"dst", "", "node id of the receiver", &Point::dst},
     MakeColumn("held_packets",
                "packets that the receiver held out of order, by the latest report",
                &FlightCounts::held),
     MakeColumn("max_held_packets", "maximum of them since the start", &FlightCounts::mostHeld),
     MakeColumn("good_reports", "reports without CE since the start", &FlightCounts::good),
     MakeColumn("marked_reports", "reports with CE since the start", &FlightCounts::marked),
     MakeColumn("trimmed_packets",
                "packets that a switch has trimmed since the start",
                &FlightCounts::trimmed),
     MakeColumn("lost_packets",
                "packets that the loss detector considered lost since the start",
                &FlightCounts::lost),
     MakeColumn("timed_out_packets",
                "packets for which the retransmission timer has expired since the start",
                &FlightCounts::timedOut),
     {"credit_bytes",
      "bytes",
      "credit that is left, 0 if overdrawn; empty if no credit is needed",
      [](const Point& point) {
          return point.hasCredit ? std::optional(point.creditBytes) : std::nullopt;
      }}}};
} // namespace

SpraySeries::SpraySeries(const SeriesRequest& request)
    : RowSeries(SPRAY_TABLE, MAX_SERIES_FLOWS, request.workloads),
      m_request(request)
{
}

std::vector<SprayRow>
SpraySeries::MakeRows(Tick, const SeriesInput& input) const
{
    std::vector<FlowUnderWay> spraying;
    std::copy_if(input.flows.begin(),
                 input.flows.end(),
                 std::back_inserter(spraying),
                 [](const auto& flow) { return flow.requester->GetFlight() != nullptr; });
    std::vector<SprayRow> rows;
    for (const FlowUnderWay* flow : FindRequested(spraying, m_request))
    {
        const Flight& flight = *flow->requester->GetFlight();
        const CreditAccount* credit = flight.GetCredit();
        const int64_t bytes = credit ? std::max<int64_t>(credit->GetBytes(), 0) : 0;
        rows.push_back({{flow->number},
                        flow->src,
                        flow->dst,
                        flight.GetCounts(),
                        static_cast<uint64_t>(bytes),
                        credit != nullptr});
    }
    return rows;
}

} // namespace ns3::rdma
