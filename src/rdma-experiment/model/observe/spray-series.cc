// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/spray-series.h"

#include "ns3/credit-account.h"
#include "ns3/flow-number.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
const TableSchema SPRAY_TABLE{
    "series/spray.csv",
    {{"time_ns", "ns", "time of the sample", ColumnType::REAL},
     {"flow", "", "number of the flow, as in flows.csv"},
     {"src", "", "node id of the sender"},
     {"dst", "", "node id of the receiver"},
     {"held_packets", "", "packets that the receiver held out of order, by the latest report"},
     {"max_held_packets", "", "maximum of them since the start"},
     {"good_reports", "", "reports without CE since the start"},
     {"marked_reports", "", "reports with CE since the start"},
     {"trimmed_packets", "", "packets that a switch has trimmed since the start"},
     {"lost_packets", "", "packets that the loss detector considered lost since the start"},
     {"timed_out_packets",
      "",
      "packets for which the retransmission timer has expired since the start"},
     {"credit_bytes",
      "bytes",
      "credit that is left, 0 if overdrawn; empty if no credit is needed",
      ColumnType::REAL_OR_EMPTY}}};
} // namespace

SpraySeries::SpraySeries(const SeriesRequest& request)
    : m_request(request),
      m_table(MAX_SERIES_FLOWS)
{
}

SpraySeries::Row
SpraySeries::MakeRow(const FlowUnderWay& flow)
{
    const Flight& flight = *flow.requester->GetFlight();
    const CreditAccount* credit = flight.GetCredit();
    const int64_t bytes = credit ? std::max<int64_t>(credit->GetBytes(), 0) : 0;
    return {flow.number,
            flow.src,
            flow.dst,
            flight.GetCounts(),
            static_cast<uint64_t>(bytes),
            credit != nullptr};
}

void
SpraySeries::Sample(Tick at, const std::vector<FlowUnderWay>& flows)
{
    std::vector<FlowUnderWay> spraying;
    std::copy_if(flows.begin(), flows.end(), std::back_inserter(spraying), [](const auto& flow) {
        return flow.requester->GetFlight() != nullptr;
    });
    std::vector<Row> rows;
    for (const FlowUnderWay* flow : FindRequested(spraying, m_request))
    {
        rows.push_back(MakeRow(*flow));
    }
    m_table.Add(at, std::move(rows));
}

void
SpraySeries::MergeNewest()
{
    m_table.MergeNewest();
}

void
SpraySeries::Pack(ByteBuffer& buffer) const
{
    m_table.Pack(buffer);
}

void
SpraySeries::Unpack(ByteReader& reader)
{
    m_table.Unpack(reader, MAX_SERIES_FLOWS);
}

void
SpraySeries::AddRow(const Row& row, Tick at, SeriesText& text) const
{
    if (!m_request.workloads.empty())
    {
        text.AddWord(m_request.workloads[flow_number::GetWorkload(row.flow)]);
    }
    text.AddTime(at).Add(flow_number::GetLocal(row.flow)).Add(row.src).Add(row.dst);
    text.Add(row.counts.held)
        .Add(row.counts.mostHeld)
        .Add(row.counts.good)
        .Add(row.counts.marked)
        .Add(row.counts.trimmed)
        .Add(row.counts.lost)
        .Add(row.counts.timedOut);
    row.hasCredit ? text.Add(row.creditBytes) : text.Skip();
    text.EndLine();
}

void
SpraySeries::Write(const std::filesystem::path& folder) const
{
    SeriesText text(SPRAY_TABLE, !m_request.workloads.empty());
    for (const auto& block : m_table.GetBlocks())
    {
        for (const Row& row : block.rows)
        {
            AddRow(row, block.at, text);
        }
    }
    text.Write(folder / "spray.csv");
}

} // namespace ns3::rdma
