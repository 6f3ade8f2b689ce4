// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SPRAY_SERIES_H
#define RDMA_SPRAY_SERIES_H

#include "ns3/flight.h"
#include "ns3/series.h"

namespace ns3::rdma
{

/// A flow whose requester has a Flight of its own; the key is the number of the flow.
struct SprayRow : SeriesRow
{
    uint32_t src;
    uint32_t dst;
    FlightCounts counts; ///< Since the queue pair was made.
    uint64_t creditBytes;
    bool hasCredit; ///< Otherwise no credit is needed.
};

/**
 * @ingroup rdma-series
 * @brief What reports show of packets on several routes, per flow over time: series/spray.csv.
 *
 * Only flows whose requester has a Flight of its own have rows.  Each sample has rows of at most
 * MAX_SERIES_FLOWS of them: those with the lowest numbers.
 *
 * Not modelled: how many packets each route has got.  A sender sees entropy values, not routes.
 */
class SpraySeries : public RowSeries<SprayRow>
{
  public:
    /// @param request outlives this
    explicit SpraySeries(const SeriesRequest& request);

  private:
    std::vector<SprayRow> MakeRows(Tick at, const SeriesInput& input) const override;

    const SeriesRequest& m_request;
};

} // namespace ns3::rdma

#endif // RDMA_SPRAY_SERIES_H
