// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BUFFER_SERIES_H
#define RDMA_BUFFER_SERIES_H

#include "ns3/fabric.h"
#include "ns3/series-table.h"

#include <filesystem>
#include <functional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-series
 * @brief Fill levels of the switches' shared buffers over time: series/buffer.csv.
 */
class BufferSeries
{
  public:
    /// @param fabric outlives this; @param isHere whether this rank simulates a node
    BufferSeries(const Fabric& fabric, const std::function<bool(uint32_t node)>& isHere);

    /// Adds a sample. All events before `at` have run.
    void Sample(Tick at);

    /// The newest sample replaces the previous one.
    void MergeNewest();

    void Pack(ByteBuffer& buffer) const;
    void Unpack(ByteReader& reader);

    /// @param folder must exist @throws std::runtime_error
    void Write(const std::filesystem::path& folder) const;

  private:
    struct Row
    {
        uint32_t node;
        uint64_t bytes;

        uint32_t GetKey() const
        {
            return node;
        }

        void Absorb(const Row&)
        {
        }
    };

    const Fabric& m_fabric;
    std::vector<uint32_t> m_switches; ///< Of this rank.
    SeriesTable<Row> m_table;
};

} // namespace ns3::rdma

#endif // RDMA_BUFFER_SERIES_H
