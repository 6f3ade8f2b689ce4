// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_SERIES_H
#define RDMA_FLOW_SERIES_H

#include "ns3/flow-under-way.h"
#include "ns3/series-table.h"
#include "ns3/series-text.h"

#include <filesystem>

namespace ns3::rdma
{

/**
 * @ingroup rdma-series
 * @brief Rates, windows and sent bytes of the queue pairs of flows over time: series/rate.csv.
 *
 * Each sample has rows of at most MAX_SERIES_FLOWS active flows: those with the lowest numbers.
 */
class FlowSeries
{
  public:
    /// @param request outlives this
    explicit FlowSeries(const SeriesRequest& request);

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
        Tick start;
        uint64_t bitRate;     ///< Rate that congestion control allows.
        uint64_t windowBytes; ///< UINT64_MAX: open.
        uint64_t inFlightBytes;
        uint64_t sentBytes; ///< For the first time, since the queue pair was made; as the next.
        uint64_t ackedBytes;
        uint32_t retransmitted;
        uint32_t timeouts;

        uint64_t GetKey() const
        {
            return flow;
        }

        void Absorb(const Row&)
        {
        }
    };

    static Row MakeRow(const FlowUnderWay& flow);
    void AddRow(const Row& row, Tick at, const Row& before, Tick since, SeriesText& text) const;

    const SeriesRequest& m_request;
    SeriesTable<Row> m_table;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_SERIES_H
