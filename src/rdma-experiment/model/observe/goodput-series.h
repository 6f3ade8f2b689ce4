// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_GOODPUT_SERIES_H
#define RDMA_GOODPUT_SERIES_H

#include "ns3/series.h"

namespace ns3::rdma
{

/// A workload; the key is that of its first flow.
struct GoodputRow : SeriesRow
{
    uint64_t bytes; ///< Delivered since the start of the run.

    void Join(const GoodputRow& other)
    {
        bytes += other.bytes;
    }
};

/**
 * @ingroup rdma-series
 * @brief Payload that each workload delivers over time: series/goodput.csv.
 *
 * A byte of a flow counts when its sender has the acknowledgment (of a READ, the data), so that the
 * sum is complete when the flows have ended; a byte of other traffic when it is at its receiver.
 * Bytes that are sent again count once.
 */
class GoodputSeries : public RowSeries<GoodputRow>
{
  public:
    /// @param workloads names of a list; none: there is one workload
    /// @param begin of the first interval
    GoodputSeries(const std::vector<std::string>& workloads, Tick begin);

  private:
    std::vector<GoodputRow> MakeRows(Tick at, const SeriesInput& input) const override;

    Tick m_begin;
};

} // namespace ns3::rdma

#endif // RDMA_GOODPUT_SERIES_H
