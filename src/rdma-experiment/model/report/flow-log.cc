// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/flow-log.h"

#include "ns3/number-text.h"
#include "ns3/table-schema.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::rdma
{

namespace
{

const TableSchema FLOW_TABLE{
    "flows.csv",
    {{"flow", "", "number in the order of start, from 0"},
     {"src", "", "node id of the sender"},
     {"dst", "", "node id of the receiver"},
     {"bytes", "bytes", "size of the message"},
     {"start_ns", "ns", "when the request is posted, from the start of the run", ColumnType::REAL},
     {"fct_ns",
      "ns",
      "from posting to the sender's completion; empty unless completed",
      ColumnType::REAL_OR_EMPTY},
     {"ideal_ns",
      "ns",
      "FCT of the same message alone in the empty network, headers included",
      ColumnType::REAL_OR_EMPTY},
     {"slowdown",
      "",
      "`fct_ns / ideal_ns`, six significant digits; empty unless completed",
      ColumnType::REAL_OR_EMPTY},
     {"packets", "", "data packets, each counted once"},
     {"retransmitted", "", "data packets sent again"},
     {"timeouts", "", "expiries of the retransmission timer"},
     {"status",
      "",
      "`completed`; `failed`: completion error; `stalled`: the run ended at its stall limit; "
      "`unfinished`: the run was stopped first",
      ColumnType::WORD}}};

} // namespace

FlowLog::FlowLog(std::ostream& out)
    : m_out(out),
      m_firstStartPs(std::numeric_limits<int64_t>::max())
{
    m_out << FLOW_TABLE.GetHeader();
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
        fct = FormatNs(record.fctPs);
        if (record.idealPs > 0) // Else no path to the destination is left.
        {
            m_slowdowns.push_back(fctPs / static_cast<double>(record.idealPs));
            slowdown = FormatNumber(m_slowdowns.back());
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
        .Add(FormatNs(record.startPs))
        .Add(fct)
        .Add(FormatNs(record.idealPs))
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
