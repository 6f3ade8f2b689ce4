// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/collective-log.h"

#include <algorithm>

namespace ns3::rdma
{

void
IterationRecord::Add(const IterationRecord& other)
{
    firstBegin = std::min(firstBegin, other.firstBegin);
    lastBegin = std::max(lastBegin, other.lastBegin);
    const bool isLater = other.end > end || (other.end == end && other.slowest < slowest);
    if (other.ranksDone > 0 && (ranksDone == 0 || isLater))
    {
        end = other.end;
        slowest = other.slowest;
        awaited = other.awaited;
    }
    ranksDone += other.ranksDone;
}

void
CollectiveLog::OnBegin(uint32_t iteration, Tick now)
{
    IterationRecord& record = m_records[iteration];
    record.firstBegin = std::min(record.firstBegin, now);
    record.lastBegin = std::max(record.lastBegin, now);
}

void
CollectiveLog::OnEnd(uint32_t iteration, uint32_t rank, std::optional<uint32_t> awaited, Tick now)
{
    IterationRecord record;
    record.end = now;
    record.ranksDone = 1;
    record.slowest = rank;
    record.awaited = awaited.value_or(UINT32_MAX);
    m_records[iteration].Add(record);
}

} // namespace ns3::rdma
