// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/flow-log.h"

#include "ns3/flow-number.h"
#include "ns3/table-schema.h"

#include <algorithm>
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

FlowLog::FlowLog(std::ostream& out, std::vector<std::string> workloads)
    : m_out(out),
      m_workloads(std::move(workloads)),
      m_byWorkload(m_workloads.size())
{
    m_out << GetHeader(!m_workloads.empty());
}

std::string
FlowLog::GetHeader(bool isOfList)
{
    return FLOW_TABLE.GetHeader(isOfList);
}

void
FlowLog::AddTrouble(const FlowRecord& record)
{
    m_troubles.push_back(flow_number::Describe(record.flow, m_workloads) + " from " +
                         std::to_string(record.src) + " to " + std::to_string(record.dst) + " (" +
                         std::to_string(record.bytes) + " bytes) " +
                         GetFlowStatusName(record.status) + ": " + record.reason);
}

void
FlowLog::Write(const FlowRecord& record)
{
    m_all.Add(record);
    if (!m_workloads.empty())
    {
        const uint32_t workload = flow_number::GetWorkload(record.flow);
        m_byWorkload[workload].Add(record);
        m_row.Add(m_workloads[workload]);
    }
    const bool isCompleted = record.status == FlowStatus::COMPLETED;
    const double slowdown = static_cast<double>(record.fctPs) /
                            static_cast<double>(std::max<int64_t>(record.idealPs, 1));
    m_row.Add(flow_number::GetLocal(record.flow))
        .Add(record.src)
        .Add(record.dst)
        .Add(record.bytes)
        .AddNs(record.startPs);
    isCompleted ? m_row.AddNs(record.fctPs) : m_row.AddEmpty();
    m_row.AddNs(record.idealPs);
    isCompleted&& record.idealPs > 0 ? m_row.AddNumber(slowdown) : m_row.AddEmpty();
    m_row.Add(record.packets)
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
        AddTrouble(record);
    }
}

void
FlowLog::MeasureFrom(int64_t startPs)
{
    m_all.MeasureFrom(startPs);
    for (FlowStatistics& one : m_byWorkload)
    {
        one.MeasureFrom(startPs);
    }
}

void
FlowLog::SetListener(std::function<void(const FlowRecord&)> listener)
{
    m_listener = std::move(listener);
}

const std::vector<std::string>&
FlowLog::GetTroubles() const
{
    return m_troubles;
}

} // namespace ns3::rdma
