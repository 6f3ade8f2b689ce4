// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RPC_REPORT_H
#define RDMA_RPC_REPORT_H

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// How a request to a server ended.
enum class RpcStatus : uint8_t
{
    OK,         ///< Answered with what the server holds.
    NOT_FOUND,  ///< Answered, rightly, that there is nothing.
    WRONG,      ///< Answered with something else: a broken invariant.
    REFUSED,    ///< A kernel answered that it cannot.
    FAILED,     ///< A work request of it ended with an error.
    STALLED,    ///< The run ended at its stall limit while it was under way.
    UNFINISHED, ///< The run ended before the request did.
    COUNT
};

/// The word of rpcs.csv: "ok", "not-found" and so on.
const char* GetRpcStatusName(RpcStatus status);

/// One request, when it has ended. Times are picoseconds.
struct RpcRecord
{
    uint64_t sequence{0}; ///< Number at its client, from 0.
    uint32_t client{0};   ///< Node id.
    uint32_t server{0};   ///< Node id.
    int64_t startPs{0};   ///< When it arrived at its client.
    int64_t latencyPs{0}; ///< Until the client had the answer.
    uint32_t bytes{0};    ///< Of the value.
    uint32_t probes{0};   ///< Entries of the table that were looked at.
    RpcStatus status{RpcStatus::OK};
    uint16_t serverNic{0}; ///< NIC of the server, from 0.
};

/// All requests of a run.
struct RpcReport
{
    int64_t fromPs{0};  ///< The end of the warm-up.
    int64_t untilPs{0}; ///< When clients stop to ask.
    std::vector<RpcRecord> records;

    /// Puts the records into the order of rpcs.csv: by start, client and sequence.
    void Sort();

    uint64_t GetCount(RpcStatus status) const;

    /// @return as "12 requests answered, latency P50 5.0 us, P99 7.2 us".
    std::string Describe() const;

    /// @return broken invariants: one line for each wrong answer.
    std::vector<std::string> GetViolations() const;

    /// @return one line for each of the first requests that were refused, failed or stalled.
    std::vector<std::string> GetTroubles(std::size_t limit) const;
};

/// Writes rpcs.csv. @param report sorted
void WriteRpcs(const RpcReport& report, std::ostream& out);

/// @return the part "rpc" of summary.json; with what each NIC has answered if servers have several.
nlohmann::ordered_json WriteRpcSummary(const RpcReport& report);

} // namespace ns3::rdma

#endif // RDMA_RPC_REPORT_H
