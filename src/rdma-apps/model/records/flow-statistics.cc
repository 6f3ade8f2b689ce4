// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-statistics.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
constexpr double PS_PER_SECOND{1e12};
constexpr double BITS_PER_BYTE{8};
} // namespace

void
FlowStatistics::AddCompleted(const FlowRecord& record)
{
    const auto fctPs = static_cast<double>(record.fctPs);
    m_fctPs.push_back(fctPs);
    m_completedBytes += record.bytes;
    m_lastEndPs = std::max(m_lastEndPs, record.GetTime());
    m_later.emplace_back(record.GetTime(), record.bytes);
    if (record.idealPs > 0) // Else no path to the destination is left.
    {
        m_slowdowns.push_back(fctPs / static_cast<double>(record.idealPs));
    }
}

void
FlowStatistics::Add(const FlowRecord& record)
{
    ++m_counts[static_cast<std::size_t>(record.status)];
    m_retransmitted += record.retransmitted;
    m_timeouts += record.timeouts;
    if (record.startPs < m_measuredFromPs)
    {
        m_unmeasured += record.status == FlowStatus::COMPLETED;
        return;
    }
    m_firstStartPs = std::min(m_firstStartPs, record.startPs);
    if (record.status == FlowStatus::COMPLETED)
    {
        AddCompleted(record);
    }
    m_lastStartPs = std::max(m_lastStartPs, record.startPs);
    while (!m_later.empty() && m_later.front().first <= m_lastStartPs)
    {
        m_bytesByLastStart += m_later.front().second;
        m_later.pop_front();
    }
}

double
FlowStatistics::GetGoodput() const
{
    if (m_fctPs.empty() || m_lastEndPs <= m_firstStartPs)
    {
        return 0;
    }
    const auto spanPs = static_cast<double>(m_lastEndPs - m_firstStartPs);
    return static_cast<double>(m_completedBytes) * BITS_PER_BYTE * PS_PER_SECOND / spanPs;
}

std::optional<double>
FlowStatistics::GetGoodputToLastStart() const
{
    if (m_lastStartPs <= m_firstStartPs)
    {
        return {};
    }
    const auto spanPs = static_cast<double>(m_lastStartPs - m_firstStartPs);
    return static_cast<double>(m_bytesByLastStart) * BITS_PER_BYTE * PS_PER_SECOND / spanPs;
}

} // namespace ns3::rdma
