// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/flow-log.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

namespace ns3::rdma
{

namespace
{

/// Picoseconds as nanoseconds, exact: decimals only where they are needed.
std::string
FormatNanoseconds(int64_t picoseconds)
{
    constexpr int64_t PS_PER_NS{1000};
    std::string text = std::to_string(picoseconds / PS_PER_NS);
    if (const int64_t rest = picoseconds % PS_PER_NS; rest != 0)
    {
        std::string decimals = std::to_string(PS_PER_NS + rest).substr(1);
        decimals.erase(decimals.find_last_not_of('0') + 1);
        text += "." + decimals;
    }
    return text;
}

std::string
FormatSlowdown(double slowdown)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", slowdown);
    return text;
}

} // namespace

FlowLog::FlowLog(std::ostream& out)
    : m_out(out),
      m_firstStartPs(std::numeric_limits<int64_t>::max())
{
    m_out << "flow,src,dst,bytes,start_ns,fct_ns,ideal_ns,slowdown,packets,retransmitted,timeouts,"
             "status\n";
}

void
FlowLog::Write(const FlowRecord& record)
{
    ++m_counts[static_cast<size_t>(record.status)];
    m_firstStartPs = std::min(m_firstStartPs, record.startPs);
    const bool isCompleted = record.status == FlowStatus::COMPLETED;
    std::string fct;
    std::string slowdown;
    if (isCompleted)
    {
        const auto fctPs = static_cast<double>(record.fctPs);
        m_fctPs.push_back(fctPs);
        m_completedBytes += record.bytes;
        m_lastEndPs = std::max(m_lastEndPs, record.startPs + record.fctPs);
        m_later.emplace_back(record.startPs + record.fctPs, record.bytes);
        fct = FormatNanoseconds(record.fctPs);
        if (record.idealPs > 0) // Else the way to the destination vanished with its last frame.
        {
            m_slowdowns.push_back(fctPs / static_cast<double>(record.idealPs));
            slowdown = FormatSlowdown(m_slowdowns.back());
        }
    }
    m_lastStartPs = std::max(m_lastStartPs, record.startPs);
    while (!m_later.empty() && m_later.front().first <= m_lastStartPs)
    {
        m_bytesByLastStart += m_later.front().second;
        m_later.pop_front();
    }
    m_row.Add(record.flow)
        .Add(record.src)
        .Add(record.dst)
        .Add(record.bytes)
        .Add(FormatNanoseconds(record.startPs))
        .Add(fct)
        .Add(FormatNanoseconds(record.idealPs))
        .Add(slowdown)
        .Add(record.packets)
        .Add(record.retransmitted)
        .Add(record.timeouts)
        .Add(GetFlowStatusName(record.status))
        .WriteTo(m_out);
    if (m_listener)
    {
        m_listener(record);
    }
    const bool isTrouble =
        record.status == FlowStatus::FAILED || record.status == FlowStatus::STALLED;
    if (isTrouble && m_troubles.size() < MAX_LISTED)
    {
        m_troubles.push_back("flow " + std::to_string(record.flow) + " from " +
                             std::to_string(record.src) + " to " + std::to_string(record.dst) +
                             " (" + std::to_string(record.bytes) + " bytes) " +
                             GetFlowStatusName(record.status) + ": " + record.reason);
    }
}

void
FlowLog::SetListener(std::function<void(const FlowRecord&)> listener)
{
    m_listener = std::move(listener);
}

uint64_t
FlowLog::GetCount(FlowStatus status) const
{
    return m_counts[static_cast<size_t>(status)];
}

const std::vector<double>&
FlowLog::GetCompletionTimes() const
{
    return m_fctPs;
}

const std::vector<double>&
FlowLog::GetSlowdowns() const
{
    return m_slowdowns;
}

double
FlowLog::GetGoodput() const
{
    constexpr double PS_PER_SECOND{1e12};
    if (m_fctPs.empty() || m_lastEndPs <= m_firstStartPs)
    {
        return 0;
    }
    const auto spanPs = static_cast<double>(m_lastEndPs - m_firstStartPs);
    return static_cast<double>(m_completedBytes) * 8 * PS_PER_SECOND / spanPs;
}

std::optional<double>
FlowLog::GetGoodputToLastStart() const
{
    constexpr double PS_PER_SECOND{1e12};
    if (m_lastStartPs <= m_firstStartPs)
    {
        return {};
    }
    const auto spanPs = static_cast<double>(m_lastStartPs - m_firstStartPs);
    return static_cast<double>(m_bytesByLastStart) * 8 * PS_PER_SECOND / spanPs;
}

const std::vector<std::string>&
FlowLog::GetTroubles() const
{
    return m_troubles;
}

} // namespace ns3::rdma
