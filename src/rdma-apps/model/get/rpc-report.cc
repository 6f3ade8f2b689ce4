// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rpc-report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace ns3::rdma
{

namespace
{
bool
IsBefore(const RpcRecord& left, const RpcRecord& right)
{
    return left.IsBefore(right);
}

/// @return its latency; unset: it has received no answer.
std::optional<PaddedNsCell>
GetLatency(const RpcRecord& record)
{
    const bool hasEnded =
        record.status != RpcStatus::STALLED && record.status != RpcStatus::UNFINISHED;
    return hasEnded ? std::optional(PaddedNsCell{record.latencyPs}) : std::nullopt;
}
} // namespace

const RecordTable<RpcRecord, uint64_t> RPC_TABLE{
    "rpcs.csv",
    {{"request", "", "number, from 0", [](const RpcRecord&, uint64_t number) { return number; }},
     {"client", "", "node id of the client", &RpcRecord::client},
     {"server", "", "node id of the server", &RpcRecord::server},
     {"start_ns",
      "ns",
      "arrival at the client",
      [](const RpcRecord& record) { return PaddedNsCell{record.startPs}; }},
     {"latency_ns",
      "ns",
      "time until the client received the answer or the error; empty if it received none",
      GetLatency},
     {"bytes", "bytes", "size of the value or the KV cache", &RpcRecord::bytes},
     {"probes",
      "",
      "look-ups of an entry of the server's table, or slices of a KV cache; each is a separate "
      "request on the wire",
      &RpcRecord::probes},
     {"status",
      "",
      "`ok`; `not-found`: correct answer that there is no such key; `wrong`: other bytes than the "
      "server's; `refused`: refused by the kernel; `failed`: completion error; `stalled`, "
      "`unfinished`: as in `flows.csv`",
      [](const RpcRecord& record) { return GetRpcStatusName(record.status); }}}};

void
RpcReport::AddRow(const RpcRecord& record)
{
    RPC_TABLE.AddTo(row, record, totals.GetCount()).WriteTo(file->out);
    totals.Add(record);
}

void
RpcReport::AddLast(std::vector<RpcRecord> last, std::size_t maxRows)
{
    records = std::move(last);
    const std::size_t kept = std::min(records.size(), maxRows);
    const auto end = records.begin() + static_cast<std::ptrdiff_t>(kept);
    if (end != records.end())
    {
        std::nth_element(records.begin(), end, records.end(), IsBefore);
    }
    std::sort(records.begin(), end, IsBefore);
    for (const RpcRecord& record : records)
    {
        totals.Add(record);
    }
    rowsLeftOut = records.size() - kept;
    records.resize(kept);
}

std::string
RpcReport::Describe() const
{
    const std::string text = totals.Describe();
    return rowsLeftOut == 0 ? text
                            : text + ", " + std::to_string(totals.GetCount() - rowsLeftOut) +
                                  " of " + std::to_string(totals.GetCount()) + " rows written";
}

nlohmann::ordered_json
RpcReport::WriteSummary() const
{
    nlohmann::ordered_json json = totals.WriteSummary();
    if (rowsLeftOut > 0)
    {
        json["rows_left_out"] = rowsLeftOut;
    }
    if (renewals)
    {
        json["renewals"] = WriteCounts(*renewals);
    }
    return json;
}

void
RpcReport::WriteRows(std::ostream& out, const std::string& workload) const
{
    TextRow text(workload);
    uint64_t number = totals.GetCount() - rowsLeftOut - records.size();
    for (const RpcRecord& record : records)
    {
        RPC_TABLE.AddTo(text, record, number++).WriteTo(out);
    }
}

ResultPart
MakeRpcPart(RpcReport report)
{
    const auto all = std::make_shared<const RpcReport>(std::move(report));
    ResultPart part;
    part.name = "rpc";
    part.line = all->Describe();
    part.summary = all->WriteSummary();
    part.troubles = all->totals.GetTroubles();
    part.violations = all->totals.GetViolations();
    const auto write = [all](std::ostream& out, const std::string& workload) {
        all->WriteRows(out, workload);
    };
    part.tables.push_back({&RPC_TABLE, write, all->file});
    part.details = all;
    return part;
}

} // namespace ns3::rdma
