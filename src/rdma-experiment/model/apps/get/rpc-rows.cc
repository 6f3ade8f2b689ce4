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
     {"start_ns", "ns", "arrival at the client", ColumnType::REAL},
     {"latency_ns",
      "ns",
      "time until the client received the answer or the error; empty if it received none",
      ColumnType::REAL_OR_EMPTY},
     {"bytes", "bytes", "size of the value"},
     {"probes",
      "",
      "look-ups of an entry of the server's table; each is a separate request on the wire"},
     {"status",
      "",
      "`ok`; `not-found`: correct answer that there is no such key; `wrong`: other bytes than the "
      "server's; `refused`: refused by the kernel; `failed`: completion error; `stalled`, "
      "`unfinished`: as in `flows.csv`",
      ColumnType::WORD}}};

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
