// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-ledger.h"

#include <utility>

namespace ns3::rdma
{

FlowLedger::FlowLedger(FlowLog& log, RankGroup& ranks)
    : m_log(log),
      m_ranks(ranks)
{
}

void
FlowLedger::Count(const FlowRecord& record)
{
    m_retransmitted += record.retransmitted;
    m_timeouts += record.timeouts;
    m_idleTimeouts += record.idleTimeouts;
}

void
FlowLedger::Add(FlowRecord&& record, bool hasBound, uint64_t deliveredBytes)
{
    const Tick end = record.startPs + record.fctPs;
    if (record.status == FlowStatus::COMPLETED && hasBound && record.fctPs < record.idealPs)
    {
        m_violations.push_back({end,
                                record.flow,
                                "took " + std::to_string(record.fctPs) +
                                    " ps, less than the ideal " + std::to_string(record.idealPs)});
    }
    Count(record);
    m_bytes += deliveredBytes;
    ++m_done;
    m_lastEnd = end;
    if (m_ranks.GetCount() == 1)
    {
        m_records.WriteBefore(m_lastEnd, m_log);
    }
    m_records.Add(std::move(record));
}

void
FlowLedger::AddUnfinished(FlowRecord&& record)
{
    Count(record);
    m_records.Add(std::move(record));
}

void
FlowLedger::Pack(ByteBuffer& buffer)
{
    m_records.Pack(buffer);
}

void
FlowLedger::Unpack(ByteReader& reader)
{
    m_records.Unpack(reader);
}

void
FlowLedger::WriteBefore(Tick end)
{
    if (m_ranks.GetRank() == 0)
    {
        m_records.WriteBefore(end, m_log);
    }
}

void
FlowLedger::Close()
{
    m_ranks.CollectAtFirst([this](ByteBuffer& buffer) { m_records.Pack(buffer); },
                           [this](ByteReader& reader) { m_records.Unpack(reader); });
    WriteBefore(TICK_NEVER);
}

} // namespace ns3::rdma
