// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RPC_RECORD_H
#define RDMA_RPC_RECORD_H

#include <cstdint>
#include <string>

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

    /// @return when it began, which its place in rpcs.csv depends on.
    int64_t GetTime() const
    {
        return startPs;
    }

    /// @return whether its row comes before another one's: by start, client and sequence.
    bool IsBefore(const RpcRecord& other) const;

    /// @return as "request 3 of client 5 to server 1".
    std::string Describe() const;
};

} // namespace ns3::rdma

#endif // RDMA_RPC_RECORD_H
