// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/goodput-series.h"

namespace ns3::rdma
{

namespace
{
using Point = GoodputSeries::Point;

uint64_t
GetNewBytes(const Point& point)
{
    return point.bytes - point.before.bytes;
}

const GoodputSeries::Columns GOODPUT_TABLE{
    "series/goodput.csv",
    {MakeTimeColumn<GoodputRow>(),
     {"bytes", "bytes", "payload delivered since the previous row", GetNewBytes},
     {"goodput_gbps",
      "Gb/s",
      "the same per time",
      [](const Point& point) { return GetRateCell(GetNewBytes(point), point.at - point.since); }},
     {"total_bytes", "bytes", "payload delivered since the start of the run", &Point::bytes}}};
} // namespace

GoodputSeries::GoodputSeries(const std::vector<std::string>& workloads, Tick begin)
    : RowSeries(GOODPUT_TABLE, std::max<std::size_t>(workloads.size(), 1), workloads),
      m_begin(begin)
{
}

std::vector<GoodputRow>
GoodputSeries::MakeRows(Tick, const SeriesInput& input) const
{
    std::vector<GoodputRow> rows;
    for (uint32_t workload = 0; workload < input.delivered.size(); ++workload)
    {
        rows.push_back({{flow_number::Make(workload, 0), m_begin}, input.delivered[workload]});
    }
    return rows;
}

} // namespace ns3::rdma
