// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-series.h"

#include "ns3/flow-number.h"

#include <unordered_map>

namespace ns3::rdma
{

namespace
{
const TableSchema RATE_TABLE{
    "series/rate.csv",
    {{"time_ns", "ns", "time of the sample", ColumnType::REAL},
     {"flow", "", "number of the flow, as in flows.csv"},
     {"src", "", "node id of the sender"},
     {"dst", "", "node id of the receiver"},
     {"rate_gbps", "Gb/s", "rate at the wire that congestion control allows", ColumnType::REAL},
     {"window_bytes",
      "bytes",
      "bytes that may be in flight; empty if there is no window",
      ColumnType::REAL_OR_EMPTY},
     {"in_flight_bytes", "bytes", "bytes in flight"},
     {"sending_gbps",
      "Gb/s",
      "payload sent for the first time since the previous row",
      ColumnType::REAL},
     {"acked_bytes", "bytes", "payload acknowledged since the start"},
     {"retransmitted", "", "packets sent again since the start"},
     {"timeouts", "", "expiries of the retransmission timer since the start"}}};
} // namespace

FlowSeries::FlowSeries(const SeriesRequest& request)
    : m_request(request),
      m_table(MAX_SERIES_FLOWS)
{
}

FlowSeries::Row
FlowSeries::MakeRow(const FlowUnderWay& flow)
{
    const Requester& requester = *flow.requester;
    const RequesterStats stats = requester.GetStats();
    return {flow.number,
            flow.src,
            flow.dst,
            flow.start,
            requester.GetRate().GetBitRate(),
            requester.GetPacer().GetWindowBytes(),
            requester.GetInFlightBytes(),
            stats.sentBytes,
            stats.ackedBytes,
            static_cast<uint32_t>(stats.retransmitted),
            static_cast<uint32_t>(stats.timeouts)};
}

void
FlowSeries::Sample(Tick at, const std::vector<FlowUnderWay>& flows)
{
    std::vector<Row> rows;
    for (const FlowUnderWay* flow : FindRequested(flows, m_request))
    {
        rows.push_back(MakeRow(*flow));
    }
    m_table.Add(at, std::move(rows));
}

void
FlowSeries::MergeNewest()
{
    m_table.MergeNewest();
}

void
FlowSeries::Pack(ByteBuffer& buffer) const
{
    m_table.Pack(buffer);
}

void
FlowSeries::Unpack(ByteReader& reader)
{
    m_table.Unpack(reader, MAX_SERIES_FLOWS);
}

void
FlowSeries::AddRow(const Row& row, Tick at, const Row& before, Tick since, SeriesText& text) const
{
    if (!m_request.workloads.empty())
    {
        text.AddWord(m_request.workloads[flow_number::GetWorkload(row.flow)]);
    }
    text.AddTime(at).Add(flow_number::GetLocal(row.flow)).Add(row.src).Add(row.dst);
    text.AddRate(row.bitRate);
    row.windowBytes == UINT64_MAX ? text.Skip() : text.Add(row.windowBytes);
    text.Add(row.inFlightBytes)
        .AddRate(row.sentBytes - before.sentBytes, at - since)
        .Add(row.ackedBytes)
        .Add(row.retransmitted)
        .Add(row.timeouts)
        .EndLine();
}

void
FlowSeries::Write(const std::filesystem::path& folder) const
{
    struct Last
    {
        Tick at;
        Row row;
    };

    SeriesText text(RATE_TABLE, !m_request.workloads.empty());
    std::unordered_map<uint64_t, Last> before; // Never iterated.
    for (const auto& block : m_table.GetBlocks())
    {
        for (const Row& row : block.rows)
        {
            const auto [place, isNew] = before.try_emplace(row.flow, Last{row.start, Row{}});
            AddRow(row, block.at, place->second.row, place->second.at, text);
            place->second = {block.at, row};
        }
    }
    text.Write(folder / "rate.csv");
}

} // namespace ns3::rdma
