// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SPRAY_SERIES_H
#define RDMA_SPRAY_SERIES_H

#include "ns3/flight.h"
#include "ns3/flow-under-way.h"
#include "ns3/series-table.h"
#include "ns3/series-text.h"

#include <filesystem>

namespace ns3::rdma
{

/**
 * @ingroup rdma-series
 * @brief What reports show of packets on several routes, per flow over time: series/spray.csv.
 *
 * Only flows whose requester has a Flight of its own have rows.  Each sample has rows of at most
 * MAX_SERIES_FLOWS of them: those with the lowest numbers.
 *
 * Not modelled: how many packets each route has got.  A sender sees entropy values, not routes.
 */
class SpraySeries
{
  public:
    /// @param request outlives this
    explicit SpraySeries(const SeriesRequest& request);

    /// Adds a sample. All events before `at` have run.
    /// @param flows of this rank's senders, in any order
    void Sample(Tick at, const std::vector<FlowUnderWay>& flows);

    /// The newest sample replaces the previous one.
    void MergeNewest();

    void Pack(ByteBuffer& buffer) const;
    void Unpack(ByteReader& reader);

    /// @param folder must exist @throws std::runtime_error
    void Write(const std::filesystem::path& folder) const;

  private:
    struct Row
    {
        uint64_t flow;
        uint32_t src;
        uint32_t dst;
        FlightCounts counts; ///< Since the queue pair was made.
        uint64_t creditBytes;
        bool hasCredit; ///< Otherwise no credit is needed.

        uint64_t GetKey() const
        {
            return flow;
        }

        void Absorb(const Row&)
        {
        }
    };

    static Row MakeRow(const FlowUnderWay& flow);
    void AddRow(const Row& row, Tick at, SeriesText& text) const;

    const SeriesRequest& m_request;
    SeriesTable<Row> m_table;
};

} // namespace ns3::rdma

#endif // RDMA_SPRAY_SERIES_H
