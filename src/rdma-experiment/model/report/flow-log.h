// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_FLOW_LOG_H
#define RDMA_FLOW_LOG_H

#include "ns3/flow-record.h"
#include "ns3/text-row.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-metrics
 * @brief Writes flow records as CSV lines when flows end.
 *
 * Rows come in the order of the Write() calls, which is the order of completion: ended flows need
 * no memory, except two numbers per completed flow, for the percentiles, and the first few flows
 * that did not complete.
 */
class FlowLog
{
  public:
    /// How many flows that did not complete are kept for the report to the user.
    static constexpr size_t MAX_LISTED{20};

    /// Writes the header line at once. The stream must outlive this object.
    explicit FlowLog(std::ostream& out);

    /// @param listener called with each record that is written
    void SetListener(std::function<void(const FlowRecord&)> listener);

    /// Appends one row. A record that is not COMPLETED leaves fct_ns and slowdown empty.
    void Write(const FlowRecord& record);

    uint64_t GetCount(FlowStatus status) const;

    /// Completion times in picoseconds, in the order of the rows.
    const std::vector<double>& GetCompletionTimes() const;

    /// FCT / ideal of the same flows.
    const std::vector<double>& GetSlowdowns() const;

    /// Payload bit/s of all completed flows, from the first start to the last completion.
    double GetGoodput() const;

    /// Payload bit/s of the flows that completed by the last start, from the first start to the
    /// last, which leaves out the tail without new flows. Unset if all flows start at one time.
    std::optional<double> GetGoodputToLastStart() const;

    /// The first MAX_LISTED failed or stalled flows, one line each with the reason.
    const std::vector<std::string>& GetTroubles() const;

  private:
    std::ostream& m_out;
    TextRow m_row;
    std::function<void(const FlowRecord&)> m_listener; ///< Null: there is none.
    std::array<uint64_t, 4> m_counts{};
    std::vector<double> m_fctPs;
    std::vector<double> m_slowdowns;
    std::vector<std::string> m_troubles;
    uint64_t m_completedBytes{0};
    int64_t m_firstStartPs{0};
    int64_t m_lastEndPs{0};
    int64_t m_lastStartPs{0};
    uint64_t m_bytesByLastStart{0}; ///< Of flows that completed at m_lastStartPs or before.
    /// Time of completion and bytes of flows that completed after m_lastStartPs, in that order.
    std::deque<std::pair<int64_t, uint64_t>> m_later;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_LOG_H
