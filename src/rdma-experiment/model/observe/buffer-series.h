// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BUFFER_SERIES_H
#define RDMA_BUFFER_SERIES_H

#include "ns3/fabric.h"
#include "ns3/series.h"

#include <functional>

namespace ns3::rdma
{

/// Bytes in the shared buffer of a switch; its key is the node id.
struct BufferRow : SeriesRow
{
    uint64_t bytes;
};

/**
 * @ingroup rdma-series
 * @brief Fill levels of the switches' shared buffers over time: series/buffer.csv.
 */
class BufferSeries : public RowSeries<BufferRow>
{
  public:
    /// @param fabric outlives this; @param isHere whether this rank simulates a node
    BufferSeries(const Fabric& fabric, const std::function<bool(uint32_t node)>& isHere);

  private:
    std::vector<BufferRow> MakeRows(Tick at, const SeriesInput&) const override;

    const Fabric& m_fabric;
    std::vector<uint32_t> m_switches; ///< Of this rank.
};

} // namespace ns3::rdma

#endif // RDMA_BUFFER_SERIES_H
