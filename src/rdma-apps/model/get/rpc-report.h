// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RPC_REPORT_H
#define RDMA_RPC_REPORT_H

#include "ns3/queue-pair-renewals.h"
#include "ns3/record-table.h"
#include "ns3/rpc-totals.h"

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// rpcs.csv: rows of requests, with their numbers.
extern const RecordTable<RpcRecord, uint64_t> RPC_TABLE;

/**
 * @ingroup rdma-metrics
 * @brief All requests of a run: counts and percentiles of all of them, and the rows of rpcs.csv
 * that are not written yet.
 */
struct RpcReport
{
    /// Rows that a stopped run still writes: a fraction of a second.
    static constexpr std::size_t MAX_LATE_ROWS{200'000};

    RpcTotals totals;                ///< With those whose rows are in the file or left out.
    std::vector<RpcRecord> records;  ///< Whose rows are not written yet, in the order of rpcs.csv.
    std::shared_ptr<TableFile> file; ///< Has the rows before; null: there are none.
    TextRow row;                     ///< Of the file.
    uint64_t rowsLeftOut{0};         ///< After the last one of records.
    std::optional<RenewalCounts> renewals; ///< Unset: queue pairs are not renewed.

    /// Adds the next request to the totals, and its row to the file.
    void AddRow(const RpcRecord& record);

    /// Adds the last records, in any order. Once. @param maxRows of them, those that began first,
    /// stay in records
    void AddLast(std::vector<RpcRecord> last, std::size_t maxRows);

    /// @return as "12 of 12 requests answered, latency P50 5.0 us, P99 7.2 us".
    std::string Describe() const;

    /// @return the part "rpc" of summary.json.
    nlohmann::ordered_json WriteSummary() const;

    /// Writes the rows of records. @param workload name in a list of workloads; empty: the only one
    void WriteRows(std::ostream& out, const std::string& workload = "") const;
};

/// @return the part "rpc": rpcs.csv, totals, failed requests; with the report as its details.
ResultPart MakeRpcPart(RpcReport report);

/// @return the report of the part "rpc"; null if there is none.
inline const RpcReport*
FindRpcReport(const std::vector<ResultPart>& parts)
{
    return FindDetails<RpcReport>(parts);
}

} // namespace ns3::rdma

#endif // RDMA_RPC_REPORT_H
