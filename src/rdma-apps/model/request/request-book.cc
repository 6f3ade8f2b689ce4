// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/request-book.h"

namespace ns3::rdma
{

void
OpenRequests::Begin(Tick start)
{
    m_starts.push_back(start);
}

void
OpenRequests::End(uint64_t number)
{
    if (number < m_first)
    {
        return;
    }
    m_starts[number - m_first] = TICK_NEVER;
    while (!m_starts.empty() && m_starts.front() == TICK_NEVER)
    {
        m_starts.pop_front();
        ++m_first;
    }
}

void
RequestBook::Begin(RpcRecord& record, Tick now)
{
    record.sequence = m_started++;
    record.startPs = now;
    m_open.Begin(now);
}

void
RequestBook::End(RpcRecord record, RpcStatus status, Tick now)
{
    m_open.End(record.sequence);
    m_lastEnd = now;
    record.latencyPs = now - record.startPs;
    Abandon(record, status);
}

void
RequestBook::Abandon(RpcRecord record, RpcStatus status)
{
    record.status = status;
    m_records.push_back(record);
    ++m_ended;
}

} // namespace ns3::rdma
