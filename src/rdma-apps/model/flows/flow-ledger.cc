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
    m_totals.retransmitted += record.retransmitted;
    m_totals.timeouts += record.timeouts;
    m_totals.idleTimeouts += record.idleTimeouts;
}

void
FlowLedger::Add(FlowRecord&& record, bool hasBound, uint64_t deliveredBytes)
{
    const Tick end = record.GetTime();
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
        WriteBefore(m_lastEnd);
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
    buffer.Put(m_records.Take());
}

void
FlowLedger::Unpack(ByteReader& reader)
{
    m_records.Add(reader.Get<std::vector<FlowRecord>>());
}

void
FlowLedger::WriteBefore(Tick end)
{
    if (m_ranks.GetRank() == 0)
    {
        m_records.WriteBefore(end, [this](const FlowRecord& record) { m_log.Write(record); });
    }
}

void
FlowLedger::Close()
{
    m_ranks.CollectAtFirst([this](ByteBuffer& buffer) { Pack(buffer); },
                           [this](ByteReader& reader) { Unpack(reader); });
    WriteBefore(TICK_NEVER);
}

} // namespace ns3::rdma
