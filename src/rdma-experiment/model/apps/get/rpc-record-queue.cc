// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rpc-record-queue.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

void
RpcRecordQueue::Add(const std::vector<RpcRecord>& records)
{
    for (const RpcRecord& record : records)
    {
        m_earliestPs = std::min(m_earliestPs, record.startPs);
    }
    m_records.insert(m_records.end(), records.begin(), records.end());
}

void
RpcRecordQueue::WriteBefore(int64_t timePs, RpcReport& report)
{
    if (m_earliestPs >= timePs)
    {
        return;
    }
    const auto end =
        std::partition(m_records.begin(), m_records.end(), [timePs](const RpcRecord& record) {
            return record.startPs < timePs;
        });
    std::sort(m_records.begin(), end, [](const RpcRecord& left, const RpcRecord& right) {
        return left.IsBefore(right);
    });
    std::for_each(m_records.begin(), end, [&report](const RpcRecord& record) {
        report.totals.Add(record);
        report.file->rows.Write(record);
    });
    std::vector<RpcRecord> left(end, m_records.end());
    m_records.clear();
    m_earliestPs = INT64_MAX;
    Add(left);
}

std::vector<RpcRecord>
RpcRecordQueue::Take()
{
    m_earliestPs = INT64_MAX;
    return std::exchange(m_records, {});
}

} // namespace ns3::rdma
