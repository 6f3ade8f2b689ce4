// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-record-queue.h"

#include <algorithm>
#include <iterator>
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

void
PackRecord(const FlowRecord& record, ByteBuffer& buffer)
{
    buffer.Put(record.flow);
    buffer.Put(record.src);
    buffer.Put(record.dst);
    buffer.Put(record.bytes);
    buffer.Put(record.startPs);
    buffer.Put(record.fctPs);
    buffer.Put(record.idealPs);
    buffer.Put(record.packets);
    buffer.Put(record.retransmitted);
    buffer.Put(record.timeouts);
    buffer.Put(record.status);
    buffer.PutText(record.reason);
}

FlowRecord
UnpackRecord(ByteReader& reader)
{
    FlowRecord record;
    record.flow = reader.Get<uint64_t>();
    record.src = reader.Get<uint32_t>();
    record.dst = reader.Get<uint32_t>();
    record.bytes = reader.Get<uint64_t>();
    record.startPs = reader.Get<int64_t>();
    record.fctPs = reader.Get<int64_t>();
    record.idealPs = reader.Get<int64_t>();
    record.packets = reader.Get<uint64_t>();
    record.retransmitted = reader.Get<uint64_t>();
    record.timeouts = reader.Get<uint64_t>();
    record.status = reader.Get<FlowStatus>();
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
FlowRecordQueue::Add(FlowRecord record)
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
