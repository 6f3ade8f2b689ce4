// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/flow-log.h"

#include "ns3/flow-number.h"
#include "ns3/record-table.h"

#include <optional>
#include <utility>

namespace ns3::rdma
{

namespace
{

/// @return its slowdown; unset unless it has completed, and without a path.
std::optional<double>
GetSlowdown(const FlowRecord& record)
{
    if (record.status != FlowStatus::COMPLETED || record.idealPs <= 0)
    {
        return std::nullopt;
    }
    return static_cast<double>(record.fctPs) / static_cast<double>(record.idealPs);
}

const RecordTable<FlowRecord> FLOW_TABLE{
    "flows.csv",
    {{"flow",
      "",
      "number in the order of start, from 0",
      [](const FlowRecord& record) { return flow_number::GetLocal(record.flow); }},
     {"src", "", "node id of the sender", &FlowRecord::src},
     {"dst", "", "node id of the receiver", &FlowRecord::dst},
     {"bytes", "bytes", "size of the message", &FlowRecord::bytes},
     {"start_ns",
      "ns",
      "when the request is posted, from the start of the run",
      [](const FlowRecord& record) { return NsCell{record.startPs}; }},
     {"fct_ns",
      "ns",
      "from posting to the sender's completion; empty unless completed",
      [](const FlowRecord& record) {
          const bool isCompleted = record.status == FlowStatus::COMPLETED;
          return isCompleted ? std::optional(NsCell{record.fctPs}) : std::nullopt;
      }},
     {"ideal_ns",
      "ns",
      "FCT of the same message alone in the empty network, headers included",
      [](const FlowRecord& record) { return std::optional(NsCell{record.idealPs}); }},
     {"slowdown",
      "",
      "`fct_ns / ideal_ns`, six significant digits; empty unless completed",
      GetSlowdown},
     {"packets", "", "data packets, each counted once", &FlowRecord::packets},
     {"retransmitted", "", "data packets sent again", &FlowRecord::retransmitted},
     {"timeouts", "", "expiries of the retransmission timer", &FlowRecord::timeouts},
     {"status",
      "",
      "`completed`; `failed`: completion error; `stalled`: the run ended at its stall limit; "
      "`unfinished`: the run was stopped first",
      [](const FlowRecord& record) { return GetFlowStatusName(record.status); }}}};

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
FlowLog::AddToClass(const FlowRecord& record)
{
    m_firstClass = m_firstClass.value_or(record.priority);
    if (m_byClass.empty())
    {
        if (record.priority == *m_firstClass)
        {
            return;
        }
        m_byClass.emplace(*m_firstClass, m_all);
    }
    const auto [place, isNew] = m_byClass.try_emplace(record.priority);
    if (isNew)
    {
        place->second.MeasureFrom(m_measuredFrom);
    }
    place->second.Add(record);
}

void
FlowLog::Write(const FlowRecord& record)
{
    AddToClass(record);
    m_all.Add(record);
    if (!m_workloads.empty())
    {
        const uint32_t workload = flow_number::GetWorkload(record.flow);
        m_byWorkload[workload].Add(record);
        m_row.Add(m_workloads[workload]);
    }
    FLOW_TABLE.AddTo(m_row, record).WriteTo(m_out);
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
    m_measuredFrom = startPs;
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
