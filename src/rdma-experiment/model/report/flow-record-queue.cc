// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-record-queue.h"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

namespace ns3::rdma
{

namespace
{
int64_t
GetEnd(const FlowRecord& record)
{
    return record.startPs + record.fctPs;
}

/// Calls a function with all fields except the text, in the order of the message.
template <typename Record, typename Visit>
void
VisitFields(Record& record, const Visit& visit)
{
    visit(record.flow);
    visit(record.src);
    visit(record.dst);
    visit(record.bytes);
    visit(record.startPs);
    visit(record.fctPs);
    visit(record.idealPs);
    visit(record.packets);
    visit(record.retransmitted);
    visit(record.timeouts);
    visit(record.idleTimeouts);
    visit(record.status);
}

void
PackRecord(const FlowRecord& record, ByteBuffer& buffer)
{
    VisitFields(record, [&buffer](const auto& field) { buffer.Put(field); });
    buffer.PutText(record.reason);
}

FlowRecord
UnpackRecord(ByteReader& reader)
{
    FlowRecord record;
    VisitFields(record,
                [&reader](auto& field) { field = reader.Get<std::decay_t<decltype(field)>>(); });
    record.reason = reader.GetText();
    return record;
}
} // namespace

bool
FlowRecordQueue::IsBefore(const FlowRecord& left, const FlowRecord& right)
{
    return GetEnd(left) != GetEnd(right) ? GetEnd(left) < GetEnd(right) : left.flow < right.flow;
}

void
FlowRecordQueue::Add(FlowRecord&& record)
{
    m_earliestPs = std::min(m_earliestPs, GetEnd(record));
    m_records.push_back(std::move(record));
}

void
FlowRecordQueue::WriteBefore(int64_t timePs, FlowLog& log)
{
    if (m_earliestPs >= timePs)
    {
        return;
    }
    std::sort(m_records.begin(), m_records.end(), IsBefore);
    const auto end =
        std::find_if(m_records.begin(), m_records.end(), [timePs](const FlowRecord& record) {
            return GetEnd(record) >= timePs;
        });
    std::for_each(m_records.begin(), end, [&log](const FlowRecord& record) { log.Write(record); });
    m_records.erase(m_records.begin(), end);
    m_earliestPs = m_records.empty() ? INT64_MAX : GetEnd(m_records.front());
}

void
FlowRecordQueue::Pack(ByteBuffer& buffer)
{
    buffer.Put(static_cast<uint64_t>(m_records.size()));
    for (const FlowRecord& record : m_records)
    {
        PackRecord(record, buffer);
    }
    m_records.clear();
    m_earliestPs = INT64_MAX;
}

void
FlowRecordQueue::Unpack(ByteReader& reader)
{
    for (auto left = reader.Get<uint64_t>(); left > 0; --left)
    {
        Add(UnpackRecord(reader));
    }
}

} // namespace ns3::rdma
