// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_STATISTICS_H
#define RDMA_FLOW_STATISTICS_H

#include "ns3/flow-record.h"

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-metrics
 * @brief Counts, times and goodput of flows, added in the order in which they ended.
 *
 * A completed flow takes two numbers, for the percentiles.
 */
class FlowStatistics
{
  public:
    void Add(const FlowRecord& record);

    /// Flows that start earlier are counted, but have no part in times, slowdowns and goodput.
    /// Before the first Add().
    void MeasureFrom(int64_t startPs)
    {
        m_measuredFromPs = startPs;
    }

    /// @return completed flows that started before MeasureFrom().
    uint64_t GetUnmeasured() const
    {
        return m_unmeasured;
    }

    uint64_t GetCount(FlowStatus status) const
    {
        return m_counts[static_cast<std::size_t>(status)];
    }

    /// @return completion times in picoseconds, in the order of the Add() calls.
    const std::vector<double>& GetCompletionTimes() const
    {
        return m_fctPs;
    }

    /// @return FCT / ideal of the same flows.
    const std::vector<double>& GetSlowdowns() const
    {
        return m_slowdowns;
    }

    uint64_t GetRetransmitted() const
    {
        return m_retransmitted;
    }

    uint64_t GetTimeouts() const
    {
        return m_timeouts;
    }

    /// @return payload bit/s of all completed flows, from the first start to the last completion.
    double GetGoodput() const;

    /// @return payload bit/s of the flows that completed by the last start, from the first start
    /// to the last, which leaves out the tail without new flows. Unset if all flows start at one
    /// time.
    std::optional<double> GetGoodputToLastStart() const;

  private:
    void AddCompleted(const FlowRecord& record);

    int64_t m_measuredFromPs{0};
    uint64_t m_unmeasured{0};
    std::array<uint64_t, 4> m_counts{};
    std::vector<double> m_fctPs;
    std::vector<double> m_slowdowns;
    uint64_t m_retransmitted{0};
    uint64_t m_timeouts{0};
    uint64_t m_completedBytes{0};
    int64_t m_firstStartPs{std::numeric_limits<int64_t>::max()};
    int64_t m_lastEndPs{0};
    int64_t m_lastStartPs{0};
    uint64_t m_bytesByLastStart{0}; ///< Of flows that completed at m_lastStartPs or before.
    /// Time of completion and bytes of flows that completed after m_lastStartPs, in that order.
    std::deque<std::pair<int64_t, uint64_t>> m_later;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_STATISTICS_H
