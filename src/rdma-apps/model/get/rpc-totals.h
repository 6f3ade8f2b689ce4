// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RPC_TOTALS_H
#define RDMA_RPC_TOTALS_H

#include "ns3/rpc-record.h"

#include <array>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-metrics
 * @brief What a run reports of its requests beside their rows, counted as they end.
 *
 * A request takes 8 bytes, for the percentiles.
 */
class RpcTotals
{
  public:
    /// How many requests that were refused, failed or stalled are kept for the report to the user.
    static constexpr std::size_t MAX_LISTED{20};

    RpcTotals() = default;
    /// @param fromPs the end of the warm-up @param untilPs when clients stop to ask
    RpcTotals(int64_t fromPs, int64_t untilPs);

    /// Violations and troubles are listed in the order of these calls.
    void Add(const RpcRecord& record);

    /// @return when clients stop to ask.
    int64_t GetUntil() const
    {
        return m_untilPs;
    }

    uint64_t GetCount() const
    {
        return m_count;
    }

    uint64_t GetCount(RpcStatus status) const
    {
        return m_countByStatus[static_cast<std::size_t>(status)];
    }

    /// @return as "12 of 12 requests answered, latency P50 5.0 us, P99 7.2 us".
    std::string Describe() const;

    /// @return broken invariants: one line for each wrong answer.
    const std::vector<std::string>& GetViolations() const
    {
        return m_violations;
    }

    /// @return one line for each of the first MAX_LISTED requests that were refused, failed or
    /// stalled.
    const std::vector<std::string>& GetTroubles() const
    {
        return m_troubles;
    }

    /// @return the part "rpc" of summary.json; with what each NIC has answered if servers have
    /// several.
    nlohmann::ordered_json WriteSummary() const;

  private:
    void AddAnswered(const RpcRecord& record);
    nlohmann::ordered_json WriteLatency() const;

    int64_t m_fromPs{0};
    int64_t m_untilPs{0};
    uint64_t m_count{0};
    std::array<uint64_t, static_cast<std::size_t>(RpcStatus::COUNT)> m_countByStatus{};
    std::vector<int64_t> m_latencies; ///< Of answered requests that began in the measured time, ps.
    uint64_t m_probes{0};             ///< Of these requests.
    uint64_t m_endedBytes{0};         ///< Of answers in the measured time.
    uint64_t m_ended{0};              ///< Likewise.
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> m_endedByNic; ///< By server and NIC.
    bool m_hasSeveralNics{false};
    std::vector<std::string> m_violations;
    std::vector<std::string> m_troubles;
};

} // namespace ns3::rdma

#endif // RDMA_RPC_TOTALS_H
