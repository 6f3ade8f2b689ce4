// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rpc-report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr const char* RPC_PART{"rpc"};

bool
IsBefore(const RpcRecord& left, const RpcRecord& right)
{
    return left.IsBefore(right);
}
} // namespace

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
    return json;
}

void
RpcReport::WriteRows(RpcRows& rows) const
{
    for (const RpcRecord& record : records)
    {
        rows.Write(record);
    }
}

ResultPart
MakeRpcPart(RpcReport report)
{
    const auto all = std::make_shared<const RpcReport>(std::move(report));
    ResultPart part;
    part.name = RPC_PART;
    part.line = all->Describe();
    part.summary = all->WriteSummary();
    part.troubles = all->totals.GetTroubles();
    part.violations = all->totals.GetViolations();
    const auto writeRows = [all](std::ostream& out) {
        RpcRows rows(out);
        all->WriteRows(all->file ? all->file->rows : rows);
    };
    part.tables.push_back({&RPC_TABLE, writeRows, all->file});
    part.details = all;
    return part;
}

const RpcReport*
FindRpcReport(const std::vector<ResultPart>& parts)
{
    const auto part = std::find_if(parts.begin(), parts.end(), [](const ResultPart& one) {
        return one.name == RPC_PART;
    });
    return part == parts.end()
               ? nullptr
               : std::any_cast<std::shared_ptr<const RpcReport>>(part->details).get();
}

} // namespace ns3::rdma
