// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rpc-rows.h"

#include "ns3/number-text.h"

#include <string>

namespace ns3::rdma
{

const TableSchema RPC_TABLE{
    "rpcs.csv",
    {{"request", "", "number, from 0"},
     {"client", "", "node id of the client"},
     {"server", "", "node id of the server"},
     {"start_ns", "ns", "arrival at the client"},
     {"latency_ns", "ns", "time until the client had the answer or the error; empty without one"},
     {"bytes", "bytes", "size of the value"},
     {"probes", "", "entries of the server's table that were read"},
     {"status", "", "ok, not-found, wrong, refused, failed, stalled or unfinished"}}};

RpcRows::RpcRows(std::ostream& out)
    : m_out(out)
{
}

void
RpcRows::Write(const RpcRecord& record)
{
    const bool hasEnded =
        record.status != RpcStatus::STALLED && record.status != RpcStatus::UNFINISHED;
    m_row.Add(m_number++)
        .Add(record.client)
        .Add(record.server)
        .Add(FormatPaddedNs(record.startPs))
        .Add(hasEnded ? FormatPaddedNs(record.latencyPs) : "")
        .Add(record.bytes)
        .Add(record.probes)
        .Add(GetRpcStatusName(record.status))
        .WriteTo(m_out);
}

RpcFile::RpcFile(const std::filesystem::path& folder)
    : TableFile(RPC_TABLE, folder),
      rows(out)
{
}

} // namespace ns3::rdma
