// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_FLOW_LOG_H
#define RDMA_FLOW_LOG_H

#include "ns3/flow-statistics.h"
#include "ns3/text-row.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-metrics
 * @brief Writes flow records as CSV lines when flows end.
 *
 * Rows come in the order of the Write() calls, which is the order of completion: ended flows need
 * no memory, except that of FlowStatistics and the first few flows that did not complete.
 */
class FlowLog
{
  public:
    /// How many flows that did not complete are kept for the report to the user.
    static constexpr size_t MAX_LISTED{20};

    /// Writes the header line at once. The stream must outlive this object.
    /// @param workloads names of a list of workloads; none: the scenario has one without a name
    explicit FlowLog(std::ostream& out, std::vector<std::string> workloads = {});

    /// @return the header line, with its end of line. @param isOfList whether rows begin with the
    /// name of a workload
    static std::string GetHeader(bool isOfList);

    /// Flows that start earlier are rows, but not in the times of FlowStatistics. Before the first
    /// Write().
    void MeasureFrom(int64_t startPs);

    /// @param listener called with each record that is written
    void SetListener(std::function<void(const FlowRecord&)> listener);

    /// Appends one row. A record that is not COMPLETED leaves fct_ns and slowdown empty.
    void Write(const FlowRecord& record);

    uint64_t GetCount(FlowStatus status) const
    {
        return m_all.GetCount(status);
    }

    /// @return what all flows have in common.
    const FlowStatistics& GetAll() const
    {
        return m_all;
    }

    /// @return the same of the flows of a workload. @param index of a name
    const FlowStatistics& GetOf(std::size_t index) const
    {
        return m_byWorkload[index];
    }

    /// @return the same of the flows of each class, by the priority of their data; empty unless
    /// there are several.
    const std::map<uint8_t, FlowStatistics>& GetByClass() const
    {
        return m_byClass;
    }

    /// @return names of a list of workloads; none: there is no list.
    const std::vector<std::string>& GetWorkloads() const
    {
        return m_workloads;
    }

    /// The first MAX_LISTED failed or stalled flows, one line each with the reason.
    const std::vector<std::string>& GetTroubles() const;

  private:
    void AddTrouble(const FlowRecord& record);
    /// Before the record is added to m_all.
    void AddToClass(const FlowRecord& record);

    std::ostream& m_out;
    TextRow m_row;
    std::function<void(const FlowRecord&)> m_listener; ///< Null: there is none.
    std::vector<std::string> m_workloads;
    FlowStatistics m_all;
    std::vector<FlowStatistics> m_byWorkload; ///< By name.
    std::optional<uint8_t> m_firstClass;      ///< Of the first record.
    /// Empty while all records have the class of the first one.
    std::map<uint8_t, FlowStatistics> m_byClass;
    int64_t m_measuredFrom{0}; ///< As of MeasureFrom().
    std::vector<std::string> m_troubles;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_LOG_H
