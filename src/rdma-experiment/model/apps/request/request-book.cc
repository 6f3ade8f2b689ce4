// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/request-book.h"

namespace ns3::rdma
{

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
