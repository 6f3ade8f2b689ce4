// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_SERIES_H
#define RDMA_FLOW_SERIES_H

#include "ns3/series.h"

#include <optional>

namespace ns3::rdma
{

/// A flow and its queue pair; the key is the number of the flow.
struct FlowRow : SeriesRow
{
    uint32_t src;
    uint32_t dst;
    uint64_t bitRate;     ///< Rate that congestion control allows.
    uint64_t windowBytes; ///< UINT64_MAX: open.
    uint64_t inFlightBytes;
    uint64_t sentBytes; ///< For the first time, since the queue pair was made; as the next.
    uint64_t ackedBytes;
    uint64_t retransmitted;
    uint64_t timeouts;
};

/**
 * @ingroup rdma-series
 * @brief Rates, windows and sent bytes of the queue pairs of flows over time: series/rate.csv.
 *
 * Each sample has rows of at most MAX_SERIES_FLOWS active flows: those with the lowest numbers.
 */
class FlowSeries : public RowSeries<FlowRow>
{
  public:
    /// @param request outlives this
    explicit FlowSeries(const SeriesRequest& request);

  private:
    std::vector<FlowRow> MakeRows(Tick at, const SeriesInput& input) const override;

    const SeriesRequest& m_request;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_SERIES_H
