// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-series.h"

namespace ns3::rdma
{

namespace
{
using Point = FlowSeries::Point;

const FlowSeries::Columns RATE_TABLE{
    "series/rate.csv",
    {MakeTimeColumn<FlowRow>(),
     {"flow",
      "",
      "number of the flow, as in flows.csv",
      [](const Point& point) { return flow_number::GetLocal(point.key); }},
     {"src", "", "node id of the sender", &Point::src},
     {"dst", "", "node id of the receiver", &Point::dst},
     {"rate_gbps",
      "Gb/s",
      "rate at the wire that congestion control allows",
      [](const Point& point) { return GetRateCell(point.bitRate); }},
     {"window_bytes",
      "bytes",
      "bytes that may be in flight; empty if there is no window",
      [](const Point& point) {
          return point.windowBytes == UINT64_MAX ? std::nullopt : std::optional(point.windowBytes);
      }},
     {"in_flight_bytes", "bytes", "bytes in flight", &Point::inFlightBytes},
     {"sending_gbps",
      "Gb/s",
      "payload sent for the first time since the previous row",
      [](const Point& point) {
          return GetRateCell(point.sentBytes - point.before.sentBytes, point.at - point.since);
      }},
     {"acked_bytes", "bytes", "payload acknowledged since the start", &Point::ackedBytes},
     {"retransmitted", "", "packets sent again since the start", &Point::retransmitted},
     {"timeouts", "", "expiries of the retransmission timer since the start", &Point::timeouts}}};
} // namespace

FlowSeries::FlowSeries(const SeriesRequest& request)
    : RowSeries(RATE_TABLE, MAX_SERIES_FLOWS, request.workloads),
      m_request(request)
{
}

std::vector<FlowRow>
FlowSeries::MakeRows(Tick, const SeriesInput& input) const
{
    std::vector<FlowRow> rows;
    for (const FlowUnderWay* flow : FindRequested(input.flows, m_request))
    {
        const Requester& requester = *flow->requester;
        const RequesterStats stats = requester.GetStats();
        rows.push_back({{flow->number, flow->start},
                        flow->src,
                        flow->dst,
                        requester.GetRate().GetBitRate(),
                        requester.GetPacer().GetWindowBytes(),
                        requester.GetInFlightBytes(),
                        stats.sentBytes,
                        stats.ackedBytes,
                        stats.retransmitted,
                        stats.timeouts});
    }
    return rows;
}

} // namespace ns3::rdma
